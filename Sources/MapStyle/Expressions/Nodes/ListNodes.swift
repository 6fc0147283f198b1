/// `in`
final class InNode: StyleNode {
  let type = StyleType.boolean
  private let needle: any StyleNode
  private let haystack: any StyleNode

  init(_ needle: any StyleNode, _ haystack: any StyleNode) {
    self.needle = needle
    self.haystack = haystack
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let needle = try needle.evaluate(context)
    switch try haystack.evaluate(context) {
    case .null, .bool(false), .number(0), .string(""): return .bool(false)
    case .string(let text):
      return .bool(StyleText.find(try SearchNode.text(needle), in: text, from: 0) != nil)
    case .array(let items):
      try SearchNode.check(needle)
      for item in items where ComparisonNode.areEqual(item, needle) { return .bool(true) }
      return .bool(false)
    default: throw StyleFailure()
    }
  }
}

/// `in` of a property or another primitive value and a constant list.
final class MemberNode: StyleNode {
  let type = StyleType.boolean
  private let needle: any StyleNode
  private let items: Set<StyleValue>

  /// The items are primitive values.
  init(_ needle: any StyleNode, _ items: [StyleValue]) {
    self.needle = needle
    self.items = Set(items)
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let needle = try needle.evaluate(context)
    try SearchNode.check(needle)
    return .bool(items.contains(needle))
  }
}

/// `index-of`
final class SearchNode: StyleNode {
  let type = StyleType.number
  private let needle: any StyleNode
  private let haystack: any StyleNode
  private let start: (any StyleNode)?

  init(_ needle: any StyleNode, _ haystack: any StyleNode, from start: (any StyleNode)?) {
    self.needle = needle
    self.haystack = haystack
    self.start = start
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let needle = try needle.evaluate(context)
    let from = Int(clamping: try start?.number(context) ?? 0)
    switch try haystack.evaluate(context) {
    case .string(let text):
      let found = StyleText.find(try SearchNode.text(needle), in: text, from: max(from, 0))
      return .number(Double(found ?? -1))
    case .array(let items):
      try SearchNode.check(needle)
      let first = max(from < 0 ? items.count + max(from, -items.count) : from, 0)
      for index in items.indices.dropFirst(min(first, items.count))
      where ComparisonNode.areEqual(items[index], needle) {
        return .number(Double(index))
      }
      return .number(-1)
    default: throw StyleFailure()
    }
  }

  /// - Throws: `StyleFailure` if the value is not one that can be looked for.
  static func check(_ needle: StyleValue) throws(StyleFailure) {
    switch needle {
    case .null, .bool, .number, .string: break
    default: throw StyleFailure()
    }
  }

  /// What is looked for in a text.
  ///
  /// - Throws: `StyleFailure` if the value is not one that can be looked for.
  static func text(_ needle: StyleValue) throws(StyleFailure) -> String {
    try check(needle)
    return needle == .null ? "null" : StyleText.string(needle)
  }
}

/// `length`
final class LengthNode: StyleNode {
  let type = StyleType.number
  private let input: any StyleNode

  init(_ input: any StyleNode) { self.input = input }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    switch try input.evaluate(context) {
    case .string(let text): return .number(Double(text.unicodeScalars.count))
    case .array(let items): return .number(Double(items.count))
    default: throw StyleFailure()
    }
  }
}

/// `slice`
final class SliceNode: StyleNode {
  let type: StyleType
  private let input: any StyleNode
  private let start: any StyleNode
  private let end: (any StyleNode)?

  init(
    _ type: StyleType, _ input: any StyleNode, from start: any StyleNode,
    to end: (any StyleNode)?
  ) {
    self.type = type
    self.input = input
    self.start = start
    self.end = end
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let value = try input.evaluate(context)
    let from = Int(clamping: try start.number(context))
    var to: Int?
    if let end { to = Int(clamping: try end.number(context)) }
    switch value {
    case .string(let text):
      let scalars = text.unicodeScalars
      let range = SliceNode.range(from, to, count: scalars.count)
      let first = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
      let last = scalars.index(first, offsetBy: range.count)
      return .string(String(scalars[first..<last]))
    case .array(let items):
      return .array(Array(items[SliceNode.range(from, to, count: items.count)]))
    default: throw StyleFailure()
    }
  }

  /// Indices below 0 count from the end.
  private static func range(_ from: Int, _ to: Int?, count: Int) -> Range<Int> {
    func place(_ index: Int) -> Int {
      index < 0 ? max(count + max(index, -count), 0) : min(index, count)
    }
    let first = place(from)
    return first..<max(place(to ?? count), first)
  }
}

/// `at`
final class ItemNode: StyleNode {
  let type: StyleType
  private let index: any StyleNode
  private let list: any StyleNode

  init(_ type: StyleType, _ index: any StyleNode, of list: any StyleNode) {
    self.type = type
    self.index = index
    self.list = list
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let index = try index.number(context)
    guard case .array(let items) = try list.evaluate(context), let place = Int(exactly: index),
      items.indices.contains(place)
    else { throw StyleFailure() }
    return items[place]
  }
}

/// `semiliteral`: a list whose items are computed.
final class ListNode: StyleNode {
  let type: StyleType
  private let items: [any StyleNode]

  init(_ type: StyleType, _ items: [any StyleNode]) {
    self.type = type
    self.items = items
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var values: [StyleValue] = []
    values.reserveCapacity(items.count)
    for item in items { values.append(try item.evaluate(context)) }
    return .array(values)
  }
}

extension Int {
  /// The whole part of a number, as near as an `Int` comes to it; 0 for NaN.
  init(clamping number: Double) {
    if let exact = Int(exactly: number.rounded(.towardZero)) {
      self = exact
    } else {
      self = number.isNaN ? 0 : number < 0 ? .min : .max
    }
  }
}
