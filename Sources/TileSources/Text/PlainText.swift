/// Plain text for the screen from what packs contain: HTML, or anything at all.
public enum PlainText {
  /// The text of `html`: tags, scripts and comments are removed, entities decoded, white space
  /// collapsed, and control and formatting characters dropped, including those that change the
  /// writing direction.
  ///
  /// - Parameters:
  ///   - html: Any text. Its first 65,536 characters are read.
  ///   - limit: The most characters to return; a longer text ends with "…".
  /// - Returns: One line of plain text.
  public static func stripping(html: String, limit: Int = 300) -> String {
    let source = Array(html.unicodeScalars.prefix(64 * 1024))
    var text = Collapsed(limit: limit)
    var place = 0
    while place < source.count, !text.isFull {
      let scalar = source[place]
      if scalar == "<", let end = tagEnd(source, place) {
        // Separate the words on both sides of a block tag, but not those around a link.
        if isBlock(source, place) { text.append(" ") }
        place = end
      } else if scalar == "&", let (decoded, end) = entity(source, place) {
        text.append(decoded)
        place = end
      } else {
        text.append(scalar)
        place += 1
      }
    }
    return text.finished()
  }

  /// The index after the tag at `start`; nil if the "<" there begins no tag.
  private static func tagEnd(_ source: [Unicode.Scalar], _ start: Int) -> Int? {
    guard start + 1 < source.count else { return nil }
    let next = source[start + 1]
    guard next.properties.isAlphabetic || next == "/" || next == "!" || next == "?" else {
      return nil
    }
    if starts(source, start, "<!--") {
      return place(after: "-->", in: source, from: start + 4) ?? source.count
    }
    for element in ["script", "style"] where starts(source, start, "<" + element) {
      guard let close = place(after: "</" + element, in: source, from: start) else {
        return source.count
      }
      return place(after: ">", in: source, from: close) ?? source.count
    }
    var quote: Unicode.Scalar?
    var last: Unicode.Scalar = "<"
    for index in (start + 1)..<source.count {
      let scalar = source[index]
      if let open = quote {
        if scalar == open { quote = nil }
      } else if (scalar == "\"" || scalar == "'") && last == "=" {
        quote = scalar
      } else if scalar == ">" {
        return index + 1
      }
      if scalar != " " { last = scalar }
    }
    // An unclosed quote is taken as none; an unclosed tag extends to the end.
    return quote == nil ? source.count : place(after: ">", in: source, from: start) ?? source.count
  }

  private static func isBlock(_ source: [Unicode.Scalar], _ start: Int) -> Bool {
    ["br", "p", "/p", "div", "/div", "li", "/li", "td", "/td", "tr", "h"].contains {
      starts(source, start, "<" + $0)
    }
  }

  /// Whether `word` (lower case, ASCII) is at `start`, in any case.
  private static func starts(_ source: [Unicode.Scalar], _ start: Int, _ word: String) -> Bool {
    var index = start
    for scalar in word.unicodeScalars {
      guard index < source.count else { return false }
      let value = source[index].value
      let lower = (65...90).contains(value) ? value + 32 : value
      guard lower == scalar.value else { return false }
      index += 1
    }
    return true
  }

  private static func place(
    after word: String, in source: [Unicode.Scalar], from start: Int
  ) -> Int? {
    guard start < source.count else { return nil }
    for index in start..<source.count where starts(source, index, word) {
      return index + word.unicodeScalars.count
    }
    return nil
  }

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©",
    "reg": "®", "trade": "™", "middot": "·", "bull": "•", "hellip": "…", "ndash": "–",
    "mdash": "—", "laquo": "«", "raquo": "»", "rsquo": "’", "lsquo": "‘", "ldquo": "“",
    "rdquo": "”", "deg": "°", "sect": "§", "times": "×", "szlig": "ß", "auml": "ä", "ouml": "ö",
    "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "eacute": "é", "egrave": "è",
    "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â", "ccedil": "ç", "ntilde": "ñ",
    "oacute": "ó", "iacute": "í", "uacute": "ú", "ocirc": "ô", "oslash": "ø", "aring": "å",
    "aelig": "æ", "Eacute": "É", "Oslash": "Ø", "Aring": "Å",
  ]

  /// The character of the entity at `start`, and the index after it; nil: it is not a known entity.
  private static func entity(
    _ source: [Unicode.Scalar], _ start: Int
  ) -> (Unicode.Scalar, Int)? {
    var name = ""
    var index = start + 1
    while index < source.count, index - start <= 10, source[index] != ";" {
      name.unicodeScalars.append(source[index])
      index += 1
    }
    guard index < source.count, source[index] == ";", !name.isEmpty else { return nil }
    if let scalar = named[name] { return (scalar, index + 1) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let code else { return nil }
    return (Unicode.Scalar(code) ?? "\u{fffd}", index + 1)
  }

  /// Text whose runs of white space become one space each.
  private struct Collapsed {
    private var scalars = String.UnicodeScalarView()
    private var needsSpace = false
    private var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether more characters than the limit have come.
    var isFull: Bool { count > limit }

    mutating func append(_ scalar: Unicode.Scalar) {
      if scalar.properties.isWhitespace {
        needsSpace = count > 0
        return
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        return
      default: break
      }
      if needsSpace {
        scalars.append(" ")
        count += 1
        needsSpace = false
      }
      scalars.append(scalar)
      count += 1
    }

    func finished() -> String {
      guard isFull else { return String(scalars) }
      return String(String(scalars).prefix(max(limit - 1, 0))) + "…"
    }
  }
}
