#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that a decoder reuses from tile to tile. It does not come from Swift's allocator: running
/// out of it fails one tile and does not end the process.
final class ImageScratch {
  /// The most bytes kept between tiles.
  static let keptBytes = 1 << 20

  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0

  deinit { free(base) }

  /// At least `count` bytes with undefined contents, valid until the next call.
  func bytes(_ count: Int) throws(ImageError) -> UnsafeMutableRawPointer {
    if let base, count <= capacity { return base }
    free(base)
    base = nil
    capacity = 0
    guard let fresh = malloc(max(count, 1)) else { throw ImageError.noMemory }
    base = fresh
    capacity = count
    return fresh
  }

  /// Frees memory beyond `keptBytes`, which a large picture needed.
  func trim() {
    guard capacity > Self.keptBytes else { return }
    free(base)
    base = nil
    capacity = 0
  }
}
