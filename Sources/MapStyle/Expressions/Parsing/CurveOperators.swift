/// `step` and the three kinds of `interpolate`.
enum CurveOperators {
  /// Their names.
  static let names: Set<String> = [
    "step", "interpolate", "interpolate-hcl", "interpolate-lab",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "step":
      return try step(items, &parser)
    case "interpolate":
      return try interpolate(.rgb, items, &parser)
    case "interpolate-hcl":
      return try interpolate(.hcl, items, &parser)
    case "interpolate-lab":
      return try interpolate(.lab, items, &parser)
    default: return nil
    }
  }

  /// The stops of a curve while they are read.
  private struct Stops {
    var places: [Double] = []
    var outputs: [Parsed] = []
    var type: StyleType?

    /// - Throws: `ExpressionError`
    mutating func add(
      _ label: StyleValue, at index: Int, _ output: StyleValue, _ parser: inout ExpressionParser
    ) throws(ExpressionError) {
      guard case .number(let place) = label else {
        throw parser.error("a stop's input is a constant number", at: index)
      }
      if let last = places.last, last >= place {
        throw parser.error("the stops' inputs ascend", at: index)
      }
      places.append(place)
      let parsed = try parser.parse(output, at: index + 1, type)
      type = type ?? parsed.type
      outputs.append(parsed)
    }
  }

  private static func step(
    _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    guard items.count >= 5, !items.count.isMultiple(of: 2) else {
      throw parser.error("4 or more arguments expected, an even number; \(items.count - 1) found")
    }
    let input = try parser.parse(items[1], at: 1, .number)
    var stops = Stops(type: ChoiceOperators.outputType(parser))
    try stops.add(.number(-.infinity), at: 1, items[2], &parser)
    for index in stride(from: 3, to: items.count, by: 2) {
      try stops.add(items[index], at: index, items[index + 1], &parser)
    }
    let node = StepNode(
      stops.type ?? .value, input.node, stops: stops.places, outputs: stops.outputs.map(\.node))
    return curve(Parsed(node, of: [input] + stops.outputs), .step, input)
  }

  private static func interpolate(
    _ space: ColorSpace, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed {
    let way = try self.way(items.count > 1 ? items[1] : .null, parser)
    guard items.count >= 5, items.count.isMultiple(of: 2) == false else {
      throw parser.error("4 or more arguments expected, an even number; \(items.count - 1) found")
    }
    let input = try parser.parse(items[2], at: 2, .number)
    var stops = Stops(type: ChoiceOperators.outputType(parser))
    if space != .rgb, parser.expected != .colors { stops.type = .color }
    for index in stride(from: 3, to: items.count, by: 2) {
      try stops.add(items[index], at: index, items[index + 1], &parser)
    }
    let type = stops.type ?? .value
    switch type {
    case .number, .color, .padding, .numbers, .colors, .anchorOffsets, .projection,
      .array(.number, .some):
      break
    default: throw parser.error("values of type \(type) cannot be interpolated")
    }
    let node = InterpolateNode(
      type, way, space, input.node, stops: stops.places, outputs: stops.outputs.map(\.node))
    return curve(Parsed(node, of: [input] + stops.outputs), .interpolate, input)
  }

  /// Marks the expression as a curve if its input is the zoom.
  private static func curve(_ parsed: Parsed, _ kind: ZoomCurve, _ input: Parsed) -> Parsed {
    guard let context = input.node as? ContextNode, context.isZoom else { return parsed }
    var parsed = parsed
    // If there is another curve inside, there are several.
    parsed.curve = parsed.curve == .none ? kind : .several
    return parsed
  }

  private static func way(
    _ json: StyleValue, _ parser: ExpressionParser
  ) throws(ExpressionError) -> InterpolateNode.Curve {
    guard case .array(let items) = json, let first = items.first else {
      throw parser.error("a kind of interpolation is expected", at: 1)
    }
    switch first {
    case .string("linear"): return .linear
    case .string("exponential"):
      guard items.count > 1, case .number(let base) = items[1] else {
        throw parser.error("the base is a constant number", at: 1, 1)
      }
      return .exponential(base: base)
    case .string("cubic-bezier"):
      let points = items.dropFirst().compactMap(\.number)
      guard points.count == 4, items.count == 5, points.allSatisfy((0.0...1).contains) else {
        throw parser.error("four constant numbers between 0 and 1 are expected", at: 1)
      }
      return .bezier(UnitBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3]))
    default: throw parser.error("no such kind of interpolation", at: 1, 0)
    }
  }
}
