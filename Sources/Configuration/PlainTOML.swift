/// Reads TOML as most configuration files write it: `[table]`, `[[table]]`, `key = value` with strings
/// without escapes, whole and decimal numbers, true, false and lists of these, and comments. It gives up
/// at everything else, errors included, and the whole file is left to the library, which reads the same
/// at forty times the cost: a start with a thousand sources would wait 6 ms for it.
struct PlainTOML {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var line = 1
  private let file: String
  private let directory: String?

  /// The document's keys, and for each that is a `[[table]]` its elements so far.
  private var root: [ConfigValue.Entry] = []
  private var elements: [[ConfigValue]?] = []
  /// The keys of the table that is being read, and whose it is; nil: the document's own.
  private var keys: [ConfigValue.Entry] = []
  private var table: (index: Int, line: Int)?

  /// Keys of a table; keys are looked for one by one.
  private static let maxKeys = 64

  /// The tree that `ConfigValue.parse` gives for `bytes`; nil where that has to say.
  static func parse(_ bytes: [UInt8], file: String, directory: String?) -> ConfigValue? {
    guard bytes.count <= ConfigValue.maxFileBytes else { return nil }
    if bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil {
      return nil
    }
    return bytes.withUnsafeBufferPointer {
      var reader = PlainTOML(bytes: $0, file: file, directory: directory)
      return reader.document()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, file: String, directory: String?) {
    self.bytes = bytes
    self.file = file
    self.directory = directory
  }

  private func origin(_ line: Int) -> ConfigValue.Origin {
    .init(file: file, directory: directory, line: line)
  }

  /// The byte here; 0, which is in no TOML, at the end.
  private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 { at += 1 }
  }

  /// Goes on to the next line, past a comment; false where something else stands here.
  private mutating func endLine() -> Bool {
    skipBlanks()
    if byte == UInt8(ascii: "#") {
      while at < bytes.count, bytes[at] != 0x0a {
        guard PlainTOML.isText(bytes[at]) else { return false }
        at += 1
      }
    }
    if at == bytes.count { return true }
    guard bytes[at] == 0x0a else { return false }
    at += 1
    line += 1
    return true
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7f || byte == 0x09
  }

  private mutating func document() -> ConfigValue? {
    while true {
      skipBlanks()
      switch byte {
      case 0x0a, UInt8(ascii: "#"): break
      case 0 where at == bytes.count:
        endTable()
        for i in root.indices {
          if let all = elements[i] { root[i].value.content = .array(all) }
        }
        return ConfigValue(.table(root), origin: origin(1))
      case UInt8(ascii: "["): guard header() else { return nil }
      default: guard pair() else { return nil }
      }
      guard endLine() else { return nil }
    }
  }

  private mutating func header() -> Bool {
    at += 1
    let isElement = byte == UInt8(ascii: "[")
    if isElement { at += 1 }
    skipBlanks()
    guard let key = key() else { return false }
    skipBlanks()
    guard byte == UInt8(ascii: "]") else { return false }
    at += 1
    if isElement {
      guard byte == UInt8(ascii: "]") else { return false }
      at += 1
    }
    endTable()
    var index = root.firstIndex { $0.key == key }
    if let index {
      // More elements; or a second table of that name, which is wrong.
      guard isElement, elements[index] != nil else { return false }
    } else {
      guard root.count < PlainTOML.maxKeys else { return false }
      index = root.count
      let content: ConfigValue.Content = isElement ? .array([]) : .table([])
      root.append(
        .init(key: key, line: line, value: ConfigValue(content, origin: origin(line))))
      elements.append(isElement ? [] : nil)
    }
    table = index.map { ($0, line) }
    return true
  }

  /// Puts what was read of a table in its place.
  private mutating func endTable() {
    guard let (index, line) = table else { return }
    let value = ConfigValue(.table(keys), origin: origin(line))
    if elements[index] != nil {
      elements[index]?.append(value)
    } else {
      root[index].value.content = value.content
    }
    keys = []
    table = nil
  }

