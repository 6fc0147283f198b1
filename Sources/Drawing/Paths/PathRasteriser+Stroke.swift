/// Strokes in the styles of maps.
extension PathRasteriser {
  /// Strokes `path` over the canvas in a style of lines of maps.
  ///
  /// - Parameters:
  ///   - path: The line, in pixels of the canvas. A sub-path of three or more points whose last
  ///     point is its first has no ends. One of a single point is a disc with round ends, and else
  ///     nothing.
  ///   - style: The width, ends, corners, dashes, gap, offset and blur.
  ///   - color: `0xAARRGGBB`, not premultiplied. The line is not darker where it crosses itself.
  ///   - canvas: The canvas to draw on; the path is clipped to it.
  ///   - edge: How pixels are drawn that are covered in part: `exact` or, for a line without gap
  ///     and blur, `smooth`.
  ///   - isCancelled: Asked now and then; once it is true, the rest may be left out.
  public func stroke(
    _ path: Path, _ style: StrokeStyle, color: UInt32, on canvas: PixelCanvas,
    edge: Edge = .exact, isCancelled: () -> Bool = { false }
  ) {
    guard color >> 24 != 0, canvas.width > 0, canvas.height > 0, isWhole(path) else { return }
    // One style often follows itself.
    if layers?.style != style { layers = StrokeLayers(style) }
    guard let layers else { return }
    if abs(layers.offset) > 1.0 / 256 {
      let path = StrokeOffset.path(path, by: layers.offset)
      guard isWhole(path) else { return }
      stroke(path, layers, color: color, edge, on: canvas, isCancelled)
    } else {
      stroke(path, layers, color: color, edge, on: canvas, isCancelled)
    }
  }

  private func stroke(
    _ path: Path, _ layers: StrokeLayers, color: UInt32, _ edge: Edge, on canvas: PixelCanvas,
    _ isCancelled: () -> Bool
  ) {
    let alpha = (Double(color >> 24) * layers.opacity).rounded()
    let color = color & 0xFF_FFFF | UInt32(min(max(alpha, 0), 255)) << 24
    path.points.withUnsafeBufferPointer { points in
      guard let rows = rows(of: points, margin: layers.margin, height: canvas.height) else {
        return
      }
      let line = StrokeLine(points: points, ends: path.ends, layers: layers, width: canvas.width)
      guard let step = bandRows(on: canvas) else { return }
      var ink = PaintInk(color, on: canvas)
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
        let band = first..<min(first + step, rows.upperBound)
        if first > rows.lowerBound, isCancelled() { return }
        if layers.isPlain {
          line.add(layers.outer[0], band, to: &cells, isCancelled)
          cells.sweep(ink, isSmooth: edge == .smooth)
          continue
        }
        draw(line, band, ink: &ink, on: canvas, isCancelled)
      }
    }
  }

  /// Strokes `path` over the canvas with a picture that is repeated along it.
  ///
  /// - Parameters:
  ///   - path: The line, as for a colour.
  ///   - style: The width, ends, corners, gap, offset and blur; its dashes are not drawn.
  ///   - pattern: The picture. It is stretched over the whole width, gap included, and its top is
  ///     on the line's right.
  ///   - period: The length of one picture along the line in pixels; nothing is drawn unless it is
  ///     above 0.
  ///   - opacity: How opaque the picture is drawn, 0 ... 1.
  ///   - canvas: The canvas to draw on; the path is clipped to it.
  ///   - isCancelled: Asked now and then; once it is true, the rest may be left out.
  public func stroke(
    _ path: Path, _ style: StrokeStyle, pattern: FillPattern, period: Double, opacity: Double,
    on canvas: PixelCanvas, isCancelled: () -> Bool = { false }
  ) {
    guard opacity > 0, period > 0, period.isFinite, canvas.width > 0, canvas.height > 0 else {
      return
    }
    var style = style
    style.dashes = []
    guard let layers = StrokeLayers(style) else { return }
    let isMoved = abs(layers.offset) > 1.0 / 256
    let moved = isMoved ? StrokeOffset.path(path, by: layers.offset) : path
    let measure = LineMeasure(
      path, reach: layers.margin + abs(layers.offset) + 1, width: canvas.width,
      height: canvas.height)
    guard isWhole(path), isWhole(moved), !measure.lacksMemory else {
      lacksMemory = true
      return
    }
    let whole =
      max(style.gapWidth, 0) > 0 ? style.gapWidth + 2 * style.width : max(style.width, 1)
    let alpha = (min(opacity, 1) * layers.opacity * 255).rounded()
    pattern.pixels.withUnsafeBufferPointer { picture in
      var ink = LinePatternInk(
        picture: picture, width: pattern.width, height: pattern.height, measure: measure,
        columnsPerPixel: Double(pattern.width) / period,
        rowsPerPixel: Double(pattern.height) / whole, middle: isMoved ? layers.offset : 0,
        opacity: UInt32(min(max(alpha, 0), 255)), canvas: canvas)
      moved.points.withUnsafeBufferPointer { points in
        guard let rows = rows(of: points, margin: layers.margin, height: canvas.height) else {
          return
        }
        let line = StrokeLine(points: points, ends: moved.ends, layers: layers, width: canvas.width)
        guard let step = bandRows(on: canvas) else { return }
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
          if first > rows.lowerBound, isCancelled() { return }
          let band = first..<min(first + step, rows.upperBound)
          draw(line, band, ink: &ink, on: canvas, isCancelled)
        }
      }
    }
  }

  /// Draws the rows of a band of a line, its coverage summed first.
  private func draw<Ink: CoverageInk>(
    _ line: StrokeLine, _ band: Range<Int>, ink: inout Ink, on canvas: PixelCanvas,
    _ isCancelled: () -> Bool
  ) {
    var mask = mask
    guard mask.begin(width: canvas.width, rows: band) else {
      lacksMemory = true
      return
    }
    for pen in line.layers.outer {
      line.add(pen, band, to: &cells, isCancelled)
      cells.sweep(rule: .nonZero, ink: &mask)
    }
    mask.beginHole()
    for pen in line.layers.inner {
      line.add(pen, band, to: &cells, isCancelled)
      cells.sweep(rule: .nonZero, ink: &mask)
    }
    mask.sweep(steps: line.layers.steps, ink: &ink)
  }

  /// How many rows are drawn at once; nil: there is no memory for one.
  private func bandRows(on canvas: PixelCanvas) -> Int? {
    let rows = cells.prepare(width: canvas.width, height: canvas.height)
    if rows == 0 { lacksMemory = true }
    return rows == 0 ? nil : rows
  }

  /// The rows that a stroke may touch.
  private func rows(
    of points: UnsafeBufferPointer<Path.Point>, margin: Double, height: Int
  ) -> Range<Int>? {
    let bounds = PathRows(points)
    let upper = Double(bounds.top) - margin
    let lower = Double(bounds.bottom) + margin
    guard upper < Double(height), lower > 0 else { return nil }
    return Int(max(0, upper.rounded(.down)))..<Int(min(Double(height), lower.rounded(.down) + 1))
  }
}

