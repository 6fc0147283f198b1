import Drawing
import MapStyle
import VectorTiles

/// Draws what a style draws of a tile onto a canvas, layer by layer.
struct StepPainter {
  let canvas: PixelCanvas
  let rasteriser: PathRasteriser
  let work: PaintWork
  let request: VectorPaintRequest
  let images: any VectorImages
  let isCancelled: () -> Bool
  /// What stands in for the tile far below its level; nil: the tile itself.
  private let window: PartWindow?
  /// Whether every pixel is opaque because a background covers all.
  private(set) var isOpaque = false
  /// Whether anything was drawn.
  private(set) var hasPixels = false

  init(
    _ canvas: PixelCanvas, _ rasteriser: PathRasteriser, _ work: PaintWork,
    _ request: VectorPaintRequest, _ images: any VectorImages, isCancelled: @escaping () -> Bool
  ) {
    self.canvas = canvas
    self.rasteriser = rasteriser
    self.work = work
    self.request = request
    self.images = images
    self.isCancelled = isCancelled
    window = PartWindow(request.part, edge: canvas.width)
  }

  /// Notes that something was drawn. `coversAll`: every pixel is opaque now.
  mutating func noteDrawn(coversAll: Bool) {
    hasPixels = true
    if coversAll { isOpaque = true }
  }

  /// Draws a background.
  mutating func draw(_ style: BackgroundStyle) {
    let context = StyleContext(zoom: request.zoom, images: images.names)
    let opacity = min(max(style.opacity.value(context), 0), 1)
    if let name = style.pattern.value(context) {
      guard let pattern = images.pattern(name, pixelsPerPoint: request.pixelsPerPoint) else {
        return
      }
      var path = Path()
      path.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      rasteriser.fill(
        path, rule: .nonZero, pattern: anchored(pattern), opacity: opacity, on: canvas)
      hasPixels = true
      return
    }
    let color = style.color.value(context).word(opacity: opacity)
    guard color >> 24 != 0 else { return }
    hasPixels = true
    if color >> 24 == 255 {
      isOpaque = true
      for row in 0..<canvas.height {
        (canvas.pixels + row * canvas.stride).update(repeating: color, count: canvas.width)
      }
      return
    }
    var path = Path()
    path.addRect(0, 0, Double(canvas.width), Double(canvas.height))
    rasteriser.fill(path, rule: .nonZero, color: color, on: canvas)
  }

  /// Draws the features of a step. Returns false if it was cancelled.
  ///
  /// - Throws: `VectorTileError` if a geometry is broken.
  mutating func draw(
    _ step: PreparedTile.Step, of tile: PreparedTile
  ) throws(VectorTileError) -> Bool {
    let layer = tile.tile.layers[step.layer]
    let boxes = tile.boxes[step.layer]
    let whole = projection(extent: layer.extent, request.part)
    let cutter = window?.cutter(extent: layer.extent)
    var projection = whole
    if let window { projection = self.projection(extent: GeometryCutter.extent, window.part) }
    func sees(_ draw: FeatureDraw, _ reach: Double, _ offset: StyleOffset) -> Bool {
      boxes.isEmpty
        || whole.sees(
          boxes[Int(draw.feature)], reach: reach + max(abs(offset.x), abs(offset.y)))
    }
    for draw in step.draws {
      let index = Int(draw.look)
      switch step.looks {
      case .fills(let looks):
        guard sees(draw, 2, looks[index].translate) else { continue }
        if isCancelled() { return false }
        try read(draw, of: layer, cutter, .rings)
        fill(looks[index], projection)
      case .lines(let looks):
        guard sees(draw, looks[index].reach, looks[index].translate) else { continue }
        if isCancelled() { return false }
        let isClosed = layer.features[Int(draw.feature)].kind == .polygon
        try read(draw, of: layer, cutter, isClosed ? .rings : .lines)
        stroke(looks[index], projection, isClosed: isClosed)
      case .circles(let looks):
        let reach = looks[index].radius + looks[index].strokeWidth + 1
        guard sees(draw, reach, looks[index].translate) else { continue }
        if isCancelled() { return false }
        try read(draw, of: layer, cutter, .points)
        circles(looks[index], projection, reach)
      case .symbols: continue
      }
      hasPixels = true
    }
    // The last feature may have been left unfinished.
    return step.draws.isEmpty || !isCancelled()
  }

