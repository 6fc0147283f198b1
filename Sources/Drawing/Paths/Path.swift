import Platform

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
  /// Whether points were left out because the system had no memory for them. Such a path is not
  /// drawn.
  public private(set) var lacksMemory = false

  /// Creates a path without points.
  public init() {}

  /// Whether the path has no points, and lacks none.
  public var isEmpty: Bool { points.isEmpty && !lacksMemory }

  /// Begins a new sub-path at `point`.
  public mutating func move(to point: Point) {
    finish()
    append(point)
  }

  /// Continues the current sub-path to `point`.
  public mutating func line(to point: Point) { append(point) }

  private mutating func append(_ point: Point) {
    if points.count == points.capacity, !points.hasMemory() { lacksMemory = true }
    if !lacksMemory { points.append(point) }
  }

  /// Ends the current sub-path. A stroke joins its ends only if they are the same point.
  public mutating func finish() {
    guard points.count > (ends.last ?? 0) else { return }
    if ends.count < ends.capacity || ends.hasMemory() {
      ends.append(points.count)
    } else {
      lacksMemory = true
    }
  }

  /// Adds a sub-path of `count` points at once.
  ///
  /// - Parameters:
  ///   - count: How many points it has; 0: nothing is added.
  ///   - write: Writes the points, which are all (0, 0) before; not called without memory for them.
  public mutating func add(count: Int, _ write: (UnsafeMutableBufferPointer<Point>) -> Void) {
    guard count > 0 else { return }
    finish()
    if count > points.capacity - points.count, !points.hasMemory(forMore: count) {
      lacksMemory = true
    }
    if lacksMemory { return }
    let start = points.count
    points.append(contentsOf: repeatElement(Point(0, 0), count: count))
    points.withUnsafeMutableBufferPointer { points in
      write(UnsafeMutableBufferPointer(rebasing: points[start...]))
    }
    finish()
  }

  /// Notes that points are missing for which there is no memory: the path is not drawn.
  public mutating func giveUp() { lacksMemory = true }

  /// Removes all points and keeps the memory for new ones.
  public mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    lacksMemory = false
  }
}