  private mutating func pair() -> Bool {
    guard let key = key() else { return false }
    let place = line
    skipBlanks()
    guard byte == UInt8(ascii: "=") else { return false }
    at += 1
    skipBlanks()
    guard let value = value(depth: 0) else { return false }
    let entry = ConfigValue.Entry(key: key, line: place, value: value)
    if table == nil {
      guard root.count < PlainTOML.maxKeys, !root.contains(where: { $0.key == key }) else {
        return false
      }
      root.append(entry)
      elements.append(nil)
    } else {
      guard keys.count < PlainTOML.maxKeys, !keys.contains(where: { $0.key == key }) else {
        return false
      }
      keys.append(entry)
    }
    return true
  }

  private mutating func key() -> String? {
    let start = at
    while true {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        at += 1
      default: return at > start ? text(start, at) : nil
      }
    }
  }

  private func text(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  private mutating func value(depth: Int) -> ConfigValue? {
    let place = origin(line)
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return string().map { ConfigValue(.string($0), origin: place) }
    case UInt8(ascii: "t"): return word("true") ? ConfigValue(.boolean(true), origin: place) : nil
    case UInt8(ascii: "f"): return word("false") ? ConfigValue(.boolean(false), origin: place) : nil
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return number().map { ConfigValue($0, origin: place) }
    case UInt8(ascii: "[") where depth < 4:
      return list(depth: depth).map { ConfigValue(.array($0), origin: place) }
    default: return nil
    }
  }

  private mutating func string() -> String? {
    let quote = byte
    at += 1
    let start = at
    while byte != quote {
      guard PlainTOML.isText(byte), byte != UInt8(ascii: "\\") || quote == UInt8(ascii: "'") else {
        return nil
      }
      at += 1
    }
    let end = at
    at += 1
    // Two quotation marks may be the beginning of three.
    if start == end, byte == quote { return nil }
    return text(start, end)
  }

  /// Whether what a value needs behind it stands here.
  private var isEnd: Bool {
    switch byte {
    case 0x20, 0x09, 0x0a, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "#"): true
    default: at == bytes.count
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    for i in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[i] else { return false }
      at += 1
    }
    return isEnd
  }

  /// A whole number of at most 18 digits, or a decimal one of at most 15, which is exact in the division.
  private mutating func number() -> ConfigValue.Content? {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let start = at
    var number = 0
    func digit(_ byte: UInt8) -> Int? { byte >= 0x30 && byte <= 0x39 ? Int(byte) - 0x30 : nil }
    while let next = digit(byte), at - start < 18 {
      number = number * 10 + next
      at += 1
    }
    let whole = at - start
    guard whole > 0, whole == 1 || bytes[start] != 0x30 else { return nil }
    if byte != UInt8(ascii: ".") {
      guard isEnd, !(isNegative && number == 0) else { return nil }
      return .integer(isNegative ? -number : number)
    }
    at += 1
    var power = 1.0
    while let next = digit(byte), at - start < 18 {
      number = number * 10 + next
      power *= 10
      at += 1
    }
    guard power > 1, at - start <= 16, isEnd else { return nil }
    let value = Double(number) / power
    return .double(isNegative ? -value : value)
  }

  private mutating func list(depth: Int) -> [ConfigValue]? {
    at += 1
    var all: [ConfigValue] = []
    while true {
      guard skipToValue() else { return nil }
      if byte == UInt8(ascii: "]") { break }
      guard let value = value(depth: depth + 1) else { return nil }
      all.append(value)
      guard skipToValue() else { return nil }
      if byte == UInt8(ascii: "]") { break }
      guard byte == UInt8(ascii: ",") else { return nil }
      at += 1
    }
    at += 1
    return all
  }

  /// Past blanks, ends of lines and comments; false at the end of the file and where a comment is none.
  private mutating func skipToValue() -> Bool {
    while true {
      skipBlanks()
      guard byte == 0x0a || byte == UInt8(ascii: "#") else { return at < bytes.count }
      guard endLine() else { return false }
    }
  }
}
