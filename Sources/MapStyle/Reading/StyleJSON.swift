import CJansson

/// The JSON of styles as values of the style language.
enum StyleJSON {
  /// The largest file that is read, in bytes.
  static let sizeLimit = 8 << 20
  /// Arrays and objects may be nested to this depth.
  static let depthLimit = 200
  /// The most memory that the values may take while they are parsed, in bytes. One of 300 layers
  /// takes some 6 MB.
  static let memoryLimit = 48 << 20

  /// Parses one JSON text.
  ///
  /// - Throws: `StyleError` with line and column, or if the text is larger than the limits.
  static func parse(_ bytes: UnsafeRawBufferPointer) throws(StyleError) -> StyleValue {
    guard bytes.count <= sizeLimit else {
      throw StyleError("the file has \(bytes.count) bytes; a style has at most \(sizeLimit)")
    }
    guard fits(bytes) else {
      throw StyleError("the file has more values, or deeper ones, than are read")
    }
    var failure = json_error_t()
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let flags = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL
    guard let root = json_loadb(start, bytes.count, Int(flags), &failure) else {
      let text = withUnsafeBytes(of: &failure.text) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw StyleError("line \(failure.line), column \(failure.column): \(text)")
    }
    defer { json_decref(root) }
    return convert(root, depth: 0)
  }

  /// Whether parsing stays within the limits. An object has a table of its own, and each member and
  /// element follows a bracket, a brace or a comma. Those characters count inside texts as well,
  /// except for the depth.
  private static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var (containers, others) = (0, 0)
    var (depth, deepest) = (0, 0)
    var (isText, isEscaped) = (false, false)
    for byte in bytes {
      if byte == UInt8(ascii: ",") { others += 1 }
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        containers += 1
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return deepest <= depthLimit
      && bytes.count + 256 * containers + 112 * others <= memoryLimit + sizeLimit
  }

  private static func convert(_ value: UnsafeMutablePointer<json_t>, depth: Int) -> StyleValue {
    // The depth was counted before.
    guard depth <= depthLimit else { return .null }
    switch value.pointee.type {
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_REAL, JSON_INTEGER: return .number(json_number_value(value))
    case JSON_STRING: return .string(text(json_string_value(value), json_string_length(value)))
    case JSON_ARRAY:
      var items: [StyleValue] = []
      items.reserveCapacity(json_array_size(value))
      for index in 0..<json_array_size(value) {
        if let item = json_array_get(value, index) { items.append(convert(item, depth: depth + 1)) }
      }
      return .array(items)
    case JSON_OBJECT:
      var members: [String: StyleValue] = [:]
      members.reserveCapacity(json_object_size(value))
      var iterator = json_object_iter(value)
      while let current = iterator {
        let key = text(json_object_iter_key(current), json_object_iter_key_len(current))
        if let member = json_object_iter_value(current) {
          members[key] = convert(member, depth: depth + 1)
        }
        iterator = json_object_iter_next(value, current)
      }
      return .object(members)
    default: return .null
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

extension StyleValue {
  /// The text, if it is one.
  var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, if it is one.
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// The list, if it is one.
  var array: [StyleValue]? { if case .array(let items) = self { items } else { nil } }
  /// The dictionary, if it is one.
  var object: [String: StyleValue]? { if case .object(let members) = self { members } else { nil } }

  /// Whether there is a brace in any of its strings.
  private var hasBrace: Bool {
    switch self {
    case .string(let text): text.utf8.contains(UInt8(ascii: "{"))
    case .array(let items): items.contains { $0.hasBrace }
    case .object(let members):
      members.contains { $0.utf8.contains(UInt8(ascii: "{")) || $1.hasBrace }
    default: false
    }
  }

  /// The value with the placeholders in all its strings and member names replaced. A lookup in a
  /// regional language falls back to the plain language where the tile lacks the regional one.
  func completed(_ options: StyleOptions) -> StyleValue {
    guard hasBrace else { return self }
    let languages = options.languages
    return completed(options.replacements(languages[0])) { items in
      guard languages.count > 1, items.count >= 2, items[1].string?.contains("{language}") == true
      else { return nil }
      let any: String
      switch items[0].string {
      case "get": any = "coalesce"
      case "has": any = "any"
      default: return nil
      }
      return .array(
        [.string(any)]
          + languages.map { language in
            .array(items.map { $0.completed(options.replacements(language)) { _ in nil } })
          })
    }
  }

  /// `lookup` returns the replacement for a list that depends on the language; nil: it does not.
  private func completed(
    _ replacements: [(String, String)], _ lookup: ([StyleValue]) -> StyleValue?
  ) -> StyleValue {
    switch self {
    case .string(let text): .string(StyleValue.replacing(replacements, in: text))
    case .array(let items):
      lookup(items) ?? .array(items.map { $0.completed(replacements, lookup) })
    case .object(let members):
      .object(
        Dictionary(
          members.map {
            (StyleValue.replacing(replacements, in: $0), $1.completed(replacements, lookup))
          },
          uniquingKeysWith: { _, last in last }))
    default: self
    }
  }

  private static func replacing(_ replacements: [(String, String)], in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var rest = text[...]
    var result = ""
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if let (name, value) = replacements.first(where: { rest.hasPrefix($0.0) }) {
        result += value
        rest = rest.dropFirst(name.count)
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}
