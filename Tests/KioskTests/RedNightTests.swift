import Configuration
import MapGeometry
import MapOverlays
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Red nights: maps have reds of their own, overlays are seen on them, and nothing is of another
/// colour.
@Suite struct RedNightTests {
  /// A dark blue line from the Atlantic into the Sahara, at the least width of lines.
  private static let line = """
    {"type": "Feature", "properties": {"name": "Way", "stroke": "#101050", "stroke-width": 2},
    "geometry": {"type": "LineString", "coordinates": [[-35, 24], [12, 24]]}}
    """

  private func bench(
    _ source: SourceSpec, _ center: GeoPoint, _ zoom: Double, width: Int = 480, height: Int = 320
  ) throws -> Bench {
    let bench = try Bench([source], width: width, height: height) {
      $0.theme.mode = .night
      $0.theme.night = [.red]
      $0.view.center = center
      $0.view.zoom = zoom
      $0.hud.attribution = true
      $0.hud.scaleBar = true
      $0.overlays = [
        Configuration.Overlay(name: "way", content: .geoJSON(Self.line), level: .aboveRoads)
      ]
      $0.markers = [.init(id: "here", place: GeoPoint(lat: 5, lon: -30), label: "You are here")]
    }
    try bench.settle()
    return bench
  }

  private func odd(_ picture: Picture) -> Int { picture.words.count { $0 & 0xFFFF != 0 } }

  /// The red at most of some places of the view: a name may stand on one of them.
  private func red(_ picture: Picture, _ bench: Bench, _ places: [(Double, Double)]) -> UInt32 {
    let all = places.map { lat, lon in
      let at = bench.kiosk.shownView.screen(GeoPoint(lat: lat, lon: lon))
      return picture[Int(at.x), Int(at.y)] >> 16 & 0xFF
    }
    return all.sorted()[all.count / 2]
  }

  @Test func seaLandCoastAndLinesCanBeToldApart() throws {
    let earth = SourceSpec(name: "natural-earth", location: .memory(Bundled.naturalEarth))
    let bench = try bench(earth, GeoPoint(lat: 22, lon: -10), 3)
    let picture = try bench.picture()
    #expect(odd(picture) == 0)
    let sea = red(picture, bench, [(34, -24), (20, -25), (26, -40), (17, -36), (34, -38)])
    let land = red(picture, bench, [(21, 8), (25, -2), (20, 20), (26, 13), (17, 10)])
    // The sea is almost black, the land is not, and the coast between them is seen at once.
    #expect(sea < 0x10)
    #expect(land > 0x28 && land < 0x60)
    let view = bench.kiosk.shownView
    let (west, east) = (
      view.screen(GeoPoint(lat: 22.5, lon: -19)), view.screen(GeoPoint(lat: 22.5, lon: -13))
    )
    let coast = (Int(west.x)...Int(east.x)).map { picture[$0, Int(west.y)] }.max() ?? 0
    #expect(ContrastTests.contrast(coast, land << 16) >= 2.5)
    // The line, on the sea and on the land.
    for lon in [-25.0, 5] {
      let at = view.screen(GeoPoint(lat: 24, lon: lon))
      let line = (-3...3).map { picture[Int(at.x), Int(at.y) + $0] }.max() ?? 0
      let ground = picture[Int(at.x), Int(at.y) + 8]
      #expect(ContrastTests.contrast(line, ground) >= 3)
    }
  }

  @Test func aSelectedLineIsRedToo() throws {
    let earth = SourceSpec(name: "natural-earth", location: .memory(Bundled.naturalEarth))
    let bench = try bench(earth, GeoPoint(lat: 22, lon: -10), 3)
    #expect(bench.kiosk.selectLine(of: "way", feature: 0) == nil)
    try bench.settle()
    #expect(odd(try bench.picture()) == 0)
  }

  /// A park, a river and streets of a real town.
  @Test(.enabled(if: TestData.large != nil, "needs the large data set"))
  func aRealTownHasWaterBelowTheLandAndRoadsAboveIt() throws {
    guard let data = TestData.large else { return }
    let town = SourceSpec(
      name: "perth", location: .path(data + "/vector/packs/perth-protomaps-v4-z0-15.pmtiles"))
    let bench = try bench(town, GeoPoint(lat: -31.9733, lon: 115.846), 13, width: 256, height: 192)
    let picture = try bench.picture()
    #expect(odd(picture) == 0)
    let counts = picture.words.reduce(into: [UInt32: Int]()) {
      $0[$1 >> 16 & 0xFF, default: 0] += 1
    }
    func share(_ levels: ClosedRange<UInt32>) -> Double {
      let sum = levels.reduce(0) { $0 + (counts[$1] ?? 0) }
      return Double(sum) / Double(picture.words.count)
    }
    // The Swan River, the town's ground and Kings Park, and its streets.
    #expect(share(0...0x0C) > 0.2)
    #expect(share(0x30...0x4C) > 0.2)
    #expect(share(0x58...0x9C) > 0.03)
  }

  @Test func wordsOverABrightMapAreDarkAndThoseOverADarkOneAreRed() throws {
    let theme = PictureTheme.red
    // Bright pictures of streets, and the bundled world, which is dark by night.
    let bright = MosaicTests.spec(TestData.fixtures + "/tiles/osm")
    let earth = SourceSpec(name: "natural-earth", location: .memory(Bundled.naturalEarth))
    for (source, center, isBright) in [
      (bright, GeoPoint(lat: 40.98, lon: 11.25), true), (earth, GeoPoint(lat: 22, lon: -10), false),
    ] {
      let bench = try Bench([source], width: 480, height: 320) {
        $0.theme.mode = .night
        $0.theme.night = [.red]
        $0.view.center = center
        $0.view.zoom = 5
        $0.markers = [.init(id: "here", place: center, label: "You are here")]
      }
      try bench.settle()
      let words = try #require(bench.kiosk.overMap.sprites(on: .markers).last).image
      func count(_ color: UInt32) -> Int {
        (0..<words.width * words.height).count { words.pixels[$0] == color }
      }
      let (ink, halo) = (count(theme.halo), count(theme.label))
      #expect(isBright ? ink > 50 && halo > ink : halo > 50 && ink > halo, "\(ink) \(halo)")
      #expect(odd(try bench.picture()) == 0)
    }
  }
}
