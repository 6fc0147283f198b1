import CBundled
import Drawing
import Images
import MapGeometry
import MapStyle
import TestSupport

@testable import MapLabels

#if canImport(Glibc)
  import Glibc
#endif

/// What the tests of labels share: fonts, tiles with candidates, views.
enum LabelScene {
  static func fonts(_ others: [FontSource] = []) -> LabelFonts {
    func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
      .memory(UnsafeRawBufferPointer(start: start, count: count))
    }
    return LabelFonts(
      regular: font(waypost_noto_regular_bytes(), waypost_noto_regular_size()),
      italic: font(waypost_noto_italic_bytes(), waypost_noto_italic_size()),
      semibold: font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size()),
      others: [font(waypost_font_bytes(), waypost_font_size())] + others)
  }

  static func type() throws -> LabelType { try LabelType(fonts()) }

  /// A tile of level 14, in whose middle views look.
  static let tile = TileID(z: 14, x: 8296, y: 5636) ?? .world

  /// A view of the tile's middle. At zoom 14 the tile takes 256 points.
  static func view(
    zoom: Double = 14, bearing: Double = 0, width: Int = 512, height: Int = 512, scale: Int = 1,
    at point: TilePoint = TilePoint(0.5, 0.5)
  ) -> Viewport {
    let count = Double(1 << tile.z)
    let center = WebMercator.unproject(
      WorldPoint(
        x: (Double(tile.x) + Double(point.x)) / count, y: (Double(tile.y) + Double(point.y)) / count
      ))
    return Viewport(
      center: center, zoom: zoom, bearing: bearing, width: width, height: height, scale: scale)
  }

  static func look(_ change: (inout LabelSettings) -> Void = { _ in }) -> LabelLook {
    var settings = LabelSettings()
    settings.textSize = 12
    settings.textHaloColor = 0xFFFF_FFFF
    settings.textHaloWidth = 1.5
    change(&settings)
    return LabelLook(settings)
  }

  static func labels(_ candidates: [LabelCandidate]) -> TileLabels {
    var builder = TileLabelsBuilder()
    for candidate in candidates { builder.add(candidate) }
    return builder.finish() ?? .empty
  }

  static func request(
    _ candidates: [LabelCandidate], _ view: Viewport = LabelScene.view(), margin: Int = 0,
    obstacles: [PixelRect] = [], time: UInt64? = nil
  ) -> LabelRequest {
    LabelRequest(
      tiles: [LabelTile(tile, labels: labels(candidates))], view: view, margin: margin,
      obstacles: obstacles, time: time)
  }

  static func point(
    _ text: String, _ x: Float, _ y: Float, layer: Int = 0, sortKey: Float = 0,
    icon: String? = nil, _ look: LabelLook = LabelScene.look()
  ) -> LabelCandidate {
    LabelCandidate(
      layer: layer, sortKey: sortKey, text: FormattedText(text), icon: icon, look: look,
      points: [TilePoint(x, y)])
  }

  /// An icon of one colour.
  static func icon(
    _ name: String, _ size: Int = 16, stretch: Bool = false
  ) -> LabelIcon {
    let middle = [LabelIcon.Stretch(from: 4, to: Float(size) - 4)]
    return LabelIcon(
      name: name, width: size, height: size,
      pixels: (0..<size * size).map { index in
        let (x, y) = (index % size, index / size)
        let isEdge = x < 2 || y < 2 || x >= size - 2 || y >= size - 2
        return isEdge ? 0xFF20_40A0 : 0xFFFF_E080
      }, stretchX: stretch ? middle : [], stretchY: stretch ? middle : [],
      content: stretch
        ? LabelInsets(top: 3, right: Float(size) - 3, bottom: Float(size) - 3, left: 3) : nil)
  }

  /// Tiles around the middle with many points and streets, the same for a seed.
  static func town(_ seed: UInt64, points: Int = 60, streets: Int = 12) -> [LabelTile] {
    var numbers = SeededNumbers(seed)
    let looks = [
      look { $0.textSize = 11 }, look { $0.textSize = 14 },
      look {
        $0.textSize = 12
        $0.textVariableAnchors = [.top, .bottom, .left, .right]
        $0.textRadialOffset = 0.5
        $0.textJustify = .auto
      },
    ]
    let street = look {
      $0.placement = .line
      $0.textSize = 11
    }
    let syllables = ["bahn", "hof", "rue ", "Saint-", "mar", "kt", "lein", "berg", "wald", "see"]
    func name() -> String {
      (0..<numbers.integer(1...4)).map { _ in syllables[numbers.next(0..<10)] }.joined()
    }
    var tiles: [LabelTile] = []
    for dy in -2...2 {
      for dx in -2...2 {
        guard let id = TileID(z: 14, x: tile.x + dx, y: tile.y + dy) else { continue }
        var candidates: [LabelCandidate] = []
        for _ in 0..<points {
          candidates.append(
            point(
              name(), Float(numbers.number(0...0.999)), Float(numbers.number(0...0.999)),
              layer: numbers.integer(1...3), sortKey: Float(numbers.integer(0...9)),
              looks[numbers.next(0..<3)]))
        }
        for _ in 0..<streets {
          var at = TilePoint(Float(numbers.number(0...1)), Float(numbers.number(0...1)))
          var angle = numbers.number(0...6.28)
          var line = [at]
          for _ in 0..<12 {
            angle += numbers.number(-0.2...0.2)
            at = TilePoint(at.x + 0.06 * Float(cos(angle)), at.y + 0.06 * Float(sin(angle)))
            line.append(at)
          }
          candidates.append(
            LabelCandidate(
              layer: 0, text: FormattedText(name()), look: street, points: line))
        }
        tiles.append(LabelTile(id, labels: labels(candidates)))
      }
    }
    return tiles
  }
}

/// A picture to draw labels on, which can be written as PNG to look at it.
final class LabelCanvas {
  let width: Int
  let height: Int
  let pixels: UnsafeMutablePointer<UInt32>

  init(_ width: Int, _ height: Int, _ color: UInt32 = 0xFFE8_E4D8) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: color, count: width * height)
  }

  deinit { pixels.deallocate() }

  var canvas: PixelCanvas { PixelCanvas(pixels, stride: width, width: width, height: height) }
  var words: [UInt32] { Array(UnsafeBufferPointer(start: pixels, count: width * height)) }
}
