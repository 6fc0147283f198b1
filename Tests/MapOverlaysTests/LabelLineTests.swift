import Features
import Glibc
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// The labels of points stand beside the lines of overlays where there is room.
@Suite struct LabelLineTests: MarkerLayerCase {
  /// A trail from west to east through the middle of the view.
  private func trail() throws -> FeatureDrawing { try lineDrawing([[(7, 46), (8.5, 46)]]) }

  private func named() throws -> MarkerLayer {
    try layer([marker("hut", 46, 7.75, "Alpine hut", icon: .dot)])
  }

  /// The label on the screen.
  private func label(_ layer: MarkerLayer, _ view: Viewport) throws -> PixelRect {
    let label = try #require(layer.placedLabels.first)
    let at = ViewTransform(view).pixel(gridX: label.gridX, gridY: label.gridY)
    return PixelRect(
      x: at.x + label.dx, y: at.y + label.dy, width: label.image.width, height: label.image.height)
  }

  /// Whether a label is above or below the trail across the middle of the screen.
  private func isBesideTheTrail(_ label: PixelRect) -> Bool {
    label.maxY <= 237 || label.y >= 243
  }

  @Test func aMarkersLabelStandsBesideTheTrailItIsOn() throws {
    let layer = try named()
    _ = layer.update(view(), avoiding: [])
    let before = try label(layer, view())
    #expect(before.y < 240 && before.maxY > 240, "without a trail it is to the right")
    let other = try named()
    other.lines = [OverlayLines(try trail(), minZoom: 0)]
    _ = other.update(view(), avoiding: [])
    // The trail's casing reaches a few pixels to each side.
    #expect(isBesideTheTrail(try label(other, view())))
  }

  @Test func inATurnedViewTheTrailIsTurned() throws {
    let layer = try named()
    layer.lines = [OverlayLines(try trail(), minZoom: 0)]
    let turned = view(bearing: 90)
    _ = layer.update(turned, avoiding: [])
    let label = try label(layer, turned)
    // There is room to the right of a trail from top to bottom.
    #expect(label.x > 400)
    #expect(label.y < 240 && label.maxY > 240)
  }

  @Test func aLabelMakesWayForATrailThatIsShownLater() throws {
    let layer = try named()
    _ = layer.update(view(), avoiding: [])
    let before = try label(layer, view())
    layer.lines = [OverlayLines(try trail(), minZoom: 0)]
    #expect(layer.update(view(), avoiding: []))
    #expect(try label(layer, view()) != before)
  }

  @Test func aLabelIsOverTrailsRatherThanNowhere() throws {
    let layer = try named()
    let net = (-20...20).map { (n: Int) -> [(Double, Double)] in
      let lat = 46 + Double(n) * 0.0005
      return [(7.5, lat), (8, lat)]
    }
    layer.lines = [OverlayLines(try lineDrawing(net), minZoom: 0)]
    _ = layer.update(view(), avoiding: [])
    #expect(try label(layer, view()).x > 400, "on its first side")
  }

  @Test func whereTrailsAreOnAllSidesALabelLeavesTheSelectedOne() throws {
    let net = (-20...20).map { (n: Int) -> [(Double, Double)] in
      let lat = 46 + Double(n) * 0.0005
      return [(7.5, lat), (8, lat)]
    }
    let selected = SelectedLine(try lineDrawing([[(7.76, 46), (8, 46)]]), line: 0..<1)
    for lines in [[], [OverlayLines(try lineDrawing(net), minZoom: 0)]] {
      let layer = try named()
      layer.lines = lines
      _ = layer.update(view(), avoiding: [])
      #expect(try label(layer, view()).x > 400, "on its first side")
      layer.selectedLine = selected
      #expect(layer.update(view(), avoiding: []))
      let moved = try label(layer, view())
      #expect(moved.x < 400 || !isAcross(moved))
      layer.selectedLine = nil
      _ = layer.update(view(), avoiding: [])
      #expect(!layer.placedLabels.isEmpty)
    }
  }

  /// Whether a label is in the row of the middle of the screen.
  private func isAcross(_ label: PixelRect) -> Bool { label.y < 240 && label.maxY > 240 }

  @Test func aSelectedLineIsFoundWithItsRing() throws {
    let drawing = try lineDrawing([[(7, 46), (8, 46)], [(7, 47), (8, 47)]])
    let point = 1 / WebMercator.worldSize(zoom: 12)
    func isThere(_ line: Range<Int>, _ points: Double) -> Bool {
      var place = WebMercator.project(GeoPoint(lat: 46, lon: 7.5))
      place.y += points * point
      let patch = MapPatch(
        middle: place, along: (1, 0), halfWidth: 4 * point, halfHeight: 4 * point)
      var budget = 1000
      return drawing.hasSelected(line, in: patch, point: point, budget: &budget)
    }
    #expect(isThere(0..<1, 0) && isThere(0..<1, 10) && !isThere(0..<1, 20))
    #expect(!isThere(1..<2, 0))
  }

