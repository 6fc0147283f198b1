/// Comparisons, logic, choices and variables.
enum ChoiceOperators {
  /// Their names.
  static let names: Set<String> = [
    "==", "!=", "<", "<=", ">", ">=", "!", "all", "any", "case", "match", "coalesce", "let",
    "var",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "==":
      return try compare(.equal, items, &parser)
    case "!=":
      return try compare(.notEqual, items, &parser)
    case "<":
      return try compare(.less, items, &parser)
    case "<=":
      return try compare(.lessOrEqual, items, &parser)
    case ">":
      return try compare(.greater, items, &parser)
    case ">=":
      return try compare(.greaterOrEqual, items, &parser)
    case "!":
      let parts = try parser.arguments(items, .boolean)
      return Parsed(NotNode(parts[0].node), of: parts)
    case "all":
      let parts = try parser.arguments(items, all: .boolean)
      return Parsed(JunctionNode(isAll: true, parts), of: parts)
    case "any":
      let parts = try parser.arguments(items, all: .boolean)
      return Parsed(JunctionNode(isAll: false, parts), of: parts)
    case "case":
      return try choose(items, &parser)
    case "match":
      return try match(items, &parser)
    case "coalesce":
      return try coalesce(items, &parser)
    case "let":
      return try bind(items, &parser)
    case "var":
      guard items.count == 2, case .string(let name) = items[1] else {
        throw parser.error("the name of a variable is expected")
      }
      guard var value = parser.variables[name] else {
        throw parser.error("no \"let\" around it has the variable \"\(name)\"", at: 1)
      }
      value.depth += 1
      return value
    default: return nil
    }
  }

  private static func compare(
    _ operation: ComparisonNode.Operator, _ items: [StyleValue],
    _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 3 || items.count == 4 else {
      throw parser.error("2 or 3 arguments expected, \(items.count - 1) found")
    }
    func isComparable(_ type: StyleType) -> Bool {
      switch type {
      case .string, .number, .value: true
      case .boolean, .null: !operation.isOrder
      default: false
      }
    }
    var parts: [Parsed] = []
    for index in 1...2 {
      let part = try parser.parse(items[index], at: index, .value)
      guard isComparable(part.type) else {
        throw parser.error("\"\(operation.rawValue)\" does not compare \(part.type)", at: index)
      }
      parts.append(part)
    }
    let (left, right) = (parts[0].type, parts[1].type)
    guard left == right || left == .value || right == .value else {
      throw parser.error("\(left) cannot be compared with \(right)")
    }
    if operation.isOrder, left != right {
      let index = left == .value ? 0 : 1
      let node = AssertionNode(left == .value ? right : left, [parts[index].node])
      parts[index] = Parsed(node, of: [parts[index]], isAnnotation: true)
    }
    if items.count == 4 {
      guard [left, right].contains(where: { $0 == .string || $0 == .value }) else {
        throw parser.error("a collator compares text only")
      }
      parts.append(try parser.parse(items[3], at: 3, .collator))
    }
    let node = ComparisonNode(
      operation, parts[0].node, parts[1].node, collator: parts.count == 3 ? parts[2].node : nil)
    return Parsed(node, of: parts)
  }

  /// The type that an operator's results must have; nil: any.
  static func outputType(_ parser: ExpressionParser) -> StyleType? {
    parser.expected == .value ? nil : parser.expected
  }

  private static func choose(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 4, items.count.isMultiple(of: 2) else {
      throw parser.error("3 or more arguments expected, an odd number; \(items.count - 1) found")
    }
    var type = outputType(parser)
    var tests: [Parsed] = []
    var outputs: [Parsed] = []
    for index in stride(from: 1, to: items.count - 1, by: 2) {
      tests.append(try parser.parse(items[index], at: index, .boolean))
      let output = try parser.parse(items[index + 1], at: index + 1, type)
      type = type ?? output.type
      outputs.append(output)
    }
    let last = items.count - 1
    let otherwise = try parser.parse(items[last], at: last, type)
    let node = CaseNode(
      type ?? otherwise.type, tests: tests.map(\.node), outputs: outputs.map(\.node),
      otherwise: otherwise.node)
    return Parsed(node, of: tests + outputs + [otherwise])
  }

  private static func coalesce(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 2 else { throw parser.error("1 or more arguments expected, 0 found") }
    var type = outputType(parser)
    var inputs: [Parsed] = []
    for index in items.indices.dropFirst() {
      // No assertion here: it would fail for null before the next input is tried.
      let input = try parser.parse(items[index], at: index, type, .omit)
      type = type ?? input.type
      inputs.append(input)
    }
    var isAny = false
    if let expected = parser.expected {
      isAny = inputs.contains { !expected.accepts($0.type) }
    }
    let node = CoalesceNode(isAny ? .value : type ?? .value, inputs.map(\.node))
    var parsed = Parsed(node, of: inputs)
    // A single curve among the inputs counts as the curve of the whole expression.
    let curves = inputs.map(\.curve).filter { $0 != .none }
    if curves.count == 1 { parsed.curve = curves[0] }
    if curves.count > 1 { parsed.curve = .several }
    return parsed
  }

  private static func bind(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 4, items.count.isMultiple(of: 2) else {
      throw parser.error("3 or more arguments expected, an odd number; \(items.count - 1) found")
    }
    var bindings: [(String, Parsed)] = []
    for index in stride(from: 1, to: items.count - 1, by: 2) {
      guard case .string(let name) = items[index], !name.isEmpty,
        name.utf8.allSatisfy({
          (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || $0 == 0x5f
        })
      else {
        throw parser.error("a variable's name consists of letters, digits and \"_\"", at: index)
      }
      bindings.append((name, try parser.parse(items[index + 1], at: index + 1)))
    }
    var result = try parser.parse(items[items.count - 1], at: items.count - 1, with: bindings)
    // A curve over the zoom must enclose the whole expression, so a variable's value must not be
    // one.
    if bindings.contains(where: { $0.1.curve != .none }) {
      result.curve = result.curve == .none ? .misplaced : .several
    }
    return result
  }

  private static func match(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 5, !items.count.isMultiple(of: 2) else {
      throw parser.error("4 or more arguments expected, an even number; \(items.count - 1) found")
    }
    var labels = MatchLabels()
    var type = outputType(parser)
    var outputs: [Parsed] = []
    for index in stride(from: 2, to: items.count - 1, by: 2) {
      try labels.add(items[index], output: outputs.count, at: index, parser)
      // Errors in the pair are reported at the labels.
      let output = try parser.parse(items[index + 1], at: index, type)
      type = type ?? output.type
      outputs.append(output)
    }
    let input = try parser.parse(items[1], at: 1, .value)
    let last = items.count - 1
    let otherwise = try parser.parse(items[last], at: last, type)
    if input.type != .value, let labelType = labels.type {
      try parser.check(input.type, is: labelType, at: 1)
    }
    let node = MatchNode(
      type ?? otherwise.type, input.node, strings: labels.strings, numbers: labels.numbers,
      outputs: outputs.map(\.node), otherwise: otherwise.node)
    return Parsed(node, of: [input] + outputs + [otherwise])
  }
}

