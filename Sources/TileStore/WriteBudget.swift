/// How many bytes may still be written in the present hour. Every write wears a memory card out.
struct WriteBudget {
  /// Bytes in any hour.
  let limit: Int
  private static let hour: Int64 = 3600
  /// The hour is divided into this many parts.
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

  /// What was written, as text for `restore`: the boot whose clock counts the parts, the present
  /// part, and pairs of part and bytes.
  ///
  /// - Parameters:
  ///   - bytes: What is about to be written as well.
  ///   - seconds: The present time.
  ///   - boot: The name of the present boot.
  /// - Returns: One line.
  func text(adding bytes: Int, at seconds: Int64, boot: String) -> String {
    var all = self
    all.spend(bytes, at: seconds)
    _ = all.used(at: seconds)
    let parts = all.written.map { "\($0.part):\($0.bytes)" }
    return ([boot, "\(seconds / WriteBudget.part)"] + parts).joined(separator: " ")
  }

  /// Adds what an earlier process wrote. Time for which the system was off does not count, since no
  /// clock may have measured it.
  ///
  /// - Parameters:
  ///   - text: What `text` gave; anything else counts for nothing.
  ///   - seconds: The present time.
  ///   - boot: The name of the present boot.
  mutating func restore(_ text: String, at seconds: Int64, boot: String) {
    let words = text.split(separator: " ")
    let parts = 0...(Int64(1) << 40)
    guard words.count >= 2, words.count <= Int(WriteBudget.parts) + 4, let stated = Int64(words[1]),
      parts.contains(stated)
    else { return }
    let present = seconds / WriteBudget.part
    let shift = words[0] == boot ? 0 : present - stated
    var earlier: [(part: Int64, bytes: Int)] = []
    for word in words.dropFirst(2) {
      let numbers = word.split(separator: ":").map { Int64($0) }
      guard numbers.count == 2, let part = numbers[0], let bytes = numbers[1],
        (-parts.upperBound...parts.upperBound).contains(part),
        (0...WriteBudget.mostBytes).contains(bytes)
      else { return }
      earlier.append((min(part + shift, present), Int(bytes)))
    }
    written = (earlier + written).sorted { $0.part < $1.part }
  }

  /// More bytes than a card takes in an hour.
  private static let mostBytes: Int64 = 1 << 42
}
