import MapLabels
import MapStyle
import VectorTiles

/// Collects the candidates for labels of a part of a tile.
struct LabelCollector {
  private let request: VectorPaintRequest
  /// A tile that has left out so many is given up.
  private static let mostLeftOut = 4096

  private let images: any VectorImages
  private let isCancelled: () -> Bool

  init(
    _ request: VectorPaintRequest, _ images: any VectorImages,
    isCancelled: @escaping () -> Bool
  ) {
    self.request = request
    self.images = images
    self.isCancelled = isCancelled
  }

  /// The candidates, the highest layer's first; nil if there are none.
  ///
  /// - Throws: `VectorTileError` if a feature is broken.
  func labels(of tile: PreparedTile, _ work: PaintWork) throws(VectorTileError) -> TileLabels? {
    var builder = TileLabelsBuilder()
    builder.part = LabelPart(
      levels: request.part.levels, column: request.part.column, row: request.part.row)
    for step in tile.steps.reversed() {
      guard case .symbol(let style) = step.rule.layer.kind else { continue }
      try add(step, style, tile, &builder, work)
    }
    return builder.finish()
  }

  private func add(
    _ step: PreparedTile.Step, _ style: SymbolStyle, _ tile: PreparedTile,
    _ builder: inout TileLabelsBuilder, _ work: PaintWork
  ) throws(VectorTileError) {
    let layer = tile.tile.layers[step.layer]
    let boxes = tile.boxes[step.layer]
    let view = TileProjection(extent: layer.extent, edge: 1, part: request.part)
    let keys = layer.keys.map {
      step.rule.labelReads.allKeys || step.rule.labelReads.keys.contains($0)
    }
    var look: LabelLook?
    for (count, draw) in step.draws.enumerated() {
      if builder.leftOut > Self.mostLeftOut || count & 63 == 63 && isCancelled() { return }
      let index = Int(draw.feature)
      if !boxes.isEmpty, !view.sees(boxes[index], reach: 0) { continue }
      let context = try context(layer, index, keys)
      var candidate = LabelCandidate(
        layer: step.order, text: text(style, context), icon: style.iconImage.value(context),
        look: look ?? LabelLook(LabelSettings(style, context)), points: [])
      if !step.rule.hasManyLooks { look = candidate.look }
      guard candidate.icon != nil || !candidate.text.sections.isEmpty else { continue }
      candidate.order = index
      if let key = style.sortKey.value(context) { candidate.sortKey = Float(key) }
      try layer.read(index, into: work.geometry)
      place(candidate, layer.features[index].kind, layer.extent, work.geometry, &builder)
    }
  }

  private func context(
    _ layer: VectorLayer, _ index: Int, _ keys: [Bool]
  ) throws(VectorTileError) -> StyleContext {
    var properties: [String: StyleValue] = [:]
    for tag in try layer.tags(of: index) where keys[tag.key] {
      properties[layer.keys[tag.key]] = layer.value(tag.value).map(StyleValue.init)
    }
    let feature = layer.features[index]
    return StyleContext(
      zoom: request.zoom,
      feature: StyleFeature(
        geometry: StyleGeometry(feature.kind),
        id: feature.hasID ? .number(Double(feature.id)) : .null, properties: properties),
      images: images.names)
  }

  private func text(_ style: SymbolStyle, _ context: StyleContext) -> FormattedText {
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

  /// Adds the candidate at each point, on each line or in each area of the geometry.
  private func place(
    _ candidate: LabelCandidate, _ kind: VectorGeometryKind, _ extent: Int,
    _ geometry: VectorGeometry, _ builder: inout TileLabelsBuilder
  ) {
    var candidate = candidate
    let points = geometry.points
    if candidate.look.settings.placement != .point {
      guard kind == .line || kind == .polygon else { return }
      var start = 0
      for end in geometry.ends {
        candidate.points = points[start..<end].map { point($0, extent) }
        if kind == .polygon, let first = candidate.points.first { candidate.points.append(first) }
        if candidate.points.count > 1 { builder.add(candidate) }
        start = end
      }
      return
    }
    var anchors: [VectorPoint] = []
    switch kind {
    case .point, .unknown: anchors = Array(points)
    case .line:
      var start = 0
      for end in geometry.ends {
        anchors.append(points[start])
        start = end
      }
    case .polygon: anchors = AreaCenter.centers(of: geometry)
    }
    for anchor in anchors {
      candidate.points = [point(anchor, extent)]
      builder.add(candidate)
    }
  }

  private func point(_ point: VectorPoint, _ extent: Int) -> TilePoint {
    let scale = Double(1 << request.part.levels) / Double(extent)
    return TilePoint(
      Float(Double(point.x) * scale - Double(request.part.column)),
      Float(Double(point.y) * scale - Double(request.part.row)))
  }
}
