import Platform

/// A checksum that tells plans and records apart. It guards against damage, not against attackers.
enum PlanChecksum {
  static func of(_ words: some Sequence<UInt64>) -> UInt64 {
    var hash = FNV1a()
    for word in words {
      hash.combine(word)
      // A word at a time spreads too little: its high bits reach only higher ones.
      hash.combine(hash.value >> 29)
    }
    return hash.value
  }

  static func of(bytes: some Sequence<UInt8>) -> UInt64 { FNV1a(bytes).value }
}
