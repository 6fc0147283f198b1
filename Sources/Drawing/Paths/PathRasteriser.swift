import Pixels

/// Draws anti-aliased paths over the pixels of a canvas.
///
/// Coverage is the exact area, in 1/256 pixels, summed in cells (the method of FreeType's smooth
/// rasteriser and of LibArt before it). Each edge adds what it covers to the cells it passes, and a
/// sum along the row gives every pixel's coverage. FreeType itself takes at most 32,767 points an
/// outline and gives up on dense ones, while a border at zoom 3 has more. Here a path has any
/// number of points at any distance; points that are not finite are skipped. A path drawn on two
/// canvases that are whole pixels apart is the same on both, so tiles meet without a seam.
///
/// An instance belongs to one thread at a time.
public final class PathRasteriser {
  var cells = CoverageCells()
  var stroker = PathStroker()
  let mask = CoverageMask()
  /// Of the last stroke.
  var layers: StrokeLayers?
  /// Whether something was not drawn because the system had no memory for it.
  var lacksMemory = false

  /// The most bytes that the stroker keeps from one path to the next.
  private static let keptBytes = 1 << 20

  /// Creates a rasteriser that has not allocated memory yet.
  public init() {}

  /// The rule that decides which points are inside a path.
  public enum Rule: Sendable { case evenOdd, nonZero }

  /// How a pixel is drawn that a path covers in part.
  public enum Edge: Sendable {
    /// As opaque as the part of it that is covered.
    case exact
    /// With a steeper step from nothing to all, the cubic 3c² − 2c³.
    case smooth
    /// Altogether if at least half of it is covered, else not at all.
    case hard
  }

  /// Bytes of the memory that it keeps for the next path.
  public var bytes: Int { cells.bytes + stroker.bytes + mask.bytes }

  /// Whether something was not drawn because the system had no memory for it, since this was asked
  /// last.
  public func takeLack() -> Bool {
    defer { lacksMemory = false }
    return lacksMemory
  }

  /// Notes that `path` lacks points. Returns whether it has all of them.
  func isWhole(_ path: Path) -> Bool {
    if path.lacksMemory { lacksMemory = true }
    return !path.lacksMemory
  }

  /// Fills `path` over the canvas. Open sub-paths are closed.
  ///
  /// - Parameters:
  ///   - path: The area, in pixels of the canvas.
  ///   - rule: Decides which points are inside.
  ///   - color: `0xAARRGGBB`, not premultiplied.
  ///   - canvas: The canvas to draw on; the path is clipped to it.
  ///   - edge: How pixels are drawn that are covered in part.
  ///   - isCancelled: Asked now and then; once it is true, the rest may be left out.
  public func fill(
    _ path: Path, rule: Rule, color: UInt32, on canvas: PixelCanvas, edge: Edge = .exact,
    isCancelled: () -> Bool = { false }
  ) {
    guard color >> 24 != 0, isWhole(path) else { return }
    let ink = PaintInk(color, on: canvas)
    path.points.withUnsafeBufferPointer { points in
      render(points, path, rule: rule, ink: ink, edge, on: canvas, isCancelled)
    }
  }

  /// Strokes `path` over the canvas, with round joins and ends.
  ///
  /// - Parameters:
  ///   - path: The line, in pixels of the canvas.
  ///   - width: The line's width in pixels; a thinner one than 1 is drawn fainter instead.
  ///   - color: `0xAARRGGBB`, not premultiplied. The line is not darker where it crosses itself.
  ///   - canvas: The canvas to draw on; the path is clipped to it.
  public func stroke(_ path: Path, width: Double, color: UInt32, on canvas: PixelCanvas) {
    guard width > 0, color >> 24 != 0, canvas.width > 0, canvas.height > 0, isWhole(path) else {
      return
    }
    var color = color
    if width < 1 {
      let alpha = UInt32((Double(color >> 24) * width).rounded())
      color = color & 0xFF_FFFF | alpha << 24
    }
    // A line thicker than this covers any canvas it is near.
    let radius = min(max(width, 1), 65_536) / 2
    stroker.outline(
      path, radius: radius, width: Double(canvas.width), height: Double(canvas.height))
    let ink = PaintInk(color, on: canvas)
    let edges = stroker.edges
    if stroker.lacksMemory { lacksMemory = true }
    if !stroker.lacksMemory, isWhole(edges) {
      edges.points.withUnsafeBufferPointer { points in
        render(points, edges, rule: .nonZero, ink: ink, .exact, on: canvas) { false }
      }
    }
    // Dense paths are rare, so their memory is freed.
    if stroker.bytes > PathRasteriser.keptBytes { stroker = PathStroker() }
  }

