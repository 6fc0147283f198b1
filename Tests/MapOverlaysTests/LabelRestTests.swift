import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Labels of a view at rest: what they are does not depend on how the view was reached, or on what
/// came first.
@Suite struct LabelRestTests: MarkerLayerCase {
  /// A label with its place and its offset.
  private struct Shown: Hashable {
    var name: String
    var place: WorldPoint
    var offset: [Int]

    static func == (a: Shown, b: Shown) -> Bool {
      a.name == b.name && a.place == b.place && a.offset == b.offset
    }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private func shown(_ layer: MarkerLayer) -> Set<Shown> {
    Set(
      layer.placedLabels.map {
        Shown(name: $0.name, place: WorldPoint(x: $0.key.x, y: $0.key.y), offset: [$0.dx, $0.dy])
      })
  }

  private func place(of name: String, _ layer: MarkerLayer) -> WorldPoint? {
    shown(layer).first { $0.name == name }?.place
  }

  /// The middle of the label of the first marker in `view`, as a place on the map.
  private func middleOfLabel(in view: Viewport, _ markers: [Marker]) throws -> WorldPoint {
    let layer = try layer(markers)
    _ = layer.update(view, avoiding: [])
    let label = try #require(layer.placedLabels.first)
    let t = ViewTransform(view)
    let at = t.pixel(gridX: label.gridX, gridY: label.gridY)
    return view.world(
      x: Double(at.x + label.dx + label.image.width / 2),
      y: Double(at.y + label.dy + label.image.height / 2))
  }

  /// An area whose best position is under the label of a marker while north is up, and another one
  /// far below it.
  private func scene() throws -> (markers: [Marker], area: OverlayLabel) {
    let markers = [marker("a", 46, 7.75, "Bakery")]
    let best = try middleOfLabel(in: view(), markers)
    var area = OverlayLabel(place: best, text: "Fair")
    area.others = [WorldPoint(x: best.x, y: best.y + 150.0 / 256 / 4096)]
    return (markers, area)
  }

  @Test func atRestAnAreasNameTakesTheBestFreePositionWhateverCameBefore() throws {
    let (markers, area) = try scene()
    let names = ListedLabels([area])
    let turned = view(bearing: 270)
    // What came, in its order; the last is always the turned view at rest.
    enum Step {
      case names
      case markers
      case moving(Viewport)
      case resting(Viewport)
    }
    let orders: [[Step]] = [
      [.names, .markers, .resting(turned)],
      [.markers, .resting(turned), .names],
      [.markers, .names, .resting(view()), .moving(view(bearing: 40)), .moving(turned)],
      [.markers, .names, .moving(view()), .moving(view(bearing: 10)), .moving(turned)],
      [.markers, .moving(view()), .names, .moving(view(zoom: 12.4)), .moving(turned)],
      [.names, .moving(view(bearing: 275)), .markers, .moving(view()), .moving(turned)],
      [.markers, .names, .resting(view().panned(dx: 900, dy: 0)), .moving(turned)],
    ]
    var results: [Set<Shown>] = []
    for (number, steps) in orders.enumerated() {
      let layer = try layer([])
      for step in steps {
        switch step {
        case .names: layer.labelSources = [names]
        case .markers: for marker in markers { try layer.set(marker) }
        case .moving(let view):
          layer.isAtRest = false
          _ = layer.update(view, avoiding: [])
        case .resting(let view):
          layer.isAtRest = true
          _ = layer.update(view, avoiding: [])
        }
      }
      layer.isAtRest = true
      _ = layer.update(turned, avoiding: [])
      #expect(place(of: "Fair", layer) == area.place, "order \(number)")
      // The marker keeps the side that it had.
      results.append(shown(layer).filter { $0.name == "Fair" })
      // It is at rest: nothing more comes.
      #expect(!layer.update(turned, avoiding: []))
    }
    #expect(results.allSatisfy { $0 == results[0] })
  }

  @Test func aMarkersLabelThatWouldBeBeyondTheEdgeTakesAnotherSideAtRest() throws {
    let layer = try layer([marker("a", 46, 7.75, "Bakery")])
    func label(_ view: Viewport) throws -> PixelRect {
      let label = try #require(layer.placedLabels.first)
      let at = ViewTransform(view).pixel(gridX: label.gridX, gridY: label.gridY)
      return PixelRect(
        x: at.x + label.dx, y: at.y + label.dy, width: label.image.width,
        height: label.image.height)
    }
    let middle = view()
    let screen = PixelRect(x: 0, y: 0, width: middle.width, height: middle.height)
    layer.isAtRest = true
    _ = layer.update(middle, avoiding: [])
    let first = try label(middle)
    // So far that the label is beyond the edge, and the icon is not.
    let isRight = first.x > middle.width / 2
    let way = Double(middle.width / 2 - 6) / Double(middle.scale)
    let moved = middle.panned(dx: isRight ? -way : way, dy: 0)
    layer.isAtRest = false
    _ = layer.update(moved, avoiding: [])
    #expect(try !label(moved).isWithin(screen))
    #expect(layer.isUnsettled)
    layer.isAtRest = true
    #expect(layer.update(moved, avoiding: []))
    #expect(try label(moved).isWithin(screen))
    // It is at rest: nothing more comes.
    #expect(!layer.update(moved, avoiding: []))
  }

