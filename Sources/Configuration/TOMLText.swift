/// A TOML text made ready for toml++: within limits, and in ASCII alone.
///
/// toml++ (3.3.0 and 3.4.0) decides whether a character beyond ASCII is a space in a branch that it
/// declares unreachable, and asserts if a table header has no key or a `}` stands for an array's
/// value. So it never sees either. Each byte beyond ASCII, and `~` itself, becomes `~` and two
/// hexadecimal digits, which TOML accepts only where it accepts any character (strings, quoted keys
/// and comments). The text ends where the library would assert or recurse too deeply.
struct TOMLText {
  /// Why this text is refused, unless the library finds an earlier error.
  struct Fault: Error, Equatable {
    /// The line, counted from 1.
    var line: Int
    var column: Int
    var reason: String
  }

  /// A document may have at most this many bytes.
  static let maxBytes = 1 << 20
  /// A dotted key may have at most this many parts: each is a table, which toml++ frees
  /// recursively.
  static let maxKeyParts = 32

  /// What the library parses.
  private(set) var ascii: [UInt8] = []
  /// The fault that the library is sure to meet at the end of `ascii`; nil: none.
  private(set) var fault: Fault?

  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var lineStart = 0
  private var dots = 0
  /// The brackets (true) and braces (false) that are open in a value.
  private var open: [Bool] = []
  /// Whether only spaces precede on this line, outside any value.
  private var isAtStart = true

