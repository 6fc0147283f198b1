/// Filters as styles had them before expressions: `["==", "class", "river"]`
/// (MapLibre Style Specification, "Filter").
enum LegacyFilter {
  /// Whether a filter is an expression, and not of the older kind.
  static func isExpression(_ json: StyleValue) -> Bool {
    if case .bool = json { return true }
    guard case .array(let items) = json, case .string(let name)? = items.first else { return false }
    switch name {
    case "has":
      return items.count >= 2 && items[1] != .string("$id") && items[1] != .string("$type")
    case "in": return items.count >= 3 && (items[1].string == nil || items[2].array != nil)
    case "!in", "!has", "none": return false
    case "==", "!=", ">", ">=", "<", "<=":
      return items.count != 3 || items[1].array != nil || items[2].array != nil
    case "any", "all": return items.dropFirst().allSatisfy(isExpression)
    default: return true
    }
  }

  /// Compiles a filter of the older kind.
  ///
  /// - Throws: `ExpressionError`
  static func compile(
    _ json: StyleValue, _ reads: inout StyleReads, path: [Int]
  ) throws(ExpressionError) -> any StyleNode {
    func failure(_ reason: String) -> ExpressionError {
      ExpressionError(path: path, reason: reason)
    }
    guard path.count < ExpressionParser.depthLimit else { throw failure("is too deep") }
    if case .bool = json { return LiteralNode(json) }
    guard case .array(let items) = json, case .string(let name)? = items.first else {
      throw failure("a filter is a list that begins with an operator")
    }
    switch name {
    case "all", "any", "none":
      var parts: [any StyleNode] = []
      var partReads: [StyleReads] = []
      for index in items.indices.dropFirst() {
        var own = StyleReads()
        parts.append(try compile(items[index], &own, path: path + [index]))
        partReads.append(own)
        reads.formUnion(own)
      }
      let node = JunctionNode(isAll: name == "all", parts, reads: partReads)
      return name == "none" ? NotNode(node) : node
    default: break
    }
    guard items.count >= 2, case .string(let key) = items[1] else {
      throw failure("the name of a property is expected")
    }
    let subject = Subject(key, &reads)
    switch name {
    case "has", "!has":
      let node = LegacyFilterNode(subject, .exists)
      return name == "has" ? node : NotNode(node)
    case "in", "!in":
      let node = LegacyFilterNode(subject, .member(Set(items.dropFirst(2))))
      return name == "in" ? node : NotNode(node)
    default: break
    }
    guard let operation = ComparisonNode.Operator(rawValue: name) else {
      throw failure("there is no operator \"\(name)\"")
    }
    guard items.count == 3 else { throw failure("a property and a value are expected") }
    if operation == .notEqual { return NotNode(LegacyFilterNode(subject, .equals(items[2]))) }
    if operation == .equal { return LegacyFilterNode(subject, .equals(items[2])) }
    return LegacyFilterNode(subject, .compares(operation, items[2]))
  }

  /// What a filter looks at.
  enum Subject: Sendable {
    case property(String)
    case geometry
    case id

    init(_ key: String, _ reads: inout StyleReads) {
      switch key {
      case "$type":
        reads.geometry = true
        self = .geometry
      case "$id":
        reads.id = true
        self = .id
      default:
        reads.keys.insert(key)
        self = .property(key)
      }
    }
  }
}

/// A test of one property.
final class LegacyFilterNode: StyleNode {
  enum Test: Sendable {
    case exists
    case equals(StyleValue)
    case member(Set<StyleValue>)
    case compares(ComparisonNode.Operator, StyleValue)
  }

  let type = StyleType.boolean
  private let subject: LegacyFilter.Subject
  private let test: Test

  init(_ subject: LegacyFilter.Subject, _ test: Test) {
    self.subject = subject
    self.test = test
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .bool(holds(context))
  }

  private func holds(_ context: StyleContext) -> Bool { holds(value(context)) }

  /// The property that it tests; nil: it tests something else.
  var key: String? { if case .property(let key) = subject { key } else { nil } }

  /// Whether it only asks whether there is a value.
  var isPresence: Bool { if case .exists = test { true } else { false } }

  /// Whether a value passes; nil: there is none.
  func holds(_ value: StyleValue?) -> Bool {
    guard let value else { return false }
    switch test {
    case .exists: return true
    case .equals(let other): return ComparisonNode.areEqual(value, other)
    case .member(let others): return others.contains(value)
    case .compares(let operation, let other): return operation.holds(value, other)
    }
  }

  /// Nil if there is none.
  private func value(_ context: StyleContext) -> StyleValue? {
    guard let feature = context.feature else { return nil }
    switch subject {
    case .property(let key): return feature.properties[key]
    case .geometry: return .string(feature.geometry.name)
    case .id: return feature.id == .null ? nil : feature.id
    }
  }
}
