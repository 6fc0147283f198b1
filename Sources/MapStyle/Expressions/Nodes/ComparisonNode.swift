/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
final class ComparisonNode: StyleNode {
  enum Operator: String {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it compares by order.
    var isOrder: Bool { self != .equal && self != .notEqual }

    /// Whether it holds between two numbers or two texts; false for values of other types.
    func holds(_ a: StyleValue, _ b: StyleValue) -> Bool {
      switch (a, b) {
      case (.number(let x), .number(let y)):
        switch self {
        case .equal: x == y
        case .notEqual: x != y
        case .less: x < y
        case .lessOrEqual: x <= y
        case .greater: x > y
        case .greaterOrEqual: x >= y
        }
      case (.string(let x), .string(let y)): holds(order: StyleText.compare(x, y))
      default: false
      }
    }

    /// Whether the comparison holds if the left side compares to the right one as `order` (−1, 0,
    /// 1).
    func holds(order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }

  let type = StyleType.boolean
  private let operation: Operator
  private let left: any StyleNode
  private let right: any StyleNode
  private let collator: (any StyleNode)?

  init(
    _ operation: Operator, _ left: any StyleNode, _ right: any StyleNode,
    collator: (any StyleNode)? = nil
  ) {
    self.operation = operation
    self.left = left
    self.right = right
    self.collator = collator
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let a = try left.evaluate(context)
    let b = try right.evaluate(context)
    if let collator, case .string(let x) = a, case .string(let y) = b {
      guard let rules = Collation(try collator.evaluate(context)) else { throw StyleFailure() }
      return .bool(operation.holds(order: rules.compare(x, y)))
    }
    guard operation.isOrder else {
      return .bool(ComparisonNode.areEqual(a, b) == (operation == .equal))
    }
    switch (a, b) {
    case (.number, .number), (.string, .string): return .bool(operation.holds(a, b))
    default: throw StyleFailure()
    }
  }

  /// Whether two values are the same primitive value. Lists and objects never are.
  static func areEqual(_ a: StyleValue, _ b: StyleValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y
    case (.string(let x), .string(let y)): x == y
    default: false
    }
  }
}
