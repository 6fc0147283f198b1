import Glibc

/// Splits what a server sends into lines. A line that is too long is skipped entirely, and never
/// more than the longest line is buffered.
struct GPSDLines {
  /// The longest line in bytes, longer than gpsd's own (GPS_JSON_RESPONSE_MAX, at most 10,240).
  static let limit = 32 * 1024

  private var held: [UInt8] = []
  private var isSkipping = false
  /// How many lines were too long.
  private(set) var tooLong = 0

  /// Bytes buffered of an unfinished line.
  var count: Int { held.count }

  /// Calls `body` with each non-empty line that `chunk` completes, without its line end.
  mutating func take(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var rest = chunk
    while let base = rest.baseAddress, !rest.isEmpty {
      guard let hit = memchr(base, 0x0A, rest.count) else {
        hold(rest)
        return
      }
      let length = UnsafeRawPointer(hit) - base
      let part = UnsafeRawBufferPointer(rebasing: rest[..<length])
      if isSkipping {
        isSkipping = false
      } else if held.isEmpty, part.count <= Self.limit {
        if !part.isEmpty { body(part) }
      } else {
        hold(part)
        if isSkipping {
          isSkipping = false
        } else {
          held.withUnsafeBytes(body)
          held.removeAll(keepingCapacity: true)
        }
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
    }
  }

  private mutating func hold(_ part: UnsafeRawBufferPointer) {
    if isSkipping { return }
    if held.count + part.count > Self.limit {
      held = []
      isSkipping = true
      tooLong += 1
    } else {
      held.append(contentsOf: part)
    }
  }
}
