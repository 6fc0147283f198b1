import Glibc

/// Arithmetic.
enum MathOperators {
  /// Their names.
  static let names: Set<String> = [
    "+", "*", "min", "max", "/", "%", "^", "-", "pi", "e", "ln2", "sqrt", "log10", "ln", "log2",
    "sin", "cos", "tan", "asin", "acos", "atan", "abs", "round", "floor", "ceil",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "+": return try fold(.plus, items, &parser)
    case "*": return try fold(.times, items, &parser)
    case "min": return try fold(.min, items, &parser)
    case "max": return try fold(.max, items, &parser)
    case "/": return try two(.divide, items, &parser)
    case "%": return try two(.remainder, items, &parser)
    case "^": return try two(.power, items, &parser)
    case "-" where items.count != 2: return try two(.minus, items, &parser)
    case "pi": return try constant(.pi, items, &parser)
    case "e": return try constant(M_E, items, &parser)
    case "ln2": return try constant(M_LN2, items, &parser)
    default:
      guard let function = UnaryMathNode.Operator(rawValue: name) else { return nil }
      return try one(function, items, &parser)
    }
  }

  private static func constant(
    _ value: Double, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    _ = try parser.arguments(items)
    return Parsed(LiteralNode(.number(value)))
  }

  private static func one(
    _ operation: UnaryMathNode.Operator, _ items: [StyleValue],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let parts = try parser.arguments(items, .number)
    return Parsed(UnaryMathNode(operation, parts[0].node), of: parts)
  }

  private static func two(
    _ operation: BinaryMathNode.Operator, _ items: [StyleValue],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let parts = try parser.arguments(items, .number, .number)
    return Parsed(BinaryMathNode(operation, parts[0].node, parts[1].node), of: parts)
  }

  private static func fold(
    _ operation: FoldMathNode.Operator, _ items: [StyleValue],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let parts = try parser.arguments(items, all: .number)
    return Parsed(FoldMathNode(operation, parts.map(\.node)), of: parts)
  }
}
