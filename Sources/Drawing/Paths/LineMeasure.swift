import Platform

/// Finds how far along a line, and how far beside it, a pixel lies.
///
/// The canvas is divided into squares, each with a list of the line's segments that may be the
/// nearest to one of its pixels. A list has at most `most` of them, so that no line takes long.
struct LineMeasure {
  /// Where a pixel lies, in pixels.
  struct Place: Equatable {
    /// From the beginning of the line.
    var along: Double
    /// To the right of the line; negative: to its left.
    var across: Double
  }

  private struct Segment {
    var x, y: Double
    /// Its direction, of length 1.
    var dx, dy: Double
    var length: Double
    /// The length of the line before it.
    var start: Double
    /// Whether the line has an end there, which caps may draw beyond.
    var isFirst, isLast: Bool
  }

  /// The edge of a square in pixels, as a power of 2.
  private static let shift = 4
  /// The most segments of a square.
  private static let most: UInt8 = 64
  /// Segments that reach further than this are left out.
  private static let far = 1_048_576.0

  private var segments: [Segment] = []
  /// Linked lists: each entry is the number of a segment, and the index of the next entry of the
  /// same square.
  private var lists: [(segment: Int32, next: Int32)] = []
  /// The first element of each square's list; −1: none.
  private var firsts: [Int32]
  private var counts: [UInt8]
  /// How many squares take more segments.
  private var open: Int
  /// Whether segments were left out because the system had no memory for them.
  private(set) var lacksMemory = false
  private let columns: Int
  private let rows: Int
  private let reach: Double

  /// Measures a line.
  ///
  /// - Parameters:
  ///   - path: The line, in pixels of the canvas.
  ///   - reach: How far from it pixels are asked for.
  ///   - width: The canvas's width.
  ///   - height: The canvas's height.
  init(_ path: Path, reach: Double, width: Int, height: Int) {
    columns = max(width, 1) >> LineMeasure.shift + 1
    rows = max(height, 1) >> LineMeasure.shift + 1
    self.reach = min(max(reach, 0), LineMeasure.far)
    firsts = [Int32](repeating: -1, count: columns * rows)
    counts = [UInt8](repeating: 0, count: columns * rows)
    open = columns * rows
    path.points.withUnsafeBufferPointer { points in
      var start = 0
      for index in 0...path.ends.count {
        // The last one is the unfinished sub-path.
        let finish = index < path.ends.count ? path.ends[index] : points.count
        guard start < finish else { continue }
        add(UnsafeBufferPointer(rebasing: points[start..<finish]))
        start = finish
      }
    }
  }

  /// Adds a sub-path.
  private mutating func add(_ points: UnsafeBufferPointer<Path.Point>) {
    guard let ends = StrokeEnds(points) else { return }
    var (x, y) = (Double(points[ends.first].x), Double(points[ends.first].y))
    var (start, isFirst) = (0.0, !ends.isClosed)
    var last = -1
    for index in ends.first..<ends.last where open > 0 {
      let point = points[index + 1]
      guard point.x.isFinite, point.y.isFinite else { continue }
      let (toX, toY) = (Double(point.x), Double(point.y))
      let length = ((toX - x) * (toX - x) + (toY - y) * (toY - y)).squareRoot()
      guard length > 1e-6 else { continue }
      let segment = Segment(
        x: x, y: y, dx: (toX - x) / length, dy: (toY - y) / length, length: length, start: start,
        isFirst: isFirst, isLast: false)
      last = add(segment, toX, toY) ? segments.count - 1 : -1
      (x, y, start, isFirst) = (toX, toY, start + length, false)
    }
    if last >= 0, !ends.isClosed { segments[last].isLast = true }
  }

  /// Adds a segment to the squares that it may be near. Returns whether there are any.
  private mutating func add(_ segment: Segment, _ toX: Double, _ toY: Double) -> Bool {
    let far = LineMeasure.far
    guard abs(segment.x) < far, abs(segment.y) < far, abs(toX) < far, abs(toY) < far else {
      return false
    }
    func squares(_ a: Double, _ b: Double, _ count: Int) -> ClosedRange<Int>? {
      let low = max(Int(min(a, b) - reach) >> LineMeasure.shift, 0)
      let high = min(Int(max(a, b) + reach) >> LineMeasure.shift, count - 1)
      return low <= high ? low...high : nil
    }
    guard let across = squares(segment.x, toX, columns), let down = squares(segment.y, toY, rows)
    else { return false }
    let number = Int32(truncatingIfNeeded: segments.count)
    let half = Double(1 << LineMeasure.shift) / 2
    // From a square's middle to its corner.
    let near = reach + half * 1.4143
    var isUsed = false
    for row in down {
      for column in across {
        let square = row * columns + column
        guard counts[square] < LineMeasure.most else { continue }
        let (x, y) = (Double(column) * 2 * half + half, Double(row) * 2 * half + half)
        guard squaredDistance(segment, x, y) <= near * near else { continue }
        guard lists.count < lists.capacity || lists.hasMemory() else {
          lacksMemory = true
          return false
        }
        counts[square] += 1
        if counts[square] == LineMeasure.most { open -= 1 }
        lists.append((number, firsts[square]))
        firsts[square] = Int32(truncatingIfNeeded: lists.count - 1)
        isUsed = true
      }
    }
    guard isUsed, segments.hasMemory() else {
      if isUsed { lacksMemory = true }
      return false
    }
    segments.append(segment)
    return true
  }

  private func squaredDistance(_ s: Segment, _ x: Double, _ y: Double) -> Double {
    let (px, py) = (x - s.x, y - s.y)
    let along = min(max(px * s.dx + py * s.dy, 0), s.length)
    let (dx, dy) = (px - along * s.dx, py - along * s.dy)
    return dx * dx + dy * dy
  }

  /// Where the middle of a pixel of the canvas lies; nil: no segment is near.
  func place(_ column: Int, _ row: Int) -> Place? {
    let (squareX, squareY) = (column >> LineMeasure.shift, row >> LineMeasure.shift)
    guard 0 <= squareX, squareX < columns, 0 <= squareY, squareY < rows else { return nil }
    let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
    var (nearest, least) = (-1, Double.infinity)
    var next = firsts[squareY * columns + squareX]
    while next >= 0 {
      let item = lists[Int(next)]
      let distance = squaredDistance(segments[Int(item.segment)], x, y)
      if distance < least { (nearest, least) = (Int(item.segment), distance) }
      next = item.next
    }
    guard nearest >= 0 else { return nil }
    let s = segments[nearest]
    let along = (x - s.x) * s.dx + (y - s.y) * s.dy
    let across = (y - s.y) * s.dx - (x - s.x) * s.dy
    let isBefore = along < 0 && !s.isFirst
    if isBefore || along > s.length && !s.isLast {
      // On the outside of a corner, the distance is that to the corner's point.
      let far = least.squareRoot()
      return Place(
        along: s.start + (isBefore ? 0 : s.length), across: across < 0 ? -far : far)
    }
    return Place(along: s.start + along, across: across)
  }
}
