import MapGeometry

/// A small picture that lies over the map at a place of the screen: text of the HUD.
///
/// Premultiplied argb8888, drawn once and blended wherever the map beneath is drawn.
public final class Sprite {
  /// Where it lies, in view pixels; may reach beyond the screen.
  public let rect: PixelRect
  let pixels: UnsafeMutablePointer<UInt32>

  /// Bytes that the picture takes.
  public var bytes: Int { rect.width * rect.height * 4 }

  /// - Parameter draw: fills the picture, which starts transparent: its words, and words a row.
  public init(rect: PixelRect, draw: (UnsafeMutablePointer<UInt32>, Int) -> Void) {
    self.rect = rect
    let count = max(1, rect.width * rect.height)
    pixels = .allocate(capacity: count)
    pixels.initialize(repeating: 0, count: count)
    draw(pixels, rect.width)
  }

  deinit { pixels.deallocate() }
}
