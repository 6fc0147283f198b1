import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Reads JSON (RFC 8259) piece by piece, without building a tree, and knows the current line.
///
/// A tree of a file of coordinates takes ten times the file's size. And "line 812: this feature has
/// no geometry" needs the line of something that is valid JSON but not GeoJSON.
struct JSONScanner {
  private let owner: FileBytes
  /// The bytes of `owner`; an index is checked against `end`.
  private let bytes: UnsafePointer<UInt8>
  private(set) var offset: Int
  private let end: Int
  /// The last known line, and the offset at which it was known.
  private var line = 1
  private var lineOffset = 0
  private let file: String

  init(_ bytes: FileBytes, from start: Int, file: String) {
    owner = bytes
    self.bytes = bytes.pointer
    end = bytes.count
    offset = start
    self.file = file
  }

  /// The line that `offset` is on, counted from 1.
  mutating func line(at offset: Int) -> Int {
    // What lies before may have been given back.
    var index = lineOffset
    while index < min(offset, end) {
      if bytes[index] == 10 { line += 1 }
      index += 1
    }
    lineOffset = index
    return line
  }

  /// Text of the file.
  private func text(_ range: Range<Int>) -> String {
    String(decoding: owner[range], as: UTF8.self)
  }

  mutating func error(_ reason: String) -> FeatureError {
    let place = min(offset, end)
    return FeatureError(file: file, line: line(at: place), reason: "not valid JSON: \(reason)")
  }

  /// The byte at an offset; 0 after the end.
  @inline(__always)
  private func at(_ place: Int) -> UInt8 { place < end ? bytes[place] : 0 }

  /// The next byte after white space; 0 at the end. Does not take it.
  mutating func peek() -> UInt8 {
    while true {
      let byte = at(offset)
      guard byte == 32 || byte == 10 || byte == 13 || byte == 9 else { return byte }
      offset += 1
    }
  }

  var isAtEnd: Bool { offset >= end }

