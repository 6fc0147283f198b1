import Glibc

/// Reads the notices of an inotify descriptor (inotify(7)).
enum Inotify {
  private static let size = 4096

  /// Reads what there is.
  ///
  /// - Parameters:
  ///   - fd: The descriptor, which does not block.
  ///   - mostReads: The most reads of 4 KiB, so that a flood of notices does not hold up the loop.
  ///   - body: Gets the number of the watch, the mask, and the name; it is empty where the folder
  ///     itself is meant.
  /// - Returns: Whether all were read.
  static func read(
    _ fd: Int32, mostReads: Int, _ body: (_ number: Int32, _ mask: UInt32, _ name: String) -> Void
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return true }
      for _ in 0..<mostReads {
        let count = Glibc.read(fd, base, size)
        if count <= 0 { return true }
        var at = 0
        // struct inotify_event: wd, mask, cookie, len, then len bytes of a name padded with zeros.
        while at + 16 <= count {
          let number = buffer.load(fromByteOffset: at, as: Int32.self)
          let mask = buffer.load(fromByteOffset: at + 4, as: UInt32.self)
          let length = Int(buffer.load(fromByteOffset: at + 12, as: UInt32.self))
          guard at + 16 + length <= count else { break }
          let name = buffer[at + 16..<at + 16 + length].prefix { $0 != 0 }
          body(number, mask, String(decoding: name, as: UTF8.self))
          at += 16 + length
        }
      }
      return false
    }
  }
}
