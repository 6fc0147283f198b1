import Glibc
import MapGeometry

/// How the screen's pixels lie on the grid of tiles.
///
/// The grid is the world at a whole level, `level`, drawn with `cell` pixels a tile; a screen pixel
/// is 1/`magnification` grid pixels, with a magnification between about 0.71 and 1.41. At whole
/// zooms and bearing 0 it is exactly 1, and a pixel of the grid is a pixel of the screen.
public struct ViewTransform: Sendable, Equatable {
  /// The view's width in pixels.
  public let width: Int
  /// The view's height in pixels.
  public let height: Int
  /// The grid's level, 0...24: the zoom, rounded.
  public let level: Int
  /// A cell's edge in grid pixels: 256 points.
  public let cell: Int
  /// Screen pixels a grid pixel.
  public let magnification: Double
  /// The compass direction that points up, in degrees, 0 ≤ bearing < 360.
  public let bearing: Double
  /// The grid column of the screen's upper left corner.
  public let originX: Double
  /// The grid row of the screen's upper left corner.
  public let originY: Double
  /// One screen pixel to the right is (`stepX`, `stepY`) on the grid; one down is (−`stepY`,
  /// `stepX`).
  public let stepX: Double
  /// See `stepX`.
  public let stepY: Double

  /// Whether one screen pixel is one grid pixel.
  public var isExact: Bool { bearing == 0 && magnification == 1 }

  /// The grid's cells a side: 2^level.
  public var columns: Int { 1 << level }

  /// The transform of a view. Zooms beyond the deepest level enlarge it.
  ///
  /// - Parameter view: The view.
  public init(_ view: Viewport) {
    width = view.width
    height = view.height
    bearing = view.bearing
    cell = 256 * view.scale
    level = min(max(Int(view.zoom.rounded()), 0), TileID.maxLevel)
    magnification = view.zoom == Double(level) ? 1 : exp2(view.zoom - Double(level))
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

  /// The grid position under the screen position (x, y), both continuous: pixel i covers i ..< i +
  /// 1.
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

  /// The columns (not wrapped) and rows of the cells that the box around `rect` of the screen
  /// touches, neighbours for filtering included. Rows are those of the world.
  public func cells(in rect: PixelRect) -> (columns: Range<Int>, rows: Range<Int>) {
    let box = gridBox(rect)
    // Filtering reads half a pixel around.
    let reach = isExact ? 0.0 : 1.0
    let edge = Double(cell)
    let c0 = Int(((box.minX - reach) / edge).rounded(.down))
    let c1 = Int(((box.maxX + reach) / edge).rounded(.up))
    let r0 = max(0, Int(((box.minY - reach) / edge).rounded(.down)))
    let r1 = min(columns, Int(((box.maxY + reach) / edge).rounded(.up)))
    return (c0..<max(c0, c1), min(r0, columns)..<max(min(r0, columns), r1))
  }

  /// The box around `rect` of the screen in grid positions.
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

  /// The screen pixels that the cell may colour, clipped to the screen; empty where it is out of
  /// view.
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

  /// Whether the cell touches the screen (for a turned view, its box may although it does not).
  public func isVisible(column: Int, row: Int) -> Bool {
    if screenBox(column: column, row: row).isEmpty { return false }
    if bearing == 0 { return true }
    // The screen's box on the grid's axes: the other two axes of separation.
    let box = gridBox(PixelRect(x: 0, y: 0, width: width, height: height))
    let (x, y, e) = (Double(column * cell), Double(row * cell), Double(cell))
    return x < box.maxX + 1 && x + e > box.minX - 1 && y < box.maxY + 1 && y + e > box.minY - 1
  }
}
