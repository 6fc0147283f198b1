import Pixels
import TileFormats

/// The outcome of `TileDecoder.decode`.
public enum DecodeOutcome: Sendable, Equatable {
  /// The target contains the tile, in this pixel format.
  case drawn(TilePixelFormat)
  /// The tile has transparency, and the target has no room for four bytes per pixel. Nothing usable
  /// was drawn; call again with `edge * edge * 4` bytes.
  case needsAlphaRoom
}

/// Decodes PNG, JPEG and WebP tiles and fits them to a square of pixels.
///
/// An instance belongs to one worker: it keeps scratch memory (at most 1 MiB of each kind between
/// tiles) and is not Sendable. Pixel values are used as stored (no gamma, no colour profile, no
/// Exif orientation). No input makes it trap. A damaged or truncated file is an error, never half a
/// tile; after an error the target's contents are undefined.
public final class TileDecoder {
  /// The longest side of a tile in pixels, checked before memory for pixels is allocated.
  public static let maxTileSide = 2048

  private let samples = ImageScratch()
  private let picture = ImageScratch()
  private let argb = ImageScratch()
  private let png = DeflatedPNG.Memory()
  private var fitter: ImageFitter?
  /// Whether only libpng reads PNG, to compare the results.
  var usesLibPNGAlone = false
  /// Whether alpha is not multiplied into the colours, to compare with other decoders.
  var keepsStraightAlpha = false

  /// Creates a decoder that has not allocated memory yet.
  public init() {}

  /// Reads only the header, and allocates nothing for pixels. The rest may still be damaged.
  ///
  /// - Throws: `ImageError` if the header is damaged, the size is out of range, or the format is
  ///   none of the three.
  public func probe(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageInfo {
    // Only the header is needed, so nothing is inflated.
    if TileFormat(sniffing: bytes) == .png { return try PNGReader(bytes, scratch: samples).info }
    return try reader(bytes).info
  }

  /// Decodes a tile into `target`, without padding between rows.
  ///
  /// A picture that is not `edge` x `edge` pixels is reduced by area average or enlarged
  /// bilinearly; one that is not square is stretched.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - format: The file's format if it is known; nil: it is recognised from the bytes.
  ///   - edge: The tile's side in pixels, 1 ... 4096.
  ///   - opaque: The format for an opaque tile: `.xrgb8888` or `.rgb565`.
  ///   - colors: The colour change that is applied to every pixel.
  ///   - target: The result, at least `edge * edge * opaque.bytes` bytes, aligned to 4.
  /// - Returns: `.drawn(opaque)` if every pixel is opaque; `.drawn(.argb8888)`, premultiplied, if
  ///   not and the target has `edge * edge * 4` bytes; otherwise `.needsAlphaRoom`.
  /// - Throws: `ImageError` if the file is damaged, ends early or is none of the three formats, or
  ///   if memory is short.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, as format: TileFormat? = nil, edge: Int,
    opaque: TilePixelFormat,
    colors: ColorTransform = .identity, into target: UnsafeMutableRawBufferPointer
  ) throws(ImageError) -> DecodeOutcome {
    precondition((1...4096).contains(edge) && opaque != .argb8888, "a tile's edge and format")
    let wide = edge * edge * 4
    guard let base = target.baseAddress, target.count >= edge * edge * opaque.bytes else {
      throw ImageError("no room for a tile of \(edge)x\(edge) px")
    }
    defer { trim() }
    let reader = try reader(bytes, format)
    let inPlace = target.count >= wide
    let pixels = inPlace ? base : try argb.bytes(wide)
    let isOpaque = try render(
      reader, width: edge, height: edge, into: pixels, rowBytes: edge * 4)
    guard isOpaque || inPlace else { return .needsAlphaRoom }
    if !colors.isIdentity {
      colors.apply(to: pixels.assumingMemoryBound(to: UInt32.self), count: edge * edge)
    }
    guard isOpaque else { return .drawn(.argb8888) }
    if opaque == .rgb565 {
      RGB565Tile.pack(UnsafeRawPointer(pixels), edge: edge, into: base)
    }
    return .drawn(opaque)
  }

