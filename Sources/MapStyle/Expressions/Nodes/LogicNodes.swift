/// `!`
final class NotNode: StyleNode {
  let type = StyleType.boolean
  private let input: any StyleNode

  init(_ input: any StyleNode) { self.input = input }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .bool(!(try input.bool(context)))
  }

  func part(_ reads: StyleReads) -> StyleFilterPart { .not(input.part(reads)) }
}

/// `all` and `any`
final class JunctionNode: StyleNode {
  let type = StyleType.boolean
  private let inputs: [any StyleNode]
  /// What each input reads.
  private let reads: [StyleReads]
  /// What one input must be to decide.
  private let decisive: Bool

  /// If `isAll`, all inputs must be true, else any of them. There are as many `reads` as inputs.
  init(isAll: Bool, _ inputs: [any StyleNode], reads: [StyleReads]) {
    decisive = !isAll
    self.inputs = inputs
    self.reads = reads
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for input in inputs {
      let isTrue = try input.bool(context)
      if isTrue == decisive { return .bool(decisive) }
    }
    return .bool(!decisive)
  }

  func part(_ reads: StyleReads) -> StyleFilterPart {
    let parts = zip(inputs, self.reads).map { input, reads in input.part(reads) }
    return decisive ? .any(parts) : .all(parts)
  }
}

/// `case`
final class CaseNode: StyleNode {
  let type: StyleType
  private let tests: [any StyleNode]
  private let outputs: [any StyleNode]
  private let otherwise: any StyleNode

  /// Each test has one output.
  init(
    _ type: StyleType, tests: [any StyleNode], outputs: [any StyleNode], otherwise: any StyleNode
  ) {
    self.type = type
    self.tests = tests
    self.outputs = outputs
    self.otherwise = otherwise
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for index in tests.indices {
      let isTrue = try tests[index].bool(context)
      if isTrue { return try outputs[index].evaluate(context) }
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

  /// `strings` and `numbers` say which output belongs to a label.
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
    let value = try input.evaluate(context)
    let output: Int? =
      switch value {
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
