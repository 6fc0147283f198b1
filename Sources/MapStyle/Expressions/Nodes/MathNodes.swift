import Glibc

/// A function of one number.
final class UnaryMathNode: StyleNode {
  enum Operator: String {
    case sqrt, log10, ln, log2, sin, cos, tan, asin, acos, atan, abs, round, floor, ceil
    case negate = "-"
  }

  let type = StyleType.number
  private let operation: Operator
  private let input: any StyleNode

  init(_ operation: Operator, _ input: any StyleNode) {
    self.operation = operation
    self.input = input
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let x = try input.number(context)
    let result: Double =
      switch operation {
      case .sqrt: x.squareRoot()
      case .log10: Glibc.log10(x)
      case .ln: Glibc.log(x)
      case .log2: Glibc.log2(x)
      case .sin: Glibc.sin(x)
      case .cos: Glibc.cos(x)
      case .tan: Glibc.tan(x)
      case .asin: Glibc.asin(x)
      case .acos: Glibc.acos(x)
      case .atan: Glibc.atan(x)
      case .abs: Swift.abs(x)
      // Halves away from zero.
      case .round: x.rounded()
      case .floor: x.rounded(.down)
      case .ceil: x.rounded(.up)
      case .negate: -x
      }
    return .number(result)
  }
}

/// `-`, `/`, `%` and `^` of two numbers.
final class BinaryMathNode: StyleNode {
  enum Operator: String {
    case minus = "-"
    case divide = "/"
    case remainder = "%"
    case power = "^"
  }

  let type = StyleType.number
  private let operation: Operator
  private let left: any StyleNode
  private let right: any StyleNode

  init(_ operation: Operator, _ left: any StyleNode, _ right: any StyleNode) {
    self.operation = operation
    self.left = left
    self.right = right
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let x = try left.number(context)
    let y = try right.number(context)
    let result: Double =
      switch operation {
      case .minus: x - y
      case .divide: x / y
      case .remainder: fmod(x, y)
      case .power: pow(x, y)
      }
    return .number(result)
  }
}

/// `+`, `*`, `min` and `max` of any count of numbers.
final class FoldMathNode: StyleNode {
  enum Operator: String {
    case plus = "+"
    case times = "*"
    case min, max
  }

  let type = StyleType.number
  private let operation: Operator
  private let inputs: [any StyleNode]

  init(_ operation: Operator, _ inputs: [any StyleNode]) {
    self.operation = operation
    self.inputs = inputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var result: Double =
      switch operation {
      case .plus: 0
      case .times: 1
      case .min: .infinity
      case .max: -.infinity
      }
    for input in inputs {
      let x = try input.number(context)
      switch operation {
      case .plus: result += x
      case .times: result *= x
      case .min: result = Swift.min(result, x)
      case .max: result = Swift.max(result, x)
      }
    }
    return .number(result)
  }
}
