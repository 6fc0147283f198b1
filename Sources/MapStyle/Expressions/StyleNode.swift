/// A part of a compiled expression. Parts are immutable and shared by threads.
protocol StyleNode: AnyObject, Sendable {
  /// The type of its values.
  var type: StyleType { get }

  /// Its value in a context.
  ///
  /// - Throws: `StyleFailure` if it has none there: the property then has its default.
  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue

  /// The node as a part of a filter; `reads` is what the node reads.
  func part(_ reads: StyleReads) -> StyleFilterPart
}

extension StyleNode {
  func part(_ reads: StyleReads) -> StyleFilterPart {
    .test(StyleFilterTest(node: self, reads: reads))
  }
}

/// An expression has no value in a context. It carries no reason, so that failing costs nothing:
/// features often lack a property.
struct StyleFailure: Error {}

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

extension StyleNode {
  /// Its value as a number.
  func number(_ context: StyleContext) throws(StyleFailure) -> Double {
    guard case .number(let number) = try evaluate(context) else { throw StyleFailure() }
    return number
  }

  /// Its value as a text.
  func string(_ context: StyleContext) throws(StyleFailure) -> String {
    guard case .string(let text) = try evaluate(context) else { throw StyleFailure() }
    return text
  }

  /// Its value as true or false.
  func bool(_ context: StyleContext) throws(StyleFailure) -> Bool {
    guard case .bool(let flag) = try evaluate(context) else { throw StyleFailure() }
    return flag
  }
}
