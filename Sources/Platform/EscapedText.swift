extension String {
  /// With control characters as `\u{…}`, so that it stays one line and moves no terminal's cursor.
  package var escaped: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control || scalar == "\u{2028}"
        || scalar == "\u{2029}"
      {
        switch scalar {
        case "\n": text += "\\n"
        case "\t": text += "\\t"
        case "\r": text += "\\r"
        default: text += "\\u{\(String(scalar.value, radix: 16))}"
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
