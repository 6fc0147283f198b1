/// `number-format`, as in English: commas between thousands, a point before the fraction.
final class NumberFormatNode: StyleNode {
  /// What the number is written with.
  struct Options: Sendable {
    var minDigits: (any StyleNode)?
    var maxDigits: (any StyleNode)?
    var currency: (any StyleNode)?
    var unit: (any StyleNode)?
  }

  let type = StyleType.string
  private let number: any StyleNode
  private let options: Options

  init(_ number: any StyleNode, _ options: Options) {
    self.number = number
    self.options = options
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let value = try number.number(context)
    guard value.isFinite else { throw StyleFailure() }
    var currency: String?
    if let option = options.currency { currency = try option.string(context) }
    var least = currency == nil || currency == "JPY" ? 0 : 2
    var most = currency == nil ? 3 : least
    if let option = options.minDigits {
      least = Int(clamping: try option.number(context))
      most = max(most, least)
    }
    if let option = options.maxDigits { most = Int(clamping: try option.number(context)) }
    guard (0...20).contains(least), (least...20).contains(most) else { throw StyleFailure() }
    let digits = NumberFormatNode.digits(of: value.magnitude, least: least, most: most)
    let sign = value < 0 && digits.contains { $0 != "0" && $0 != "." } ? "-" : ""
    if let currency {
      return .string(sign + (NumberFormatNode.signs[currency] ?? currency + "\u{a0}") + digits)
    }
    guard let option = options.unit else { return .string(sign + digits) }
    let unit = try option.string(context)
    return .string(sign + digits + (NumberFormatNode.units[unit] ?? " " + unit))
  }

  private static let signs = ["EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥"]
  private static let units = [
    "celsius": "°C", "fahrenheit": "°F", "degree": "°", "percent": "%", "meter": " m",
    "kilometer": " km", "centimeter": " cm", "millimeter": " mm", "foot": " ft", "mile": " mi",
    "kilobyte": " kB", "megabyte": " MB", "gram": " g", "kilogram": " kg", "liter": " L",
    "second": " sec", "minute": " min", "hour": " hr",
  ]

  /// A number, not negative, with grouped thousands and a fraction of `least` to `most` digits.
  private static func digits(of value: Double, least: Int, most: Int) -> String {
    // The shortest digits that identify the number: 0.1 does not get 17 of them.
    let text = plain(value)
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    var whole = halves[0].utf8.map { $0 - 0x30 }
    var fraction = halves.count == 2 ? halves[1].utf8.map { $0 - 0x30 } : []
    if fraction.count > most {
      let isUp = fraction[most] >= 5
      fraction.removeSubrange(most...)
      if isUp { add(&whole, &fraction) }
    }
    while fraction.count > least, fraction.last == 0 { fraction.removeLast() }
    while fraction.count < least { fraction.append(0) }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index).isMultiple(of: 3) { result += "," }
      result += String(digit)
    }
    if !fraction.isEmpty { result += "." + fraction.map { String($0) }.joined() }
    return result
  }

  /// Adds one to the last digit.
  private static func add(_ whole: inout [UInt8], _ fraction: inout [UInt8]) {
    for index in fraction.indices.reversed() {
      if fraction[index] < 9 {
        fraction[index] += 1
        return
      }
      fraction[index] = 0
    }
    for index in whole.indices.reversed() {
      if whole[index] < 9 {
        whole[index] += 1
        return
      }
      whole[index] = 0
    }
    whole.insert(1, at: 0)
  }

  /// The digits without an exponent.
  private static func plain(_ value: Double) -> String {
    let parts = "\(value)".split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return "\(value)" }
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = halves.count == 2 && halves[1] != "0" ? String(halves[1]) : ""
    let digits = String(halves[0]) + fraction
    let point = halves[0].count + exponent
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
    if digits.count <= point { return digits + String(repeating: "0", count: point - digits.count) }
    return digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