  /// Decodes a tile to premultiplied `argb8888` rows, fitted as `decode` does.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - format: The file's format if it is known; nil: it is recognised from the bytes.
  ///   - edge: The tile's side in pixels, 1 ... 4096.
  ///   - target: The result, room for `edge` rows of `edge` pixels, aligned to 4.
  ///   - rowBytes: Bytes from one row to the next; at least `edge * 4`, a multiple of 4.
  /// - Returns: Whether every pixel is opaque.
  /// - Throws: `ImageError`, as `decode` does.
  public func decodeARGB(
    _ bytes: UnsafeRawBufferPointer, as format: TileFormat? = nil, edge: Int,
    into target: UnsafeMutableRawPointer, rowBytes: Int
  ) throws(ImageError) -> Bool {
    precondition((1...4096).contains(edge) && rowBytes >= edge * 4, "a tile's edge and rows")
    defer { trim() }
    return try render(
      reader(bytes, format), width: edge, height: edge, into: target, rowBytes: rowBytes)
  }

  /// Decodes to any size, for the other methods.
  func render(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int,
    into target: UnsafeMutableRawPointer, rowBytes: Int
  ) throws(ImageError) -> Bool {
    defer { trim() }
    return try render(
      reader(bytes), width: width, height: height, into: target, rowBytes: rowBytes)
  }

  private func reader(
    _ bytes: UnsafeRawBufferPointer, _ known: TileFormat? = nil
  ) throws(ImageError) -> any ImageReader {
    let format = known ?? TileFormat(sniffing: bytes)
    switch format {
    case .png:
      if !usesLibPNGAlone, let reader = DeflatedPNG(bytes, memory: png) { return reader }
      return try PNGReader(bytes, scratch: samples)
    case .jpeg: return try JPEGReader(bytes)
    case .webp: return try WebPReader(bytes)
    default: throw ImageError(format.refusal ?? "not an image")
    }
  }

  private func render(
    _ reader: any ImageReader, width: Int, height: Int, into target: UnsafeMutableRawPointer,
    rowBytes: Int
  ) throws(ImageError) -> Bool {
    let size = try reader.start(for: width, height)
    let straight = keepsStraightAlpha
    var opaque = true
    if size.width == width && size.height == height {
      opaque = try reader.readRows(
        into: target, rowBytes: rowBytes, count: height, straight: straight)
    } else {
      let fitter = self.fitter(from: size, to: (width, height))
      let batch = reader.isRowByRow ? 1 : size.height
      let rows = try picture.bytes(size.width * 4 * batch)
      for y in 0..<size.height {
        if y % batch == 0 {
          let rowsOpaque = try reader.readRows(
            into: rows, rowBytes: size.width * 4, count: batch, straight: straight)
          opaque = opaque && rowsOpaque
        }
        let row = rows + (y % batch) * size.width * 4
        fitter.push(
          UnsafePointer(row.assumingMemoryBound(to: UInt32.self)), into: target,
          rowBytes: rowBytes)
      }
    }
    try reader.finish()
    return opaque
  }

  /// The fitter of the last tile, if it fits: the tiles of a source have one size.
  private func fitter(
    from size: (width: Int, height: Int), to result: (width: Int, height: Int)
  ) -> ImageFitter {
    if let fitter, fitter.columns.source == size.width, fitter.rows.source == size.height,
      fitter.columns.result == result.width, fitter.rows.result == result.height
    {
      fitter.restart()
      return fitter
    }
    let fresh = ImageFitter(
      columns: ImageFitAxis(source: size.width, result: result.width),
      rows: ImageFitAxis(source: size.height, result: result.height))
    fitter = fresh
    return fresh
  }

  private func trim() {
    samples.trim()
    picture.trim()
    argb.trim()
    png.trim()
  }
}
