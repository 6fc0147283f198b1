import Glibc
import Platform

/// Accumulates the coverage of a band of rows, as differences along each row.
///
/// An edge that goes down by dy (in 1/256 pixels) through a pixel, at the mean distance f from the
/// pixel's left side, covers dy·(1 − f) of it and dy of all pixels to its right. So dy·(512 − 2f)
/// is added to its cell and dy·2f to the next one; the running sum from the left is each pixel's
/// covered area, `full` for a whole pixel.
struct CoverageCells: ~Copyable {
  /// A point in 1/256 pixels.
  struct Point {
    var x: Int32
    var y: Int32

    /// Creates a point, in 1/256 pixels.
    init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }

    /// Rounds pixels of at most 4,194,304: after the addition the number's last bits are 1/256
    /// pixels. Halves are rounded to even ones, so moving a path by whole pixels changes nothing.
    @inline(__always)
    init(rounding x: Double, _ y: Double) {
      let shift = 26_388_279_066_624.0  // 1.5 · 2⁴⁴
      self.x = Int32(truncatingIfNeeded: (x + shift).bitPattern)
      self.y = Int32(truncatingIfNeeded: (y + shift).bitPattern)
    }
  }

  /// The sum of a pixel that is covered once.
  static let full: Int32 = 256 * 512
  /// Cells at once: a band of rows as wide as the canvas.
  private static let budget = 1 << 15
  /// Edges are followed exactly within this many pixels of the canvas's origin. In 1/256 pixels,
  /// that fits 32 bits twice over.
  private static let far = 4_194_304.0

  var sums: UnsafeMutablePointer<Int32>
  private var capacity: Int
  /// The first and last touched column of each row.
  var spans: UnsafeMutablePointer<Int32>
  private var spanCapacity: Int
  private(set) var width = 0
  private(set) var stride = 0
  private(set) var top = 0
  private(set) var rows = 0

  init() {
    sums = .allocate(capacity: 1)
    spans = .allocate(capacity: 1)
    capacity = 0
    spanCapacity = 0
  }

  deinit {
    if capacity > 0 { free(sums) } else { sums.deallocate() }
    spans.deallocate()
  }

  var bytes: Int { capacity * 4 + spanCapacity * 8 }

  /// Allocates cells for rows of `width` pixels. Returns how many rows fit at once: all `height`
  /// rows of the canvas, or as many as the budget has room for; fewer where memory is lacking, and
  /// 0 if there is none for one.
  mutating func prepare(width: Int, height: Int = .max) -> Int {
    self.width = width
    // The sweep reads four cells at a time.
    stride = width + 3
    var rows = max(1, min(Self.budget / stride, 256, height))
    while rows * stride > capacity {
      if grow(to: rows * stride) { break }
      rows /= 2
      if rows == 0 { return 0 }
    }
    if rows > spanCapacity {
      spans.deallocate()
      spanCapacity = rows
      spans = .allocate(capacity: rows * 2)
    }
    return rows
  }

  private mutating func grow(to count: Int) -> Bool {
    guard let memory = SpareMemory.allocate(count * MemoryLayout<Int32>.stride) else {
      return false
    }
    if capacity > 0 { free(sums) } else { sums.deallocate() }
    sums = memory.bindMemory(to: Int32.self, capacity: count)
    sums.initialize(repeating: 0, count: count)
    capacity = count
    return true
  }

  /// Begins rows `top` ..< `top` + `rows`. All sums are 0, because `sweep` clears them.
  mutating func begin(top: Int, rows: Int) {
    self.top = top
    self.rows = rows
    for row in 0..<rows {
      spans[2 * row] = .max
      spans[2 * row + 1] = -1
    }
  }

  /// How many points are added before it is asked again whether anybody still wants the path.
  static let pace = 4096

  /// Whether a point is near enough for its edges to be followed exactly. False if it is not
  /// finite.
  @inline(__always)
  static func isNear(_ point: Path.Point) -> Bool {
    let limit = Float(far)
    return abs(point.x) < limit && abs(point.y) < limit
  }

  /// Adds the edges of a sub-path, including the closing one. With `isNear`, so are all its points.
  mutating func add(
    _ points: UnsafeBufferPointer<Path.Point>, isNear: Bool,
    _ isCancelled: () -> Bool = { false }
  ) {
    guard isNear else { return addFar(points, isCancelled) }
    guard let point = points.first else { return }
    let first = Point(rounding: Double(point.x), Double(point.y))
    var last = first
    var index = 1
    while index < points.count {
      let end = min(index &+ Self.pace, points.count)
      while index < end {
        let next = Point(rounding: Double(points[index].x), Double(points[index].y))
        add(last, next)
        last = next
        index &+= 1
      }
      if index < points.count, isCancelled() { break }
    }
    add(last, first)
  }

  /// `add` for points at any distance; those that are not finite are skipped.
  private mutating func addFar(
    _ points: UnsafeBufferPointer<Path.Point>, _ isCancelled: () -> Bool
  ) {
    var last: Path.Point?
    var first: Path.Point?
    var start = 0
    while start < points.count {
      let end = min(start &+ Self.pace, points.count)
      for index in start..<end {
        let point = points[index]
        guard point.x.isFinite && point.y.isFinite else { continue }
        if let last { edge(last, point) } else { first = point }
        last = point
      }
      start = end
      if start < points.count, isCancelled() { break }
    }
    if let first, let last { edge(last, first) }
  }

  private mutating func edge(_ from: Path.Point, _ to: Path.Point) {
    let upper = Float(top)
    let lower = Float(top + rows)
    if from.y <= upper && to.y <= upper || from.y >= lower && to.y >= lower { return }
    if from.x >= Float(width) && to.x >= Float(width) { return }
    if Self.isNear(from), Self.isNear(to) {
      add(
        Point(rounding: Double(from.x), Double(from.y)),
        Point(rounding: Double(to.x), Double(to.y)))
    } else {
      farEdge(from, to)
    }
  }

  /// Adds an edge with a distant end: cut at the rows first, and into three at the columns.
  private mutating func farEdge(_ from: Path.Point, _ to: Path.Point) {
    let (x0, y0) = (Double(from.x), Double(from.y))
    let (x1, y1) = (Double(to.x), Double(to.y))
    let slope = (x1 - x0) / (y1 - y0)
    guard slope.isFinite else { return }
    func x(at y: Double) -> Double { x0 + (y - y0) * slope }
    let upper = Double(top) - 1
    let lower = Double(top + rows) + 1
    let start = min(max(y0, upper), lower)
    let end = min(max(y1, upper), lower)
    var cuts = [start, end]
    for side in [-Self.far, Self.far] where slope != 0 {
      let y = y0 + (side - x0) / slope
      if y > min(start, end), y < max(start, end) { cuts.append(y) }
    }
    cuts.sort { start < end ? $0 < $1 : $0 > $1 }
    for (a, b) in zip(cuts, cuts.dropFirst()) {
      let (xa, xb) = (
        min(max(x(at: a), -Self.far), Self.far), min(max(x(at: b), -Self.far), Self.far)
      )
      add(Point(rounding: xa, a), Point(rounding: xb, b))
    }
  }
}
