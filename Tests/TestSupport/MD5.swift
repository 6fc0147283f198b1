#if canImport(Glibc)
  import Glibc
#endif

/// MD5 (RFC 1321), as lower-case hexadecimal: for comparing with published digests, no security.
public func md5Hex(_ bytes: [UInt8]) -> String {
  let turns: [UInt32] = [
    7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
  ]
  let constants = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }
  var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
  var message = bytes
  message.append(0x80)
  while message.count % 64 != 56 { message.append(0) }
  for shift in stride(from: 0, through: 56, by: 8) {
    message.append(UInt8(truncatingIfNeeded: (UInt64(bytes.count) * 8) >> UInt64(shift)))
  }
  for block in stride(from: 0, to: message.count, by: 64) {
    var words = [UInt32](repeating: 0, count: 16)
    for i in 0..<64 { words[i / 4] |= UInt32(message[block + i]) << UInt32(8 * (i % 4)) }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for i in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch i / 16 {
      case 0: (mixed, word) = (b & c | ~b & d, i)
      case 1: (mixed, word) = (d & b | ~d & c, (5 * i + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * i + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), 7 * i % 16)
      }
      let sum = a &+ mixed &+ constants[i] &+ words[word]
      let turn = turns[i / 16 * 4 + i % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
    }
    state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }
  return hexadecimal(state.flatMap { word in (0..<4).map { UInt8(word >> (8 * $0) & 255) } })
}
