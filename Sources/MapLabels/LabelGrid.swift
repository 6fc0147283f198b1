import MapGeometry
import Platform

/// An area that a label takes, in pixels: an upright rectangle, or the circle within a square.
public struct LabelBox: Sendable, Equatable {
  /// The left edge.
  public var left: Float
  /// The upper edge.
  public var top: Float
  /// The right edge.
  public var right: Float
  /// The lower edge.
  public var bottom: Float
  /// Whether it is the circle within the square.
  public var isCircle: Bool

  init(left: Float, top: Float, right: Float, bottom: Float, isCircle: Bool = false) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
    self.isCircle = isCircle
  }

  /// A circle.
  init(x: Float, y: Float, radius: Float) {
    self.init(
      left: x - radius, top: y - radius, right: x + radius, bottom: y + radius, isCircle: true)
  }

  /// The box moved.
  func moved(_ dx: Float, _ dy: Float) -> LabelBox {
    LabelBox(
      left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy, isCircle: isCircle)
  }

  /// The smallest rectangle around both.
  func union(_ other: LabelBox) -> LabelBox {
    LabelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// The box enlarged about the anchor.
  func scaled(_ factor: Float) -> LabelBox {
    LabelBox(
      left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor,
      isCircle: isCircle)
  }

  /// The box made larger on every side, or smaller but never empty.
  func grown(_ by: Float) -> LabelBox {
    let by = max(by, -min(right - left, bottom - top) / 2)
    return LabelBox(
      left: left - by, top: top - by, right: right + by, bottom: bottom + by, isCircle: isCircle)
  }

  /// Whether both cover a common point; touching edges do not count.
  public func overlaps(_ other: LabelBox) -> Bool {
    guard left < other.right, other.left < right, top < other.bottom, other.top < bottom else {
      return false
    }
    switch (isCircle, other.isCircle) {
    case (false, false): return true
    case (true, true):
      let dx = (left + right - other.left - other.right) / 2
      let dy = (top + bottom - other.top - other.bottom) / 2
      let reach = (right - left + other.right - other.left) / 2
      return dx * dx + dy * dy < reach * reach
    case (true, false): return Self.meets(self, other)
    case (false, true): return Self.meets(other, self)
    }
  }

  private static func meets(_ circle: LabelBox, _ box: LabelBox) -> Bool {
    let x = (circle.left + circle.right) / 2
    let y = (circle.top + circle.bottom) / 2
    let radius = (circle.right - circle.left) / 2
    let dx = x - min(max(x, box.left), box.right)
    let dy = y - min(max(y, box.top), box.bottom)
    return dx * dx + dy * dy < radius * radius
  }

  /// Whether all edges are numbers.
  var isFinite: Bool { left.isFinite && top.isFinite && right.isFinite && bottom.isFinite }
}

/// The boxes that are taken, by cells of the region.
struct LabelGrid {
  /// The edge of a cell in pixels.
  static let cell: Float = 48
  /// The most cells on each axis.
  static let maxCells = 256

  /// The most entries of all cells together.
  static let maxLinks = 1 << 18
  /// The most comparisons of boxes in one placement.
  static let maxVisits = 1 << 24

  private var boxes: [LabelBox] = []
  /// Comparisons so far.
  private var visits = 0
  /// Whether others that allow it may cover the box.
  private var isShared: [Bool] = []
  private var heads: [Int32] = []
  private var links: [(box: Int32, next: Int32)] = []
  private var columns = 1
  private var rows = 1
  private var left: Float = 0
  private var top: Float = 0

  /// Whether a box was left out because the system had no memory for it.
  private(set) var lacksMemory = false

  /// Empties the grid for a region in pixels, and keeps its memory. Returns whether there is memory
  /// for its cells.
  mutating func reset(_ region: PixelRect) -> Bool {
    columns = min(max(region.width / Int(Self.cell) + 1, 1), Self.maxCells)
    rows = min(max(region.height / Int(Self.cell) + 1, 1), Self.maxCells)
    left = Float(region.x)
    top = Float(region.y)
    visits = 0
    lacksMemory = false
    boxes.removeAll(keepingCapacity: true)
    isShared.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    heads.removeAll(keepingCapacity: true)
    guard heads.hasMemory(forMore: columns * rows) else { return false }
    heads.append(contentsOf: repeatElement(-1, count: columns * rows))
    return true
  }

  private func range(_ low: Float, _ high: Float, _ count: Int) -> ClosedRange<Int> {
    let last = Float(count - 1)
    let from = Int(min(max(low / Self.cell, 0), last))
    let to = Int(min(max(high / Self.cell, 0), last))
    return from...max(from, to)
  }

  /// Whether so much was inserted or compared that a placement has to end, or there is no memory
  /// for more. Real maps stay below.
  var isFull: Bool { links.count >= Self.maxLinks || visits >= Self.maxVisits || lacksMemory }

  /// Whether nothing is in the way of a box.
  mutating func isFree(_ box: LabelBox, _ overlap: LabelOverlap) -> Bool {
    if overlap == .always { return true }
    let across = range(box.left - left, box.right - left, columns)
    for row in range(box.top - top, box.bottom - top, rows) {
      for column in across {
        var link = heads[row * columns + column]
        while link >= 0 {
          let (number, next) = links[Int(link)]
          visits += 1
          if visits >= Self.maxVisits { return false }
          if boxes[Int(number)].overlaps(box),
            overlap == .never || !isShared[Int(number)]
          {
            return false
          }
          link = next
        }
      }
    }
    return true
  }

  /// Takes the place of a box.
  mutating func insert(_ box: LabelBox, shared: Bool) {
    guard box.isFinite, !isFull else { return }
    let across = range(box.left - left, box.right - left, columns)
    let down = range(box.top - top, box.bottom - top, rows)
    guard boxes.hasMemory(), links.hasMemory(forMore: across.count * down.count) else {
      lacksMemory = true
      return
    }
    let number = Int32(boxes.count)
    boxes.append(box)
    isShared.append(shared)
    for row in down {
      for column in across {
        let cell = row * columns + column
        links.append((number, heads[cell]))
        heads[cell] = Int32(links.count - 1)
      }
    }
  }

  /// Bytes of the memory that it keeps.
  var bytes: Int { boxes.capacity * 21 + heads.capacity * 4 + links.capacity * 8 }
}
