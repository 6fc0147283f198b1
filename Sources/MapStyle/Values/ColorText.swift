extension StyleColor {
  /// Black.
  public static let black = StyleColor(red: 0, green: 0, blue: 0)
  /// Nothing to be seen.
  public static let clear = StyleColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// A colour as CSS writes it (CSS Color Module Level 4): `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`,
  /// `rgb()`, `rgba()`, `hsl()`, `hsla()` with commas or spaces, a name or `transparent`. Nil if
  /// the text is none of them.
  public init?(css text: String) {
    // Longer than any colour: not looked at.
    guard text.utf8.count <= 128 else { return nil }
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first == 0x20 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 { bytes = bytes.dropLast() }
    if bytes.first == UInt8(ascii: "#") {
      self.init(hex: bytes.dropFirst())
      return
    }
    let lower = String(decoding: bytes, as: UTF8.self).lowercased()
    if lower == "transparent" {
      self = .clear
    } else if let word = ColorNames.all[lower] {
      self.init(
        red: Double(word >> 16 & 0xff) / 255, green: Double(word >> 8 & 0xff) / 255,
        blue: Double(word & 0xff) / 255)
    } else {
      self.init(function: lower)
    }
  }

  private init?(hex digits: ArraySlice<UInt8>) {
    var values: [Int] = []
    for digit in digits {
      guard digit < 0x80, let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
        return nil
      }
      values.append(value)
    }
    switch values.count {
    case 3, 4: values = values.map { $0 * 17 }
    case 6: values = [0, 2, 4].map { values[$0] * 16 + values[$0 + 1] }
    case 8: values = [0, 2, 4, 6].map { values[$0] * 16 + values[$0 + 1] }
    default: return nil
    }
    let shares = values.map { Double($0) / 255 }
    self.init(
      red: shares[0], green: shares[1], blue: shares[2], alpha: shares.count == 4 ? shares[3] : 1)
  }

  /// `name(a, b, c, alpha)`, `name(a b c / alpha)`, in small letters.
  private init?(function text: String) {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
    let name = text[..<open]
    let inner = text[text.index(after: open)...].dropLast()
    let fields = ColorFields(inner)
    guard let fields, let alpha = fields.alpha.map({ $0.share }) ?? 1 else { return nil }
    switch name {
    case "rgb", "rgba":
      let parts = fields.parts
      guard parts.allSatisfy({ $0.unit == .percent }) || parts.allSatisfy({ $0.unit == .none })
      else { return nil }
      let whole = parts[0].unit == .percent ? 100.0 : 255
      self.init(
        red: min(max(parts[0].number / whole, 0), 1),
        green: min(max(parts[1].number / whole, 0), 1),
        blue: min(max(parts[2].number / whole, 0), 1), alpha: min(max(alpha, 0), 1))
    case "hsl", "hsla":
      guard fields.parts[0].unit != .percent, fields.parts[1].unit == .percent,
        fields.parts[2].unit == .percent
      else { return nil }
      self.init(
        hue: fields.parts[0].number, saturation: min(max(fields.parts[1].number / 100, 0), 1),
        lightness: min(max(fields.parts[2].number / 100, 0), 1), alpha: min(max(alpha, 0), 1))
    default: return nil
    }
  }

  /// From hue in degrees, saturation and lightness (CSS Color Module Level 4, section 7.1).
  init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
    let turned = hue.truncatingRemainder(dividingBy: 360)
    let degrees = turned < 0 ? turned + 360 : turned
    func channel(_ n: Double) -> Double {
      let k = (n + degrees / 30).truncatingRemainder(dividingBy: 12)
      let reach = saturation * min(lightness, 1 - lightness)
      return lightness - reach * max(-1, min(k - 3, 9 - k, 1))
    }
    self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
  }
}

/// The numbers between the parentheses of a colour.
private struct ColorFields {
  enum Unit { case none, percent, degrees }
  struct Field {
    var number: Double
    var unit: Unit

    /// As an opacity; nil if it has a unit that opacities do not have.
    var share: Double? {
      switch unit {
      case .none: number
      case .percent: number / 100
      case .degrees: nil
      }
    }
  }
  /// Three.
  var parts: [Field] = []
  var alpha: Field?

  /// With commas between all, or with spaces and a slash before the opacity.
  init?(_ text: Substring) {
    var fields: [Field] = []
    if text.contains(",") {
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let field = ColorFields.field(part) else { return nil }
        fields.append(field)
      }
    } else {
      let halves = text.split(separator: "/", omittingEmptySubsequences: false)
      guard halves.count <= 2 else { return nil }
      for part in halves[0].split(separator: " ") {
        guard let field = ColorFields.field(part) else { return nil }
        fields.append(field)
      }
      guard fields.count == 3 else { return nil }
      if halves.count == 2 {
        guard let field = ColorFields.field(halves[1]) else { return nil }
        fields.append(field)
      }
    }
    guard fields.count == 3 || fields.count == 4 else { return nil }
    parts = Array(fields.prefix(3))
    alpha = fields.count == 4 ? fields[3] : nil
  }

  private static func field(_ text: Substring) -> Field? {
    var text = text
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    var unit = Unit.none
    if text.hasSuffix("%") {
      unit = .percent
      text = text.dropLast()
    } else if text.hasSuffix("deg") {
      unit = .degrees
      text = text.dropLast(3)
    }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.e".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return Field(number: number, unit: unit)
  }
}