  private func projection(extent: Int, _ part: VectorTilePart) -> TileProjection {
    TileProjection(
      extent: extent, edge: canvas.width, part: part, nudgeX: request.nudgeX,
      nudgeY: request.nudgeY)
  }

  /// Reads a feature's geometry, or what `cutter` leaves of it.
  private func read(
    _ draw: FeatureDraw, of layer: VectorLayer, _ cutter: GeometryCutter?,
    _ shape: GeometryCutter.Shape
  ) throws(VectorTileError) {
    try layer.read(Int(draw.feature), into: work.geometry)
    guard let cutter, !cutter.cut(work.geometry, shape) else { return }
    throw VectorTileError.noMemory(layer: layer.name)
  }

  /// Draws an area. Soft edges reach half a pixel beyond it, unless it has a line around it.
  private func fill(_ look: FillLook, _ projection: TileProjection) {
    let grows = look.antialias && look.outline >> 24 == 0
    projection.fill(
      &work.path, work.geometry, isClosed: true, grows: grows, dx: look.translate.x,
      dy: look.translate.y)
    let edge: PathRasteriser.Edge = grows ? .smooth : look.antialias ? .exact : .hard
    if let pattern = look.pattern {
      rasteriser.fill(
        work.path, rule: .nonZero, pattern: anchored(pattern), opacity: look.opacity, on: canvas,
        edge: edge, isCancelled: isCancelled)
      return
    }
    rasteriser.fill(
      work.path, rule: .nonZero, color: look.color, on: canvas, edge: edge,
      isCancelled: isCancelled)
    if look.outline >> 24 != 0 {
      rasteriser.stroke(
        work.path, StrokeStyle(width: 1), color: look.outline, on: canvas, edge: .smooth,
        isCancelled: isCancelled)
    }
  }

  private func stroke(_ look: LineLook, _ projection: TileProjection, isClosed: Bool) {
    projection.fill(
      &work.path, work.geometry, isClosed: isClosed, dx: look.translate.x, dy: look.translate.y)
    if let pattern = look.pattern {
      rasteriser.stroke(
        work.path, look.stroke, pattern: pattern, period: look.period, opacity: look.opacity,
        on: canvas, isCancelled: isCancelled)
      return
    }
    rasteriser.stroke(
      work.path, look.stroke, color: look.color, on: canvas, isCancelled: isCancelled)
  }

  private func circles(_ look: CircleLook, _ projection: TileProjection, _ reach: Double) {
    let (width, height) = (Double(canvas.width) + reach, Double(canvas.height) + reach)
    for (count, point) in work.geometry.points.enumerated() {
      if count & 31 == 31, isCancelled() { return }
      let place = projection.point(point)
      let (x, y) = (Double(place.x) + look.translate.x, Double(place.y) + look.translate.y)
      guard x > -reach, y > -reach, x < width, y < height else { continue }
      work.path.removeAll()
      if look.blur > 0 {
        work.path.move(to: Path.Point(Float(x), Float(y)))
        work.path.finish()
        rasteriser.stroke(
          work.path, StrokeStyle(width: look.radius * 2, cap: .round, blur: look.blur),
          color: look.color, on: canvas)
      } else {
        work.path.addCircle(x, y, look.radius)
        rasteriser.fill(work.path, rule: .nonZero, color: look.color, on: canvas)
      }
      guard look.strokeWidth > 0, look.strokeColor >> 24 != 0 else { continue }
      work.path.removeAll()
      work.path.addCircle(x, y, look.radius + look.strokeWidth)
      if look.radius > 0 { work.path.addCircle(x, y, look.radius) }
      rasteriser.fill(work.path, rule: .evenOdd, color: look.strokeColor, on: canvas)
    }
  }

  /// The pattern, anchored to the pixels of the world at this zoom.
  private func anchored(_ pattern: FillPattern) -> FillPattern {
    let whole = canvas.width << request.part.levels
    var pattern = pattern
    pattern.originX = -(request.tile.x * whole + request.part.column * canvas.width) % pattern.width
    pattern.originY = -(request.tile.y * whole + request.part.row * canvas.height) % pattern.height
    return pattern
  }
}