  @Test func trailsThatTheZoomHidesAreInNobodysWay() throws {
    let layer = try named()
    _ = layer.update(view(), avoiding: [])
    let before = try label(layer, view())
    layer.lines = [OverlayLines(try trail(), minZoom: 12.5)]
    _ = layer.update(view(), avoiding: [])
    #expect(try label(layer, view()) == before)
    let near = view(zoom: 13)
    _ = layer.update(near, avoiding: [])
    #expect(isBesideTheTrail(try label(layer, near)))
  }

  @Test func whatALabelDidNotNeedToLeaveItKeeps() throws {
    let layer = try named()
    layer.lines = [OverlayLines(try trail(), minZoom: 0)]
    _ = layer.update(view(), avoiding: [])
    let first = try #require(layer.placedLabels.first)
    for zoom in [12.3, 12.8, 13.4, 12.1] {
      _ = layer.update(view(zoom: zoom), avoiding: [])
      let now = try #require(layer.placedLabels.first)
      #expect((now.dx, now.dy) == (first.dx, first.dy))
    }
  }

  @Test func theNamesOfAnOverlaysPointsStandBesideTrailsToo() throws {
    let layer = try layer([])
    let place = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    layer.labelSources = [ListedLabels([OverlayLabel(place: place, text: "Spring", beside: 8)])]
    layer.lines = [OverlayLines(try trail(), minZoom: 0)]
    _ = layer.update(view(), avoiding: [])
    #expect(isBesideTheTrail(try label(layer, view())))
  }

  // MARK: Where a line is

  /// Whether a piece meets a patch: of 4,000 places on it one is inside.
  private func tried(_ a: WorldPoint, _ b: WorldPoint, _ patch: MapPatch) -> Bool {
    (0...4000).contains { n in
      let part = Double(n) / 4000
      let dx = a.x + (b.x - a.x) * part - patch.middle.x
      let dy = a.y + (b.y - a.y) * part - patch.middle.y
      return abs(dx * patch.along.x + dy * patch.along.y) <= patch.halfWidth
        && abs(dy * patch.along.x - dx * patch.along.y) <= patch.halfHeight
    }
  }

  @Test func aLineIsInAPatchIfAnyOfItIs() throws {
    var numbers = Numbers(3)
    var (inside, outside) = (0, 0)
    for _ in 0..<300 {
      let ends = (0..<2).map { _ in (numbers.unit() * 10, numbers.unit() * 10) }
      let drawing = try lineDrawing([ends])
      let places = ends.map { WebMercator.project(GeoPoint(lat: $0.1, lon: $0.0)) }
      let middle = WebMercator.project(GeoPoint(lat: 5, lon: 5))
      let angle = numbers.unit() * 6
      let patch = MapPatch(
        middle: middle, along: (x: cos(angle), y: sin(angle)),
        halfWidth: numbers.unit() * 0.008, halfHeight: numbers.unit() * 0.004)
      var budget = 1000
      let found = drawing.hasLine(in: patch, point: 0, budget: &budget)
      // A piece that touches a corner may be found or not.
      if tried(places[0], places[1], patch) {
        inside += 1
        #expect(found)
      } else if !tried(places[0], places[1], patch.widened(by: 1e-6)) {
        outside += 1
        #expect(!found)
      }
    }
    #expect(inside > 50 && outside > 50)
  }

  @Test func aLineIsFoundOnEveryCopyOfTheWorld() throws {
    let drawing = try lineDrawing([[(179, 0), (-179, 0)]])
    for lon in [179.5, -179.5, 180] {
      for world in [-1.0, 0, 2] {
        var middle = WebMercator.project(GeoPoint(lat: 0, lon: lon))
        middle.x += world
        let patch = MapPatch(middle: middle, along: (1, 0), halfWidth: 1e-4, halfHeight: 1e-4)
        var budget = 1000
        #expect(drawing.hasLine(in: patch, point: 0, budget: &budget), "\(lon), world \(world)")
      }
    }
  }

  @Test func aLayoutLooksAtALimitedNumberOfPieces() throws {
    let drawing = try lineDrawing(
      (0..<100).map { (n: Int) -> [(Double, Double)] in [(7, 40 + Double(n) / 10), (8, 41)] })
    let middle = WebMercator.project(GeoPoint(lat: 41, lon: 8))
    let patch = MapPatch(middle: middle, along: (1, 0), halfWidth: 1e-5, halfHeight: 1e-5)
    var budget = 1000
    #expect(drawing.hasLine(in: patch, point: 0, budget: &budget))
    var none = 0
    #expect(!drawing.hasLine(in: patch, point: 0, budget: &none))
    // Beside all of them, so that each is looked at.
    var beside = patch
    beside.middle.y -= 1e-4
    var few = 20
    #expect(!drawing.hasLine(in: beside, point: 0, budget: &few))
    #expect(few <= 0 && few > -100)
  }
}
