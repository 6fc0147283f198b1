import MapGeometry
import MapLabels
import MapOverlays
import Pixels
import Testing

@testable import Kiosk

/// On what the map key draws the lines of the base map.
@Suite struct MapKeyGroundTests {
  private static let ground: UInt32 = 0xFFF5_F1E4
  private static let water: UInt32 = 0xFFA9_D0E6

  private func items(
    ground: UInt32, hasWater: Bool = true, night: Bool = false
  ) throws -> [String: MapKey.Item] {
    let painter = PlainPainter { _, builder in
      builder.ground = ground
      builder.add(TileSign(.street, isArea: false, color: 0xFFFF_FFFF, width: 3))
      builder.add(TileSign(.ferry, isArea: false, color: 0xFF30_6090, width: 1))
      builder.add(
        hasWater
          ? TileSign(.water, isArea: true, color: Self.water)
          : TileSign(.forest, isArea: true, color: 0xFF20_8020))
    }
    let bench = try Bench([], width: 800, height: 480) {
      $0.view.zoom = 5
      $0.view.center = GeoPoint(lat: 20, lon: -90)
      $0.hud.mapKey = true
      if night {
        $0.theme.mode = .night
        $0.theme.night = [.invert]
      }
    }
    #expect(bench.kiosk.addSource("map") { .success(PlainSource(painter, minZoom: 1)) })
    try bench.settle()
    let items = try #require(bench.kiosk.shownKey.key?.items)
    return Dictionary(items.map { ($0.text, $0) }) { first, _ in first }
  }

  @Test func linesLieOnTheGroundAndFerriesOnTheWater() throws {
    let items = try items(ground: Self.ground)
    #expect(items["Street"]?.ground == Self.ground)
    #expect(items["Ferry"]?.ground == Self.water)
    let water = try #require(items["Water"])
    #expect(water.ground == nil)
    #expect(try self.items(ground: Self.ground, hasWater: false)["Ferry"]?.ground == Self.ground)
  }

  @Test func withoutAGroundLinesLieOnThePanel() throws {
    let items = try items(ground: 0)
    let street = try #require(items["Street"])
    #expect(street.ground == nil)
    #expect(items["Ferry"]?.ground == Self.water)
  }

  @Test func theThemesFiltersChangeTheGroundAsTheMap() throws {
    let items = try items(ground: Self.ground, night: true)
    let street = try #require(items["Street"])
    guard case .line(let color, _, _, _) = street.sign else { return }
    let invert = ColorTransform([.invert])
    #expect(color == invert.apply(0xFFFF_FFFF))
    #expect(street.ground == invert.apply(Self.ground))
  }
}
