/// How many bytes may still be written in the present hour. A memory card wears out with what is
/// written to it.
struct WriteBudget {
  /// Bytes in any hour.
  let limit: Int
  private static let hour: Int64 = 3600
  /// The hour is counted in so many parts.
  private static let parts: Int64 = 12
  private static let part = hour / parts
  /// Bytes by the part of time in which they were written; the first is the oldest.
  private var written: [(part: Int64, bytes: Int)] = []

  init(limit: Int) { self.limit = limit }

  /// Bytes that were written in the hour before `seconds`.
  mutating func used(at seconds: Int64) -> Int {
    // The oldest part counts until all of it is an hour ago.
    let oldest = seconds / WriteBudget.part - WriteBudget.parts
    written.removeAll { $0.part < oldest }
    return written.reduce(0) { $0 + $1.bytes }
  }

  mutating func allows(_ bytes: Int, at seconds: Int64) -> Bool {
    used(at: seconds) + bytes <= limit
  }

  mutating func spend(_ bytes: Int, at seconds: Int64) {
    let part = seconds / WriteBudget.part
    if written.last?.part == part {
      written[written.count - 1].bytes += bytes
    } else {
      written.append((part, bytes))
    }
  }
}
