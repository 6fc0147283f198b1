import TileFormats

/// What a picture's header says.
public struct ImageInfo: Sendable, Equatable {
  /// The file's format.
  public var format: TileFormat
  /// Pixels, 1 ... `TileDecoder.maxTileSide`.
  public var width: Int
  /// Pixels, 1 ... `TileDecoder.maxTileSide`.
  public var height: Int
  /// Whether the format leaves room for transparency here; the pixels may all be opaque.
  public var hasAlphaChannel: Bool
}

/// One picture being decoded: header, start, rows from the top, finish. Each format has one.
protocol ImageReader: AnyObject {
  /// From the header; its size is checked.
  var info: ImageInfo { get }
  /// Whether rows come one at a time. If not, `readRows` is called once, for all of them.
  var isRowByRow: Bool { get }
  /// Begins decoding for a result of `width` x `height` pixels. Returns the size that rows will
  /// have: the picture's own, or less where the format reduces more cheaply itself, but never less
  /// than was asked for unless the picture is.
  func start(for width: Int, _ height: Int) throws(ImageError) -> (width: Int, height: Int)
  /// Writes the next `count` rows as `0xAARRGGBB` words, straight alpha where `straight`, else
  /// premultiplied. Returns whether all their pixels are opaque.
  func readRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool
  /// Checks that nothing is missing after the last row.
  func finish() throws(ImageError)
}

extension ImageInfo {
  /// Checks the size before anything is allocated for pixels.
  init(_ format: TileFormat, width: Int, height: Int, hasAlphaChannel: Bool) throws(ImageError) {
    let most = TileDecoder.maxTileSide
    guard width > 0, height > 0 else {
      throw ImageError("\(width)x\(height) px; a tile has at least 1 px a side")
    }
    guard width <= most, height <= most else {
      throw ImageError("\(width)x\(height) px; a tile may have at most \(most) px a side")
    }
    self.format = format
    self.width = width
    self.height = height
    self.hasAlphaChannel = hasAlphaChannel
  }
}

extension ImageInfo {
  /// Before a header is read.
  static let unknown = ImageInfo(format: .unknown, width: 0, height: 0, hasAlphaChannel: false)
}
