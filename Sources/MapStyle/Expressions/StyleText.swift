import Platform

/// Texts of the style language, which come from JavaScript.
enum StyleText {
  /// The most bytes of a text that an expression makes.
  static let limit = 64 << 10

  /// A value as text: nothing for null, JSON for lists and objects.
  static func string(_ value: StyleValue) -> String {
    switch value {
    case .null: return ""
    case .string(let text), .image(let text): return text
    case .formatted(let text): return text.plain
    case .color(let color):
      let parts = [color.red, color.green, color.blue].map { number(($0 * 255).rounded()) }
      return "rgba(\(parts.joined(separator: ",")),\(number(color.alpha)))"
    default:
      var text = ""
      write(value, to: &text)
      return text
    }
  }

  /// Adds a value as JSON. Members are sorted by name. What is beyond the limit is cut off.
  private static func write(_ value: StyleValue, to text: inout String) {
    guard text.utf8.count <= limit else { return }
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += StyleText.number(number)
    case .array(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        write(item, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, key) in members.keys.sorted().enumerated() {
        if index > 0 { text += "," }
        text += key.quotedAsJSON + ":"
        write(members[key] ?? .null, to: &text)
      }
      text += "}"
    default: text += string(value).quotedAsJSON
    }
  }

  /// A number as JavaScript writes it: no `.0`, and an exponent from 1e21 and below 1e-6 only.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    if value == 0 { return "0" }
    if let whole = Int(exactly: value) { return String(whole) }
    // The shortest digits that give the number back, and its decimal exponent.
    let parts = "\(value.magnitude)".split(separator: "e")
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = halves.count == 2 && halves[1] != "0" ? halves[1] : ""
    var digits = String(halves[0] + fraction)
    var point = halves[0].count + exponent
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(zeros)
    point -= zeros
    let sign = value < 0 ? "-" : ""
    if point > 21 || point < -5 {
      let power = point - 1
      let rest = digits.dropFirst()
      return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e"
        + (power < 0 ? "-" : "+") + String(power.magnitude)
    }
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if digits.count <= point {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// A text as a number, as JavaScript reads one; nil if it is none.
  static func number(_ text: String) -> Double? {
    let trimmed = text.unicodeScalars.drop { $0.properties.isWhitespace }
    guard let last = trimmed.lastIndex(where: { !$0.properties.isWhitespace }) else { return 0 }
    let body = String(trimmed[...last])
    if body.hasPrefix("0x") || body.hasPrefix("0X") {
      return Int(body.dropFirst(2), radix: 16).map(Double.init)
    }
    // Not the words that Swift takes: "nan", "inf", hexadecimal fractions.
    guard body.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else {
      return nil
    }
    return Double(body)
  }

  /// The place of a text in another, counted in code points from its start; nil if it is not there.
  static func find(_ needle: String, in text: String, from start: Int) -> Int? {
    let scalars = Array(text.unicodeScalars)
    let wanted = Array(needle.unicodeScalars)
    guard wanted.count <= scalars.count else { return nil }
    let last = scalars.count - wanted.count
    guard start <= last else { return nil }
    return (start...last).first { place in scalars[place...].starts(with: wanted) }
  }

  /// −1, 0 or 1, as a text comes before, with or after another in the order of code points.
  static func compare(_ a: String, _ b: String) -> Int {
    if a == b { return 0 }
    return a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1
  }
}
