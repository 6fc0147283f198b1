import Drawing
import VectorTiles

/// Takes the points of a layer to pixels of the painted part, in steps of 1/256 pixel.
///
/// Steps are counted in whole numbers from the tile's corner. Two parts of a tile, and two adjacent
/// tiles, therefore have the same points at their common edge.
struct TileProjection {
  /// 1/256 pixels per unit, times 2^20.
  private let steps: Int64
  /// Points further away than this many units are drawn at this distance, which is beyond any tile
  /// and small enough for the products not to overflow.
  private let farthest: Int64
  private let shiftX: Int64
  private let shiftY: Int64
  /// The part with a margin, in units.
  private let extent: Double
  private let edge: Double
  private let unitsPerPixel: Double
  private let left: Double
  private let top: Double

  /// The largest edge of a whole tile in pixels.
  static let maximumEdge = 1 << 20

  /// - Parameters:
  ///   - extent: The layer's extent, 1 ... 2^24.
  ///   - edge: The part's edge in pixels. Points are exact where the tile's is at most
  ///     `maximumEdge`; `sees` works for any part.
  ///   - part: The part of the tile.
  ///   - nudgeX: 1/256 pixels by which everything is moved left.
  ///   - nudgeY: 1/256 pixels by which everything is moved up.
  init(
    extent: Int, edge: Int, part: VectorTilePart, nudgeX: Int64 = 0, nudgeY: Int64 = 0
  ) {
    let whole = edge << part.levels
    steps = (Int64(whole) << 28) / Int64(extent)
    farthest = min(1 << 25, Int64.max / 2 / max(1, steps))
    shiftX = Int64(part.column * edge) << 8 + nudgeX
    shiftY = Int64(part.row * edge) << 8 + nudgeY
    self.extent = Double(extent)
    self.edge = Double(edge)
    unitsPerPixel = Double(extent) / Double(whole)
    left = Double(part.column * edge)
    top = Double(part.row * edge)
  }

  /// A point's place on the canvas, moved by whole 1/256 pixels.
  @inline(__always)
  func point(_ point: VectorPoint, _ dx: Int64 = 0, _ dy: Int64 = 0) -> Path.Point {
    Path.Point(step(point.x, shiftX &- dx), step(point.y, shiftY &- dy))
  }

  @inline(__always)
  private func step(_ unit: Int32, _ shift: Int64) -> Float {
    let unit = min(max(Int64(unit), -farthest), farthest)
    return Float((unit &* steps &+ 1 << 19) &>> 20 &- shift) * (1 / 256)
  }

  /// Whether something within `reach` pixels of a box may lie on the canvas.
  func sees(_ box: VectorBox, reach: Double) -> Bool {
    let (left, top) = (left - reach, top - reach)
    let (right, bottom) = (left + edge + 2 * reach, top + edge + 2 * reach)
    return Double(box.right) >= left * unitsPerPixel && Double(box.left) <= right * unitsPerPixel
      && Double(box.bottom) >= top * unitsPerPixel && Double(box.top) <= bottom * unitsPerPixel
  }

  /// Fills `path` with a geometry, moved by `dx` and `dy` pixels. With `isClosed` its parts are
  /// rings, which `grows` widens.
  func fill(
    _ path: inout Path, _ geometry: VectorGeometry, isClosed: Bool, grows: Bool = false,
    dx: Double, dy: Double
  ) {
    path.removeAll()
    let points = geometry.points
    let (stepsX, stepsY) = (Self.steps(dx), Self.steps(dy))
    var start = 0
    var growth = RingGrowth()
    for end in geometry.ends {
      let part = UnsafeBufferPointer(rebasing: points[start..<end])
      path.add(count: part.count + (isClosed ? 1 : 0)) { target in
        for index in part.indices { target[index] = point(part[index], stepsX, stepsY) }
        if isClosed { target[part.count] = target[0] }
        if grows { growth.grow(target) }
      }
      start = end
    }
  }

  private static func steps(_ pixels: Double) -> Int64 {
    Int64((min(max(pixels, -65_536), 65_536) * 256).rounded())
  }
}
