#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that a decoder keeps from tile to tile. Not from Swift's allocator: running out of it is
/// a tile's error and not the end of the process.
final class ImageScratch {
  /// The most bytes kept between tiles.
  static let keptBytes = 1 << 20

  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0

  deinit { free(base) }

  /// At least `count` bytes, contents undefined; valid until the next call.
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

  /// Frees what a large picture needed.
  func trim() {
    guard capacity > Self.keptBytes else { return }
    free(base)
    base = nil
    capacity = 0
  }
}
