import Glibc
import MapGeometry

/// How the screen's pixels map to the grid of tiles.
///
/// The grid is the world at a whole level, `level`, with cells of `cell` pixels. A screen pixel is
/// 1/`magnification` grid pixels, and the magnification lies between about 0.71 and 1.41. At whole
/// zooms and bearing 0 it is exactly 1, and grid pixels are screen pixels. With cells of another
/// size than 256 points it is exactly 1 at the zooms of `Viewport.resting`.
public struct ViewTransform: Sendable, Equatable {
  /// The view's width in pixels.
  public let width: Int
  /// The view's height in pixels.
  public let height: Int
  /// The grid's level, 0...24. With cells of 256 points it is the rounded zoom.
  public let level: Int
  /// A cell's edge in grid pixels; by default it is 256 points.
  public let cell: Int
  /// Screen pixels per grid pixel.
  public let magnification: Double
  /// The compass direction at the top of the screen in degrees, 0 ≤ bearing < 360.
  public let bearing: Double
  /// The horizontal grid position of the screen's upper left corner, in grid pixels.
  public let originX: Double
  /// The vertical grid position of the screen's upper left corner, in grid pixels.
  public let originY: Double
  /// The horizontal grid step of one screen pixel to the right. One screen pixel to the right is
  /// (`stepX`, `stepY`) on the grid; one down is (−`stepY`, `stepX`).
  public let stepX: Double
  /// The vertical grid step of one screen pixel to the right. See `stepX`.
  public let stepY: Double

  /// Whether a screen pixel is exactly a grid pixel.
  public var isExact: Bool { bearing == 0 && magnification == 1 }

  /// The number of cells on a side of the grid: 2^level.
  public var columns: Int { 1 << level }

  /// The transform of `view` at the nearest zoom whose cells are whole pixels: exact at bearing 0,
  /// without scaling at any bearing.
  ///
  /// - Parameter view: The view.
  /// - Returns: The transform.
  public static func resting(_ view: Viewport) -> ViewTransform {
    ViewTransform(view.resting, cell: view.restingCell)
  }

  /// Creates the transform of a view. Zooms beyond the deepest level enlarge that level, so their
  /// magnification is larger.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - edge: A cell's edge in pixels, 1 or more; nil: 256 points. The level is the one whose
  ///     cells are enlarged or reduced least.
  public init(_ view: Viewport, cell edge: Int? = nil) {
    width = view.width
    height = view.height
    bearing = view.bearing
    if let edge, edge != 256 * view.scale {
      cell = edge
      // The zoom at which the grid's pixels would be the screen's.
      let zoom = view.zoom - log2(Double(edge) / (256 * Double(view.scale)))
      level = min(max(Int(zoom.rounded()), 0), TileID.maxLevel)
      let offset = zoom - Double(level)
      // A resting zoom is a logarithm, and so not exact.
      magnification = abs(offset) < 1e-9 ? 1 : exp2(offset)
    } else {
      cell = 256 * view.scale
      level = min(max(Int(view.zoom.rounded()), 0), TileID.maxLevel)
      magnification = view.zoom == Double(level) ? 1 : exp2(view.zoom - Double(level))
    }
    if view.bearing == 0 {
      let origin = view.origin
      originX = Double(origin.x) / magnification
      originY = Double(origin.y) / magnification
      stepX = 1 / magnification
      stepY = 0
    } else {
      let b = view.bearing * .pi / 180
      stepX = cos(b) / magnification
      stepY = sin(b) / magnification
      let world = WebMercator.project(view.center)
      let size = Double(cell << level)
      let (w, h) = (Double(view.width) / 2, Double(view.height) / 2)
      originX = world.x * size - w * stepX + h * stepY
      originY = world.y * size - w * stepY - h * stepX
    }
  }

