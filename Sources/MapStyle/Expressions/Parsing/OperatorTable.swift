/// The operators of the style language.
enum OperatorTable {
  /// Whether a list with this first item is an expression.
  static func contains(_ name: String) -> Bool {
    LookupOperators.names.contains(name) || ChoiceOperators.names.contains(name)
      || CurveOperators.names.contains(name) || TypeOperators.names.contains(name)
      || MathOperators.names.contains(name) || TextOperators.names.contains(name)
      || ListOperators.names.contains(name) || unsupported.contains(name)
  }

  /// What the language has, and Waypost has not.
  static let unsupported: Set<String> = [
    "distance", "within", "heatmap-density", "line-progress", "elevation", "accumulated",
  ]

  /// Compiles `[name, …]`.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    if let parsed = try LookupOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try ChoiceOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try CurveOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try TypeOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try TextOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try ListOperators.parse(name, items, &parser) { return parsed }
    if let parsed = try MathOperators.parse(name, items, &parser) { return parsed }
    if unsupported.contains(name) { throw parser.error("\"\(name)\" is not evaluated") }
    throw parser.error(
      "there is no operator \"\(name)\"; a constant list is [\"literal\", […]]", at: 0)
  }
}

extension ExpressionParser {
  /// Compiles the arguments of an operator that takes a fixed number of them.
  ///
  /// - Throws: `ExpressionError`
  mutating func arguments(
    _ items: [StyleValue], _ types: StyleType...
  ) throws(ExpressionError) -> [Parsed] {
    guard items.count == types.count + 1 else {
      throw error(
        "\(types.count) argument\(types.count == 1 ? "" : "s") expected, \(items.count - 1) found")
    }
    var parsed: [Parsed] = []
    for index in types.indices {
      parsed.append(try parse(items[index + 1], at: index + 1, types[index]))
    }
    return parsed
  }

  /// Compiles the arguments of an operator that takes any number of them.
  ///
  /// - Throws: `ExpressionError`
  mutating func arguments(
    _ items: [StyleValue], all type: StyleType
  ) throws(ExpressionError) -> [Parsed] {
    var parsed: [Parsed] = []
    for index in items.indices.dropFirst() {
      parsed.append(try parse(items[index], at: index, type))
    }
    return parsed
  }
}
