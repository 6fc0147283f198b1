import MapLabels
import MapStyle
import VectorTiles

/// Evaluates a symbol layer for features of a tile's layer.
struct CandidateMaker {
  let step: PreparedTile.Step
  let style: SymbolStyle
  let layer: VectorLayer
  /// Which of the layer's keys expressions read.
  private let keys: [Bool]
  /// Whether the layer has places; see `LabelSettings.isPlace`.
  private let hasPlaces: Bool
  private var look: LabelLook?

  init(_ step: PreparedTile.Step, _ style: SymbolStyle, _ layer: VectorLayer, _ keys: [Bool]) {
    self.step = step
    self.style = style
    self.layer = layer
    self.keys = keys
    hasPlaces = Self.placeLayers.contains(layer.name)
  }

  /// What layers of places are called: in OpenMapTiles, Protomaps, Shortbread, Natural Earth.
  private static let placeLayers: Set<String> = ["place", "places", "place_labels", "place_label"]

  /// Whether labels repeat along lines.
  func isAlongLines(zoom: Double) -> Bool {
    style.placement.value(StyleContext(zoom: zoom)) == .line
  }

  /// Whether MapLibre sorts the features by their keys; of equal ones, it then takes the last
  /// first.
  func isSorted(_ request: VectorPaintRequest) -> Bool {
    style.sortKey.isSet && style.order.value(StyleContext(zoom: request.zoom)) != .viewportY
  }

  /// The candidate of a feature without its points; nil if it has neither text nor icon.
  ///
  /// - Throws: `VectorTileError` if the feature is broken.
  mutating func candidate(
    _ index: Int, _ request: VectorPaintRequest, _ images: any VectorImages
  ) throws(VectorTileError) -> LabelCandidate? {
    var properties: [String: StyleValue] = [:]
    for tag in try layer.tags(of: index) where keys[tag.key] {
      properties[layer.keys[tag.key]] = layer.value(tag.value).map(StyleValue.init)
    }
    let feature = layer.features[index]
    let context = StyleContext(
      zoom: request.zoom,
      feature: StyleFeature(
        geometry: StyleGeometry(feature.kind),
        id: feature.hasID ? .number(Double(layer.id(of: index))) : .null, properties: properties),
      images: images.names)
    var candidate = LabelCandidate(
      layer: step.order, text: text(context), icon: style.iconImage.value(context),
      look: look ?? makeLook(context), points: [])
    if !step.rule.hasManyLooks { look = candidate.look }
    guard candidate.icon != nil || !candidate.text.sections.isEmpty else { return nil }
    candidate.order = index
    if let key = style.sortKey.value(context) { candidate.sortKey = Float(key) }
    return candidate
  }

  private func makeLook(_ context: StyleContext) -> LabelLook {
    var settings = LabelSettings(style, context)
    settings.isPlace = hasPlaces
    return LabelLook(settings)
  }

  private func text(_ context: StyleContext) -> FormattedText {
    var text = style.textField.value(context)
    switch style.textTransform.value(context) {
    case .none: break
    case .uppercase:
      for index in text.sections.indices {
        text.sections[index].text = text.sections[index].text.uppercased()
      }
    case .lowercase:
      for index in text.sections.indices {
        text.sections[index].text = text.sections[index].text.lowercased()
      }
    }
    text.sections.removeAll { $0.text.isEmpty && $0.image == nil }
    return text
  }
}
