/// The first bytes of a pack whose size is known.
package final class PrefixReader: ByteReader {
  /// The whole pack's.
  package let size: UInt64
  private let bytes: [UInt8]

  /// The first `bytes` of a pack of `size` bytes.
  package init(_ bytes: [UInt8], size: UInt64) {
    self.bytes = bytes
    self.size = size
  }

  /// Reads `count` of the first bytes at `offset`.
  ///
  /// - Throws: A fault if they are not among these.
  package func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    guard offset <= UInt64(bytes.count), count <= bytes.count - Int(offset), count >= 0 else {
      throw PackFault("is cut off: it has \(size) bytes")
    }
    return Array(bytes[Int(offset)..<Int(offset) + count])
  }
}