  /// - Throws: `Fault` for a text that is too large or not UTF-8.
  init(_ bytes: [UInt8]) throws(Fault) {
    self.bytes = bytes
    guard bytes.count <= Self.maxBytes else {
      throw Fault(line: 1, column: 1, reason: "larger than 1 MiB, the most that is read")
    }
    if let wrong = Self.firstByteThatIsNoUTF8(bytes) {
      let before = bytes[..<wrong]
      throw Fault(
        line: before.count { $0 == UInt8(ascii: "\n") } + 1,
        column: wrong - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1),
        reason: "a byte that is not UTF-8")
    }
    ascii.reserveCapacity(bytes.count + 16)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { (at, lineStart) = (3, 3) }
    while at < bytes.count, fault == nil { step() }
  }

  private static func firstByteThatIsNoUTF8(_ bytes: [UInt8]) -> Int? {
    if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
    // Repairing the text changes it first where it was invalid.
    for (index, byte) in String(decoding: bytes, as: UTF8.self).utf8.enumerated()
    where index >= bytes.count || bytes[index] != byte {
      return min(index, bytes.count - 1)
    }
    return nil
  }

  // MARK: Reading

  private mutating func step() {
    let byte = bytes[at]
    switch byte {
    case UInt8(ascii: "\n"):
      copy()
      newLine()
      dots = 0
      isAtStart = open.isEmpty
      return
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      copy()
      return
    case UInt8(ascii: "#"):
      while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { copyEncoded() }
      return
    case UInt8(ascii: "\""), UInt8(ascii: "'"): string(byte)
    case UInt8(ascii: "["):
      dots = 0
      copy()
      if isAtStart { header() } else { open.append(true) }
    case UInt8(ascii: "{"):
      dots = 0
      open.append(false)
      copy()
    case UInt8(ascii: "}") where open.last == true:
      stop(UInt8(ascii: "~"), "no value where one is needed")
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      dots = 0
      _ = open.popLast()
      copy()
    case UInt8(ascii: "="), UInt8(ascii: ","):
      dots = 0
      copy()
    case UInt8(ascii: "."):
      dots += 1
      copy()
      if dots >= Self.maxKeyParts {
        stop(UInt8(ascii: "~"), "a dotted key of more than \(Self.maxKeyParts) parts")
      }
    case 0..<0x20, 0x7f..., UInt8(ascii: "~"):
      stop(UInt8(ascii: "~"), "a character that has to be in quotation marks")
    default: copy()
    }
    isAtStart = false
  }

  /// After the `[` of a table's header; its key must follow.
  private mutating func header() {
    if at < bytes.count, bytes[at] == UInt8(ascii: "[") { copy() }
    while at < bytes.count, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") {
      copy()
    }
    guard at < bytes.count else { return }
    switch bytes[at] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"):
      return
    default: stop(UInt8(ascii: "]"), "a table's name is missing behind [")
    }
  }

  /// A string of any kind, from its opening quotation mark to its closing one.
  private mutating func string(_ quote: UInt8) {
    let isLong = closes(quote)
    for _ in 0..<(isLong ? 3 : 1) { copy() }
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        escape()
      } else if byte == UInt8(ascii: "\n") {
        // Not closed: the library reports it.
        if !isLong { return }
        copy()
        newLine()
      } else if byte != quote {
        copyEncoded()
      } else if !isLong {
        return copy()
      } else if closes(quote) {
        // One or two quotation marks may directly precede the closing three.
        while at < bytes.count, bytes[at] == quote { copy() }
        return
      } else {
        copy()
      }
    }
  }

  /// Whether three quotation marks follow here.
  private func closes(_ quote: UInt8) -> Bool {
    at + 2 < bytes.count && bytes[at] == quote && bytes[at + 1] == quote && bytes[at + 2] == quote
  }

  private mutating func escape() {
    copy()
    guard at < bytes.count else { return }
    let digits =
      switch bytes[at] {
      case UInt8(ascii: "u"): 4
      case UInt8(ascii: "U"): 8
      default: 0
      }
    if bytes[at] == UInt8(ascii: "\n") {
      copy()
      return newLine()
    }
    copyEncoded()
    guard digits > 0, at + digits <= bytes.count,
      let code = UInt32(String(decoding: bytes[at..<at + digits], as: UTF8.self), radix: 16)
    else { return }
    for _ in 0..<digits { copy() }
    // An escaped `~` must look like any other when the string is decoded.
    if code == 0x7e { ascii += Array("7E".utf8) }
  }

  // MARK: Writing

  private mutating func copy() {
    ascii.append(bytes[at])
    at += 1
  }

  private mutating func copyEncoded() {
    let byte = bytes[at]
    guard byte >= 0x80 || byte == UInt8(ascii: "~") else { return copy() }
    at += 1
    ascii += [UInt8(ascii: "~"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private mutating func newLine() {
    line += 1
    lineStart = at
  }

  /// Ends the text with something that the library is sure to refuse.
  private mutating func stop(_ byte: UInt8, _ reason: String) {
    ascii.append(byte)
    let column = String(decoding: bytes[lineStart..<at], as: UTF8.self).unicodeScalars.count
    fault = Fault(line: line, column: column + 1, reason: reason)
  }

  // MARK: Back

  /// A string or key from the library, as it was in the document.
  static func decoded(_ text: UnsafeRawBufferPointer) -> String {
    guard text.contains(UInt8(ascii: "~")) else { return String(decoding: text, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "~"), at + 2 < text.count,
        let high = value(text[at + 1]), let low = value(text[at + 2])
      {
        bytes.append(high << 4 | low)
        at += 3
      } else {
        bytes.append(text[at])
        at += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    digits.firstIndex(of: digit).map { UInt8($0) }
  }

  /// The document's column for the library's `column` of `line`.
  func column(_ column: Int, line: Int) -> Int {
    var number = 1
    var at = 0
    while number < line, let end = ascii[at...].firstIndex(of: UInt8(ascii: "\n")) {
      (number, at) = (number + 1, end + 1)
    }
    var result = 1
    let end = min(at + max(column - 1, 0), ascii.count)
    while at < end {
      if ascii[at] == UInt8(ascii: "~"), at + 2 < ascii.count, let high = Self.value(ascii[at + 1])
      {
        // Bytes 80 to BF continue a character.
        if high & 0xc != 8 { result += 1 }
        at += 3
      } else {
        result += 1
        at += 1
      }
    }
    return result
  }
}
