import Configuration
import Inputs
import MapGeometry
import MapLabels
import MapOverlays
import MapScene
import MapStyle
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// Labels of the base map keep clear of the position's dot, and do not blink while it moves.
@Suite struct DotRoomTests {
  private let view = Viewport(
    center: GeoPoint(lat: 0, lon: 0), zoom: 10, width: 400, height: 300)

  /// The pose of a dot so many pixels right of the view's centre.
  private func pose(_ dx: Double, heading: Double? = nil) -> PositionState.Pose {
    let world = 256 * 1024.0
    return PositionState.Pose(place: WorldPoint(x: 0.5 + dx / world, y: 0.5), heading: heading)
  }

  private func box(
    _ room: inout DotRoom, _ pose: PositionState.Pose, in view: Viewport, unit: Double = 1
  ) throws -> PixelRect {
    let found = room.box(for: pose, in: view, unit: unit)
    return try #require(found)
  }

  @Test func theBoxAlwaysHoldsTheDotAndRestsWhileItMovesALittle() throws {
    var room = DotRoom()
    var boxes: [PixelRect] = []
    for dx in 0...100 {
      let box = try self.box(&room, pose(Double(dx)), in: view, unit: 1)
      let radius = Int(PositionArt.dotRadius)
      let dot = PixelRect(
        x: 200 + dx - radius, y: 150 - radius, width: 2 * radius, height: 2 * radius)
      #expect(box.intersection(dot) == dot)
      if boxes.last != box { boxes.append(box) }
    }
    #expect(boxes.count <= 100 / Int(DotRoom.slack) + 1)
    #expect(boxes.count > 4)
  }

  @Test func aDotThatTremblesAndAHeadingThatComesAndGoesChangeNothing() throws {
    var room = DotRoom()
    let first = try box(&room, pose(0, heading: 90), in: view, unit: 1)
    let reach = Int(PositionArt.arrowReach)
    #expect(first.x <= 200 - reach && first.maxX >= 200 + reach)
    for dx in [3.0, -3, 5, -5, 0] {
      for heading in [nil, 10, 200] as [Double?] {
        let other = try box(&room, pose(dx, heading: heading), in: view)
        #expect(other == first)
      }
    }
  }

  @Test func theBoxMovesWithTheMapAndIsNotThereOutOfView() throws {
    var room = DotRoom()
    let first = try box(&room, pose(0), in: view, unit: 1)
    let panned = view.panned(dx: 50, dy: 0)
    let moved = try box(&room, pose(0), in: panned, unit: 1)
    #expect(moved.x == first.x - 50 && moved.width == first.width)
    let away = room.box(for: pose(0), in: view.panned(dx: 900, dy: 0), unit: 1)
    #expect(away == nil)
    // At another scale it is larger.
    let large = try box(&room, pose(0), in: view, unit: 3)
    #expect(large.width > 2 * first.width)
  }

  @Test(arguments: [1, 2]) func noLabelLiesUnderTheDot(scale: Int) throws {
    let bench = try Bench([], width: 512 * scale, height: 512 * scale) {
      $0.display.scale = scale
      $0.view.zoom = 4
      $0.view.center = GeoPoint(lat: 0, lon: 0)
      $0.position.follow = false
    }
    #expect(bench.kiosk.addSource("names") { .success(PlainSource { _ in "name" }) })
    try bench.settle()
    let before = bench.kiosk.overMap.sprites(on: .mapLabels).count
    // The middle of a tile: an eighth of the map's 512 points beside the centre.
    let place = WebMercator.unproject(WorldPoint(x: 0.5 + 0.5 / 16, y: 0.5 + 0.5 / 16))
    bench.kiosk.take(Fix(place: place), from: .socket)
    try bench.settle()
    let dot = try #require(bench.kiosk.overMap.sprites(on: .position).first).rect
    let labels = bench.kiosk.overMap.sprites(on: .mapLabels)
    #expect(labels.count == before - 1)
    #expect(!labels.contains { $0.rect.intersects(dot) })
  }

  @Test func noLabelOfAnOverlayLiesUnderTheDotAndItComesBackBehindIt() throws {
    let json = """
      {"type":"Feature","properties":{"name":"Long lake"},
      "geometry":{"type":"Polygon","coordinates":[[[-9,-9],[9,-9],[9,9],[-9,9],[-9,-9]]]}}
      """
    var overlay = Configuration.Overlay(
      name: "lakes", content: .geoJSON(json), level: .aboveRoads)
    overlay.label = "name"
    let bench = try Bench([], width: 400, height: 300) {
      $0.view.zoom = 5
      $0.position.follow = false
      $0.overlays = [overlay]
    }
    try bench.settle()
    func labels() -> [PixelRect] { bench.kiosk.overMap.sprites(on: .labels).map(\.rect) }
    #expect(labels().count == 1)
    func drive(to lon: Double) throws -> PixelRect {
      bench.kiosk.take(Fix(place: GeoPoint(lat: 0, lon: lon)), from: .socket)
      while bench.kiosk.dotMoves { bench.loop.runOnce(timeout: 5_000_000) }
      try bench.settle()
      return try #require(bench.kiosk.overMap.sprites(on: .position).first).rect
    }
    let dot = try drive(to: 0)
    #expect(!labels().contains { $0.intersects(dot) })
    _ = try drive(to: 7)
    #expect(labels().count == 1)
  }
}
