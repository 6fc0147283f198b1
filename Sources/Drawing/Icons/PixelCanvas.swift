/// Memory that shapes and text are drawn on: premultiplied argb8888, rows from the top.
public struct PixelCanvas {
  public let pixels: UnsafeMutablePointer<UInt32>
  /// Words from one row to the next.
  public let stride: Int
  public let width: Int
  public let height: Int

  public init(_ pixels: UnsafeMutablePointer<UInt32>, stride: Int, width: Int, height: Int) {
    self.pixels = pixels
    self.stride = stride
    self.width = width
    self.height = height
  }
}
