/// Memory that shapes and text are drawn into: premultiplied argb8888, rows from the top.
public struct PixelCanvas {
  /// The first pixel of the top row.
  public let pixels: UnsafeMutablePointer<UInt32>
  /// 32-bit pixels from one row to the next.
  public let stride: Int
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// Creates a canvas on memory of `stride * height` pixels, which its owner keeps while the canvas
  /// is in use.
  public init(_ pixels: UnsafeMutablePointer<UInt32>, stride: Int, width: Int, height: Int) {
    self.pixels = pixels
    self.stride = stride
    self.width = width
    self.height = height
  }
}
