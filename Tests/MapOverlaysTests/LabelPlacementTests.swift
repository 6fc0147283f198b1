import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Where the labels of markers and overlays are placed.
@Suite struct LabelPlacementTests: MarkerLayerCase {
  @Test func wordsCoverNeitherMarkersNorEachOther() throws {
    let layer = try layer(many(200))
    for bearing in [0.0, 33] {
      _ = layer.update(view(zoom: 10, bearing: bearing), avoiding: [])
      let labels = layer.placedLabels.map { ObjectIdentifier($0.image) }
      let words = layer.markerSprites.filter { labels.contains(ObjectIdentifier($0.image)) }
      let icons = layer.markerSprites.filter { !labels.contains(ObjectIdentifier($0.image)) }
      #expect(words.count > 1)
      for (i, word) in words.enumerated() {
        for icon in icons { #expect(!word.rect.intersects(icon.rect)) }
        for other in words[..<i] { #expect(!word.rect.intersects(other.rect)) }
      }
    }
  }

  @Test func wordsThatWouldStandUnderAPlateAreLeftOut() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    let view = view()
    _ = layer.update(view, avoiding: [])
    #expect(layer.markerSprites.count == 2)
    let words = layer.markerSprites[0].rect
    #expect(layer.update(view, avoiding: [words]))
    #expect(layer.markerSprites.count == 1)
  }

  @Test func wordsOfOverlaysStandWhereNoMarkerIs() throws {
    let layer = try layer([marker("a", 46, 7.75, "Zermatt")])
    let here = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let there = WebMercator.project(GeoPoint(lat: 46.04, lon: 7.75))
    let words = ListedLabels([
      OverlayLabel(place: here, text: "Hidden"), OverlayLabel(place: there, text: "Shown"),
      OverlayLabel(place: there, text: "Second"),
    ])
    layer.labelSources = [words]
    #expect(layer.update(view(), avoiding: []))
    #expect(layer.labelSprites.count == 1)
    // In the middle of its place.
    let at = view().screen(GeoPoint(lat: 46.04, lon: 7.75))
    let rect = layer.labelSprites[0].rect
    #expect(abs(Double(rect.x) + Double(rect.width) / 2 - at.x) <= 1.5)
    words.labels = []
    #expect(!layer.update(view(), avoiding: []))
    words.labelVersion = 2
    #expect(layer.update(view(), avoiding: []))
    #expect(layer.labelSprites.isEmpty)
  }

  @Test(arguments: [1, 2])
  func wordsOfOverlaysMakeWayForThePosition(_ scale: Int) throws {
    let layer = try layer([marker("a", 46.03, 7.7, "Hut")], scale: scale)
    let view = view(46, 7.75, zoom: 12, 800 * scale, 480 * scale, scale: scale)
    func project(_ lon: Double) -> WorldPoint { WebMercator.project(GeoPoint(lat: 46, lon: lon)) }
    // Along a line, in an area that has one place for its words, and beside a point.
    var path = OverlayLabel(place: project(7.72), text: "Path")
    path.others = [project(7.76)]
    layer.labelSources = [
      ListedLabels([
        path, OverlayLabel(place: project(7.8), text: "Lake"),
        OverlayLabel(place: project(7.68), text: "Top", beside: 6),
      ])
    ]
    func rects() -> [PixelRect] {
      _ = layer.update(view, avoiding: [])
      return layer.labelSprites.map(\.rect)
    }
    let before = rects()
    #expect(before.count == 3)
    let half = 20 * scale
    for (lon, count) in [(7.72, 3), (7.76, 3), (7.8, 2), (7.685, 3)] {
      layer.positionRoom = (project(lon), half)
      let at = view.screen(GeoPoint(lat: 46, lon: lon))
      let (x, y) = (Int(at.x) * scale, Int(at.y) * scale)
      let dot = PixelRect(
        x: x - half + 2, y: y - half + 2, width: 2 * half - 4, height: 2 * half - 4)
      let now = rects()
      #expect(now.count == count, "\(lon)")
      #expect(!now.contains { $0.intersects(dot) }, "\(lon)")
    }
    // Where it is not in the way, nothing moves: also those of markers stay.
    let markers = layer.markerSprites
    layer.positionRoom = (project(7.9), half)
    let there = rects()
    #expect(there.count == 3)
    layer.positionRoom = nil
    #expect(rects() == there)
    #expect(layer.markerSprites == markers)
    #expect(!layer.update(view, avoiding: []))
  }

  @Test func anAreaTooSmallForItsWordsHasNone() throws {
    let layer = MarkerLayer(painter())
    let place = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    layer.labelSources = [
      ListedLabels([OverlayLabel(place: place, text: "Liechtenstein", extent: 1.0 / 4096 / 16)])
    ]
    // 16 points at zoom 12, 256 at 16.
    _ = layer.update(view(zoom: 12), avoiding: [])
    #expect(layer.labelSprites.isEmpty)
    _ = layer.update(view(zoom: 16), avoiding: [])
    #expect(layer.labelSprites.count == 1)
  }
}
