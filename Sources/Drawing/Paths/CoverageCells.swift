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
    sums.deallocate()
    spans.deallocate()
  }

  var bytes: Int { capacity * 4 + spanCapacity * 8 }

  /// Allocates cells for rows of `width` pixels. Returns how many rows fit at once.
  mutating func prepare(width: Int) -> Int {
    self.width = width
    stride = width + 2
    let rows = max(1, min(Self.budget / stride, 256))
    if rows * stride > capacity {
      sums.deallocate()
      capacity = rows * stride
      sums = .allocate(capacity: capacity)
      sums.initialize(repeating: 0, count: capacity)
    }
    if rows > spanCapacity {
      spans.deallocate()
      spanCapacity = rows
      spans = .allocate(capacity: rows * 2)
    }
    return rows
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

  /// Adds the edges of a sub-path, including the closing one.
  mutating func add(
    _ points: UnsafeBufferPointer<Path.Point>, _ isCancelled: () -> Bool = { false }
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

  /// Adds an edge of an outline.
  @inline(__always)
  mutating func add(_ from: Point, _ to: Point) {
    line(Int(from.x), Int(from.y), Int(to.x), Int(to.y))
  }

  private mutating func edge(_ from: Path.Point, _ to: Path.Point) {
    let upper = Float(top)
    let lower = Float(top + rows)
    if from.y <= upper && to.y <= upper || from.y >= lower && to.y >= lower { return }
    if from.x >= Float(width) && to.x >= Float(width) { return }
    let limit = Float(Self.far)
    if abs(from.x) < limit, abs(from.y) < limit, abs(to.x) < limit, abs(to.y) < limit {
      line(fixed(from.x), fixed(from.y), fixed(to.x), fixed(to.y))
    } else {
      farEdge(from, to)
    }
  }

  @inline(__always)
  private func fixed(_ value: Float) -> Int { Int(halfUp(Double(value) * 256)) }

  /// Rounds in the same direction on both sides of 0, so that moving a path by whole pixels changes
  /// nothing.
  @inline(__always)
  private func halfUp(_ value: Double) -> Double { (value + 0.5).rounded(.down) }

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
      line(
        Int((xa * 256).rounded()), Int((a * 256).rounded()), Int((xb * 256).rounded()),
        Int((b * 256).rounded()))
    }
  }

  /// Rounds as `rounded()` does, halves away from 0, without a call. The number is at most 2⁵⁰.
  @inline(__always)
  private func nearest(_ value: Double) -> Int {
    let shift = 6_755_399_441_055_744.0  // 1.5 · 2⁵²: what is added to it has no fraction.
    let shifted = value + shift
    let whole = Int(truncatingIfNeeded: shifted.bitPattern &- shift.bitPattern)
    // Halves went to the even side.
    let rest = value - (shifted - shift)
    if rest.magnitude != 0.5 { return whole }
    if rest > 0 { return value > 0 ? whole &+ 1 : whole }
    return value < 0 ? whole &- 1 : whole
  }

  /// Adds a line between two points in 1/256 pixels, row by row. What it adds to a row depends only
  /// on its two ends, whatever part of it is on the canvas.
  private mutating func line(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) {
    let isDown = y1 > y0
    let (upperX, upperY, lowerX, lowerY) = isDown ? (x0, y0, x1, y1) : (x1, y1, x0, y0)
    let sign: Int32 = isDown ? 1 : -1
    let firstRow = max(upperY &>> 8, top)
    let lastRow = min((lowerY &- 1) &>> 8, top &+ rows &- 1)
    if firstRow > lastRow { return }
    if upperY &>> 8 == (lowerY &- 1) &>> 8 {
      scan(firstRow &- top, upperX, upperY & 255, lowerX, lowerY &- firstRow &<< 8, sign)
      return
    }
    let slope = Double(x1 &- x0) / Double(y1 &- y0)
    var y = max(upperY, firstRow &<< 8)
    var x = y == upperY ? upperX : upperX &+ nearest(Double(y &- upperY) * slope)
    var row = firstRow
    while row <= lastRow {
      let nextY = min(lowerY, (row &+ 1) &<< 8)
      let nextX =
        nextY == lowerY ? lowerX : upperX &+ nearest(Double(nextY &- upperY) * slope)
      scan(row &- top, x, y & 255, nextX, nextY &- row &<< 8, sign)
      x = nextX
      y = nextY
      row &+= 1
    }
  }

  /// Adds the part of a line within one row: from (xa, ya) down to (xb, yb), with ya and yb in
  /// 0...256.
  @inline(__always)
  private mutating func scan(
    _ row: Int, _ xa: Int, _ ya: Int, _ xb: Int, _ yb: Int, _ sign: Int32
  ) {
    let cell = xa &>> 8
    if cell == xb &>> 8, cell >= 0, cell < width {
      touch(row, cell, cell)
      note(sums + (row &* stride &+ cell), yb &- ya, (xa & 255) &+ (xb & 255), sign)
    } else {
      wideScan(row, xa, ya, xb, yb, sign)
    }
  }

  /// `scan` for a line that is not within one pixel of the canvas.
  private mutating func wideScan(
    _ row: Int, _ xa: Int, _ ya: Int, _ xb: Int, _ yb: Int, _ sign: Int32
  ) {
    let limit = width &<< 8
    if xa >= limit && xb >= limit { return }
    let sums = sums + row &* stride
    if xa <= 0 && xb <= 0 {
      // The whole row lies to its right.
      touch(row, 0, 0)
      sums[0] &+= Int32(truncatingIfNeeded: yb &- ya) &* 512 &* sign
      return
    }
    // From left to right, which covers the same area.
    let (left, leftY, right, rightY) = xa < xb ? (xa, ya, xb, yb) : (xb, yb, xa, ya)
    let perPixel = Double(rightY &- leftY) / Double(right &- left)
    // The y at which the line crosses the left side of a cell.
    @inline(__always)
    func height(_ cell: Int) -> Int {
      leftY &+ nearest(Double(cell &<< 8 &- left) * perPixel)
    }
    var cell = left &>> 8
    var inCell = left & 255
    var y = leftY
    if cell < 0 {
      y = height(0)
      sums[0] &+= Int32(truncatingIfNeeded: abs(y &- leftY)) &* 512 &* sign
      cell = 0
      inCell = 0
    }
    let lastCell = right &>> 8
    let endCell = min(lastCell, width)
    touch(row, cell, min(endCell, width &- 1))
    while cell < endCell {
      let next = height(cell &+ 1)
      note(sums + cell, abs(next &- y), inCell &+ 256, sign)
      y = next
      inCell = 0
      cell &+= 1
    }
    if cell == lastCell, cell < width {
      note(sums + cell, abs(rightY &- y), inCell &+ (right & 255), sign)
    }
  }

  @inline(__always)
  private func note(
    _ cell: UnsafeMutablePointer<Int32>, _ dy: Int, _ twiceX: Int, _ sign: Int32
  ) {
    let dy = Int32(truncatingIfNeeded: dy) &* sign
    let part = dy &* Int32(truncatingIfNeeded: twiceX)
    cell[0] &+= dy &* 512 &- part
    cell[1] &+= part
  }

  @inline(__always)
  private func touch(_ row: Int, _ from: Int, _ to: Int) {
    let span = spans + 2 &* row
    span[0] = min(span[0], Int32(truncatingIfNeeded: from))
    // An edge also touches the next cell.
    span[1] = max(span[1], Int32(truncatingIfNeeded: to &+ 1))
  }
}
