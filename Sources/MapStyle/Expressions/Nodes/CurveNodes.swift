import Glibc

/// `step`
final class StepNode: StyleNode {
  let type: StyleType
  private let input: any StyleNode
  private let stops: [Double]
  private let outputs: [any StyleNode]

  /// The stops ascend; the first is −infinity. Each stop has one output.
  init(_ type: StyleType, _ input: any StyleNode, stops: [Double], outputs: [any StyleNode]) {
    self.type = type
    self.input = input
    self.stops = stops
    self.outputs = outputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    if outputs.count == 1 { return try outputs[0].evaluate(context) }
    let x = try input.number(context)
    return try outputs[stops.place(of: x)].evaluate(context)
  }
}

/// `interpolate`, `interpolate-hcl` and `interpolate-lab`
final class InterpolateNode: StyleNode {
  enum Curve: Sendable {
    case linear
    case exponential(base: Double)
    case bezier(UnitBezier)
  }

  let type: StyleType
  private let curve: Curve
  private let space: ColorSpace
  private let input: any StyleNode
  private let stops: [Double]
  private let outputs: [any StyleNode]

  /// The stops ascend; there is at least one. Each stop has one output.
  init(
    _ type: StyleType, _ curve: Curve, _ space: ColorSpace, _ input: any StyleNode,
    stops: [Double], outputs: [any StyleNode]
  ) {
    self.type = type
    self.curve = curve
    self.space = space
    self.input = input
    self.stops = stops
    self.outputs = outputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    if outputs.count == 1 { return try outputs[0].evaluate(context) }
    let x = try input.number(context)
    let place = stops.place(of: x)
    if x <= stops[0] || place == stops.count - 1 {
      return try outputs[x <= stops[0] ? 0 : place].evaluate(context)
    }
    let share = share(of: x, stops[place], stops[place + 1])
    guard share.isFinite else { throw StyleFailure() }
    let from = try outputs[place].evaluate(context)
    if share == 0 { return from }
    let to = try outputs[place + 1].evaluate(context)
    guard let value = StyleValue.between(from, to, share, space) else { throw StyleFailure() }
    return value
  }

  /// How far `x` is on the way between two stops, 0 ... 1.
  private func share(of x: Double, _ from: Double, _ to: Double) -> Double {
    switch curve {
    case .linear: return (x - from) / (to - from)
    case .exponential(let base): return InterpolateNode.share(x - from, of: to - from, base)
    case .bezier(let bezier): return bezier.value(at: (x - from) / (to - from))
    }
  }

  /// How far `progress` leads through `whole` if each unit counts `base` times as much as the one
  /// before (MapLibre Style Specification, `exponential`).
  private static func share(_ progress: Double, of whole: Double, _ base: Double) -> Double {
    if whole == 0 { return 0 }
    if base == 1 { return progress / whole }
    return (pow(base, progress) - 1) / (pow(base, whole) - 1)
  }
}

extension [Double] {
  /// The index of the last number that is not above `x`, 0 if there is none. They ascend, and there
  /// is at least one.
  func place(of x: Double) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= x { low = middle } else { high = middle }
    }
    return low
  }
}

extension StyleValue {
  /// Interpolates between two values of one type, at `share` of the way; nil if that is impossible.
  static func between(
    _ from: StyleValue, _ to: StyleValue, _ share: Double, _ space: ColorSpace
  ) -> StyleValue? {
    switch (from, to) {
    case (.number(let a), .number(let b)): return .number(a + share * (b - a))
    case (.color(let a), .color(let b)): return .color(space.between(a, b, share))
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return nil }
      var items: [StyleValue] = []
      items.reserveCapacity(a.count)
      for index in a.indices {
        guard let item = between(a[index], b[index], share, space) else { return nil }
        items.append(item)
      }
      return .array(items)
    // Anchors beside the offsets that change, and projections.
    case (.string(let a), .string(let b)):
      if a == b { return from }
      return .object(["from": from, "to": to, "transition": .number(share)])
    default: return nil
    }
  }
}

/// A cubic curve from (0, 0) to (1, 1), as in CSS (CSS Easing Functions Level 1, section 2.2).
struct UnitBezier: Sendable {
  /// The control points, 0 ... 1.
  let x1, y1, x2, y2: Double

  /// The height at `x`, 0 ... 1.
  func value(at x: Double) -> Double {
    // The curve's x grows with its parameter, so halving the range finds the parameter.
    var (low, high) = (0.0, 1.0)
    var t = x
    for _ in 0..<48 {
      t = (low + high) / 2
      if UnitBezier.at(t, x1, x2) < x { low = t } else { high = t }
    }
    return UnitBezier.at(t, y1, y2)
  }

  private static func at(_ t: Double, _ a: Double, _ b: Double) -> Double {
    let u = 1 - t
    return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
  }
}
