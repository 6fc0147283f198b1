import TestSupport

@testable import MapStyle

/// A test of MapLibre's style specification: an expression, inputs, and what comes of them.
struct ExpressionFixture {
  private let json: [String: StyleValue]

  /// Reads `test.json` in a folder.
  init(folder: String) throws {
    let root = try StyleFile.json(folder + "/test.json")
    json = root.object ?? [:]
  }

  /// What is different from what the specification expects; empty if nothing is.
  func differences() -> [String] {
    let expected = json["expected"]?.object ?? [:]
    let compiled = expected["compiled"]?.object ?? [:]
    let spec = PropertySpec(fixture: json["propertySpec"]?.object)
    let compiler = StyleCompiler(globals: json["globalState"]?.object ?? [:])
    do throws(ExpressionError) {
      let expression: StyleValue
      if case .object(let members)? = json["expression"] {
        expression = try LegacyFunction(members, spec).expression()
      } else {
        expression = json["expression"] ?? .null
      }
      let result = try compiler.compile(expression: expression, spec)
      guard compiled["result"] == .string("success") else { return ["compiles"] }
      return metadata(result, compiled) + outputs(result, expected["outputs"]?.array)
    } catch {
      let first = compiled["errors"]?.array?.first?.object
      guard compiled["result"] == .string("error"), let first else {
        return ["does not compile: \(error)"]
      }
      let place = error.path.map { "[\($0)]" }.joined()
      return first["key"] == .string(place) ? [] : ["error at \(place): \(error)"]
    }
  }

  private func metadata(
    _ result: CompiledExpression, _ compiled: [String: StyleValue]
  ) -> [String] {
    var differences: [String] = []
    if compiled["isFeatureConstant"] != .bool(!result.reads.feature) {
      differences.append("isFeatureConstant")
    }
    if compiled["isZoomConstant"] != .bool(!result.reads.zoom) {
      differences.append("isZoomConstant")
    }
    let type = result.node.type.description
    if compiled["type"] != .string(type) { differences.append("type \(type)") }
    return differences
  }

  private func outputs(_ result: CompiledExpression, _ expected: [StyleValue]?) -> [String] {
    var differences: [String] = []
    for (index, input) in (json["inputs"]?.array ?? []).enumerated() {
      guard let pair = input.array, pair.count == 2, let expected, index < expected.count else {
        continue
      }
      let context = StyleContext(fixture: pair[0].object ?? [:], pair[1].object ?? [:])
      let wanted = expected[index]
      let fails = wanted.object?["error"] != nil
      do throws(StyleFailure) {
        let value = try result.node.evaluate(context)
        let shown = FixtureOutput.value(value, result.node.type, context)
        if fails || !FixtureOutput.agree(shown, wanted) {
          differences.append("output \(index): \(shown), expected \(wanted)")
        }
      } catch {
        if !fails { differences.append("output \(index) fails, expected \(wanted)") }
      }
    }
    return differences
  }
}

/// Values as the fixtures write them.
enum FixtureOutput {
  static func value(
    _ value: StyleValue, _ type: StyleType, _ context: StyleContext
  ) -> StyleValue {
    switch value {
    case .color(let color):
      let (red, green, blue) = premultiplied(color)
      if type == .colors {
        return .object([
          "r": .number(red), "g": .number(green), "b": .number(blue), "a": .number(color.alpha),
        ])
      }
      return .array([.number(red), .number(green), .number(blue), .number(color.alpha)])
    case .formatted(let text):
      // No section, and one without text, are the same.
      let sections = text.sections.isEmpty ? [FormattedText.Section("")] : text.sections
      return .object(["sections": .array(sections.map { section($0, context) })])
    case .image(let name):
      let isThere = context.images?.contains(name) ?? false
      return .object(["name": .string(name), "available": .bool(isThere)])
    case .array(let items):
      let list = StyleValue.array(items.map { self.value($0, type, context) })
      switch type {
      case .padding, .numbers, .colors, .anchorOffsets: return .object(["values": list])
      default: return list
      }
    default: return value
    }
  }

  /// Whether two values are the same to five digits.
  static func agree(_ a: StyleValue, _ b: StyleValue) -> Bool {
    switch (a, b) {
    case (.number(let x), .number(let y)):
      return x == y || (x - y).magnitude <= 1e-5 * max(x.magnitude, y.magnitude)
        || (x - y).magnitude < 1e-6
    case (.array(let x), .array(let y)):
      return x.count == y.count && x.indices.allSatisfy { agree(x[$0], y[$0]) }
    case (.object(let x), .object(let y)):
      return Set(x.keys) == Set(y.keys) && x.keys.allSatisfy { agree(x[$0]!, y[$0]!) }
    default: return a == b
    }
  }

  private static func premultiplied(_ color: StyleColor) -> (Double, Double, Double) {
    (color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha)
  }

  private static func section(
    _ section: FormattedText.Section, _ context: StyleContext
  ) -> StyleValue {
    var color = StyleValue.null
    if let stated = section.color { color = value(.color(stated), .colors, context) }
    var image = StyleValue.null
    if let name = section.image { image = value(.image(name), .image, context) }
    return .object([
      "text": .string(section.text), "image": image,
      "scale": section.scale.map(StyleValue.number) ?? .null,
      "fontStack": section.font.map { .string($0.joined(separator: ",")) } ?? .null,
      "textColor": color,
      "verticalAlign": section.alignment.map { .string($0.rawValue) } ?? .null,
    ])
  }
}

extension PropertySpec {
  /// The specification of a property as a fixture has it; one of any type without it.
  init(fixture json: [String: StyleValue]?) {
    let expression = json?["expression"]?.object
    let names = expression?["parameters"]?.array ?? [.string("feature")]
    let parameters: Parameters = names.contains(.string("feature")) ? .feature : .zoom
    self.init(
      "some-property", json.flatMap { PropertySpec.type($0) }, parameters,
      interpolated: expression.map { $0["interpolated"] == .bool(true) } ?? true,
      tokens: json?["tokens"] == .bool(true),
      choices: json?["values"]?.object.map { $0.keys.sorted() }, fallback: json?["default"])
  }

  private static func type(_ json: [String: StyleValue]) -> StyleType? {
    func simple(_ name: String?) -> StyleType? {
      let types: [StyleType] = [
        .null, .number, .string, .boolean, .color, .object, .value, .formatted, .image, .padding,
        .numbers, .colors, .anchorOffsets, .projection,
      ]
      return name == "enum" ? .string : types.first { $0.description == name }
    }
    guard json["type"] == .string("array") else { return simple(json["type"]?.string) }
    let count = json["length"]?.number.map { Int($0) }
    return .array(simple(json["value"]?.string) ?? .value, count)
  }
}

extension StyleContext {
  /// The context of an input: the surroundings, and the feature.
  init(fixture globals: [String: StyleValue], _ json: [String: StyleValue]) {
    var feature = StyleFeature()
    feature.id = json["id"] ?? .null
    feature.properties = json["properties"]?.object ?? [:]
    switch json["geometry"]?.object?["type"]?.string {
    case "Point", "MultiPoint": feature.geometry = .point
    case "LineString", "MultiLineString": feature.geometry = .line
    case "Polygon", "MultiPolygon": feature.geometry = .polygon
    default: break
    }
    let images = (globals["availableImages"]?.array ?? []).compactMap(\.string)
    self.init(zoom: globals["zoom"]?.number ?? 0, feature: feature, images: Set(images))
  }
}
