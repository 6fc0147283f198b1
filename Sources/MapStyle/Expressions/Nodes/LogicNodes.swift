/// `!`
final class NotNode: StyleNode {
  let type = StyleType.boolean
  private let input: any StyleNode

  init(_ input: any StyleNode) { self.input = input }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .bool(!(try input.bool(context)))
  }
}

/// `all` and `any`
final class JunctionNode: StyleNode {
  let type = StyleType.boolean
  private let inputs: [any StyleNode]
  /// What one input must be to decide.
  private let decisive: Bool

  /// - Parameter isAll: All inputs must be true; else any of them.
  init(isAll: Bool, _ inputs: [any StyleNode]) {
    decisive = !isAll
    self.inputs = inputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for input in inputs where try input.bool(context) == decisive { return .bool(decisive) }
    return .bool(!decisive)
  }
}

/// `case`
final class CaseNode: StyleNode {
  let type: StyleType
  private let tests: [any StyleNode]
  private let outputs: [any StyleNode]
  private let otherwise: any StyleNode

  /// - Parameter outputs: As many as tests.
  init(
    _ type: StyleType, tests: [any StyleNode], outputs: [any StyleNode], otherwise: any StyleNode
  ) {
    self.type = type
    self.tests = tests
    self.outputs = outputs
    self.otherwise = otherwise
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for index in tests.indices where try tests[index].bool(context) {
      return try outputs[index].evaluate(context)
    }
    return try otherwise.evaluate(context)
  }
}

/// `match`
final class MatchNode: StyleNode {
  let type: StyleType
  private let input: any StyleNode
  private let strings: [String: Int]
  private let numbers: [Double: Int]
  private let outputs: [any StyleNode]
  private let otherwise: any StyleNode

  /// - Parameters:
  ///   - strings: Which output belongs to a text.
  ///   - numbers: Which output belongs to a number.
  init(
    _ type: StyleType, _ input: any StyleNode, strings: [String: Int], numbers: [Double: Int],
    outputs: [any StyleNode], otherwise: any StyleNode
  ) {
    self.type = type
    self.input = input
    self.strings = strings
    self.numbers = numbers
    self.outputs = outputs
    self.otherwise = otherwise
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let output: Int? =
      switch try input.evaluate(context) {
      case .string(let text): strings[text]
      case .number(let number): numbers[number]
      default: nil
      }
    guard let output else { return try otherwise.evaluate(context) }
    return try outputs[output].evaluate(context)
  }
}

/// `coalesce`
final class CoalesceNode: StyleNode {
  let type: StyleType
  private let inputs: [any StyleNode]

  init(_ type: StyleType, _ inputs: [any StyleNode]) {
    self.type = type
    self.inputs = inputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var missing: StyleValue?
    for input in inputs {
      let value = try input.evaluate(context)
      switch value {
      case .null: continue
      case .image(let name):
        guard let images = context.images, !images.contains(name) else { return value }
        missing = missing ?? value
      default: return value
      }
    }
    return missing ?? .null
  }
}