  /// The grid position under the screen position (x, y). Both are continuous: pixel i covers i ..<
  /// i + 1.
  @inlinable
  public func grid(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (originX + x * stepX - y * stepY, originY + x * stepY + y * stepX)
  }

  /// The screen position of a grid position.
  @inlinable
  public func screen(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let (dx, dy) = (x - originX, y - originY)
    let m2 = magnification * magnification
    return ((dx * stepX + dy * stepY) * m2, (dy * stepX - dx * stepY) * m2)
  }

  /// The columns and rows of the cells that the bounding box of `rect` on the grid touches,
  /// including neighbours needed for filtering. Columns are not wrapped at the antimeridian; rows
  /// are clipped to the world.
  public func cells(in rect: PixelRect) -> (columns: Range<Int>, rows: Range<Int>) {
    let box = gridBox(rect)
    // Filtering reads half a pixel beyond the edges.
    let reach = isExact ? 0.0 : 1.0
    let edge = Double(cell)
    let c0 = Int(((box.minX - reach) / edge).rounded(.down))
    let c1 = Int(((box.maxX + reach) / edge).rounded(.up))
    let r0 = max(0, Int(((box.minY - reach) / edge).rounded(.down)))
    let r1 = min(columns, Int(((box.maxY + reach) / edge).rounded(.up)))
    return (c0..<max(c0, c1), min(r0, columns)..<max(min(r0, columns), r1))
  }

  /// The bounding box of the screen's `rect` on the grid.
  public func gridBox(_ rect: PixelRect) -> (
    minX: Double, minY: Double, maxX: Double, maxY: Double
  ) {
    let a = grid(Double(rect.x), Double(rect.y))
    let b = grid(Double(rect.maxX), Double(rect.y))
    let c = grid(Double(rect.x), Double(rect.maxY))
    let d = grid(Double(rect.maxX), Double(rect.maxY))
    return (
      min(min(a.x, b.x), min(c.x, d.x)), min(min(a.y, b.y), min(c.y, d.y)),
      max(max(a.x, b.x), max(c.x, d.x)), max(max(a.y, b.y), max(c.y, d.y))
    )
  }

  /// The screen pixels that the cell may colour, clipped to the screen; empty if it is out of view.
  public func screenBox(column: Int, row: Int) -> PixelRect {
    let (x, y, e) = (Double(column * cell), Double(row * cell), Double(cell))
    let reach = isExact ? 0.0 : magnification
    let a = screen(x, y)
    let b = screen(x + e, y)
    let c = screen(x, y + e)
    let d = screen(x + e, y + e)
    let x0 = Int((min(min(a.x, b.x), min(c.x, d.x)) - reach).rounded(.down))
    let x1 = Int((max(max(a.x, b.x), max(c.x, d.x)) + reach).rounded(.up))
    let y0 = Int((min(min(a.y, b.y), min(c.y, d.y)) - reach).rounded(.down))
    let y1 = Int((max(max(a.y, b.y), max(c.y, d.y)) + reach).rounded(.up))
    return PixelRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
      .intersection(PixelRect(x: 0, y: 0, width: width, height: height))
  }

  /// Whether the cell touches the screen. (In a turned view its bounding box may touch where the
  /// cell does not.)
  public func isVisible(column: Int, row: Int) -> Bool {
    !screenBox(column: column, row: row).isEmpty
      && isTouched(by: PixelRect(x: 0, y: 0, width: width, height: height), column, row)
  }

  /// Whether a part of the screen that touches the cell's `screenBox` touches the cell.
  func isTouched(by rect: PixelRect, _ column: Int, _ row: Int) -> Bool {
    if bearing == 0 { return true }
    // Separating axes: `screenBox` tests those of the screen, this tests those of the grid.
    let box = gridBox(rect)
    let (x, y, e) = (Double(column * cell), Double(row * cell), Double(cell))
    return x < box.maxX + 1 && x + e > box.minX - 1 && y < box.maxY + 1 && y + e > box.minY - 1
  }
}
