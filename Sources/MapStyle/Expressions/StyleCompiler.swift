/// Compiles the values of properties and filters.
struct StyleCompiler {
  /// What `global-state` has.
  let globals: [String: StyleValue]

  /// - Throws: `ExpressionError`
  func compile(
    _ json: StyleValue, _ spec: PropertySpec
  ) throws(ExpressionError) -> CompiledExpression {
    var value = json
    if spec.type == .color, let text = json.string {
      guard let color = StyleColor(css: text) else {
        throw ExpressionError(path: [], reason: "\"\(text)\" is no colour")
      }
      value = .color(color)
    } else if spec.type == .formatted, let text = json.string {
      value = .formatted(FormattedText(text))
    } else if spec.type == .padding, let number = json.number {
      value = .array(Array(repeating: .number(number), count: 4))
    } else if json.object != nil || json.array?.first?.string != nil {
      throw ExpressionError(path: [], reason: "expressions are not compiled")
    }
    return CompiledExpression(node: LiteralNode(value), reads: StyleReads())
  }

  /// - Throws: `ExpressionError`
  func filter(_ json: StyleValue) throws(ExpressionError) -> StyleFilter {
    StyleFilter(LiteralNode(.bool(true)), reads: StyleReads())
  }
}

/// A compiled expression.
struct CompiledExpression {
  let node: any StyleNode
  let reads: StyleReads
}
