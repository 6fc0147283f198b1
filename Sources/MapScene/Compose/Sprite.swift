import MapGeometry

/// A small picture in memory: text, a marker or an element of the HUD. Premultiplied argb8888.
public final class SpriteImage {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The first of `width * height` pixels, premultiplied argb8888, which are only read once it is
  /// drawn.
  public let pixels: UnsafeMutablePointer<UInt32>

  /// The columns of a row outside of which it is transparent; none: `right` is not above `left`.
  package struct Columns {
    package var left: Int32
    package var right: Int32
  }

  /// The columns of each row. A name along a diagonal street leaves most of its picture empty, and
  /// what is empty is not blended.
  package let columns: UnsafeMutablePointer<Columns>

  /// The memory of the picture in bytes.
  public var bytes: Int { width * height * 4 + height * MemoryLayout<Columns>.stride }

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
    let count = self.width * self.height
    pixels = .allocate(capacity: max(1, count))
    pixels.initialize(repeating: 0, count: count)
    columns = .allocate(capacity: max(1, self.height))
    draw(pixels, self.width)
    findColumns()
  }

  deinit {
    pixels.deallocate()
    columns.deallocate()
  }

  private func findColumns() {
    var row = pixels
    for y in 0..<height {
      var (left, right) = (0, width)
      while left < right, row[left] == 0 { left &+= 1 }
      while right > left, row[right &- 1] == 0 { right &-= 1 }
      (columns + y).initialize(
        to: Columns(
          left: Int32(truncatingIfNeeded: left), right: Int32(truncatingIfNeeded: right)))
      row += width
    }
  }
}

/// A picture at a position on the screen, over the map.
///
/// The picture is drawn once and blended wherever the map beneath it is drawn.
public struct Sprite: Equatable {
  /// The picture to blend over the map.
  public let image: SpriteImage
  /// The column of the upper left corner in view pixels; may be off the screen.
  public var x: Int
  /// The row of the upper left corner in view pixels; may be off the screen.
  public var y: Int
  /// How much of the picture covers what is below: 0 (nothing) ... 256 (as the picture says).
  public var opacity = 256
  /// How the picture is turned; nil: it is upright.
  public var turn: SpriteTurn? {
    didSet { (width, height) = (turn?.width ?? image.width, turn?.height ?? image.height) }
  }
  /// The size of what it covers, so that a frame need not look into each picture for it.
  private var width: Int
  private var height: Int

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
    (width, height) = (image.width, image.height)
  }

  /// The rectangle that it covers, in view pixels; not clipped to the screen.
  public var rect: PixelRect { PixelRect(x: x, y: y, width: width, height: height) }

  /// Whether both show the same `SpriteImage` object at the same position, equally turned and
  /// equally opaque.
  public static func == (a: Sprite, b: Sprite) -> Bool {
    a.image === b.image && a.x == b.x && a.y == b.y && a.opacity == b.opacity && a.turn == b.turn
  }
}
