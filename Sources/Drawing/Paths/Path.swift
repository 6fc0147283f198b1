/// Lines and areas to draw: sub-paths of straight segments, in pixels, y down.
///
/// A pixel (x, y) covers x ..< x + 1, y ..< y + 1.
public struct Path: Sendable, Equatable {
  /// A place in pixels.
  public struct Point: Sendable, Equatable {
    /// To the right.
    public var x: Float
    /// Down.
    public var y: Float

    /// A place in pixels.
    @inlinable
    public init(_ x: Float, _ y: Float) {
      self.x = x
      self.y = y
    }
  }

  /// Every sub-path's points, one after the other.
  public private(set) var points: [Point] = []
  /// Where each sub-path ends in `points`.
  public private(set) var ends: [Int] = []

  /// A path without points.
  public init() {}

  /// Whether it has no points.
  public var isEmpty: Bool { points.isEmpty }

  /// Begins a new sub-path.
  public mutating func move(to point: Point) {
    finish()
    points.append(point)
  }

  /// Continues to `point`.
  public mutating func line(to point: Point) { points.append(point) }

  /// Ends the current sub-path. A stroke joins its ends only if they are the same point.
  public mutating func finish() {
    if points.count > (ends.last ?? 0) { ends.append(points.count) }
  }

  /// Removes everything and keeps the memory.
  public mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
