import Pixels

/// A whole picture of any size, decoded.
public struct DecodedPicture: Sendable {
  /// Premultiplied argb, rows from the top without gaps.
  public var pixels: [UInt32]
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
}

extension TileDecoder {
  /// Decodes a picture at its own size, such as a sprite sheet.
  ///
  /// - Parameters:
  ///   - bytes: A PNG, JPEG or WebP file.
  ///   - maxPixels: The most pixels that it may have, checked before memory is allocated.
  /// - Throws: `ImageError` if the file is damaged or too large.
  public func picture(
    _ bytes: UnsafeRawBufferPointer, maxPixels: Int
  ) throws(ImageError) -> DecodedPicture {
    let info = try probe(bytes)
    let count = info.width * info.height
    guard count <= maxPixels else {
      throw ImageError("\(info.width)x\(info.height) px; at most \(maxPixels) pixels are allowed")
    }
    // An error's type is lost in the closure (Swift 6.0), so it is carried out of it.
    var failure: ImageError?
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { memory, initialized in
      guard let base = memory.baseAddress else { return }
      do {
        _ = try render(
          bytes, width: info.width, height: info.height, into: UnsafeMutableRawPointer(base),
          rowBytes: info.width * 4)
        initialized = count
      } catch let error as ImageError {
        failure = error
      } catch {
        failure = ImageError("cannot be decoded")
      }
    }
    if let failure { throw failure }
    return DecodedPicture(pixels: pixels, width: info.width, height: info.height)
  }
}
