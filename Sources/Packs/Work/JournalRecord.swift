import Glibc
import Platform

/// Records of a journal: a kind, the length of a payload, the payload, and a checksum of all of it.
/// What a cut left at the end of a file is no record.
enum JournalRecord {
  struct Found {
    var kind: UInt8
    var payload: ArraySlice<UInt8>
    /// The place after it.
    var end: Int
  }

  private static let overhead = 17

  static func encoded(kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var record = [kind]
    record += words([UInt64(payload.count)])
    record += payload
    record += words([PlanChecksum.of(bytes: record)])
    return record
  }

  /// The record at `place`; nil where there is no whole one.
  static func find(_ bytes: [UInt8], at place: Int) -> Found? {
    guard bytes.count - place >= overhead else { return nil }
    let length = word(bytes[(place + 1)..<(place + 9)])
    guard length <= UInt64(bytes.count - place - overhead) else { return nil }
    let end = place + 9 + Int(length)
    guard word(bytes[end..<(end + 8)]) == PlanChecksum.of(bytes: bytes[place..<end]) else {
      return nil
    }
    return Found(kind: bytes[place], payload: bytes[(place + 9)..<end], end: end + 8)
  }

  /// Writes a record at the descriptor's place.
  static func write(
    kind: UInt8, _ payload: [UInt8], to descriptor: Int32, of path: String
  ) throws(PackError) {
    let record = encoded(kind: kind, payload)
    var done = 0
    while done < record.count {
      let count = record.withUnsafeBytes { raw in
        Glibc.write(descriptor, raw.baseAddress.map { $0 + done }, raw.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PackError(file: path, failed: "cannot be written") }
      done += count
    }
  }

  /// The first eight bytes as a number, little-endian.
  static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    return value
  }

  /// Several numbers, 8 bytes each.
  static func words(of bytes: ArraySlice<UInt8>, _ count: Int) -> [UInt64]? {
    guard bytes.count >= count * 8 else { return nil }
    return (0..<count).map { word(bytes.dropFirst($0 * 8)) }
  }

  static func words(_ words: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in words {
      for shift in 0..<UInt64(8) { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
    }
    return bytes
  }
}

/// The kernel's name of the present boot: what was not synced before another one may be lost.
enum BootID {
  static var present: String {
    let bytes = try? FileIO.read("/proc/sys/kernel/random/boot_id", limit: 64)
    return bytes.map { String(decoding: $0.prefix(36), as: UTF8.self) } ?? "unknown"
  }
}
