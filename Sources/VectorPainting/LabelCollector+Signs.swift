import MapLabels
import MapStyle
import VectorTiles

/// What a part of a tile shows, for the key of the map.
extension LabelCollector {
  /// The name of layers that are drawn under others: the edges of roads.
  private static let casing = "casing"
  /// The most looks of a layer whose names are evaluated.
  private static let mostLooks = 64

  /// Adds a sign for each look that the part's features have in the style layers that the key
  /// names.
  ///
  /// - Throws: `VectorTileError` if a feature is broken.
  func addSigns(
    of tile: PreparedTile, to builder: inout TileLabelsBuilder, _ work: PaintWork
  ) throws(VectorTileError) {
    for step in tile.steps where step.rule.layer.key.isSet && !Self.isCasing(step) {
      if step.rule.layer.isGround { continue }
      let layer = tile.tile.layers[step.layer]
      let boxes = tile.boxes[step.layer]
      let view = TileProjection(extent: layer.extent, edge: 1, part: request.part)
      var left = min(step.looks.count, Self.mostLooks)
      var isFound = [Bool](repeating: false, count: step.looks.count)
      for draw in step.draws {
        let (index, look) = (Int(draw.feature), Int(draw.look))
        if left == 0 { break }
        if isFound[look] || !boxes.isEmpty && !view.sees(boxes[index], reach: 0) { continue }
        if isCancelled() { return }
        try read(index, of: layer, into: work.geometry)
        guard isInside(work.geometry, layer.features[index].kind, layer.extent) else { continue }
        isFound[look] = true
        left -= 1
        let name = try name(of: index, step, layer)
        guard let feature = name.flatMap(MapFeature.init(rawValue:)),
          let sign = sign(feature, step, draw, tile)
        else { continue }
        builder.add(sign)
      }
    }
  }

  private static func isCasing(_ step: PreparedTile.Step) -> Bool {
    guard case .some(.some(casing)) = step.rule.layer.key.constant else { return false }
    return true
  }

  /// What the key calls a feature.
  private func name(
    of index: Int, _ step: PreparedTile.Step, _ layer: VectorLayer
  ) throws(VectorTileError) -> String? {
    let key = step.rule.layer.key
    if let constant = key.constant { return constant }
    var properties: [String: StyleValue] = [:]
    for tag in try layer.tags(of: index)
    where key.reads.allKeys || key.keys.contains(layer.keys[tag.key]) {
      properties[layer.keys[tag.key]] = layer.value(tag.value).map(StyleValue.init)
    }
    let feature = layer.features[index]
    return key.value(
      StyleContext(
        zoom: request.zoom,
        feature: StyleFeature(
          geometry: StyleGeometry(feature.kind),
          id: feature.hasID ? .number(Double(layer.id(of: index))) : .null, properties: properties),
        images: images.names))
  }

  /// The sign of a feature as it is drawn; nil: it is drawn as neither an area nor a line of one
  /// colour.
  private func sign(
    _ feature: MapFeature, _ step: PreparedTile.Step, _ draw: FeatureDraw, _ tile: PreparedTile
  ) -> TileSign? {
    switch step.looks {
    case .fills(let looks):
      let look = looks[Int(draw.look)]
      guard look.pattern == nil else { return nil }
      return TileSign(feature, isArea: true, color: look.color, edge: look.outline)
    case .lines(let looks):
      let look = looks[Int(draw.look)]
      guard look.pattern == nil else { return nil }
      let points = 1 / request.pixelsPerPoint
      return TileSign(
        feature, isArea: false, color: look.color, edge: edge(under: draw, step, tile),
        width: Float(look.stroke.width * points),
        dash: look.stroke.dashes.prefix(4).map { Float($0 * points) })
    case .circles, .symbols: return nil
    }
  }

  /// The colour of the line under that of a feature; 0: there is none.
  private func edge(
    under draw: FeatureDraw, _ step: PreparedTile.Step, _ tile: PreparedTile
  ) -> UInt32 {
    for other in tile.steps where other.layer == step.layer && Self.isCasing(other) {
      guard case .lines(let looks) = other.looks,
        let under = other.draws.first(where: { $0.feature == draw.feature })
      else { continue }
      return looks[Int(under.look)].color
    }
    return 0
  }

  /// Whether a geometry is in the part: a line that runs through it, an area that covers its middle
  /// or whose edge runs through it.
  private func isInside(
    _ geometry: VectorGeometry, _ kind: VectorGeometryKind, _ extent: Int
  ) -> Bool {
    guard kind == .line || kind == .polygon else { return false }
    var crossings = 0
    for line in Self.lines(geometry, kind) {
      for index in line.indices.dropFirst() {
        let (a, b) = (point(line[index - 1], extent), point(line[index], extent))
        if TileLabelsBuilder.crosses(a, b) { return true }
        // A ray from the middle to the right, by the even-odd rule.
        guard kind == .polygon, (a.y > 0.5) != (b.y > 0.5) else { continue }
        if a.x + (0.5 - a.y) / (b.y - a.y) * (b.x - a.x) > 0.5 { crossings += 1 }
      }
    }
    return crossings % 2 == 1
  }
}
