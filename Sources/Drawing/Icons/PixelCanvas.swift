/// Memory that shapes and text are drawn on: premultiplied argb8888, rows from the top.
public struct PixelCanvas {
  /// The first pixel.
  public let pixels: UnsafeMutablePointer<UInt32>
  /// Words from one row to the next.
  public let stride: Int
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// A canvas on memory that its owner keeps while the canvas is in use.
  public init(_ pixels: UnsafeMutablePointer<UInt32>, stride: Int, width: Int, height: Int) {
    self.pixels = pixels
    self.stride = stride
    self.width = width
    self.height = height
  }
}
