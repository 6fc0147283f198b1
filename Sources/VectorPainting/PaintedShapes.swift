import Drawing
import VectorTiles

/// An area or a line that painting a tile draws, for comparisons with other rasterisers.
package struct PaintedShape: Sendable {
  /// In pixels of the tile.
  package var path: Path
  /// `0xAARRGGBB`, not premultiplied.
  package var color: UInt32
  /// How the path is stroked; nil: it is filled, by the non-zero rule.
  package var stroke: StrokeStyle?
}

extension VectorPainter {
  /// The areas and lines that painting a tile draws, in their order; without backgrounds, patterns
  /// and circles.
  ///
  /// - Parameters:
  ///   - bytes: The uncompressed tile.
  ///   - request: What would be painted.
  ///   - edge: The edge of the picture in pixels.
  /// - Returns: The shapes in the order in which they are painted.
  /// - Throws: `VectorTileError` if the tile is broken.
  package func shapes(
    of bytes: UnsafeRawBufferPointer, _ request: VectorPaintRequest, edge: Int
  ) throws(VectorTileError) -> [PaintedShape] {
    let geometry = VectorGeometry()
    let key = PreparedTile.Key(
      zoom: request.zoom, pixelsPerPoint: request.pixelsPerPoint, hasLabels: false)
    let tile = try VectorTile(bytes, layers: compiled.sourceLayers, limits: limits)
    let prepared = try PreparedTile.prepare(
      tile, compiled, key, images, geometry, isCancelled: { false })
    var shapes: [PaintedShape] = []
    for step in prepared?.steps ?? [] {
      let layer = tile.layers[step.layer]
      let boxes = prepared?.boxes[step.layer] ?? []
      let projection = TileProjection(extent: layer.extent, edge: edge, part: request.part)
      func path(_ draw: FeatureDraw, isClosed: Bool) throws(VectorTileError) -> Path {
        try layer.read(Int(draw.feature), into: geometry)
        var path = Path()
        projection.fill(&path, geometry, isClosed: isClosed, dx: 0, dy: 0)
        return path
      }
      for draw in step.draws {
        let box = boxes.isEmpty ? nil : boxes[Int(draw.feature)]
        func sees(_ reach: Double) -> Bool { box.map { projection.sees($0, reach: reach) } ?? true }
        switch step.looks {
        case .fills(let looks):
          let look = looks[Int(draw.look)]
          guard look.pattern == nil, sees(1) else { continue }
          let path = try path(draw, isClosed: true)
          shapes.append(PaintedShape(path: path, color: look.color))
          if look.outline >> 24 != 0 {
            shapes.append(
              PaintedShape(path: path, color: look.outline, stroke: StrokeStyle(width: 1)))
          }
        case .lines(let looks):
          let look = looks[Int(draw.look)]
          guard look.pattern == nil, sees(look.reach) else { continue }
          let isClosed = layer.features[Int(draw.feature)].kind == .polygon
          shapes.append(
            PaintedShape(
              path: try path(draw, isClosed: isClosed), color: look.color, stroke: look.stroke))
        case .circles, .symbols: continue
        }
      }
    }
    return shapes
  }
}