  /// Takes `byte` if it is next. Returns whether it was.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte, offset < end else { return false }
    offset += 1
    return true
  }

  /// Takes the ":" after a member's name.
  mutating func colon() throws(FeatureError) {
    guard take(UInt8(ascii: ":")) else {
      throw error("a \":\" is missing after a member's name\(found())")
    }
  }

  /// After an element: returns true if another one follows, false after the closing bracket.
  mutating func more(_ close: UInt8) throws(FeatureError) -> Bool {
    if owner.isReleaseDue(at: offset) {
      _ = line(at: offset)
      owner.release(upTo: offset)
    }
    if take(UInt8(ascii: ",")) {
      if peek() == close { throw error("a \",\" with nothing after it") }
      return true
    }
    if take(close) { return false }
    throw error("a \",\" or \"\(Character(UnicodeScalar(close)))\" is missing\(found())")
  }

  private mutating func found() -> String {
    let byte = peek()
    if isAtEnd { return "; the file ends here" }
    return byte >= 33 && byte < 127 ? "; there is \"\(Character(UnicodeScalar(byte)))\"" : ""
  }

  // MARK: Values

  /// Reads a string. Bytes beyond `limit` are left out.
  mutating func string(limit: Int = 4096) throws(FeatureError) -> String {
    guard take(UInt8(ascii: "\"")) else { throw error("a string is missing\(found())") }
    let start = offset
    while at(offset) != UInt8(ascii: "\""), at(offset) != UInt8(ascii: "\\"),
      at(offset) >= 32
    {
      offset += 1
    }
    if at(offset) == UInt8(ascii: "\"") {
      let text = self.text(start..<min(offset, start + limit))
      offset += 1
      return text
    }
    var text = Array(owner[start..<min(offset, start + limit)])
    while true {
      let byte = at(offset)
      if byte == UInt8(ascii: "\"") { break }
      if byte < 32 {
        throw error(isAtEnd ? "a string has no end" : "a control character in a string")
      }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        let escaped = try escape()
        if text.count < limit { text += Array(String(Character(escaped)).utf8) }
      } else if text.count < limit {
        text.append(byte)
      }
    }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads what follows a backslash.
  private mutating func escape() throws(FeatureError) -> UnicodeScalar {
    let byte = at(offset)
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let high = try hex4()
      if (0xD800..<0xDC00).contains(high), at(offset) == UInt8(ascii: "\\"),
        at(offset + 1) == UInt8(ascii: "u")
      {
        let mark = offset
        offset += 2
        let low = try hex4()
        if (0xDC00..<0xE000).contains(low) {
          return UnicodeScalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{fffd}"
        }
        offset = mark
      }
      return UnicodeScalar(high) ?? "\u{fffd}"
    default:
      offset -= 1
      throw error("an unknown escape in a string")
    }
  }

  private mutating func hex4() throws(FeatureError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = at(offset)
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 87)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 55)
      default: throw error("four hexadecimal digits are missing after \\u")
      }
      offset += 1
    }
    return value
  }

  /// Whether a number is next.
  mutating func isAtNumber() -> Bool {
    let byte = peek()
    return byte == UInt8(ascii: "-") || byte >= 48 && byte <= 57
  }

  /// The most characters of a number.
  static let maxNumber = 4096

  /// Reads a number; infinite if it is too large for a Double.
  mutating func number() throws(FeatureError) -> Double {
    let start = offset
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    let isNegative = at(offset) == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let first = offset
    while let digit = digit() {
      if digits < 18 { mantissa = mantissa * 10 + digit } else { exponent += 1 }
      if mantissa > 0 { digits += 1 }
    }
    if offset == first { throw error("a number without digits") }
    if offset > first + 1, at(first) == 48 { throw error("a number that begins with 0") }
    if at(offset) == UInt8(ascii: ".") {
      offset += 1
      let fraction = offset
      while let digit = digit() {
        if digits < 18 {
          mantissa = mantissa * 10 + digit
          exponent -= 1
        }
        if mantissa > 0 { digits += 1 }
      }
      if offset == fraction { throw error("a number that ends with its point") }
    }
    var isPlain = true
    if at(offset) | 32 == UInt8(ascii: "e") {
      isPlain = false
      offset += 1
      if at(offset) == UInt8(ascii: "+") || at(offset) == UInt8(ascii: "-") { offset += 1 }
      let digitsStart = offset
      while digit() != nil {}
      if offset == digitsStart { throw error("a number without digits in its exponent") }
    }
    guard offset - start <= JSONScanner.maxNumber else {
      throw error("a number of more than \(JSONScanner.maxNumber) characters")
    }
    // Exact if mantissa and power of ten are (Clinger, 1990).
    if isPlain, mantissa < 1 << 53, (-22...22).contains(exponent) {
      let value =
        exponent < 0
        ? Double(mantissa) / JSONScanner.powers[-exponent]
        : Double(mantissa) * JSONScanner.powers[exponent]
      return isNegative ? -value : value
    }
    // A copy that ends with the 0 that strtod needs.
    var text = Array(owner[start..<offset])
    text.append(0)
    return text.withUnsafeBytes { text in
      guard let base = text.baseAddress else { return 0 }
      return strtod(base.assumingMemoryBound(to: CChar.self), nil)
    }
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private mutating func digit() -> UInt64? {
    let byte = at(offset)
    guard byte >= 48, byte <= 57 else { return nil }
    offset += 1
    return UInt64(byte - 48)
  }

  /// Skips a value of any kind.
  mutating func skip() throws(FeatureError) {
    var open: [UInt8] = []
    while true {
      switch peek() {
      case UInt8(ascii: "{"):
        offset += 1
        if take(UInt8(ascii: "}")) { break }
        try push(UInt8(ascii: "}"), &open)
        _ = try string(limit: 0)
        try colon()
        continue
      case UInt8(ascii: "["):
        offset += 1
        if take(UInt8(ascii: "]")) { break }
        try push(UInt8(ascii: "]"), &open)
        continue
      default: _ = try scalar()
      }
      // After a value: leaves everything that ends here.
      while true {
        guard let close = open.last else { return }
        if try more(close) {
          if close == UInt8(ascii: "}") {
            _ = try string(limit: 0)
            try colon()
          }
          break
        }
        open.removeLast()
      }
    }
  }

  private mutating func push(_ close: UInt8, _ open: inout [UInt8]) throws(FeatureError) {
    guard open.count < FeatureLimits.depth else { throw error("it is nested too deeply") }
    open.append(close)
  }

  /// Reads a value that is neither object nor array, as text; nil for null.
  mutating func scalar() throws(FeatureError) -> String? {
    if peek() == UInt8(ascii: "\"") { return try string() }
    if isAtNumber() {
      let start = offset
      _ = try number()
      return self.text(start..<offset)
    }
    for word in ["null", "true", "false"] where isAt(word) {
      offset += word.utf8.count
      return word == "null" ? nil : word
    }
    throw error("a value is missing\(found())")
  }

  private func isAt(_ word: String) -> Bool {
    owner[offset..<max(offset, end)].starts(with: word.utf8)
  }

  /// Whether an object or an array is next.
  mutating func isAtContainer() -> Bool {
    let byte = peek()
    return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }
}
