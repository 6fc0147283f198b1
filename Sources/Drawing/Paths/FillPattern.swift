/// A picture that is repeated over an area.
///
/// It is anchored to pixels of the world: two canvases that are whole pixels apart show one pattern
/// if their origins differ by as many pixels.
public struct FillPattern: Sendable, Equatable {
  /// Premultiplied argb, rows from the top without gaps between them.
  public let pixels: [UInt32]
  /// The picture's width in pixels.
  public let width: Int
  /// The picture's height in pixels.
  public let height: Int
  /// The column of the canvas at which a picture begins; any whole number.
  public var originX: Int
  /// The row of the canvas at which a picture begins; any whole number.
  public var originY: Int

  /// Creates a pattern of a premultiplied argb picture. Returns nil if the picture is empty, or if
  /// it does not have `width * height` pixels.
  public init?(pixels: [UInt32], width: Int, height: Int, originX: Int = 0, originY: Int = 0) {
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !isTooLarge, pixels.count == count else { return nil }
    self.pixels = pixels
    self.width = width
    self.height = height
    self.originX = originX
    self.originY = originY
  }
}
