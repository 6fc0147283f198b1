/// Lines and areas to draw: sub-paths of straight segments, in pixels, with y pointing down.
///
/// Pixel (x, y) covers x ..< x + 1, y ..< y + 1.
public struct Path: Sendable, Equatable {
  /// A point, in pixels.
  public struct Point: Sendable, Equatable {
    /// Pixels to the right.
    public var x: Float
    /// Pixels down.
    public var y: Float

    /// Creates a point, in pixels to the right and down.
    @inlinable
    public init(_ x: Float, _ y: Float) {
      self.x = x
      self.y = y
    }
  }

  /// The points of all sub-paths, one sub-path after the other.
  public private(set) var points: [Point] = []
  /// The index in `points` after each sub-path's last point.
  public private(set) var ends: [Int] = []

  /// Creates a path without points.
  public init() {}

  /// Whether the path has no points.
  public var isEmpty: Bool { points.isEmpty }

  /// Begins a new sub-path at `point`.
  public mutating func move(to point: Point) {
    finish()
    points.append(point)
  }

  /// Continues the current sub-path to `point`.
  public mutating func line(to point: Point) { points.append(point) }

  /// Ends the current sub-path. A stroke joins its ends only if they are the same point.
  public mutating func finish() {
    if points.count > (ends.last ?? 0) { ends.append(points.count) }
  }

  /// Adds a sub-path of `count` points at once.
  ///
  /// - Parameters:
  ///   - count: How many points it has; 0: nothing is added.
  ///   - write: Writes the points, which are all (0, 0) before.
  public mutating func add(count: Int, _ write: (UnsafeMutableBufferPointer<Point>) -> Void) {
    guard count > 0 else { return }
    finish()
    let start = points.count
    points.append(contentsOf: repeatElement(Point(0, 0), count: count))
    points.withUnsafeMutableBufferPointer { points in
      write(UnsafeMutableBufferPointer(rebasing: points[start...]))
    }
    finish()
  }

  /// Removes all points and keeps the memory for new ones.
  public mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
