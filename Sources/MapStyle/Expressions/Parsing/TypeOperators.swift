/// Constants, assertions and conversions of types.
enum TypeOperators {
  /// Their names.
  static let names: Set<String> = [
    "literal", "typeof", "number", "string", "boolean", "object", "array", "to-number",
    "to-color", "to-boolean", "to-string", "rgb", "rgba", "to-rgba",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "literal":
      return try literal(items, &parser)
    case "typeof":
      let parts = try parser.arguments(items, .value)
      return Parsed(TypeNode(parts[0].node), of: parts)
    case "number":
      return try assert(.number, items, 1, &parser)
    case "string":
      return try assert(.string, items, 1, &parser)
    case "boolean":
      return try assert(.boolean, items, 1, &parser)
    case "object":
      return try assert(.object, items, 1, &parser)
    case "array":
      return try assertArray(items, &parser)
    case "to-number":
      return try convert(.number, items, &parser)
    case "to-color":
      return try convert(.color, items, &parser)
    case "to-boolean":
      return try convert(.boolean, items, &parser, isSingle: true)
    case "to-string":
      return try convert(.string, items, &parser, isSingle: true)
    case "rgb":
      let parts = try parser.arguments(items, .number, .number, .number)
      return Parsed(ColorNode(parts.map(\.node)), of: parts)
    case "rgba":
      let parts = try parser.arguments(items, .number, .number, .number, .number)
      return Parsed(ColorNode(parts.map(\.node)), of: parts)
    case "to-rgba":
      let parts = try parser.arguments(items, .color)
      return Parsed(ChannelsNode(parts[0].node), of: parts)
    default: return nil
    }
  }

  private static func literal(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 2 else {
      throw parser.error("1 argument expected, \(items.count - 1) found")
    }
    // An empty list is one of whatever is expected.
    if items[1] == .array([]), case .array(_, let count)? = parser.expected,
      count == nil || count == 0
    {
      return Parsed(LiteralNode(items[1], parser.expected))
    }
    return Parsed(LiteralNode(items[1]))
  }

  private static func assert(
    _ type: StyleType, _ items: [StyleValue], _ first: Int, _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count > first else { throw parser.error("1 or more arguments expected, 0 found") }
    var parts: [Parsed] = []
    for index in first..<items.count {
      parts.append(try parser.parse(items[index], at: index, .value))
    }
    return Parsed(AssertionNode(type, parts.map(\.node)), of: parts, isAnnotation: true)
  }

  private static func assertArray(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    var first = 1
    var type = StyleType.value
    var count: Int?
    if items.count > 2 {
      switch items[1] {
      case .string("string"): type = .string
      case .string("number"): type = .number
      case .string("boolean"): type = .boolean
      default: throw parser.error("\"string\", \"number\" or \"boolean\" is expected", at: 1)
      }
      first = 2
    }
    if items.count > 3 {
      if items[2] != .null {
        count = items[2].number.flatMap { Int(exactly: $0) }
        guard let count, count >= 0 else {
          throw parser.error("a constant whole number is expected", at: 2)
        }
      }
      first = 3
    }
    return try assert(.array(type, count), items, first, &parser)
  }

  private static func convert(
    _ type: StyleType, _ items: [StyleValue], _ parser: inout ExpressionParser,
    isSingle: Bool = false
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 2 else { throw parser.error("1 or more arguments expected, 0 found") }
    guard items.count == 2 || !isSingle else {
      throw parser.error("1 argument expected, \(items.count - 1) found")
    }
    let parts = try parser.arguments(items, all: .value)
    return Parsed(CoercionNode(type, parts.map(\.node)), of: parts, isAnnotation: true)
  }
}
