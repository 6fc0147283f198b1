import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// Markers that are touched and selected.
@Suite struct MarkerTouchTests: MarkerLayerCase {
  @Test func whatCanBeTouchedIsAtLeast48PointsLarge() throws {
    for scale in [1, 2] {
      let layer = try layer([marker("a", 46, 7.75, icon: .dot)], scale: scale)
      _ = layer.update(view(scale: scale), avoiding: [])
      let (x, y) = (400.0 / Double(scale), 240.0 / Double(scale))
      #expect(layer.hit(x: x + 23, y: y - 23) == .marker("a"))
      #expect(layer.hit(x: x - 23, y: y + 23) == .marker("a"))
      #expect(layer.hit(x: x + 26, y: y) == nil)
      #expect(layer.hit(x: x, y: y - 26) == nil)
    }
  }

  @Test func theNearestOfSeveralIsTouched() throws {
    let layer = try layer([marker("a", 46, 7.75, icon: .dot), marker("b", 46, 7.7667, icon: .dot)])
    _ = layer.update(view(), avoiding: [])
    // 48.6 points between them at zoom 12.
    #expect(layer.hit(x: 405, y: 240) == .marker("a"))
    #expect(layer.hit(x: 440, y: 240) == .marker("b"))
  }

  // MARK: The callout

  @Test func whatIsSelectedSaysItsTextOnTheScreenWhereverItIs() throws {
    let text = String(repeating: "The way to the hut takes two hours. ", count: 40)
    for (width, height) in [(480, 272), (272, 480), (800, 480), (1920, 1080)] {
      let layer = try layer([
        Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: text)
      ])
      let screen = PixelRect(x: 0, y: 0, width: width, height: height)
      let base = view(46, 7.75, zoom: 12, width, height)
      for (dx, dy) in [(0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let moved = base.panned(
          dx: Double(dx * (width / 2 - 3)), dy: Double(dy * (height / 2 - 3)))
        layer.select("a")
        _ = layer.update(moved, avoiding: [])
        #expect(layer.calloutSprites.count == 2)
        for sprite in layer.calloutSprites.prefix(1) {
          #expect(sprite.rect.intersection(screen) == sprite.rect)
        }
      }
      // Out of view it is gone, and comes back with the marker.
      _ = layer.update(base.panned(dx: 5000, dy: 0), avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
      _ = layer.update(base, avoiding: [])
      #expect(layer.calloutSprites.count == 2)
      layer.select(nil)
      _ = layer.update(base, avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
    }
  }

  @Test func removingTheSelectedMarkerClosesItsCallout() throws {
    let layer = try layer([marker("a", 46, 7.75, "A")])
    layer.select("a")
    _ = layer.update(view(), avoiding: [])
    #expect(!layer.calloutSprites.isEmpty)
    layer.remove("a")
    #expect(layer.selected == nil)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.calloutSprites.isEmpty && layer.markerSprites.isEmpty)
    #expect(!layer.update(view(zoom: 5), avoiding: []))
  }
}
