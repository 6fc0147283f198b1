/// Lines and areas to be drawn: sub-paths of straight segments, in pixels, y down.
///
/// A pixel (x, y) covers x ..< x + 1, y ..< y + 1.
public struct Path: Sendable, Equatable {
  public struct Point: Sendable, Equatable {
    public var x: Float
    public var y: Float

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

  public init() {}

  public var isEmpty: Bool { points.isEmpty }

  /// Begins a new sub-path.
  public mutating func move(to point: Point) {
    finish()
    points.append(point)
  }

  /// Goes on to `point`.
  public mutating func line(to point: Point) { points.append(point) }

  /// Ends the sub-path that was begun. A stroke does not join its ends unless they are one point.
  public mutating func finish() {
    if points.count > (ends.last ?? 0) { ends.append(points.count) }
  }

  /// Forgets all, and keeps the memory.
  public mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
