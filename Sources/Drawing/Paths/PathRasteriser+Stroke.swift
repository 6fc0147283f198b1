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
  public func stroke(
    _ path: Path, _ style: StrokeStyle, color: UInt32, on canvas: PixelCanvas
  ) {
    guard color >> 24 != 0, canvas.width > 0, canvas.height > 0,
      let layers = StrokeLayers(style, points: path.points.count)
    else { return }
    guard abs(layers.offset) > 1.0 / 256 else {
      return stroke(path, layers, style, color: color, on: canvas)
    }
    stroke(
      StrokeOffset.path(path, by: layers.offset, style), layers, style, color: color, on: canvas)
  }

  private func stroke(
    _ path: Path, _ layers: StrokeLayers, _ style: StrokeStyle, color: UInt32,
    on canvas: PixelCanvas
  ) {
    let alpha = (Double(color >> 24) * layers.opacity).rounded()
    let paint = Paint(color & 0xFF_FFFF | UInt32(min(max(alpha, 0), 255)) << 24)
    path.points.withUnsafeBufferPointer { points in
      guard let rows = rows(of: points, margin: layers.margin, height: canvas.height) else {
        return
      }
      let step = cells.prepare(width: canvas.width)
      var ink = PaintInk(paint, on: canvas)
      var mask = self.mask
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
        let band = first..<min(first + step, rows.upperBound)
        if layers.isPlain {
          add(points, path.ends, layers.outer[0], layers, style, band, canvas.width)
          cells.sweep(rule: .nonZero, ink: &ink)
          continue
        }
        mask.begin(width: canvas.width, rows: band)
        for layer in layers.outer {
          add(points, path.ends, layer, layers, style, band, canvas.width)
          cells.sweep(rule: .nonZero, ink: &mask)
        }
        mask.beginHole()
        for layer in layers.inner {
          add(points, path.ends, layer, layers, style, band, canvas.width)
          cells.sweep(rule: .nonZero, ink: &mask)
        }
        mask.sweep(steps: layers.steps, ink: &ink)
      }
    }
  }

  /// The rows that a stroke may touch.
  private func rows(
    of points: UnsafeBufferPointer<Path.Point>, margin: Double, height: Int
  ) -> Range<Int>? {
    var top = Float.infinity
    var bottom = -Float.infinity
    for point in points where point.x.isFinite && point.y.isFinite {
      top = min(top, point.y)
      bottom = max(bottom, point.y)
    }
    let upper = Double(top) - margin
    let lower = Double(bottom) + margin
    guard upper < Double(height), lower > 0 else { return nil }
    return Int(max(0, upper.rounded(.down)))..<Int(min(Double(height), lower.rounded(.down) + 1))
  }

  /// Adds the outline of one layer to the cells of a band.
  private func add(
    _ points: UnsafeBufferPointer<Path.Point>, _ ends: [Int], _ layer: StrokeLayers.Layer,
    _ layers: StrokeLayers, _ style: StrokeStyle, _ band: Range<Int>, _ width: Int
  ) {
    cells.begin(top: band.lowerBound, rows: band.count)
    var pen = StrokePen(
      style, radius: layer.radius, capReach: layer.capReach, near: layers.tolerance)
    pen.look(width: width, rows: band)
    var start = 0
    for index in 0...ends.count {
      // The last one is the unfinished sub-path.
      let end = index < ends.count ? ends[index] : points.count
      if start < end {
        let line = UnsafeBufferPointer(rebasing: points[start..<end])
        if let dashes = layers.dashes {
          dashes.draw(line, style.cap, with: &pen, into: &cells)
        } else {
          draw(line, style.cap, with: &pen)
        }
      }
      start = end
    }
  }

  /// Draws a line without dashes.
  private func draw(
    _ points: UnsafeBufferPointer<Path.Point>, _ cap: StrokeStyle.Cap, with pen: inout StrokePen
  ) {
    guard let ends = StrokeEnds(points) else { return }
    pen.begin(StrokePen.Place(points[ends.first]), ends.isClosed ? .closed : .init(cap))
    for index in ends.first + 1..<ends.last + 1 {
      let point = points[index]
      if point.x.isFinite, point.y.isFinite { pen.line(to: StrokePen.Place(point), &cells) }
    }
    pen.end(ends.isClosed ? .closed : .init(cap), &cells)
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
