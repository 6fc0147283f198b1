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
      // Two that are one cluster, 150 points from the rest.
      let far = 150 * 360 / (256 * exp2(scene.zoom))
      for id in ["b", "c"] {
        $0.markers.append(.init(id: id, place: GeoPoint(lat: lat, lon: lon + far), label: id))
      }
      $0.position.follow = false
    }
    try bench.settle()
    bench.kiosk.take(
      Fix(place: GeoPoint(lat: scene.center.lat + 2, lon: scene.center.lon + 5)), from: .socket)
    try bench.settle()
    let picture = try bench.picture()
    let over = bench.kiosk.overMap
    // By day words over a dark part of the map are light.
    let words = scene.theme == .day ? [theme.label, PictureTheme.night.label] : [theme.label]
    let white = theme.kind == .night ? theme.label : theme.shown(0xFFFF_FFFF)
    // Only the legend is as wide as the screen.
    let isLegend = { (sprite: Sprite) in sprite.image.width == picture.width }
    // Icons have the label's ink, too, on colours of their own.
    let isLabel = { (sprite: Sprite) in sprite.image.width > 60 }
    // In red those over a bright part are dark: a halo covers more than its letters.
    let isDark = { (sprite: Sprite) in
      let image = sprite.image
      func count(_ color: UInt32) -> Int {
        (0..<image.width * image.height).count { image.pixels[$0] == color }
      }
      return scene.theme == .red && count(theme.halo) < count(theme.label)
    }
    let labels = over.sprites(on: .markers).filter(isLabel)
    let darkLabels = labels.filter(isDark)
    let isCluster = { (sprite: Sprite) in sprite.image.width == 35 && sprite.image.height == 35 }
    let looks: [Look] = [
      Look("plates", over.sprites(on: .hud).filter { !isLegend($0) }, theme.ink, 150),
      Look("legend", over.sprites(on: .hud).filter(isLegend), theme.legendInk, 40),
      Look("labels", labels.filter { !isDark($0) }, words, darkLabels.isEmpty ? 100 : 0),
      Look("dark labels", darkLabels, theme.halo, darkLabels.isEmpty ? 0 : 50),
      Look("clusters", over.sprites(on: .markers).filter(isCluster), white, 6, inset: 8),
      Look("position", over.sprites(on: .position), theme.position, 10),
    ]
    for look in looks { expectLegible(look, picture) }
  }

  /// What an open callout says: the name and the text below it.
  @Test(arguments: scenes)
  func calloutsAreLegible(_ scene: Scene) throws {
    guard let source = ContrastTests.source(scene.map) else { return }
    let theme = PictureTheme.of(scene.theme)
    let bench = try Bench([source], width: 640, height: 480) {
      $0.view.center = scene.center
      $0.view.zoom = scene.zoom
      $0.theme.mode = scene.theme == .day ? .day : .night
      if scene.theme == .red { $0.theme.night = [.red] }
      $0.markers = [
        .init(id: "a", place: scene.center, label: "Lookout café", text: "Open daily from 9 to 5.")
      ]
    }
    try bench.settle()
    #expect(bench.kiosk.press(.select) == nil)
    try bench.settle()
    let picture = try bench.picture()
    let sprites = bench.kiosk.overMap.sprites(on: .callout)
    #expect(!sprites.isEmpty)
    expectLegible(Look("name", sprites, theme.ink, 40), picture)
    expectLegible(Look("text", sprites, theme.secondInk, 40), picture)
  }

  /// Sprites with words of a colour, and how many edges of letters there must be at least.
  private struct Look {
    var name: String
    var sprites: [Sprite]
    var inks: [UInt32]
    var least: Int
    var inset: Int

    /// Within `inset` pixels of the edge there are other things in the colour of the words.
    init(_ name: String, _ sprites: [Sprite], _ inks: [UInt32], _ least: Int, inset: Int = 0) {
      (self.name, self.sprites, self.inks) = (name, sprites, inks)
      (self.least, self.inset) = (least, inset)
    }

    init(_ name: String, _ sprites: [Sprite], _ ink: UInt32, _ least: Int, inset: Int = 0) {
      self.init(name, sprites, [ink], least, inset: inset)
    }
  }

  private func expectLegible(_ look: Look, _ picture: Picture) {
    let edges = look.sprites.flatMap { sprite in
      look.inks.flatMap { ContrastTests.edges(picture, $0, of: sprite, inset: look.inset) }
    }.sorted()
    #expect(edges.count >= look.least, "\(look.name): \(edges.count) edges")
    // A few pixels lie where two strokes meet and have no ground beside them.
    if let low = edges.dropFirst(edges.count / 20).first {
      #expect(low >= 4.5, "\(look.name): \(low)")
    }
  }

  /// For each end of a run of a sprite's ink in a row, its contrast with what lies within five
  /// pixels beside, above and below it: the best of them, since those between are the smooth edge.
  /// The map may have the colour of the ink, too: it is none.
  static func edges(
    _ picture: Picture, _ ink: UInt32, of sprite: Sprite, inset: Int
  ) -> [Double] {
    var found: [Double] = []
    let image = sprite.image
    let rect = PixelRect(
      x: sprite.x + inset, y: sprite.y + inset, width: image.width - 2 * inset,
      height: image.height - 2 * inset)
    let shown = rect.intersection(
      PixelRect(x: 5, y: 0, width: picture.width - 10, height: picture.height))
    guard shown.width > 0, shown.height > 0 else { return [] }
    func isInk(_ x: Int, _ y: Int) -> Bool {
      let (column, row) = (x - sprite.x, y - sprite.y)
      guard column >= 0, column < image.width, row >= 0, row < image.height else { return false }
      return image.pixels[row * image.width + column] == ink && picture[x, y] == ink
    }
    for y in shown.y..<shown.maxY {
      for x in shown.x..<shown.maxX where isInk(x, y) {
        for step in [-1, 1] where !isInk(x + step, y) {
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
