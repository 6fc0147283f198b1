/// Reads a style from its JSON.
enum StyleReader {
  /// The most layers of a style.
  static let layerLimit = 1000

  /// - Throws: `StyleError` if it is no style.
  static func read(_ root: StyleValue, _ options: StyleOptions) throws(StyleError) -> MapStyle {
    guard let root = root.object else { throw StyleError("a style is a JSON object") }
    guard root["version"] == .number(8) else {
      throw StyleError("\"version\" is not 8, so this is no style that can be read")
    }
    guard let layers = root["layers"]?.array else {
      throw StyleError("\"layers\" is no list of layers")
    }
    guard layers.count <= layerLimit else {
      throw StyleError("\(layers.count) layers; a style has at most \(layerLimit)")
    }
    var findings: [StyleFinding] = []
    for name in ["terrain", "sky", "fog"] {
      if let value = root[name], value != .null {
        findings.append(StyleFinding(.style, property: name, reason: "is not drawn"))
      }
    }
    if let projection = root["projection"], !isFlat(projection) {
      findings.append(
        StyleFinding(
          .style, property: "projection", reason: "is not drawn: the map is flat (mercator)"))
    }
    let state = (root["state"]?.object ?? [:]).compactMapValues { $0.object?["default"] }
    var list = StyleLayerList(options, globals: state)
    for (index, layer) in layers.enumerated() { list.append(layer, number: index) }
    return MapStyle(
      name: root["name"]?.string, layers: list.layers, findings: findings + list.findings,
      sources: sources(root["sources"]), sprites: sprites(root["sprite"]))
  }

  /// Whether a projection is Mercator's: `{"type": "mercator"}`, or Mapbox's `name` or plain text.
  private static func isFlat(_ projection: StyleValue) -> Bool {
    if projection == .null { return true }
    let name = projection.object?["type"] ?? projection.object?["name"] ?? projection
    return name.string == "mercator"
  }

  private static func sources(_ value: StyleValue?) -> [String: StyleSource] {
    (value?.object ?? [:]).compactMapValues { source in
      guard let source = source.object, let type = source["type"]?.string else { return nil }
      return StyleSource(
        type: type, url: source["url"]?.string, tileSize: source["tileSize"]?.finite)
    }
  }

  private static func sprites(_ value: StyleValue?) -> [StyleSprite] {
    if let url = value?.string { return [StyleSprite(id: "default", url: url)] }
    let sprites = (value?.array ?? []).compactMap { sprite -> StyleSprite? in
      guard let id = sprite.object?["id"]?.string, let url = sprite.object?["url"]?.string
      else { return nil }
      return StyleSprite(id: id, url: url)
    }
    return sprites.filter { $0.id == "default" } + sprites.filter { $0.id != "default" }
  }
}

/// The layers of a style while they are read.
struct StyleLayerList {
  private(set) var layers: [StyleLayer] = []
  private(set) var findings: [StyleFinding] = []
  private let options: StyleOptions
  private let compiler: StyleCompiler
  /// The layers' JSON by id, for those that refer to another.
  private var sources: [String: [String: StyleValue]] = [:]

  init(_ options: StyleOptions, globals: [String: StyleValue]) {
    self.options = options
    compiler = StyleCompiler(globals: globals)
  }

  /// Reads a layer, the style's number `number` from 0; one that cannot be drawn is left out.
  mutating func append(_ json: StyleValue, number: Int) {
    guard var layer = json.object, let id = layer["id"]?.string else {
      findings.append(
        StyleFinding(.layer, layer: "#\(number)", reason: "has no id; it is left out"))
      return
    }
    guard sources[id] == nil else {
      findings.append(
        StyleFinding(.layer, layer: id, reason: "another layer has this id; it is left out"))
      return
    }
    if let reference = layer["ref"]?.string, let other = sources[reference] {
      for key in StyleLayerList.inherited { layer[key] = other[key] }
    }
    sources[id] = layer
    layer = layer.mapValues { $0.completed(options) }
    guard let type = layer["type"]?.string else {
      findings.append(StyleFinding(.layer, layer: id, reason: "has no type; it is left out"))
      return
    }
    var properties = layer["layout"]?.object ?? [:]
    properties.merge(layer["paint"]?.object ?? [:]) { _, paint in paint }
    for name in ["waypost:key", "waypost:repeat"] {
      properties[name] = layer["metadata"]?.object?[name]
    }
    var reader = LayerReader(id: id, properties: properties, compiler: compiler)
    let visible: StyleProperty<StyleVisibility> = reader.choice("visibility", .visible, .none)
    defer { findings += reader.findings }
    guard let kind = StyleLayerList.kind(type, &reader) else {
      reader.note(
        .layerType, nil, "layers of type \"\(type)\" are not drawn")
      return
    }
    let key: StyleProperty<String?> = reader.property(
      PropertySpec("waypost:key", .string, .feature), fallback: nil
    ) { $0.string }
    reader.finish()
    var filter: StyleFilter?
    if let json = layer["filter"], json != .null {
      do throws(ExpressionError) {
        filter = try compiler.filter(json)
      } catch {
        reader.note(.filter, nil, "filter \(error); the layer is left out")
        return
      }
    }
    // A layer without `minzoom` is drawn below zoom 0 too, and so is one with `minzoom` 0.
    let lowest = StyleLayerList.zoom("minzoom", layer, &reader) ?? 0
    layers.append(
      StyleLayer(
        id: id, source: layer["source"]?.string, sourceLayer: layer["source-layer"]?.string,
        minZoom: lowest > 0 ? lowest : -.infinity,
        maxZoom: StyleLayerList.zoom("maxzoom", layer, &reader) ?? .infinity,
        isVisible: visible.constant == .visible, filter: filter, kind: kind,
        key: key))
  }

  /// The members that a layer inherits from the one that it refers to.
  private static let inherited = [
    "type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout",
  ]

  /// A zoom of a layer; nil: it has none, or none that can be used, which is noted.
  private static func zoom(
    _ name: String, _ layer: [String: StyleValue], _ reader: inout LayerReader
  ) -> Double? {
    guard let stated = layer[name], stated != .null else { return nil }
    if let zoom = stated.finite { return zoom }
    reader.note(.value, name, "a number is expected; the layer is drawn as without it")
    return nil
  }

  private static func kind(_ type: String, _ reader: inout LayerReader) -> StyleLayerKind? {
    switch type {
    case "background": .background(BackgroundStyle(&reader))
    case "fill": .fill(FillStyle(&reader))
    case "fill-extrusion": .fill(FillStyle(extrusion: &reader))
    case "line": .line(LineStyle(&reader))
    case "symbol": .symbol(SymbolStyle(&reader))
    case "circle": .circle(CircleStyle(&reader))
    case "raster": .raster(RasterStyle(&reader))
    default: nil
    }
  }
}

enum StyleVisibility: String, StyleChoice {
  case visible
  case none
}
