/// Base64 with padding, standard alphabet (RFC 4648 section 4).
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes `bytes` with padding and without line breaks.
  public static func encode(_ bytes: [UInt8]) -> String {
    let size = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: size) { out in
      var to = 0
      var from = 0
      while from < bytes.count {
        let left = bytes.count - from
        let a = UInt32(bytes[from])
        let b = left > 1 ? UInt32(bytes[from + 1]) : 0
        let c = left > 2 ? UInt32(bytes[from + 2]) : 0
        let group = a << 16 | b << 8 | c
        out[to] = alphabet[Int(group >> 18)]
        out[to + 1] = alphabet[Int(group >> 12 & 63)]
        out[to + 2] = left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "=")
        out[to + 3] = left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "=")
        to += 4
        from += 3
      }
      return size
    }
  }

  /// Decodes `text`; nil if it has a character outside the alphabet, wrong padding or unused bits
  /// that are not 0.
  public static func decode(_ text: String) -> [UInt8]? {
    let input = Array(text.utf8)
    guard input.count % 4 == 0 else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity(input.count / 4 * 3)
    var at = 0
    while at < input.count {
      let isLast = at + 4 == input.count
      let padding =
        isLast && input[at + 3] == UInt8(ascii: "=")
        ? (input[at + 2] == UInt8(ascii: "=") ? 2 : 1) : 0
      var group: UInt32 = 0
      for offset in 0..<4 {
        var digit: UInt32 = 0
        if offset < 4 - padding {
          guard let known = value(of: input[at + offset]) else { return nil }
          digit = known
        }
        group = group << 6 | digit
      }
      if padding == 1 && group & 0xFF != 0 || padding == 2 && group & 0xFFFF != 0 { return nil }
      out.append(UInt8(truncatingIfNeeded: group >> 16))
      if padding < 2 { out.append(UInt8(truncatingIfNeeded: group >> 8)) }
      if padding < 1 { out.append(UInt8(truncatingIfNeeded: group)) }
      at += 4
    }
    return out
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(character) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(character) - 48 + 52
    case UInt8(ascii: "+"): return 62
    case UInt8(ascii: "/"): return 63
    default: return nil
    }
  }
}
