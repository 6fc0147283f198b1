import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// How a sprite's picture is turned about one of its points.
public struct SpriteTurn: Equatable, Sendable {
  /// The columns of the screen that the turned picture covers.
  public let width: Int
  /// The rows of the screen that it covers.
  public let height: Int
  /// How far one column to the right leads to the right in the picture, in 1/65536 pixel.
  let stepX: Int
  /// How far it leads down in the picture, in 1/65536 pixel.
  let stepY: Int
  /// The column of the picture at the middle of the first pixel covered, in 1/65536 pixel.
  let u: Int
  /// The row of the picture there, in 1/65536 pixel.
  let v: Int

  /// Creates a turn.
  ///
  /// - Parameters:
  ///   - angle: Clockwise, in radians; one that is not finite is 0.
  ///   - rect: The pixels that the turned picture covers, from the point about which it is turned.
  ///   - originX: Columns from the picture's left edge to that point; may lie outside.
  ///   - originY: Rows from the picture's upper edge to it.
  public init(_ angle: Float, over rect: PixelRect, originX: Int, originY: Int) {
    let angle = angle.isFinite ? Double(angle) : 0
    let (c, s) = (cos(angle), sin(angle))
    let (dx, dy) = (Double(rect.x) + 0.5, Double(rect.y) + 0.5)
    (width, height) = (rect.width, rect.height)
    stepX = Int((c * 65536).rounded())
    stepY = Int((-s * 65536).rounded())
    u = Int(((dx * c + dy * s + Double(originX) - 0.5) * 65536).rounded())
    v = Int(((dy * c - dx * s + Double(originY) - 0.5) * 65536).rounded())
  }
}
