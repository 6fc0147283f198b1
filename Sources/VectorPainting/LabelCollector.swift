import MapLabels
import MapStyle
import Platform
import VectorTiles

/// Collects the candidates for labels of a part of a tile.
struct LabelCollector {
  let request: VectorPaintRequest
  /// Once this many labels are left out, the rest of the tile's labels are too.
  static let mostLeftOut = 4096

  let images: any VectorImages
  let isCancelled: () -> Bool

  init(
    _ request: VectorPaintRequest, _ images: any VectorImages,
    isCancelled: @escaping () -> Bool
  ) {
    self.request = request
    self.images = images
    self.isCancelled = isCancelled
  }

  /// The candidates, the highest layer's first, and the signs of what the part shows; nil if there
  /// are none. `ground` is the colour of the map's ground.
  ///
  /// - Throws: `VectorTileError` if a feature is broken.
  func labels(
    of tile: PreparedTile, on ground: UInt32, _ work: PaintWork
  ) throws(VectorTileError) -> TileLabels? {
    var builder = TileLabelsBuilder()
    builder.ground = ground
    builder.part = LabelPart(
      levels: request.part.levels, column: request.part.column, row: request.part.row)
    for step in tile.steps.reversed() {
      guard case .symbol(let style) = step.rule.layer.kind else { continue }
      try add(step, style, tile, &builder, work)
    }
    try addSigns(of: tile, to: &builder, work)
    if builder.lacksMemory { throw VectorTileError.noMemory(layer: nil) }
    return builder.finish()
  }

  /// Reads a feature's geometry, and looks whether there is memory for lines made of it.
  func read(
    _ index: Int, of layer: VectorLayer, into geometry: VectorGeometry
  ) throws(VectorTileError) {
    try layer.read(index, into: geometry)
    guard SpareMemory.has(geometry.points.count, of: Self.pointBytes) else {
      throw VectorTileError.noMemory(layer: layer.name)
    }
  }

  /// The most bytes that labels need per point: in its line, in a growing joined line, and in a
  /// candidate's line.
  private static let pointBytes = 64

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
    var maker = CandidateMaker(step, style, layer, keys)
    if maker.isAlongLines(zoom: request.zoom) {
      return try addLines(&maker, boxes, view, &builder, work)
    }
    for (count, draw) in step.draws.enumerated() {
      if builder.leftOut > Self.mostLeftOut || count & 63 == 63 && isCancelled() { return }
      let index = Int(draw.feature)
      if !boxes.isEmpty, !view.sees(boxes[index], reach: 0) { continue }
      guard let candidate = try maker.candidate(index, request, images) else { continue }
      try read(index, of: layer, into: work.geometry)
      place(candidate, layer.features[index].kind, layer.extent, work.geometry, &builder)
    }
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
      for line in Self.lines(geometry, kind) { add(candidate, line, extent, &builder) }
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

  func add(
    _ candidate: LabelCandidate, _ line: [VectorPoint], _ extent: Int,
    _ builder: inout TileLabelsBuilder
  ) {
    guard line.count > 1 else { return }
    var candidate = candidate
    candidate.points = line.map { point($0, extent) }
    builder.add(candidate)
  }

  /// The lines of a geometry; rings are closed.
  static func lines(_ geometry: VectorGeometry, _ kind: VectorGeometryKind) -> [[VectorPoint]] {
    var lines: [[VectorPoint]] = []
    lines.reserveCapacity(geometry.ends.count)
    var start = 0
    for end in geometry.ends {
      var line = Array(geometry.points[start..<end])
      if kind == .polygon, let first = line.first { line.append(first) }
      lines.append(line)
      start = end
    }
    return lines
  }

  func point(_ point: VectorPoint, _ extent: Int) -> TilePoint {
    let scale = Double(1 << request.part.levels) / Double(extent)
    return TilePoint(
      Float(Double(point.x) * scale - Double(request.part.column)),
      Float(Double(point.y) * scale - Double(request.part.row)))
  }
}
