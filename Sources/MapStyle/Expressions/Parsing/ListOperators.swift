/// Lists, and parts of texts.
enum ListOperators {
  /// Their names.
  static let names: Set<String> = [
    "in", "index-of", "length", "slice", "at", "semiliteral",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "in":
      return try contains(items, &parser)
    case "index-of":
      return try search(items, &parser)
    case "length":
      let parts = try parser.arguments(items, .value)
      switch parts[0].type {
      case .string, .value, .array: break
      default: throw parser.error("a text or a list is expected, not \(parts[0].type)")
      }
      return Parsed(LengthNode(parts[0].node), of: parts)
    case "slice":
      return try slice(items, &parser)
    case "at":
      guard items.count == 3 else {
        throw parser.error("2 arguments expected, \(items.count - 1) found")
      }
      let index = try parser.parse(items[1], at: 1, .number)
      let list = try parser.parse(items[2], at: 2, .array(parser.expected ?? .value, nil))
      var type = StyleType.value
      if case .array(let item, _) = list.type { type = item }
      return Parsed(ItemNode(type, index.node, of: list.node), of: [index, list])
    case "semiliteral":
      return try semiliteral(items, &parser)
    default: return nil
    }
  }

  /// What can be looked for.
  private static func needle(
    _ json: StyleValue, _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let needle = try parser.parse(json, at: 1, .value)
    switch needle.type {
    case .boolean, .string, .number, .null, .value: return needle
    default: throw parser.error("\(needle.type) cannot be looked for")
    }
  }

  private static func contains(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 3 else {
      throw parser.error("2 arguments expected, \(items.count - 1) found")
    }
    let needle = try needle(items[1], &parser)
    let haystack = try parser.parse(items[2], at: 2, .value)
    if let literal = haystack.node as? LiteralNode, case .array(let members) = literal.value,
      members.allSatisfy({ !StyleType(of: $0).isCompound })
    {
      return Parsed(MemberNode(needle.node, members), of: [needle, haystack])
    }
    return Parsed(InNode(needle.node, haystack.node), of: [needle, haystack])
  }

  private static func search(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 3 || items.count == 4 else {
      throw parser.error("2 or 3 arguments expected, \(items.count - 1) found")
    }
    var parts = [try needle(items[1], &parser)]
    parts.append(try parser.parse(items[2], at: 2, .value))
    if items.count == 4 { parts.append(try parser.parse(items[3], at: 3, .number)) }
    let node = SearchNode(
      parts[0].node, parts[1].node, from: parts.count == 3 ? parts[2].node : nil)
    return Parsed(node, of: parts)
  }

  private static func slice(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 3 || items.count == 4 else {
      throw parser.error("2 or 3 arguments expected, \(items.count - 1) found")
    }
    let input = try parser.parse(items[1], at: 1, .value)
    var type = input.type
    switch type {
    case .string, .value: break
    case .array(let item, _): type = .array(item, nil)
    default: throw parser.error("a text or a list is expected, not \(type)")
    }
    var parts = [input, try parser.parse(items[2], at: 2, .number)]
    if items.count == 4 { parts.append(try parser.parse(items[3], at: 3, .number)) }
    let node = SliceNode(
      type, input.node, from: parts[1].node, to: parts.count == 3 ? parts[2].node : nil)
    return Parsed(node, of: parts)
  }

  private static func semiliteral(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 2, case .array(let values) = items[1] else {
      throw parser.error("a list is expected")
    }
    var item: StyleType?
    if case .array(let expected, _)? = parser.expected, expected != .value { item = expected }
    var parts: [Parsed] = []
    for (index, value) in values.enumerated() {
      parts.append(try parser.parse(value, at: index + 1, item))
    }
    let type = parts.first?.type ?? .value
    let isUniform = parts.allSatisfy { $0.type == type }
    let node = ListNode(.array(isUniform ? type : .value, parts.count), parts.map(\.node))
    return Parsed(node, of: parts)
  }
}
