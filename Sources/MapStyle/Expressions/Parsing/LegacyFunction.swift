/// A function of stops as styles had them before expressions, turned into an expression
/// (MapLibre Style Specification, "Function").
struct LegacyFunction {
  /// A stop: its input and its output, and its zoom if the function also has a property.
  private struct Stop {
    var zoom: Double?
    var input: StyleValue
    var output: StyleValue
  }

  private let spec: PropertySpec
  private let stops: [Stop]
  private let property: String?
  private let kind: String
  private let base: Double
  private let space: String
  private let fallback: StyleValue?

  /// - Throws: `ExpressionError` if it is no function.
  init(_ members: [String: StyleValue], _ spec: PropertySpec) throws(ExpressionError) {
    self.spec = spec
    property = members["property"]?.string
    base = members["base"]?.number ?? 1
    fallback = members["default"]
    space =
      switch members["colorSpace"] {
      case .string("hcl"): "interpolate-hcl"
      case .string("lab"): "interpolate-lab"
      default: "interpolate"
      }
    guard let list = members["stops"] else {
      guard property != nil else {
        throw ExpressionError(path: [], reason: "an object is a function of stops, or none")
      }
      kind = "identity"
      stops = []
      return
    }
    kind = members["type"]?.string ?? (spec.interpolated ? "exponential" : "interval")
    var stops: [Stop] = []
    for (index, item) in (list.array ?? []).enumerated() {
      guard let pair = item.array, pair.count == 2 else {
        throw ExpressionError(path: [], reason: "stop \(index) is no pair of input and output")
      }
      if case .object(let input) = pair[0] {
        stops.append(
          Stop(zoom: input["zoom"]?.number, input: input["value"] ?? .null, output: pair[1]))
      } else {
        stops.append(Stop(input: pair[0], output: pair[1]))
      }
    }
    guard !stops.isEmpty else { throw ExpressionError(path: [], reason: "a function has no stops") }
    self.stops = stops
  }

  /// The function as an expression.
  ///
  /// - Throws: `ExpressionError` if there is no such function.
  func expression() throws(ExpressionError) -> StyleValue {
    if stops.isEmpty { return identity() }
    if stops[0].zoom != nil { return try overZoomAndProperty() }
    if property != nil { return try overProperty(stops) }
    return try overZoom()
  }

  private var get: StyleValue { .call("get", .string(property ?? "")) }

  private func identity() -> StyleValue {
    guard let fallback else { return spec.type == .string ? .call("string", get) : get }
    if let choices = spec.choices {
      return .call("match", get, .array(choices.map(StyleValue.string)), get, fallback)
    }
    let last = LegacyFunction.constant(fallback)
    switch spec.type {
    case .color: return .call("to-color", get, last)
    case .array(let item, let count):
      return .call(
        "array", .string("\(item)"), count.map { .number(Double($0)) } ?? .null, get, last)
    case .number, .string, .boolean: return .call("\(spec.type ?? .value)", get, last)
    default: return .call("coalesce", get, last)
    }
  }

  private func overZoom() throws(ExpressionError) -> StyleValue {
    let stops = stops.map { stop -> Stop in
      guard spec.tokens, let text = stop.output.string else { return stop }
      return Stop(input: stop.input, output: LegacyFunction.tokens(text))
    }
    let zoom = StyleValue.call("zoom")
    switch kind {
    case "exponential": return interpolation(zoom, stops)
    case "interval": return step(zoom, stops)
    default: throw unknown
    }
  }

