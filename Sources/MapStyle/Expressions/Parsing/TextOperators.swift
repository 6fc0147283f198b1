/// Texts: joined, formatted, compared.
enum TextOperators {
  /// Their names.
  static let names: Set<String> = [
    "concat", "upcase", "downcase", "split", "join", "image", "format", "number-format",
    "collator", "resolved-locale",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "concat":
      let parts = try parser.arguments(items, all: .value)
      return Parsed(ConcatNode(parts.map(\.node)), of: parts)
    case "upcase":
      let parts = try parser.arguments(items, .string)
      return Parsed(LetterCaseNode(parts[0].node, isUpper: true), of: parts)
    case "downcase":
      let parts = try parser.arguments(items, .string)
      return Parsed(LetterCaseNode(parts[0].node, isUpper: false), of: parts)
    case "split":
      let parts = try parser.arguments(items, .string, .string)
      return Parsed(SplitNode(parts[0].node, by: parts[1].node), of: parts)
    case "join":
      let parts = try parser.arguments(items, .array(.string, nil), .string)
      return Parsed(JoinNode(parts[0].node, by: parts[1].node), of: parts)
    case "image":
      let parts = try parser.arguments(items, .string)
      // Which images there are is known when it is evaluated.
      return Parsed(ImageNode(parts[0].node), of: parts).reading { $0.images = true }
    case "format":
      return try format(items, &parser)
    case "number-format":
      return try number(items, &parser)
    case "collator":
      return try collator(items, &parser)
    case "resolved-locale":
      let parts = try parser.arguments(items, .collator)
      return Parsed(LiteralNode(.string("en")), of: parts)
    default: return nil
    }
  }

  private static func format(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 2 else { throw parser.error("1 or more arguments expected, 0 found") }
    var sections: [FormatNode.Section] = []
    var parts: [Parsed] = []
    var isOpen = false
    for index in items.indices.dropFirst() {
      if case .object(let options) = items[index] {
        guard isOpen else { throw parser.error("a text is expected before its looks") }
        isOpen = false
        try look(options, &sections[sections.count - 1], &parts, &parser)
        continue
      }
      let content = try parser.parse(items[index], at: 1, .value)
      switch content.type {
      case .string, .value, .null, .image: break
      default: throw parser.error("\(content.type) is neither a text nor an image")
      }
      parts.append(content)
      sections.append(FormatNode.Section(content: content.node))
      isOpen = true
    }
    return Parsed(FormatNode(sections), of: parts)
  }

  /// The looks of one section.
  private static func look(
    _ options: [String: StyleValue], _ section: inout FormatNode.Section, _ parts: inout [Parsed],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) {
    section.scale = try option(options["font-scale"], .number, &parts, &parser)
    section.font = try option(options["text-font"], .array(.string, nil), &parts, &parser)
    section.color = try option(options["text-color"], .color, &parts, &parser)
    if let word = options["vertical-align"]?.string,
      FormattedText.VerticalAlignment(rawValue: word) == nil
    {
      throw parser.error("\"vertical-align\" is \"bottom\", \"center\" or \"top\"")
    }
    section.alignment = try option(options["vertical-align"], .string, &parts, &parser)
  }

  /// An option of an operator, if it is there.
  private static func option(
    _ json: StyleValue?, _ type: StyleType, _ parts: inout [Parsed],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> (any StyleNode)? {
    guard let json, json != .null else { return nil }
    let part = try parser.parse(json, at: 1, type)
    parts.append(part)
    return part.node
  }

  private static func number(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 3 else {
      throw parser.error("2 arguments expected, \(items.count - 1) found")
    }
    let number = try parser.parse(items[1], at: 1, .number)
    guard case .object(let stated) = items[2] else {
      throw parser.error("an object with options is expected")
    }
    guard stated["currency"] == nil || stated["unit"] == nil else {
      throw parser.error("either a currency or a unit is expected")
    }
    var parts = [number]
    var options = NumberFormatNode.Options()
    _ = try option(stated["locale"], .string, &parts, &parser)
    options.currency = try option(stated["currency"], .string, &parts, &parser)
    options.unit = try option(stated["unit"], .string, &parts, &parser)
    options.minDigits = try option(stated["min-fraction-digits"], .number, &parts, &parser)
    options.maxDigits = try option(stated["max-fraction-digits"], .number, &parts, &parser)
    return Parsed(NumberFormatNode(number.node, options), of: parts)
  }

  private static func collator(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 2 else {
      throw parser.error("1 argument expected, \(items.count - 1) found")
    }
    guard case .object(let options) = items[1] else {
      throw parser.error("an object with options is expected")
    }
    let letterCase = try parser.parse(
      options["case-sensitive"] ?? .bool(false), at: 1, .boolean)
    let accents = try parser.parse(
      options["diacritic-sensitive"] ?? .bool(false), at: 1, .boolean)
    var parts = [letterCase, accents]
    _ = try option(options["locale"], .string, &parts, &parser)
    let node = CollatorNode(case: letterCase.node, accents: accents.node)
    return Parsed(node, of: parts).unfolded()
  }
}
