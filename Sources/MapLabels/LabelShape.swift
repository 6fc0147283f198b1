import Drawing
import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// What a placed label looks like, relative to its anchor, in pixels. Immutable.
public final class LabelShape: Sendable {
  /// A glyph with its pen's position.
  struct Glyph: Sendable {
    var index: UInt32
    var font: UInt8
    /// The em in pixels.
    var size: Float
    var x: Float
    var y: Float
    var cosine: Float
    var sine: Float
    /// The section's colour; 0: the text's.
    var color: UInt32
  }

  /// An icon: the rectangle that it fills before it is turned about the anchor.
  struct Icon: Sendable {
    var icon: LabelIcon
    var x: Float
    var y: Float
    var width: Float
    var height: Float
    /// Clockwise, in radians.
    var angle: Float
    /// Whether it is stretched over a text.
    var isFitted: Bool
  }

  let glyphs: [Glyph]
  let icon: Icon?
  let settings: LabelSettings
  let look: LabelLook
  /// Pixels per point.
  let scale: Float
  /// The pixels that it may touch, relative to the anchor.
  let bounds: PixelRect

  /// The text, for tests and logs.
  public let text: String

  init(
    glyphs: [Glyph], icon: Icon?, look: LabelLook, scale: Float, text: String
  ) {
    self.glyphs = glyphs
    self.icon = icon
    self.look = look
    settings = look.settings
    self.scale = scale
    self.text = text
    bounds = Self.bounds(glyphs, icon, look.settings, scale)
  }

  /// The most pixels of a picture's side.
  static let maxSide = 2048

  /// How far a halo reaches, in pixels: the width limited to a quarter of the size, as in MapLibre.
  static func haloRadius(_ width: Float, size: Float, scale: Float) -> Float {
    LabelType.limited(width, 0...max(0, min(LabelType.limited(size, 0...256) / 4, 16))) * scale
  }

  private static func bounds(
    _ glyphs: [Glyph], _ icon: Icon?, _ settings: LabelSettings, _ scale: Float
  ) -> PixelRect {
    var (left, top, right, bottom) = (
      Float.infinity, Float.infinity, -Float.infinity, -Float.infinity
    )
    let halo =
      haloRadius(settings.textHaloWidth, size: settings.textSize, scale: scale)
      + LabelType.limited(settings.textHaloBlur, 0...8) * scale
    for glyph in glyphs {
      // No glyph of a text font reaches further from its pen than an em and a half.
      let reach = glyph.size * 1.5 + halo + 2
      left = min(left, glyph.x - reach)
      right = max(right, glyph.x + reach)
      top = min(top, glyph.y - reach)
      bottom = max(bottom, glyph.y + reach)
    }
    if let icon {
      let reach = LabelType.limited(settings.iconHaloWidth, 0...16) * scale + 2
      let (c, s) = (cos(icon.angle), sin(icon.angle))
      for (x, y) in [
        (icon.x, icon.y), (icon.x + icon.width, icon.y), (icon.x, icon.y + icon.height),
        (icon.x + icon.width, icon.y + icon.height),
      ] {
        let (px, py) = (x * c - y * s, x * s + y * c)
        left = min(left, px - reach)
        right = max(right, px + reach)
        top = min(top, py - reach)
        bottom = max(bottom, py + reach)
      }
    }
    guard left <= right, top <= bottom else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let half = Float(maxSide / 2)
    let x = Int(LabelType.limited(left.rounded(.down), -half...half))
    let y = Int(LabelType.limited(top.rounded(.down), -half...half))
    return PixelRect(
      x: x, y: y, width: Int(LabelType.limited(right.rounded(.up), -half...half)) - x,
      height: Int(LabelType.limited(bottom.rounded(.up), -half...half)) - y)
  }
}
