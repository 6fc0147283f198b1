import Foundation
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Kiosk

/// How the contrast of what is on the screen is measured.
extension ContrastTests {
  /// A map at a place in a theme.
  struct Scene: Sendable, CustomTestStringConvertible {
    var map: String
    var center: GeoPoint
    var zoom: Double
    var theme: PictureTheme.Kind
    var testDescription: String { "\(map) \(zoom) \(theme)" }

    /// The bundled maps and the fixtures.
    static let carried = scenes([
      ("fixtures", GeoPoint(lat: 40.98, lon: 11.25), 5), ("world", GeoPoint(lat: 46, lon: 8), 3),
      ("world", GeoPoint(lat: 20, lon: -40), 2.4), ("toner", GeoPoint(lat: 50, lon: 5), 3),
    ])

    /// Maps of the data set.
    static let large = scenes([
      ("osm-standard-z3-5", GeoPoint(lat: 46, lon: 8), 5),
      ("bluemarble-labeled-z0-3-jpeg", GeoPoint(lat: 70, lon: -40), 3),
      ("partial-regional-z0-5-rgba", GeoPoint(lat: 46, lon: 8), 5),
    ])

    private static func scenes(_ places: [(String, GeoPoint, Double)]) -> [Scene] {
      places.flatMap { map, center, zoom in
        PictureTheme.Kind.allCases.map { Scene(map: map, center: center, zoom: zoom, theme: $0) }
      }
    }

    private func source() throws -> SourceSpec {
      if map == "fixtures" { return MosaicTests.spec(TestData.fixtures + "/tiles/osm") }
      if let own = Bundled.sources.first(where: { $0.name == map }) { return own }
      let large = try #require(TestData.large)
      return SourceSpec(name: map, location: .path(large + "/raster-dirs/" + map))
    }

    /// The view in which the map is shown.
    var view: Viewport {
      Viewport(center: center, zoom: zoom, width: 640, height: 480)
    }

    /// The place under a point of the view.
    func place(_ x: Double, _ y: Double) -> GeoPoint {
      WebMercator.unproject(view.world(x: x, y: y))
    }

    /// A kiosk that shows the map.
    func bench(_ set: (inout Configuration) -> Void) throws -> Bench {
      try Bench([try source()], width: 640, height: 480) {
        $0.view.center = center
        $0.view.zoom = zoom
        $0.theme.mode = theme == .day ? .day : .night
        if theme == .red { $0.theme.night = [.red] }
        set(&$0)
      }
    }
  }

  /// Sprites with words or signs of some colours.
  struct Look {
    var name: String
    var sprites: [Sprite]
    var inks: [UInt32]
    /// How many edges there must be at least.
    var least: Int
    /// The least contrast: 4.5 of words, 3 of signs (WCAG 2.1, 1.4.3 and 1.4.11).
    var contrast: Double
    var inset: Int
    /// How far a channel of the words' pixels may be from their colour: thin strokes of small
    /// letters do not fill a pixel.
    var tolerance = 0
    /// The share of edges that may have less contrast: a few pixels lie where two strokes meet and
    /// have no ground beside them.
    var unclear = 0.05

    /// Within `inset` pixels of the edge there are other things in these colours.
    init(
      _ name: String, _ sprites: [Sprite], _ inks: [UInt32], _ least: Int, contrast: Double = 4.5,
      inset: Int = 0
    ) {
      (self.name, self.sprites, self.inks) = (name, sprites, inks)
      (self.least, self.contrast, self.inset) = (least, contrast, inset)
    }

    init(
      _ name: String, _ sprites: [Sprite], _ ink: UInt32, _ least: Int, contrast: Double = 4.5,
      inset: Int = 0
    ) {
      self.init(name, sprites, [ink], least, contrast: contrast, inset: inset)
    }

    /// The same look of thin strokes, which are close to each other, so that more pixels have no
    /// clear ground beside them.
    var thin: Look {
      var look = self
      (look.tolerance, look.unclear) = (40, 0.25)
      return look
    }

    func expectLegible(on picture: Picture) {
      let edges = sprites.flatMap { sprite in
        inks.flatMap {
          ContrastTests.edges(picture, $0, of: sprite, inset: inset, tolerance: tolerance)
        }
      }.sorted()
      #expect(edges.count >= least, "\(name): \(edges.count) edges")
      if let low = edges.dropFirst(Int(Double(edges.count) * unclear)).first {
        #expect(low >= contrast, "\(name): \(low)")
      }
    }
  }

  /// Whether a sprite has dark words: in red those over a bright part of the map are dark, and a
  /// halo covers more than its letters.
  static func isDark(_ sprite: Sprite, _ theme: PictureTheme) -> Bool {
    let image = sprite.image
    func count(_ color: UInt32) -> Int {
      (0..<image.width * image.height).count { image.pixels[$0] == color }
    }
    return theme.kind == .red && count(theme.halo) < count(theme.label)
  }

  /// For each end of a run of a sprite's ink in a row, its contrast with what lies within five
  /// pixels beside, above and below it: the best of them, since those between are the smooth edge.
  /// The map may have the colour of the ink, too: it is none.
  static func edges(
    _ picture: Picture, _ ink: UInt32, of sprite: Sprite, inset: Int, tolerance: Int = 0
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
      let own = image.pixels[row * image.width + column]
      if tolerance == 0 { return own == ink && picture[x, y] == ink }
      return own >> 24 == 255 && isNear(own, ink, tolerance)
        && isNear(picture[x, y], ink, tolerance)
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

  private static func isNear(_ a: UInt32, _ b: UInt32, _ most: Int) -> Bool {
    [16, 8, 0].allSatisfy { shift in
      abs(Int(a >> UInt32(shift) & 255) - Int(b >> UInt32(shift) & 255)) <= most
    }
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
