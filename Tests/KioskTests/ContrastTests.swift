import Foundation
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Kiosk

/// Words and the position are legible on real maps, by day, at night and in red: the contrast of
/// WCAG 2.1 of what is on the screen, at the edges of the letters.
@Suite struct ContrastTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var map: String
    var center: GeoPoint
    var zoom: Double
    var theme: PictureTheme.Kind
    var testDescription: String { "\(map) \(zoom) \(theme)" }
  }

  static let places: [(String, GeoPoint, Double)] = [
    ("fixtures", GeoPoint(lat: 40.98, lon: 11.25), 5), ("world", GeoPoint(lat: 46, lon: 8), 3),
    ("world", GeoPoint(lat: 20, lon: -40), 2.4), ("toner", GeoPoint(lat: 50, lon: 5), 3),
    ("osm-standard-z3-5", GeoPoint(lat: 46, lon: 8), 5),
    ("bluemarble-labeled-z0-3-jpeg", GeoPoint(lat: 70, lon: -40), 3),
    ("partial-regional-z0-5-rgba", GeoPoint(lat: 46, lon: 8), 5),
  ]

  static let scenes: [Scene] = places.flatMap { map, center, zoom in
    PictureTheme.Kind.allCases.map { Scene(map: map, center: center, zoom: zoom, theme: $0) }
  }

  private static func source(_ map: String) -> SourceSpec? {
    if map == "fixtures" { return MosaicTests.spec(TestData.fixtures + "/tiles/osm") }
    if let own = Bundled.sources.first(where: { $0.name == map }) { return own }
    guard let large = TestData.large else { return nil }
    return SourceSpec(name: map, location: .path(large + "/raster-dirs/" + map))
  }

  @Test(arguments: scenes)
  func wordsAndThePositionAreLegible(_ scene: Scene) throws {
    // Without the large data set the bundled maps and the fixtures are looked at.
    guard let source = ContrastTests.source(scene.map) else { return }
    let theme = PictureTheme.of(scene.theme)
    let bench = try Bench([source], width: 640, height: 480) {
      $0.view.center = scene.center
      $0.view.zoom = scene.zoom
      $0.view.bearing = 20
      $0.hud.attribution = true
      $0.hud.scaleBar = true
      $0.hud.coordinates = true
      $0.hud.north = true
      $0.hud.buttons = true
      $0.sources[0].attribution = "© the makers of this map"
      $0.gpio.buttons = [.init(line: .offset(17), action: .zoomIn, hold: .action(.home))]
      $0.theme.mode = scene.theme == .day ? .day : .night
      if scene.theme == .red { $0.theme.night = [.red] }
      let (lat, lon) = (scene.center.lat, scene.center.lon)
      $0.markers = [
        .init(id: "a", place: GeoPoint(lat: lat + 3, lon: lon - 4), label: "A hut in the woods"),
        .init(id: "here", place: GeoPoint(lat: lat - 3, lon: lon), label: "You are here"),
      ]
      $0.position.follow = false
    }
    try bench.settle()
    bench.kiosk.take(
      Fix(place: GeoPoint(lat: scene.center.lat + 2, lon: scene.center.lon + 5)), from: .socket)
    try bench.settle()
    let picture = try bench.picture()
    let over = bench.kiosk.overMap
    let looks: [(String, SpriteStack.Level, UInt32, Int)] = [
      ("plates", .hud, theme.ink, 150), ("legend", .hud, theme.legendInk, 40),
      ("labels", .markers, theme.label, 100), ("position", .position, theme.position, 10),
    ]
    for (name, level, ink, least) in looks {
      // Only the legend is as wide as the screen.
      let sprites = over.sprites(on: level).filter {
        // Icons have the label's ink, too, on colours of their own.
        name == "labels" ? $0.image.width > 60 : name == "legend" || $0.image.width < picture.width
      }
      let edges = sprites.filter { name != "legend" || $0.image.width == picture.width }
        .flatMap { ContrastTests.edges(picture, ink, in: $0.rect) }.sorted()
      #expect(edges.count >= least, "\(name): \(edges.count) edges")
      // A few pixels lie where two strokes meet and have no ground beside them.
      if let low = edges.dropFirst(edges.count / 20).first {
        #expect(low >= 4.5, "\(name): \(low)")
      }
    }
  }

  /// For each end of a run of ink in a row, its contrast with what lies within five pixels
  /// beside, above and below it: the best of them, since those between are the smooth edge.
  static func edges(_ picture: Picture, _ ink: UInt32, in rect: PixelRect) -> [Double] {
    var found: [Double] = []
    let shown = rect.intersection(
      PixelRect(x: 5, y: 0, width: picture.width - 10, height: picture.height))
    guard shown.width > 0, shown.height > 0 else { return [] }
    for y in shown.y..<shown.maxY {
      for x in shown.x..<shown.maxX where picture[x, y] == ink {
        for step in [-1, 1] where picture[x + step, y] != ink {
          var best = 1.0
          // Aslant as well, for the corners between the arms of a cross.
          for n in 1...5 {
            for row in [y - n, y, y + n] where row >= 0 && row < picture.height {
              best = max(best, contrast(ink, picture[x + step * n, row]))
            }
          }
          found.append(best)
        }
      }
    }
    return found
  }

  /// The contrast of two colours, 1 to 21 (WCAG 2.1).
  static func contrast(_ a: UInt32, _ b: UInt32) -> Double {
    let (la, lb) = (luminance(a), luminance(b))
    return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
  }

  private static func luminance(_ color: UInt32) -> Double {
    func linear(_ shift: UInt32) -> Double {
      let c = Double(color >> shift & 255) / 255
      if c <= 0.03928 { return c / 12.92 }
      return pow((c + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
  }
}
