/// Numbers of bytes as people write them, in the configuration and on the command line alike.
package enum ByteCount {
  /// The largest number that is accepted: 1 TiB.
  package static let most = 1 << 40

  private static let units: [(name: String, bytes: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1000), ("mb", 1_000_000),
    ("gb", 1_000_000_000), ("b", 1), ("", 1),
  ]

  /// Bytes of "1000000", "512KiB", "48MiB", "1.5GiB" (1024 each step) or "48MB" (1000 each step),
  /// rounded to a whole byte. Upper and lower case are the same; "1.5" and "1.5B" are refused.
  ///
  /// - Returns: The number of bytes; nil for anything else, and beyond `most`.
  package static func parse(_ text: String) -> Int? {
    let lower = text.lowercased()
    for unit in units where lower.hasSuffix(unit.name) {
      let digits = lower.dropLast(unit.name.count)
      let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
      guard digits.utf8.count <= 15, (1...2).contains(parts.count),
        parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        parts.count == 1 || unit.bytes > 1, let count = Double(digits)
      else { continue }
      let value = (count * Double(unit.bytes)).rounded()
      return value <= Double(most) ? Int(value) : nil
    }
    return nil
  }

  /// `bytes` with at most one decimal: "900 B", "48 MiB", "1.5 GiB", "8 EiB".
  package static func text(_ bytes: Int) -> String {
    for (name, shift) in multiples where bytes >= 1 << shift {
      // The largest number has less than 81 tenths of an EiB.
      let tenths = Int((Double(bytes) * 10 / Double(1 << shift)).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(bytes) B"
  }

  private static let multiples: [(name: String, shift: Int)] = [
    ("EiB", 60), ("PiB", 50), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10),
  ]
}