/// The sub-paths of a line that is to be drawn.
struct StrokeLine {
  let points: UnsafeBufferPointer<Path.Point>
  let ends: [Int]
  let layers: StrokeLayers
  /// The canvas's width.
  let width: Int

  /// How many points are drawn before it is asked again whether anybody still wants the line.
  static let pace = 1024

  /// Adds the outline that `pen` draws to the cells of a band.
  func add(
    _ pen: StrokePen, _ band: Range<Int>, to cells: inout CoverageCells, _ isCancelled: () -> Bool
  ) {
    cells.begin(top: band.lowerBound, rows: band.count)
    var pen = pen
    pen.look(width: width, rows: band, points: points.count)
    let end = StrokePen.End(layers.style.cap)
    var start = 0
    var asked = 0
    for index in 0...ends.count {
      // The last one is the unfinished sub-path.
      let finish = index < ends.count ? ends[index] : points.count
      if finish - asked > Self.pace {
        asked = finish
        if isCancelled() { return }
      }
      if start < finish {
        let line = UnsafeBufferPointer(rebasing: points[start..<finish])
        if let dashes = layers.dashes {
          dashes.draw(line, end, with: &pen, into: &cells, isCancelled)
        } else {
          draw(line, end, with: &pen, into: &cells, isCancelled)
        }
      }
      start = finish
    }
  }

  /// Draws a line without dashes.
  private func draw(
    _ points: UnsafeBufferPointer<Path.Point>, _ end: StrokePen.End, with pen: inout StrokePen,
    into cells: inout CoverageCells, _ isCancelled: () -> Bool
  ) {
    guard let ends = StrokeEnds(points) else { return }
    let end = ends.isClosed ? StrokePen.End.closed : end
    pen.begin(StrokePen.Place(points[ends.first]), end)
    var index = ends.first + 1
    while index <= ends.last {
      let point = points[index]
      if point.x.isFinite, point.y.isFinite { pen.line(to: StrokePen.Place(point), &cells) }
      index += 1
      if index & (Self.pace - 1) == 0, isCancelled() { break }
    }
    pen.end(end, &cells)
  }
}

/// The first and the last usable point of a sub-path.
struct StrokeEnds {
  var first: Int
  var last: Int
  /// Whether they are one place, with two more points between.
  var isClosed: Bool

  init?(_ points: UnsafeBufferPointer<Path.Point>) {
    first = 0
    last = points.count - 1
    while first <= last, !points[first].x.isFinite || !points[first].y.isFinite { first += 1 }
    while last > first, !points[last].x.isFinite || !points[last].y.isFinite { last -= 1 }
    if first > last { return nil }
    isClosed =
      last - first > 2 && abs(points[first].x - points[last].x) < 1e-3
      && abs(points[first].y - points[last].y) < 1e-3
  }
}

extension StrokePen.Place {
  @inline(__always)
  init(_ point: Path.Point) {
    x = Double(point.x)
    y = Double(point.y)
  }
}

extension StrokePen.End {
  init(_ cap: StrokeStyle.Cap) {
    switch cap {
    case .butt: self = .butt
    case .square: self = .square
    case .round: self = .round
    }
  }
}
