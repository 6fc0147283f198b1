import Drawing
import EventLoop
import Foundation
import Inputs
import MapGeometry
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Kiosk
@testable import MapLabels
@testable import MapOverlays

/// The same as `ContrastTests` for icons, names of overlays, a lost position, panels, notices,
/// toasts, the colours of tracks, and names on maps of vector tiles. Words have a contrast of at
/// least 4.5:1, signs of 3:1.
@Suite struct ContrastPartsTests {
  typealias Scene = ContrastTests.Scene
  typealias Look = ContrastTests.Look

  // MARK: On the map

  @Test(arguments: Scene.carried)
  func iconsNamesAndALostPositionAreSeen(_ scene: Scene) throws { try checkMap(scene) }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: Scene.large)
  func iconsNamesAndALostPositionAreSeenOnMapsOfTheDataSet(_ scene: Scene) throws {
    try checkMap(scene)
  }

  private static let icons: [MarkerIcon] = [.pin, .dot, .star, .hut, .danger, .water, .camp]
  private static let strokes: [UInt32] = [0xC0_392B, 0xF1_C40F, 0x29_80B9]

  /// Three lines across the lower half of the view, the last two aslant, and two places.
  private func features(_ scene: Scene) -> String {
    func position(_ x: Double, _ y: Double) -> String {
      let place = scene.place(x, y)
      return "[\(place.lon), \(place.lat)]"
    }
    var all = Self.strokes.enumerated().map { n, color in
      let (y, rise) = (Double(280 + n * 70), Double(n * 15))
      let hex = String(color, radix: 16)
      let digits = String(repeating: "0", count: 6 - hex.count) + hex
      return """
        {"type": "Feature", "properties": {"name": "Ridge trail \(n)", "stroke": "#\(digits)"},
        "geometry": {"type": "LineString", "coordinates":
        [\(position(20, y)), \(position(620, y - rise))]}}
        """
    }
    for (n, x) in [120.0, 440].enumerated() {
      all.append(
        """
        {"type": "Feature", "properties": {"name": "Spring \(n)"},
        "geometry": {"type": "Point", "coordinates": \(position(x, 200))}}
        """)
    }
    return "{\"type\": \"FeatureCollection\", \"features\": [\(all.joined(separator: ","))]}"
  }

  /// The colour of an icon's ground.
  private func ground(_ icon: MarkerIcon, _ theme: PictureTheme) -> UInt32 {
    icon == .dot ? theme.shown(icon.color) : InkContrast.ground(icon.color, theme)
  }

  private func checkMap(_ scene: Scene) throws {
    let theme = PictureTheme.of(scene.theme)
    let bench = try scene.bench {
      $0.position.follow = false
      var overlay = Configuration.Overlay(
        name: "trails", content: .geoJSON(features(scene)), level: .aboveRoads)
      overlay.label = "name"
      $0.overlays = [overlay]
      $0.markers = Self.icons.enumerated().map { n, icon in
        .init(
          id: icon.rawValue, place: scene.place(50 + 90 * Double(n), 90), icon: icon)
      }
    }
    try bench.settle()
    bench.kiosk.view.takeFix(
      Fix(place: scene.place(320, 150)), from: .socket, now: EventLoop.now() - 65_000_000_000)
    bench.kiosk.changed()
    try bench.settle()
    let picture = try bench.picture()
    let over = bench.kiosk.overMap
    let position = over.sprites(on: .position)
    try #require(position.count == 2)
    // In red all lines are named alike.
    let own = Set(
      Self.strokes.map {
        theme.words(naming: 0xFF00_0000 | $0, onDark: over.isGroundDark).ink
      })
    // Other names are the map's own.
    let names = over.sprites(on: .mapLabels).filter { sprite in
      let image = sprite.image
      return (0..<image.width * image.height).contains { own.contains(image.pixels[$0]) }
    }
    #expect(names.count >= 2)
    let points = over.sprites(on: .labels)
    let isDark = { (sprite: Sprite) in ContrastTests.isDark(sprite, theme) }
    let darkPoints = points.filter(isDark)
    // By day words over a dark part of the map are light. In red those over a bright part are dark.
    let words = scene.theme == .day ? [theme.label, PictureTheme.night.label] : [theme.label]
    let icons = Set(Self.icons.map { ground($0, theme) })
    var lines = Look("names of lines", names, Array(own), 20).thin
    lines.unclear = 0.1
    let looks = [
      // Either the icon or its rim is seen on any map, if both can be told from each other.
      Look("icons", over.sprites(on: .markers), Array(icons), 200, contrast: 3),
      Look("names of points", points.filter { !isDark($0) }, words, darkPoints.isEmpty ? 20 : 0),
      Look("dark names of points", darkPoints, theme.halo, darkPoints.isEmpty ? 0 : 10),
      lines,
      Look("lost position", [position[0]], theme.secondInk, 10, contrast: 3),
      Look("no GPS", [position[1]], theme.ink, 60),
    ]
    for look in looks { look.expectLegible(on: picture) }
  }

  // MARK: On plates

  @Test(arguments: Scene.carried)
  func panelsNoticesToastsAndRampsAreLegible(_ scene: Scene) throws { try checkPlates(scene) }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: Scene.large)
  func panelsNoticesToastsAndRampsAreLegibleOnMapsOfTheDataSet(_ scene: Scene) throws {
    try checkPlates(scene)
  }

  /// A line up a mountain through the view, and a recorded track somewhere.
  private func overlays(_ scene: Scene) -> [Configuration.Overlay] {
    let (a, b) = (scene.place(100, 100), scene.place(500, 150))
    let middle = scene.place(300, 60)
    let line = """
      {"type": "Feature", "properties": {"name": "Ridge", "surface": "gravel",
      "stroke": "#c0392b"}, "geometry": {"type": "LineString", "coordinates":
      [[\(a.lon), \(a.lat), 600], [\(middle.lon), \(middle.lat), 900], [\(b.lon), \(b.lat), 700]]}}
      """
    var ways = Configuration.Overlay(name: "ways", content: .geoJSON(line), level: .aboveRoads)
    ways.card = ["surface"]
    var track = Configuration.Overlay(
      name: "track", content: .file(TestData.fixtures + "/overlays/gpx/Mojstrovka.gpx"),
      level: .aboveRoads)
    track.colorBy = .elevation
    return [ways, track]
  }

  private func checkPlates(_ scene: Scene) throws {
    let theme = PictureTheme.of(scene.theme)
    let bench = try scene.bench {
      $0.overlays = overlays(scene)
      $0.hud.scaleBar = true
      $0.hud.toasts = true
      $0.notices = Configuration.Notice.Severity.allCases.map { severity in
        var notice = Configuration.Notice(id: severity.rawValue, text: "The bridge is closed")
        notice.severity = severity
        return notice
      }
    }
    try bench.settle()
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    /// The plates that reach into a part of the screen.
    func plates(_ part: PixelRect?) throws -> [Sprite] {
      let part = try #require(part)
      return over.sprites(on: .hud).filter { $0.rect.intersects(part) }
    }
    // One frame, since a toast does not stay.
    kiosk.showToast("Map of the valley")
    bench.loop.runOnce(timeout: 0)
    let ramp = over.hud.elements[Hud.Part.ramp.rawValue]?.rect
    var looks = [
      Look("notices", try plates(over.hud.noticeRect), theme.ink, 100),
      Look("toast", try plates(over.hud.toastRect), theme.ink, 40),
      Look("colours of tracks", try plates(ramp), theme.ink, 20).thin,
    ]
    for severity in NoticeLine.Severity.allCases {
      let (sign, notices) = (theme.sign(severity), try plates(over.hud.noticeRect))
      looks.append(Look("sign of \(severity)", notices, sign, 10, contrast: 3))
    }
    var picture = try bench.picture()
    for look in looks { look.expectLegible(on: picture) }

    kiosk.showHud(["map_key": true])
    try bench.settle()
    picture = try bench.picture()
    Look("map key", try plates(over.panelRect), theme.ink, 40).expectLegible(on: picture)

    #expect(kiosk.selectLine(of: "ways", feature: nil, named: "Ridge") == nil)
    try bench.settle()
    picture = try bench.picture()
    let card = try plates(over.panelRect)
    let line = InkContrast.line(0xFFC0_392B, theme)
    looks = [
      Look("card", card, theme.ink, 60), Look("card, small", card, theme.secondInk, 20).thin,
    ]
    // Below the profile is its own tint; the plate is above.
    looks.append(Look("profile", card, line, 10, contrast: 3))
    looks[looks.count - 1].unclear = 0.5
    for look in looks { look.expectLegible(on: picture) }
  }

  // MARK: Vector tiles

  /// A town in a pack of the data set, whose names have the colours of trailhead.
  struct Town: Sendable, CustomTestStringConvertible {
    var pack: String
    var schema: String
    var center: GeoPoint
    var theme: PictureTheme.Kind
    var testDescription: String { "\(schema) \(theme)" }

    private static let places: [(pack: String, schema: String, center: GeoPoint)] = [
      (
        "perth-protomaps-v4-z0-15.pmtiles", "protomaps", GeoPoint(lat: -31.9733, lon: 115.846)
      ),
      ("sf-downtown-shortbread.pmtiles", "shortbread", GeoPoint(lat: 37.784, lon: -122.4)),
    ]

    static let all: [Town] = places.flatMap { place in
      PictureTheme.Kind.allCases.map {
        Town(pack: place.pack, schema: place.schema, center: place.center, theme: $0)
      }
    }
  }

  /// The colours of words with a halo in the bundled style, as the theme shows them.
  private func inks(_ town: Town, _ tint: LabelTint?) throws -> [UInt32] {
    let file =
      TestData.fixtures + "/../../Sources/CBundled/data/trailhead/"
      + "\(town.schema)-\(town.theme.rawValue).json"
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
    let layers = (json as? [String: Any])?["layers"] as? [[String: Any]] ?? []
    var all: Set<UInt32> = []
    for layer in layers {
      guard let paint = layer["paint"] as? [String: Any],
        let ink = (paint["text-color"] as? String).flatMap({ Color($0) }),
        let halo = (paint["text-halo-color"] as? String).flatMap({ Color($0) })
      else { continue }
      func word(_ color: Color) -> UInt32 {
        0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
      }
      var settings = LabelSettings()
      (settings.textColor, settings.textHaloColor) = (word(ink), word(halo))
      settings.textHaloWidth = 1.5
      all.insert(tint?.settings(settings).textColor ?? settings.textColor)
    }
    return Array(all)
  }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: Town.all)
  func namesOnMapsOfVectorTilesAreLegible(_ town: Town) throws {
    let large = try #require(TestData.large)
    let source = SourceSpec(
      name: town.schema, location: .path(large + "/vector/packs/" + town.pack))
    let bench = try Bench([source], width: 640, height: 480) {
      $0.view.center = town.center
      $0.view.zoom = 14.5
      $0.theme.mode = town.theme == .day ? .day : .night
      if town.theme == .red { $0.theme.night = [.red] }
    }
    try bench.settle()
    let theme = bench.kiosk.theme
    let tint = bench.kiosk.book.labelTint(theme: theme.filters, isNight: theme.isNight)
    let inks = try inks(town, tint)
    #expect(!inks.isEmpty)
    Look("names", bench.kiosk.overMap.sprites(on: .mapLabels), inks, 100).thin
      .expectLegible(on: try bench.picture())
  }
}
