import MapGeometry

/// A small picture in memory: text, a marker or an element of the HUD. Premultiplied argb8888.
public final class SpriteImage {
  /// The width in pixels.
  public private(set) var width: Int
  /// The height in pixels.
  public private(set) var height: Int
  /// The first of `width * height` pixels, premultiplied argb8888, which are only read once it is
  /// drawn.
  public let pixels: UnsafeMutablePointer<UInt32>

  /// How many pixels its memory has room for.
  public let capacity: Int

  /// The memory of the pixels in bytes.
  public var bytes: Int { width * height * 4 }

  /// Creates a picture.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - draw: Fills the picture, which starts transparent. Takes its first pixel, and the number
  ///     of pixels from row to row.
  public init(width: Int, height: Int, draw: (UnsafeMutablePointer<UInt32>, Int) -> Void) {
    self.width = max(0, width)
    self.height = max(0, height)
    capacity = max(1, self.width * self.height)
    pixels = .allocate(capacity: capacity)
    pixels.initialize(repeating: 0, count: capacity)
    draw(pixels, self.width)
  }

  /// Makes it another picture in the same memory. Only for a picture that nothing shows: sprites
  /// are compared by their pictures' identity.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels; `width * height` is at most `capacity`.
  ///   - draw: Fills the picture, as for a new one.
  public func redraw(
    width: Int, height: Int, draw: (UnsafeMutablePointer<UInt32>, Int) -> Void
  ) {
    let (width, height) = (max(0, width), max(0, height))
    precondition(width * height <= capacity)
    (self.width, self.height) = (width, height)
    pixels.update(repeating: 0, count: width * height)
    draw(pixels, width)
  }

  deinit { pixels.deallocate() }
}

/// A picture at a position on the screen, over the map.
///
/// The picture is drawn once and blended wherever the map beneath it is drawn.
public struct Sprite: Equatable {
  /// The picture to blend over the map.
  public var image: SpriteImage
  /// The column of the upper left corner in view pixels; may be off the screen.
  public var x: Int
  /// The row of the upper left corner in view pixels; may be off the screen.
  public var y: Int
  /// How much of the picture covers what is below: 0 (nothing) ... 256 (as the picture says).
  public var opacity = 256

  /// Creates a sprite of a picture at a position.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - x: The column of its upper left corner in view pixels.
  ///   - y: The row of its upper left corner in view pixels.
  public init(_ image: SpriteImage, x: Int, y: Int) {
    self.image = image
    self.x = x
    self.y = y
  }

  /// The rectangle that it covers, in view pixels; not clipped to the screen.
  public var rect: PixelRect {
    PixelRect(x: x, y: y, width: image.width, height: image.height)
  }

  /// Whether both show the same `SpriteImage` object at the same position, equally opaque.
  public static func == (a: Sprite, b: Sprite) -> Bool {
    a.image === b.image && a.x == b.x && a.y == b.y && a.opacity == b.opacity
  }
}
