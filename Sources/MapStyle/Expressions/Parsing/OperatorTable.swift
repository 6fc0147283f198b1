/// The operators of the style language.
enum OperatorTable {
  /// Where an operator is compiled.
  private enum Group { case lookup, choice, curve, type, math, text, list, unsupported }

  private static let groups: [String: Group] = {
    var groups: [String: Group] = [:]
    func add(_ names: Set<String>, _ group: Group) {
      for name in names { groups[name] = group }
    }
    add(LookupOperators.names, .lookup)
    add(ChoiceOperators.names, .choice)
    add(CurveOperators.names, .curve)
    add(TypeOperators.names, .type)
    add(MathOperators.names, .math)
    add(TextOperators.names, .text)
    add(ListOperators.names, .list)
    add(unsupported, .unsupported)
    return groups
  }()

  /// Whether a list with this first item is an expression.
  static func contains(_ name: String) -> Bool { groups[name] != nil }

  /// Operators of the style language that Waypost does not support.
  static let unsupported: Set<String> = [
    "distance", "within", "heatmap-density", "line-progress", "elevation", "accumulated",
  ]

  /// Compiles `[name, …]`.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let parsed: Parsed?
    switch groups[name] {
    case .lookup: parsed = try LookupOperators.parse(name, items, &parser)
    case .choice: parsed = try ChoiceOperators.parse(name, items, &parser)
    case .curve: parsed = try CurveOperators.parse(name, items, &parser)
    case .type: parsed = try TypeOperators.parse(name, items, &parser)
    case .math: parsed = try MathOperators.parse(name, items, &parser)
    case .text: parsed = try TextOperators.parse(name, items, &parser)
    case .list: parsed = try ListOperators.parse(name, items, &parser)
    case .unsupported: throw parser.error("\"\(name)\" is not evaluated")
    case nil: parsed = nil
    }
    if let parsed { return parsed }
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
