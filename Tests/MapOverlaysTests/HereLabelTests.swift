import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Labels that the words of "here" would cover where a plate moves those.
@Suite struct HereLabelTests: MarkerLayerCase {
  /// "Here" in the middle of the screen, and a plate where its words would be.
  private func crowded() throws -> (layer: MarkerLayer, plate: PixelRect, words: PixelRect) {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    _ = layer.update(view(), avoiding: [])
    let plate = try #require(layer.hereLabels.first)
    _ = layer.update(view(), avoiding: [plate])
    let words = try #require(layer.hereLabels.first)
    #expect(!words.intersects(plate))
    return (layer, plate, words)
  }

  /// The longitude and the latitude at a pixel.
  private func place(_ x: Int, _ y: Int) -> GeoPoint {
    WebMercator.unproject(view().world(x: Double(x) + 0.5, y: Double(y) + 0.5))
  }

  @Test(arguments: [false, true])
  func aLabelThatTheMovedWordsOfHereWouldCoverTakesAnotherSide(_ hasTrail: Bool) throws {
    let (layer, plate, words) = try crowded()
    // The label to the right of the icon reaches into the words.
    let (x, y) = (words.x - 50, words.y + words.height / 2)
    let cafe = place(x, y)
    try layer.set(marker("cafe", cafe.lat, cafe.lon, "Café Mira", icon: .dot))
    let trail = place(x - 60, y).lon
    if hasTrail {
      // The label to the left would lie over it.
      let drawing = try lineDrawing([[(trail, 45.5), (trail, 46.5)]])
      layer.lines = [OverlayLines(drawing, minZoom: 0)]
    }
    _ = layer.update(view(), avoiding: [])
    let before = try #require(layer.labelFrame.markers.first?.rect)
    #expect(before.intersects(words) && before.x > x)
    _ = layer.update(view(), avoiding: [plate])
    #expect(layer.hereLabels == [words])
    let after = try #require(layer.labelFrame.markers.first?.rect)
    #expect(after.width == before.width && !after.intersects(words))
    let isLeft = after.x <= x - 60 && after.maxX > x - 60
    #expect(isLeft != hasTrail)
  }
}
