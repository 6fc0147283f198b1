import Drawing
import MapGeometry
import MapScene
import Pixels

/// The ring around what the buttons' focus is on.
public final class FocusRing {
  private struct Key: Equatable {
    var width: Int
    var height: Int
    var theme: PictureTheme
    var unit: Double
  }

  private let painter: SpritePainter
  private var drawn: (key: Key, image: SpriteImage)?

  /// The width of the ring, and of its rims, in points.
  static let line = 3.0
  static let rim = 1.5

  /// How far the ring reaches beyond what it surrounds, in pixels.
  public var reach: Int { painter.px(4 + FocusRing.line + FocusRing.rim) }

  /// Creates a ring that is nowhere.
  ///
  /// - Parameter painter: Draws it.
  public init(_ painter: SpritePainter) { self.painter = painter }

  /// The ring around a part of the screen.
  ///
  /// - Parameters:
  ///   - box: What it surrounds, in view pixels.
  ///   - screen: The screen; a ring outside it is left out.
  /// - Returns: Its sprite; empty: it is not on the screen.
  public func sprites(around box: PixelRect, on screen: PixelRect) -> [Sprite] {
    let space = reach
    let (width, height) = (box.width + 2 * space, box.height + 2 * space)
    // A box that a hostile picture made is not drawn.
    guard width > 0, height > 0, width <= 2048, height <= 2048 else { return [] }
    let key = Key(width: width, height: height, theme: painter.theme, unit: painter.unit)
    let image: SpriteImage
    if let drawn, drawn.key == key {
      image = drawn.image
    } else {
      image = draw(width, height)
      drawn = (key, image)
    }
    let sprite = Sprite(image, x: box.x - space, y: box.y - space)
    return sprite.rect.intersects(screen) ? [sprite] : []
  }

  private func draw(_ width: Int, _ height: Int) -> SpriteImage {
    let (line, rim) = (FocusRing.line * painter.unit, FocusRing.rim * painter.unit)
    return painter.image(width: width, height: height) { canvas in
      func ring(inset: Double, width line: Double, _ color: UInt32) {
        let middle = inset + line / 2
        var path = Path()
        path.addRoundedRect(
          middle, middle, Double(width) - 2 * middle, Double(height) - 2 * middle,
          radius: HudStyle.radius * painter.unit)
        painter.stroke(path, width: line, color, on: canvas)
      }
      // The rim makes it visible on any ground.
      ring(inset: 0, width: line + 2 * rim, painter.theme.halo)
      ring(inset: rim, width: line, painter.theme.accent)
    }
  }
}
