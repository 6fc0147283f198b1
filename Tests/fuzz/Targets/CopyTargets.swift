import Platform

@testable import Configuration

/// The copy of the last good configuration, which is read where the present one is broken. It lies
/// beside the state, on a card that may be worn.
///
/// A checksum would keep a fuzzer out: each input is tried as it is, and with a correct one.
extension FuzzTarget {
  static let copies: [FuzzTarget] = [
    FuzzTarget("last-good", of: ["Configuration/ConfigurationStore.swift"]) { bytes in
      let file = [UInt8](bytes)
      try check(file)
      if let repaired = repaired(file) { try check(repaired) }
    }
  ]

  private static func check(_ file: [UInt8]) throws {
    guard let texts = ConfigurationStore.decode(file) else { return }
    // Names that are no UTF-8 are mended when they are first read.
    let copy = ConfigurationStore.encode(texts)
    try promise(ConfigurationStore.decode(copy) == texts, "a copy is not read again as the same")
    let bytes = texts.reduce(0) { $0 + $1.bytes.count }
    try promise(bytes <= file.count, "texts of more bytes than there are")
  }

  /// The file with the checksum of what follows its first line in place of that line's last word.
  private static func repaired(_ file: [UInt8]) -> [UInt8]? {
    guard let end = file.firstIndex(of: UInt8(ascii: "\n")),
      let space = file[..<end].lastIndex(of: UInt8(ascii: " "))
    else { return nil }
    let sum = String(FNV1a(file[(end + 1)...]).value, radix: 16)
    return file[...space] + Array(sum.utf8) + file[end...]
  }
}
