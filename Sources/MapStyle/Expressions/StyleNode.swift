/// A part of a compiled expression. Parts are immutable and shared by threads.
protocol StyleNode: AnyObject, Sendable {
  /// The type of its values.
  var type: StyleType { get }
  /// The parts that it consists of.
  var parts: [any StyleNode] { get }

  /// Its value in a context.
  ///
  /// - Throws: `StyleFailure` if it has none there: the property then has its default.
  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue

  /// Adds what it reads itself, without its parts.
  func note(_ reads: inout StyleReads)
}

extension StyleNode {
  var parts: [any StyleNode] { [] }
  func note(_ reads: inout StyleReads) {}
}

/// An expression has no value in a context. It carries no reason, so that failing costs nothing:
/// features often lack a property.
struct StyleFailure: Error {}

/// Why an expression cannot be compiled.
struct ExpressionError: Error, CustomStringConvertible {
  /// The way to the wrong part: indices of nested lists.
  let path: [Int]
  /// What is wrong with it.
  let reason: String

  /// `[2][1]: …`
  var description: String {
    let place = path.map { "[\($0)]" }.joined()
    return place.isEmpty ? reason : "at \(place): \(reason)"
  }
}

/// A constant.
final class LiteralNode: StyleNode {
  let type: StyleType
  let value: StyleValue

  init(_ value: StyleValue, _ type: StyleType? = nil) {
    self.value = value
    self.type = type ?? StyleType(of: value)
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue { value }
}
