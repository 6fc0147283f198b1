/// Compiles expressions: checks their types, as MapLibre's style specification does, and replaces
/// constant parts by their values.
struct ExpressionParser {
  /// The most parts of an expression.
  static let partLimit = 20_000
  /// Parts may be nested to this depth. A thread that draws has 1 MiB of stack.
  static let depthLimit = 64
  /// The most parts that an evaluation visits.
  static let costLimit = 50_000

  /// What to do with a value of any type if a certain type is expected.
  enum Annotation {
    /// Follow the style language: assert numbers, convert colours.
    case usual
    /// Convert it.
    case coerce
    /// Leave it unchanged; the expression around it handles it.
    case omit
  }

  /// What `global-state` has.
  let globals: [String: StyleValue]
  /// The way to the present part.
  private(set) var path: [Int] = []
  /// The variables that can be used here.
  private(set) var variables: [String: Parsed] = [:]
  /// The type that is expected here.
  private(set) var expected: StyleType?
  private var parts = 0

  init(globals: [String: StyleValue] = [:]) { self.globals = globals }

  /// Compiles a whole expression.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ json: StyleValue, expecting type: StyleType?, annotation: Annotation = .usual,
    globals: [String: StyleValue] = [:]
  ) throws(ExpressionError) -> Parsed {
    var parser = ExpressionParser(globals: globals)
    parser.expected = type
    return try parser.parse(json, annotation)
  }

  /// Compiles a part, the item `index` of the list around it, which must have type `type`; nil:
  /// any.
  ///
  /// - Throws: `ExpressionError`
  mutating func parse(
    _ json: StyleValue, at index: Int, _ type: StyleType? = nil,
    _ annotation: Annotation = .usual
  ) throws(ExpressionError) -> Parsed {
    let outer = expected
    path.append(index)
    expected = type
    let parsed = try parse(json, annotation)
    path.removeLast()
    expected = outer
    return parsed
  }

  /// Compiles a part in which more variables can be used.
  ///
  /// - Throws: `ExpressionError`
  mutating func parse(
    _ json: StyleValue, at index: Int, with bindings: [(String, Parsed)]
  ) throws(ExpressionError) -> Parsed {
    let outer = variables
    for (name, value) in bindings { variables[name] = value }
    let parsed = try parse(json, at: index, expected)
    variables = outer
    return parsed
  }

  /// An error at the present part, or at one in it.
  func error(_ reason: String, at indices: Int...) -> ExpressionError {
    ExpressionError(path: path + indices, reason: reason)
  }

  /// - Throws: `ExpressionError` if a value of type `actual` cannot stand where `type` is expected.
  func check(
    _ actual: StyleType, is type: StyleType, at indices: Int...
  ) throws(ExpressionError) {
    guard !type.accepts(actual) else { return }
    throw ExpressionError(path: path + indices, reason: "\(actual) where \(type) is expected")
  }

  private mutating func parse(
    _ json: StyleValue, _ annotation: Annotation
  ) throws(ExpressionError) -> Parsed {
    parts += 1
    guard parts <= ExpressionParser.partLimit, path.count <= ExpressionParser.depthLimit else {
      throw error("the expression is too long or too deep")
    }
    var parsed: Parsed
    switch json {
    case .array(let items):
      guard let first = items.first else {
        throw error("an empty list; a constant list is [\"literal\", []]")
      }
      guard case .string(let name) = first else {
        throw error(
          "the name of an operator is expected; a constant list is [\"literal\", […]]", at: 0)
      }
      parsed = try OperatorTable.parse(name, items, &self)
    case .object: throw error("an object; a constant one is [\"literal\", {…}]")
    default: parsed = Parsed(LiteralNode(json))
    }
    if let expected { parsed = try annotated(parsed, expected, annotation) }
    parsed = try folded(parsed)
    guard parsed.depth <= ExpressionParser.depthLimit, parsed.cost <= ExpressionParser.costLimit
    else { throw error("the expression is too long or too deep") }
    return parsed
  }

  /// The part, with a conversion or an assertion around it if it may not have the expected type.
  private func annotated(
    _ parsed: Parsed, _ expected: StyleType, _ annotation: Annotation
  ) throws(ExpressionError) -> Parsed {
    let coerces: Bool
    switch (expected, parsed.type) {
    case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value),
      (.array, .value):
      coerces = annotation == .coerce
    case (.color, .value), (.color, .string), (.formatted, .value), (.formatted, .string),
      (.image, .value), (.image, .string), (.projection, .value), (.projection, .string),
      (.projection, .array), (.padding, .value), (.padding, .number), (.padding, .array),
      (.numbers, .value), (.numbers, .number), (.numbers, .array), (.colors, .value),
      (.colors, .string), (.colors, .array), (.anchorOffsets, .value), (.anchorOffsets, .array):
      coerces = true
    default:
      try check(parsed.type, is: expected)
      return parsed
    }
    if annotation == .omit { return parsed }
    let node: any StyleNode =
      coerces ? CoercionNode(expected, [parsed.node]) : AssertionNode(expected, [parsed.node])
    return Parsed(node, of: [parsed], isAnnotation: true)
  }

  /// Replaces a constant part by its value. Images stay, because the sprite sheet is only known
  /// later.
  private func folded(_ parsed: Parsed) throws(ExpressionError) -> Parsed {
    guard !parsed.isLiteral, parsed.isConstant, parsed.type != .image else { return parsed }
    do throws(StyleFailure) {
      let value = try parsed.node.evaluate(StyleContext(zoom: 0))
      return Parsed(LiteralNode(value, parsed.type))
    } catch {
      throw self.error("has no value of type \(parsed.type)")
    }
  }
}

extension Parsed {
  /// The same part, but never evaluated at compile time.
  func unfolded() -> Parsed {
    var copy = self
    copy.isFoldable = false
    return copy
  }

  /// The same part, with reads of its own added to those of its parts.
  func reading(_ change: (inout StyleReads) -> Void) -> Parsed {
    var copy = self
    change(&copy.reads)
    return copy
  }
}
