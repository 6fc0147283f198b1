/// A compiled part of an expression, with what is known of it.
struct Parsed {
  let node: any StyleNode
  /// What it and its parts read.
  var reads = StyleReads()
  /// Whether it can be evaluated while it is compiled, if its parts are constants.
  var isFoldable = true
  /// Whether it only asserts or converts its parts' types.
  var isAnnotation = false
  /// How many parts are nested in it, at most.
  var depth = 1
  /// How many parts an evaluation visits, at most. A variable's part is counted where it is used.
  var cost = 1
  /// Where it uses the zoom for a curve.
  var curve = ZoomCurve.none

  var type: StyleType { node.type }
  /// Whether it is a constant.
  var isLiteral: Bool { node is LiteralNode }
  /// Whether it reads nothing, so that its value is known.
  var isConstant: Bool { isFoldable && reads == StyleReads() }

  init(_ node: any StyleNode) { self.node = node }

  /// A part that consists of others.
  init(_ node: any StyleNode, of parts: [Parsed], isAnnotation: Bool = false) {
    self.node = node
    self.isAnnotation = isAnnotation
    for part in parts {
      reads.formUnion(part.reads)
      isFoldable = isFoldable && (isAnnotation ? part.isConstant : part.isLiteral)
      depth = max(depth, part.depth + 1)
      // Saturating: variables that use variables grow it exponentially.
      cost = min(cost + part.cost, ExpressionParser.costLimit + 1)
      curve = curve.joined(part.curve)
    }
  }
}

/// How an expression uses the zoom: `["zoom"]` may only be the input of one `step` or `interpolate`
/// that is the whole expression, or one of the choices of a `coalesce`.
enum ZoomCurve {
  /// There is no curve.
  case none
  /// The expression is a curve, or chooses one.
  case step, interpolate
  /// There is a curve in a place where it may not be.
  case misplaced
  /// There are several.
  case several

  /// The curves of a part that is no curve itself, whose own parts have these two.
  func joined(_ other: ZoomCurve) -> ZoomCurve {
    switch (self, other) {
    case (_, .none): self
    case (_, .several), (.several, _): .several
    default: .misplaced
    }
  }
}

extension JunctionNode {
  /// If `isAll`, all parts must be true, else any of them.
  convenience init(isAll: Bool, _ parts: [Parsed]) {
    self.init(isAll: isAll, parts.map(\.node), reads: parts.map(\.reads))
  }
}