  /// Fills `path` with a pattern. Open sub-paths are closed.
  ///
  /// - Parameters:
  ///   - path: The area, in pixels of the canvas.
  ///   - rule: Decides which points are inside.
  ///   - pattern: The picture that is repeated.
  ///   - opacity: How opaque the picture is drawn, 0 ... 1.
  ///   - canvas: The canvas to draw on; the path is clipped to it.
  ///   - edge: How pixels are drawn that are covered in part.
  ///   - isCancelled: Asked now and then; once it is true, the rest may be left out.
  public func fill(
    _ path: Path, rule: Rule, pattern: FillPattern, opacity: Double, on canvas: PixelCanvas,
    edge: Edge = .exact, isCancelled: () -> Bool = { false }
  ) {
    guard opacity > 0, isWhole(path) else { return }
    let alpha = UInt32((min(opacity, 1) * 255).rounded())
    path.points.withUnsafeBufferPointer { points in
      pattern.pixels.withUnsafeBufferPointer { pixels in
        let ink = PatternInk(pattern, pixels, opacity: alpha, on: canvas)
        renderRuns(points, path, rule: rule, ink: ink, edge, on: canvas, isCancelled)
      }
    }
  }

  /// Draws a path in one colour.
  private func render(
    _ points: UnsafeBufferPointer<Path.Point>, _ path: Path, rule: Rule, ink: PaintInk,
    _ edge: Edge, on canvas: PixelCanvas, _ isCancelled: () -> Bool
  ) {
    if rule == .nonZero, edge != .hard {
      let hasMemory = Self.draw(points, path, &cells, on: canvas, isCancelled) { cells in
        cells.sweep(ink, isSmooth: edge == .smooth)
      }
      if !hasMemory { lacksMemory = true }
    } else {
      renderRuns(points, path, rule: rule, ink: ink, edge, on: canvas, isCancelled)
    }
  }

  /// Draws a path in any ink.
  private func renderRuns<Ink: CoverageInk>(
    _ points: UnsafeBufferPointer<Path.Point>, _ path: Path, rule: Rule, ink: Ink, _ edge: Edge,
    on canvas: PixelCanvas, _ isCancelled: () -> Bool
  ) {
    let hasMemory = Self.draw(points, path, &cells, on: canvas, isCancelled) { cells in
      switch edge {
      case .exact:
        var ink = ink
        cells.sweep(rule: rule, ink: &ink)
      case .smooth:
        var ink = SmoothInk(ink: ink)
        cells.sweep(rule: rule, ink: &ink)
      case .hard:
        var ink = HardInk(ink: ink)
        cells.sweep(rule: rule, ink: &ink)
      }
    }
    if !hasMemory { lacksMemory = true }
  }

  /// Adds a path's edges to the cells, band by band, and has each band swept. Returns whether there
  /// is memory for a band.
  @inline(__always)
  private static func draw(
    _ points: UnsafeBufferPointer<Path.Point>, _ path: Path, _ cells: inout CoverageCells,
    on canvas: PixelCanvas, _ isCancelled: () -> Bool,
    sweep: (inout CoverageCells) -> Void
  ) -> Bool {
    guard canvas.width > 0, canvas.height > 0, !points.isEmpty else { return true }
    let bounds = PathRows(points)
    guard bounds.top < Float(canvas.height), bounds.bottom > 0 else { return true }
    let first = Int(max(0, bounds.top.rounded(.down)))
    let end = Int(min(Float(canvas.height), bounds.bottom.rounded(.down) + 1))
    let rows = cells.prepare(width: canvas.width, height: canvas.height)
    if rows == 0 { return false }
    var row = first
    while row < end {
      let count = min(rows, end - row)
      cells.begin(top: row, rows: count)
      var start = 0
      var asked = 0
      for finish in path.ends {
        cells.add(
          UnsafeBufferPointer(rebasing: points[start..<finish]), isNear: bounds.isNear,
          isCancelled)
        start = finish
        if start - asked > CoverageCells.pace {
          asked = start
          if isCancelled() { break }
        }
      }
      // The unfinished sub-path.
      if start < points.count, path.ends.last ?? 0 == start {
        cells.add(
          UnsafeBufferPointer(rebasing: points[start..<points.count]), isNear: bounds.isNear,
          isCancelled)
      }
      // This clears the cells, so it is not left out.
      sweep(&cells)
      row += count
      if row < end, asked > 0 || points.count > CoverageCells.pace, isCancelled() { return true }
    }
    return true
  }
}

/// The rows that the points of a path touch.
struct PathRows {
  private(set) var top = Float.infinity
  private(set) var bottom = -Float.infinity
  /// Whether all points are near enough for their edges to be followed exactly.
  private(set) var isNear = true

  init(_ points: UnsafeBufferPointer<Path.Point>) {
    for point in points {
      if CoverageCells.isNear(point) {
        if point.y < top { top = point.y }
        if point.y > bottom { bottom = point.y }
      } else {
        isNear = false
        if point.x.isFinite, point.y.isFinite {
          top = min(top, point.y)
          bottom = max(bottom, point.y)
        }
      }
    }
  }
}
