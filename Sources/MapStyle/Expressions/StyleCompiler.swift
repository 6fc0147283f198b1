/// Compiles the values of properties and filters.
struct StyleCompiler: Sendable {
  /// What `global-state` has.
  let globals: [String: StyleValue]

  init(globals: [String: StyleValue] = [:]) { self.globals = globals }

  /// Compiles what a style has for a property: a constant, an expression, or a function of stops.
  ///
  /// - Throws: `ExpressionError`
  func compile(
    _ json: StyleValue, _ spec: PropertySpec
  ) throws(ExpressionError) -> CompiledExpression {
    let expression: StyleValue
    switch json {
    case .object(let members): expression = try LegacyFunction(members, spec).expression()
    case .array(let items):
      let isExpression = items.first?.string.map(OperatorTable.contains) ?? false
      expression = isExpression ? json : .array([.string("literal"), json])
    case .string(let text): expression = spec.tokens ? LegacyFunction.tokens(text) : json
    default: expression = json
    }
    return try compile(expression: expression, spec)
  }

  /// Compiles an expression for a property.
  ///
  /// - Throws: `ExpressionError`
  func compile(
    expression: StyleValue, _ spec: PropertySpec
  ) throws(ExpressionError) -> CompiledExpression {
    let isText = spec.type == .string && spec.choices == nil
    let parsed = try ExpressionParser.parse(
      expression, expecting: spec.type, annotation: isText ? .coerce : .usual, globals: globals)
    try StyleCompiler.check(parsed, spec)
    return CompiledExpression(node: parsed.node, reads: parsed.reads)
  }

  /// Compiles a filter in either dialect.
  ///
  /// - Throws: `ExpressionError`
  func filter(_ json: StyleValue) throws(ExpressionError) -> StyleFilter {
    guard LegacyFilter.isExpression(json) else {
      var reads = StyleReads()
      let node = try LegacyFilter.compile(json, &reads, path: [])
      return StyleFilter(node, reads: reads)
    }
    let parsed = try ExpressionParser.parse(json, expecting: .boolean, globals: globals)
    return StyleFilter(parsed.node, reads: parsed.reads)
  }

  /// - Throws: `ExpressionError` if the expression reads what the property's may not.
  private static func check(
    _ parsed: Parsed, _ spec: PropertySpec
  ) throws(ExpressionError) {
    func failure(_ reason: String) -> ExpressionError { ExpressionError(path: [], reason: reason) }
    if parsed.reads.feature, spec.parameters != .feature {
      throw failure("the property cannot depend on features")
    }
    if parsed.reads.zoom, spec.parameters == .none {
      throw failure("the property cannot depend on the zoom")
    }
    switch parsed.curve {
    case .none where parsed.reads.zoom, .misplaced:
      throw failure("\"zoom\" may only be the input of a \"step\" or \"interpolate\" around it all")
    case .several: throw failure("only one \"step\" or \"interpolate\" over the zoom is allowed")
    case .interpolate where !spec.interpolated:
      throw failure("the property cannot be interpolated")
    default: break
    }
  }
}

/// A compiled expression.
struct CompiledExpression {
  let node: any StyleNode
  let reads: StyleReads
}
