/// SHA-256 (FIPS 180-4), for the checksum of a pack's contents.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0

  package init() {}

  /// The digest of `bytes`, 32 bytes.
  package static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Adds `bytes`.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let part = rest.prefix(64 - pending.count)
      pending += part
      rest = rest.dropFirst(part.count)
      guard pending.count == 64 else { return }
      pending.withUnsafeBytes { SHA256.compress($0, into: &state) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count / 64 * 64
    SHA256.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), into: &state)
    pending += rest.dropFirst(whole)
  }

  /// Adds `bytes`.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The digest of what was added, 32 bytes.
  package mutating func finish() -> [UInt8] {
    let bits = count &* 8
    var end: [UInt8] = [0x80]
    end += [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64)
    for shift in stride(from: 56, through: 0, by: -8) {
      end.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    update(end)
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Lower-case hexadecimal.
  package static func text(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Section 6.2.2, for blocks of 64 bytes.
  private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
    guard !blocks.isEmpty else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      state.withUnsafeMutableBufferPointer { state in
        constants.withUnsafeBufferPointer { k in
          for start in stride(from: 0, to: blocks.count, by: 64) {
            for i in 0..<16 {
              w[i] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: start &+ i &* 4, as: UInt32.self))
            }
            for i in 16..<64 {
              let s0 = turned(w[i &- 15], 7) ^ turned(w[i &- 15], 18) ^ (w[i &- 15] &>> 3)
              let s1 = turned(w[i &- 2], 17) ^ turned(w[i &- 2], 19) ^ (w[i &- 2] &>> 10)
              w[i] = w[i &- 16] &+ s0 &+ w[i &- 7] &+ s1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for i in 0..<64 {
              let s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
              let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[i] &+ w[i]
              let s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
              let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
              (h, g, f, e) = (g, f, e, d &+ t1)
              (d, c, b, a) = (c, b, a, t1 &+ t2)
            }
            for (i, word) in [(0, a), (1, b), (2, c), (3, d)] { state[i] &+= word }
            for (i, word) in [(4, e), (5, f), (6, g), (7, h)] { state[i] &+= word }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func turned(_ x: UInt32, _ n: UInt32) -> UInt32 { x &>> n | x &<< (32 &- n) }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
