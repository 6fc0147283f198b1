/// One checksum of a pack's contents, the same whatever its container.
///
/// It is the SHA-256 of one record of 48 bytes for each longest stretch of tiles that follow each
/// other in PMTiles' numbering and are the same, in ascending order: the number of the first tile
/// and the number of tiles, 8 bytes each, big-endian, and the SHA-256 of the tile. A tile's bytes
/// count unpacked: gzip, brotli and zstd around a vector tile belong to the container. Metadata do
/// not count, nor do tiles that cannot be read.
package struct ContentChecksum: Sendable {
  private var hash = SHA256()
  private var first: UInt64 = 0
  private var count: UInt64 = 0
  private var digest: [UInt8] = []

  package init() {}

  /// Adds the tiles `first ..< first + count`, whose SHA-256 is `digest`.
  package mutating func add(first: UInt64, count: UInt64, digest: [UInt8]) {
    if self.count > 0, self.first + self.count == first, digest == self.digest {
      self.count += count
      return
    }
    flush()
    (self.first, self.count, self.digest) = (first, count, digest)
  }

  /// "sha256:" and 64 hexadecimal digits.
  package mutating func finish() -> String {
    flush()
    return "sha256:" + SHA256.text(hash.finish())
  }

  private mutating func flush() {
    guard count > 0 else { return }
    var record: [UInt8] = []
    for number in [first, count] {
      for shift in stride(from: 56, through: 0, by: -8) {
        record.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    hash.update(record + digest)
    count = 0
  }
}
