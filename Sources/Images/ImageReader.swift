import TileFormats

/// What a picture's header says.
public struct ImageInfo: Sendable, Equatable {
  /// The file's format.
  public var format: TileFormat
  /// The width in pixels, 1 to `TileDecoder.maxTileSide`.
  public var width: Int
  /// The height in pixels, 1 to `TileDecoder.maxTileSide`.
  public var height: Int
  /// Whether the file can have transparency. All its pixels may be opaque nevertheless.
  public var hasAlphaChannel: Bool
}

/// One picture being decoded: header, start, rows from the top, finish. Each format has one.
protocol ImageReader: AnyObject {
  /// The header's contents; the size is checked.
  var info: ImageInfo { get }
  /// Whether rows come one at a time. If not, `readRows` is called once, for all rows.
  var isRowByRow: Bool { get }
  /// Begins decoding for a result of `width` x `height` pixels. Returns the size that rows will
  /// have: the picture's own, or a smaller one if the format can reduce more cheaply itself. It is
  /// never smaller than requested, unless the picture is.
  func start(for width: Int, _ height: Int) throws(ImageError) -> (width: Int, height: Int)
  /// Writes the next `count` rows as pixels `0xAARRGGBB`, with straight alpha if `straight`, else
  /// premultiplied. Returns whether all of them are opaque.
  func readRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool
  /// Checks that the file is complete after the last row.
  func finish() throws(ImageError)
}

extension ImageInfo {
  /// Creates the information. The size is checked before anything is allocated for pixels.
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
