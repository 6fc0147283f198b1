/// Reads the properties of one layer, and collects what is wrong with them.
struct LayerReader {
  /// The layer's id.
  let id: String
  /// What expressions are compiled with.
  let compiler: StyleCompiler
  /// What is wrong so far.
  private(set) var findings: [StyleFinding] = []
  private var rest: [String: StyleValue]
  /// Whether the style hides the layer.
  private let isHidden: Bool

  /// Reads `properties`: those of `layout` and `paint`.
  init(id: String, properties: [String: StyleValue], compiler: StyleCompiler) {
    self.id = id
    self.compiler = compiler
    rest = properties
    isHidden = properties["visibility"] == .string("none")
  }

  /// Reads a property of any type.
  mutating func property<Value: Sendable>(
    _ spec: PropertySpec, fallback: Value,
    convert: @escaping @Sendable (StyleValue) -> Value?
  ) -> StyleProperty<Value> {
    guard let json = rest.removeValue(forKey: spec.name), json != .null else {
      return StyleProperty(constant: fallback, isSet: false)
    }
    do throws(ExpressionError) {
      let compiled = try compiler.compile(json, spec)
      guard compiled.reads == StyleReads() else {
        return StyleProperty(
          ComputedProperty(
            compiled.node, reads: compiled.reads, fallback: fallback, convert: convert))
      }
      var value: StyleValue?
      do throws(StyleFailure) {
        value = try compiled.node.evaluate(StyleContext(zoom: 0))
      } catch {}
      if let value, let converted = convert(value) { return StyleProperty(constant: converted) }
      note(.value, spec.name, "\(spec.expected) is expected; the default is drawn")
    } catch {
      note(.value, spec.name, "\(error); the default is drawn")
    }
    return StyleProperty(constant: fallback, isSet: false)
  }

  /// Notes a finding. Layers that the style hides have none.
  mutating func note(_ kind: StyleFinding.Kind, _ property: String?, _ reason: String) {
    guard !isHidden else { return }
    findings.append(StyleFinding(kind, layer: id, property: property, reason: reason))
  }

  /// Accepts properties that have no effect on a flat map at rest.
  mutating func ignore(_ names: [String]) {
    for name in names { rest[name] = nil }
  }

  /// Takes a property that is drawn only as its default.
  mutating func expect(_ name: String, _ value: StyleValue, _ reason: String) {
    guard let stated = rest.removeValue(forKey: name), stated != value else { return }
    note(.property, name, reason)
  }

  /// Notes that images in a text are not drawn, if the property has any.
  mutating func noteImages(in name: String) {
    func hasImages(_ value: StyleValue) -> Bool {
      guard case .array(let items) = value else { return false }
      return items.first == .string("image") || items.contains(where: hasImages)
    }
    guard let stated = rest[name], hasImages(stated) else { return }
    note(.property, name, "images in a text are not drawn; the text is")
  }

  /// Notes the properties that nobody has read.
  mutating func finish() {
    for name in rest.keys.sorted() where !name.hasSuffix("-transition") {
      note(.property, name, "is not drawn")
    }
    rest = [:]
  }
}

extension LayerReader {
  mutating func number(
    _ name: String, _ fallback: Double, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<Double> {
    property(
      PropertySpec(name, .number, parameters, interpolated: true, fallback: .number(fallback)),
      fallback: fallback
    ) { $0.finite }
  }

  mutating func sortKey(_ name: String) -> StyleProperty<Double?> {
    property(PropertySpec(name, .number, .feature), fallback: nil) { $0.finite }
  }

  mutating func flag(
    _ name: String, _ fallback: Bool, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<Bool> {
    property(
      PropertySpec(name, .boolean, parameters, fallback: .bool(fallback)), fallback: fallback
    ) { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  mutating func color(
    _ name: String, _ fallback: StyleColor, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<StyleColor> {
    property(
      PropertySpec(name, .color, parameters, interpolated: true, fallback: .color(fallback)),
      fallback: fallback
    ) { if case .color(let color) = $0 { color } else { nil } }
  }

  mutating func optionalColor(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<StyleColor?> {
    property(PropertySpec(name, .color, parameters, interpolated: true), fallback: nil) {
      if case .color(let color) = $0 { color } else { nil }
    }
  }

  mutating func offset(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<StyleOffset> {
    property(
      PropertySpec(
        name, .array(.number, 2), parameters, interpolated: true,
        fallback: .array([.number(0), .number(0)])),
      fallback: .zero
    ) { StyleOffset(style: $0) }
  }

  mutating func edges(
    _ name: String, _ fallback: StylePadding, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<StylePadding> {
    property(
      PropertySpec(name, .array(.number, 4), parameters, interpolated: true), fallback: fallback
    ) { StylePadding(style: $0) }
  }

  mutating func padding(
    _ name: String, _ fallback: StylePadding, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<StylePadding> {
    property(PropertySpec(name, .padding, parameters, interpolated: true), fallback: fallback) {
      StylePadding(style: $0)
    }
  }

  mutating func numbers(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<[Double]> {
    property(PropertySpec(name, .array(.number, nil), parameters), fallback: []) { value in
      value.array.map { $0.compactMap(\.finite) }
    }
  }

  mutating func strings(
    _ name: String, _ fallback: [String], _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<[String]> {
    property(PropertySpec(name, .array(.string, nil), parameters), fallback: fallback) { value in
      value.array.map { $0.compactMap(\.string) }
    }
  }

  mutating func image(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<String?> {
    property(
      PropertySpec(name, .image, parameters, tokens: name == "icon-image"), fallback: nil
    ) { value in
      switch value {
      case .image(let name), .string(let name): name.isEmpty ? .some(nil) : name
      default: nil
      }
    }
  }

  mutating func text(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<FormattedText> {
    property(
      PropertySpec(name, .formatted, parameters, tokens: true, fallback: .string("")),
      fallback: FormattedText("")
    ) { if case .formatted(let text) = $0 { text } else { nil } }
  }

  mutating func choice<Choice: StyleChoice>(
    _ name: String, _ fallback: Choice, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<Choice> {
    property(
      PropertySpec(
        name, .string, parameters, choices: Choice.allCases.map(\.rawValue),
        fallback: .string(fallback.rawValue)),
      fallback: fallback
    ) { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  /// Tiles are painted before they are turned, so what is painted turns with the map.
  mutating func translateAnchor(_ name: String) -> StyleProperty<StyleTranslateAnchor> {
    let anchor: StyleProperty<StyleTranslateAnchor> = choice(name, .map, .zoom)
    if anchor.isSet, anchor.constant != .map {
      note(.property, name, "is drawn as \"map\": the shift turns with the map")
    }
    return anchor
  }

  mutating func optionalChoice<Choice: StyleChoice>(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<Choice?> {
    property(
      PropertySpec(name, .string, parameters, choices: Choice.allCases.map(\.rawValue)),
      fallback: nil
    ) { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  mutating func anchors(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<[StyleAnchor]> {
    property(PropertySpec(name, .array(.string, nil), parameters), fallback: []) { value in
      value.array.map { $0.compactMap { $0.string.flatMap(StyleAnchor.init(rawValue:)) } }
    }
  }

  mutating func anchorOffsets(
    _ name: String, _ parameters: PropertySpec.Parameters
  ) -> StyleProperty<[StyleAnchorOffset]> {
    property(PropertySpec(name, .anchorOffsets, parameters, interpolated: true), fallback: []) {
      [StyleAnchorOffset](style: $0)
    }
  }
}