  @Test func whileTheMapTurnsAnAreasNameStaysWhereItIs() throws {
    let (markers, area) = try scene()
    let layer = try layer(markers)
    layer.labelSources = [ListedLabels([area])]
    layer.isAtRest = true
    _ = layer.update(view(), avoiding: [])
    #expect(place(of: "Fair", layer) == area.others[0])
    layer.isAtRest = false
    for bearing in [330.0, 300, 270] {
      _ = layer.update(view(bearing: bearing), avoiding: [])
      #expect(place(of: "Fair", layer) == area.others[0], "\(bearing)")
    }
    #expect(layer.isUnsettled)
    layer.isAtRest = true
    #expect(layer.update(view(bearing: 270), avoiding: []))
    #expect(place(of: "Fair", layer) == area.place)
    #expect(!layer.isUnsettled)
  }

  @Test func atRestALabelThatLostItsSideHasAnother() throws {
    let markers = [marker("a", 46, 7.75, "Bakery")]
    // Turned by 90 degrees, the disc of a point is where the label was.
    let turned = view(bearing: 90)
    let point = OverlayLabel(
      place: try middleOfLabel(in: turned, markers), text: "Point", beside: 8)
    let layer = try layer(markers)
    layer.labelSources = [ListedLabels([point])]
    func bakery() -> [Int]? { shown(layer).first { $0.name == "Bakery" }?.offset }
    _ = layer.update(view(), avoiding: [])
    let before = try #require(bakery())
    _ = layer.update(turned, avoiding: [])
    #expect(bakery() == nil)
    #expect(layer.isUnsettled)
    layer.isAtRest = true
    #expect(layer.update(turned, avoiding: []))
    let now = try #require(bakery())
    #expect(now != before)
    // One that has a side keeps it.
    layer.isAtRest = false
    _ = layer.update(view(), avoiding: [])
    #expect(bakery() == now)
    layer.isAtRest = true
    _ = layer.update(view(), avoiding: [])
    #expect(bakery() == now)
  }

  @Test func atRestAnAreasNameStandsWhereItIsOnTheScreenAndUnderNoPlate() throws {
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    func at(_ x: Double) -> WorldPoint {
      WorldPoint(x: middle.x + x / 256 / 4096, y: middle.y)
    }
    // The best position is 50 pixels beyond the right edge.
    var area = OverlayLabel(place: at(450), text: "Fair")
    area.others = [at(-100), at(100)]
    let layer = try layer([])
    layer.labelSources = [ListedLabels([area])]
    _ = layer.update(view(), avoiding: [])
    #expect(layer.labelSprites.isEmpty)
    layer.isAtRest = true
    #expect(layer.update(view(), avoiding: []))
    #expect(place(of: "Fair", layer) == area.others[0])
    let rect = try #require(layer.labelSprites.first).rect
    // A plate that stays drives it away; one that just says something hides it for a moment.
    layer.calloutPlates.brief = [rect]
    #expect(layer.update(view(), avoiding: [rect]))
    #expect(layer.labelSprites.isEmpty)
    layer.calloutPlates.brief = []
    #expect(layer.update(view(), avoiding: [rect.widened(by: 1)]))
    #expect(place(of: "Fair", layer) == area.others[1])
    #expect(layer.labelSprites.count == 1)
    #expect(layer.update(view(), avoiding: []))
    #expect(place(of: "Fair", layer) == area.others[0])
    // Panned, it is nearer to its best position.
    layer.isAtRest = false
    _ = layer.update(view().panned(dx: 100, dy: 0), avoiding: [])
    #expect(place(of: "Fair", layer) == area.others[0])
    layer.isAtRest = true
    _ = layer.update(view().panned(dx: 100, dy: 0), avoiding: [])
    #expect(place(of: "Fair", layer) == area.place)
  }

  @Test func withoutAreasARestedViewIsLaidOutOnce() throws {
    let layer = try layer(many(60, spread: 0.3))
    _ = layer.update(view(), avoiding: [])
    #expect(!layer.isUnsettled)
    layer.isAtRest = true
    #expect(!layer.update(view(), avoiding: []))
  }

  @Test func atRestAreasComeBeforePointsWhateverWasShown() throws {
    let middle = WebMercator.project(GeoPoint(lat: 46, lon: 7.75))
    let point = OverlayLabel(place: middle, text: "Point", beside: 8)
    func labels(_ sources: [[OverlayLabel]]) throws -> Set<Shown> {
      let layer = try layer([])
      layer.isAtRest = true
      for count in 1...sources.count {
        layer.labelSources = sources.prefix(count).enumerated().map {
          ListedLabels($1, version: 10 * count + $0)
        }
        _ = layer.update(view(), avoiding: [])
      }
      return shown(layer)
    }
    // Where the point's label is without the area.
    let alone = try #require(try labels([[point]]).first)
    let area = OverlayLabel(
      place: WorldPoint(
        x: middle.x + Double(alone.offset[0] + 26) / 256 / 4096, y: middle.y), text: "Fair")
    let one = try labels([[area], [point]])
    let other = try labels([[point], [area]])
    #expect(one == other)
    #expect(one.contains { $0.name == "Fair" && $0.place == area.place })
    #expect(one.contains { $0.name == "Point" && $0.offset != alone.offset })
  }
}
