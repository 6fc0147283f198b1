import Drawing
import MapGeometry
import MapScene
import Testing

@testable import MapOverlays

/// Labels beside the ring of the buttons' focus.
@Suite struct FocusLabelTests: MarkerLayerCase {
  private let reach = 9

  /// Puts the ring around a marker. Returns what it covers.
  private func ring(_ layer: MarkerLayer, _ id: String) throws -> PixelRect {
    layer.ringed = MarkerLayer.Ringed(.marker(id), reach: reach)
    #expect(layer.update(view(), avoiding: []))
    return try #require(layer.box(of: .marker(id))).widened(by: reach)
  }

  /// What the widest label covers.
  private func words(_ layer: MarkerLayer) throws -> PixelRect {
    try #require(layer.markerSprites.map(\.rect).max { $0.width < $1.width })
  }

  @Test(arguments: [MarkerIcon.pin, .here])
  func theLabelOfWhatTheRingIsAroundMovesAsideByItsReach(_ icon: MarkerIcon) throws {
    let layer = try layer([marker("a", 46, 7.75, "You are here", icon: icon)])
    _ = layer.update(view(), avoiding: [])
    let before = try words(layer)
    let ring = try ring(layer, "a")
    let after = try words(layer)
    #expect(before.intersects(ring) && !after.intersects(ring))
    var beside = before
    beside.x += reach
    #expect(after == beside)
    layer.ringed = nil
    #expect(layer.update(view(), avoiding: []))
    #expect(try words(layer) == before)
  }

  @Test(arguments: [MarkerIcon.pin, .here])
  func otherLabelsLeaveTheRingForAnotherSide(_ icon: MarkerIcon) throws {
    let layer = try layer([marker("a", 46, 7.75, "A rather long name", icon: icon)])
    _ = layer.update(view(), avoiding: [])
    let before = try words(layer)
    // A marker whose tip is just above the label, but not so near that it is read as its name.
    let middle = Double(before.x) + Double(before.width) / 2
    let place = WebMercator.unproject(view().world(x: middle, y: Double(before.y) - 8.5))
    try layer.set(marker("b", place.lat, place.lon))
    _ = layer.update(view(), avoiding: [])
    #expect(try words(layer) == before)
    let ring = try ring(layer, "b")
    #expect(before.intersects(ring))
    let after = try words(layer)
    #expect(after.width == before.width && !after.intersects(ring))
    #expect(layer.markerSprites.count == 3)
  }

  @Test func withoutRoomBesideTheRingALabelStaysWhereItIs() throws {
    let layer = try layer([marker("a", 46, 7.75, "Hut")])
    _ = layer.update(view(), avoiding: [])
    let before = layer.markerSprites.map(\.rect)
    let all = before.dropFirst().reduce(before[0]) { $0.union($1) }
    // Plates all around the marker and its label.
    let plates = [
      PixelRect(x: 0, y: 0, width: 800, height: all.y),
      PixelRect(x: 0, y: all.maxY, width: 800, height: 480 - all.maxY),
      PixelRect(x: 0, y: 0, width: all.x, height: 480),
      PixelRect(x: all.maxX, y: 0, width: 800 - all.maxX, height: 480),
    ]
    layer.ringed = MarkerLayer.Ringed(.marker("a"), reach: reach)
    _ = layer.update(view(), avoiding: plates)
    #expect(before.count == 2 && layer.markerSprites.map(\.rect) == before)
  }
}
