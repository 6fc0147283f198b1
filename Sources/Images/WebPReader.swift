import CWebP

/// Decodes WebP with libwebp: lossy, lossless, with and without alpha. Animations are refused.
///
/// The library's own premultiplied output rounds down. So it decodes straight pixels, which are
/// premultiplied here with one formula for every format.
final class WebPReader: ImageReader {
  let info: ImageInfo
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &features)
    guard status == VP8_STATUS_OK else { throw Self.error(status) }
    guard features.has_animation == 0 else {
      throw ImageError("WebP: an animation; a tile is a single picture")
    }
    self.bytes = bytes
    info = try ImageInfo(
      .webp, width: Int(features.width), height: Int(features.height),
      hasAlphaChannel: features.has_alpha != 0)
  }

  var isRowByRow: Bool { false }

  func start(for width: Int, _ height: Int) throws(ImageError) -> (width: Int, height: Int) {
    (info.width, info.height)
  }

  func readRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool {
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else {
      throw ImageError("WebP: the library is of another version than the one built against")
    }
    config.output.colorspace = MODE_BGRA
    config.output.is_external_memory = 1
    config.output.u.RGBA.rgba = rows.assumingMemoryBound(to: UInt8.self)
    config.output.u.RGBA.stride = Int32(rowBytes)
    config.output.u.RGBA.size = rowBytes * (info.height - 1) + info.width * 4
    let status = WebPDecode(
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &config)
    WebPFreeDecBuffer(&config.output)
    guard status == VP8_STATUS_OK else { throw Self.error(status) }
    guard info.hasAlphaChannel else { return true }
    return ImagePremultiply.rows(
      rows, rowBytes: rowBytes, width: info.width, count: info.height, straight: straight)
  }

  func finish() throws(ImageError) {}

  private static func error(_ status: VP8StatusCode) -> ImageError {
    switch status {
    case VP8_STATUS_OUT_OF_MEMORY: .noMemory
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: ImageError("WebP: the file ends early")
    case VP8_STATUS_UNSUPPORTED_FEATURE: ImageError("WebP: a feature that libwebp does not know")
    default: ImageError("WebP: the data are damaged")
    }
  }
}
