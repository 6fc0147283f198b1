import CLinux
import Glibc

/// Input from a client, handed out line by line. Holds at most the longest line and one read.
struct LineBuffer {
  /// The longest request line in bytes, without its end.
  static let limit = 64 * 1024

  enum Line {
    /// A complete line; its range in `bytes`, without the line end.
    case line(Range<Int>)
    case tooLong
    case incomplete
  }

  private(set) var bytes: [UInt8] = []
  private var head = 0
  /// Bytes before this index contain no line end.
  private var scanned = 0

  mutating func append(_ chunk: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: chunk)
  }

  var isEmpty: Bool { head == bytes.count }

  /// The next line that is not blank. With `atEnd` nothing more will come, so an unfinished last
  /// line counts.
  mutating func next(atEnd: Bool) -> Line {
    while true {
      var end = bytes.count
      let found = bytes.withUnsafeBytes { raw -> Int? in
        guard let base = raw.baseAddress,
          let hit = memchr(base + scanned, 0x0A, raw.count - scanned)
        else { return nil }
        return UnsafeRawPointer(hit) - base
      }
      if let found {
        end = found
      } else {
        scanned = bytes.count
        if bytes.count - head > Self.limit { return .tooLong }
        if !atEnd || head == bytes.count { return .incomplete }
      }
      let start = head
      head = min(end + 1, bytes.count)
      scanned = head
      if end - start > Self.limit { return .tooLong }
      if end > start && bytes[end - 1] == 0x0D { end -= 1 }
      let isBlank = bytes[start..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 }
      if !isBlank { return .line(start..<end) }
    }
  }

  /// Frees the memory of handled lines, which invalidates ranges from `next`.
  mutating func compact() {
    if head == bytes.count {
      // A small buffer is kept for the next request.
      bytes.removeAll(keepingCapacity: bytes.capacity <= 8 * 1024)
    } else if head > 0 {
      bytes.removeSubrange(..<head)
    }
    scanned -= head
    head = 0
  }

  mutating func discard() {
    bytes = []
    head = 0
    scanned = 0
  }
}