/// The labels of a `match`.
private struct MatchLabels {
  var strings: [String: Int] = [:]
  var numbers: [Double: Int] = [:]
  var type: StyleType?

  /// Adds one label, or a list of them.
  ///
  /// - Throws: `ExpressionError` if it is none, or has another type than those before.
  mutating func add(
    _ json: StyleValue, output: Int, at index: Int, _ parser: ExpressionParser
  ) throws(ExpressionError) {
    let labels = json.array ?? [json]
    guard !labels.isEmpty else { throw parser.error("a label is expected", at: index) }
    for label in labels {
      let isNew: Bool
      switch label {
      case .number(let number):
        guard number.magnitude <= 9_007_199_254_740_991, number == number.rounded() else {
          throw parser.error("labels are whole numbers of at most 53 bits", at: index)
        }
        try check(.number, at: index, parser)
        isNew = numbers.updateValue(output, forKey: number) == nil
      case .string(let text):
        try check(.string, at: index, parser)
        isNew = strings.updateValue(output, forKey: text) == nil
      default: throw parser.error("labels are numbers or texts", at: index)
      }
      guard isNew else { throw parser.error("a label occurs twice", at: index) }
    }
  }

  private mutating func check(
    _ actual: StyleType, at index: Int, _ parser: ExpressionParser
  ) throws(ExpressionError) {
    if let type { try parser.check(actual, is: type, at: index) } else { type = actual }
  }
}
