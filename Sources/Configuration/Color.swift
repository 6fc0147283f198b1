/// A colour with straight alpha, 8 bits a channel.
public struct Color: Sendable, Hashable, CustomStringConvertible {
  /// The red channel, 0 to 255, not multiplied by `alpha`.
  public var red: UInt8
  /// The green channel, 0 to 255, not multiplied by `alpha`.
  public var green: UInt8
  /// The blue channel, 0 to 255, not multiplied by `alpha`.
  public var blue: UInt8
  /// The opacity: 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// A colour from its channels; opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// "#rgb", "#rrggbb" or "#rrggbbaa" (CSS Color 4, section 5.2), nil for anything else.
  public init?(_ text: String) {
    var bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "#") else { return nil }
    bytes.removeFirst()
    var digits: [UInt8] = []
    for byte in bytes.prefix(9) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    switch digits.count {
    case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6, 8:
      self.init(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5],
        alpha: digits.count == 8 ? digits[6] << 4 | digits[7] : 255)
    default: return nil
    }
  }

  /// "#rrggbb", or "#rrggbbaa" if the colour is not opaque.
  public var description: String {
    let channels = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#"
      + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