  private func overProperty(_ stops: [Stop]) throws(ExpressionError) -> StyleValue {
    let number = StyleValue.call("number", get)
    let curve: StyleValue
    switch kind {
    case "categorical":
      let last = LegacyFunction.constant(fallback ?? spec.fallback ?? .null)
      var items: [StyleValue] = []
      if case .bool = stops[0].input {
        items = [.string("case")]
        for stop in stops {
          items += [
            .call("==", get, stop.input), LegacyFunction.constant(stop.output),
          ]
        }
      } else {
        items = [.string("match"), get]
        var seen: Set<StyleValue> = []
        for stop in stops where seen.insert(stop.input).inserted {
          items += [stop.input, LegacyFunction.constant(stop.output)]
        }
      }
      return .array(items + [last])
    case "interval": curve = step(number, stops)
    case "exponential": curve = interpolation(number, stops)
    default: throw unknown
    }
    guard let fallback else { return curve }
    let isNumber = StyleValue.call("==", .call("typeof", get), .string("number"))
    return .call("case", isNumber, curve, LegacyFunction.constant(fallback))
  }

  private func overZoomAndProperty() throws(ExpressionError) -> StyleValue {
    var zooms: [Double] = []
    var groups: [Double: [Stop]] = [:]
    for stop in stops {
      guard let zoom = stop.zoom else {
        throw ExpressionError(path: [], reason: "a stop has no zoom")
      }
      if groups[zoom] == nil { zooms.append(zoom) }
      groups[zoom, default: []].append(stop)
    }
    var outer: [Stop] = []
    for zoom in zooms {
      let curve = try overProperty(groups[zoom] ?? [])
      outer.append(Stop(input: .number(zoom), output: curve))
    }
    let zoom = StyleValue.call("zoom")
    guard spec.interpolated else { return step(zoom, outer) }
    return .array([.string(space), .call("linear"), zoom] + LegacyFunction.pairs(outer))
  }

  private func interpolation(_ input: StyleValue, _ stops: [Stop]) -> StyleValue {
    let way =
      base == 1 ? StyleValue.call("linear") : .call("exponential", .number(base))
    return .array([.string(space), way, input] + LegacyFunction.pairs(stops))
  }

  /// `step` ignores the first stop's input. It needs two outputs, so a single stop is repeated.
  private func step(_ input: StyleValue, _ stops: [Stop]) -> StyleValue {
    var pairs = Array(LegacyFunction.pairs(stops).dropFirst())
    if pairs.count == 1 { pairs += [.number(0), pairs[0]] }
    return .array([.string("step"), input] + pairs)
  }

  /// Inputs and outputs in turn. A stop with the same input as the previous one is left out.
  private static func pairs(_ stops: [Stop]) -> [StyleValue] {
    var pairs: [StyleValue] = []
    for stop in stops where pairs.isEmpty || pairs[pairs.count - 2] != stop.input {
      pairs += [stop.input, constant(stop.output)]
    }
    return pairs
  }

  private var unknown: ExpressionError {
    ExpressionError(path: [], reason: "there are no functions of type \"\(kind)\"")
  }

  /// Makes lists and objects literals, except lists that are expressions.
  private static func constant(_ value: StyleValue) -> StyleValue {
    switch value {
    case .array(let items):
      let isMade = items.first?.string.map(OperatorTable.contains) ?? false
      return isMade ? value : .call("literal", value)
    case .object: return .call("literal", value)
    default: return value
    }
  }

  /// `"a {name}"` as an expression.
  static func tokens(_ text: String) -> StyleValue {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return .string(text) }
    var items: [StyleValue] = [.string("concat")]
    var literal = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      rest = rest[open...]
      let inner = rest.dropFirst()
      guard let end = inner.firstIndex(where: { $0 == "}" || $0 == "{" }) else { break }
      if inner[end] == "{" || end == inner.startIndex {
        literal += "{"
        rest = inner
        continue
      }
      if !literal.isEmpty { items.append(.string(literal)) }
      literal = ""
      items.append(.call("get", .string(String(inner[..<end]))))
      rest = inner[inner.index(after: end)...]
    }
    literal += rest
    if items.count == 1 { return .string(text) }
    if !literal.isEmpty { items.append(.string(literal)) }
    return items.count == 2 ? .call("to-string", items[1]) : .array(items)
  }
}

extension StyleValue {
  /// `[name, …]`
  static func call(_ name: String, _ arguments: StyleValue...) -> StyleValue {
    .array([.string(name)] + arguments)
  }
}
