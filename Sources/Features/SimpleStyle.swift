/// Style values as files spell them.
enum SimpleStyle {
  /// Takes one property (simplestyle-spec 1.1.0). Returns false if it is none of a style.
  static func take(_ key: String, _ value: String, into style: inout FeatureStyle) -> Bool {
    switch key {
    case "stroke": set(&style.stroke, &style.strokeOpacity, color(value))
    case "fill": set(&style.fill, &style.fillOpacity, color(value))
    case "marker-color": style.markerColor = color(value)?.rgb
    case "stroke-width": style.strokeWidth = number(value).map { min(max($0, 0), 100) }
    case "stroke-opacity": style.strokeOpacity = number(value).map { min(max($0, 0), 1) }
    case "fill-opacity": style.fillOpacity = number(value).map { min(max($0, 0), 1) }
    case "marker-size":
      style.markerScale = ["small": 0.7, "medium": 1, "large": 1.4][value]
    default: return false
    }
    return true
  }

  private static func set(
    _ rgb: inout UInt32?, _ opacity: inout Float?, _ color: (rgb: UInt32, alpha: Float?)?
  ) {
    rgb = color?.rgb
    if let alpha = color?.alpha { opacity = alpha }
  }

  private static func number(_ text: String) -> Float? {
    Float(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Reads "#rgb", "#rrggbb" or "#rrggbbaa", with or without "#".
  static func color(_ text: String) -> (rgb: UInt32, alpha: Float?)? {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    switch digits.utf8.count {
    case 3:
      let (r, g, b) = (value >> 8, value >> 4 & 15, value & 15)
      return (r * 17 << 16 | g * 17 << 8 | b * 17, nil)
    case 6: return (value, nil)
    case 8: return (value >> 8, Float(value & 255) / 255)
    default: return nil
    }
  }
}
