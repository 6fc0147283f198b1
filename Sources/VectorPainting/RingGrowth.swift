import Drawing

/// Widens areas by half a pixel on all sides, as the soft edge does that MapLibre draws around
/// them. So narrow rivers stay visible, and areas side by side have no seam.
struct RingGrowth {
  private static let half: Float = 0.5

  /// The direction of outer rings: half a pixel, negative if they run anticlockwise; 0: unknown.
  private var reach: Float = 0

  /// Widens a ring of a feature, whose last point repeats its first. The feature's first ring must
  /// be an outer one. Each point moves by whole 1/256 pixels that depend only on its neighbours, so
  /// all parts of a tile agree.
  @inline(__always)
  mutating func grow(_ ring: UnsafeMutableBufferPointer<Path.Point>) {
    let count = ring.count - 1
    guard count > 2 else { return }
    if reach == 0 { reach = Self.area(ring) < 0 ? -Self.half : Self.half }
    let first = ring[0]
    // The direction of the edge before the first point.
    var (ux, uy): (Float, Float) = (0, 0)
    var index = count
    while index > 0, ux == 0, uy == 0 {
      (ux, uy) = Self.direction(ring[index - 1], ring[index]) ?? (0, 0)
      index -= 1
    }
    if ux == 0, uy == 0 { return }
    for index in 0..<count {
      let point = ring[index]
      let next = index + 1 < count ? ring[index + 1] : first
      let (vx, vy) = Self.direction(point, next) ?? (ux, uy)
      // The point where both edges meet once they are moved; at sharp tips not as far.
      let share = reach / max(1 + ux * vx + uy * vy, 0.25)
      ring[index] = Path.Point(
        point.x + Self.stepped((uy + vy) * share), point.y - Self.stepped((ux + vx) * share))
      (ux, uy) = (vx, vy)
    }
    ring[count] = ring[0]
  }

  /// The direction from one point to the next; nil if they are one point.
  @inline(__always)
  private static func direction(_ from: Path.Point, _ to: Path.Point) -> (Float, Float)? {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    guard square > 0, square < .infinity else { return nil }
    let inverse = 1 / square.squareRoot()
    return (dx * inverse, dy * inverse)
  }

  /// Pixels rounded to 1/256.
  @inline(__always)
  private static func stepped(_ pixels: Float) -> Float {
    (pixels * 256 + 0.5).rounded(.down) * (1 / 256)
  }

  /// Twice the area; above 0 for a ring that runs clockwise on the screen.
  private static func area(_ ring: UnsafeMutableBufferPointer<Path.Point>) -> Double {
    let origin = ring[0]
    var sum = 0.0
    var (lastX, lastY) = (0.0, 0.0)
    for point in ring {
      let (x, y) = (Double(point.x - origin.x), Double(point.y - origin.y))
      sum += lastX * y - x * lastY
      (lastX, lastY) = (x, y)
    }
    return sum
  }
}
