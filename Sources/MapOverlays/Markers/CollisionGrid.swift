import MapGeometry

/// The rectangles that are taken, indexed by cells of the screen.
struct CollisionGrid {
  private static let edge = 96

  private var area = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var columns = 0
  private var rows = 0
  /// The last rectangle of each cell's chain in `links`.
  private var heads: [Int32] = []
  private var links: [(rect: Int32, next: Int32)] = []
  private var rects: [PixelRect] = []

  /// Removes all rectangles, and covers `area` from now on.
  mutating func reset(_ area: PixelRect) {
    self.area = area
    columns = max(1, (area.width + CollisionGrid.edge - 1) / CollisionGrid.edge)
    rows = max(1, (area.height + CollisionGrid.edge - 1) / CollisionGrid.edge)
    heads.removeAll(keepingCapacity: true)
    heads.append(contentsOf: repeatElement(-1, count: columns * rows))
    links.removeAll(keepingCapacity: true)
    rects.removeAll(keepingCapacity: true)
  }

  private func cells(_ rect: PixelRect) -> (x: ClosedRange<Int>, y: ClosedRange<Int>) {
    func clamp(_ value: Int, _ most: Int) -> Int { min(max(value, 0), most - 1) }
    let e = CollisionGrid.edge
    let left = clamp((rect.x - area.x) / e, columns)
    let top = clamp((rect.y - area.y) / e, rows)
    return (
      left...max(left, clamp((rect.maxX - 1 - area.x) / e, columns)),
      top...max(top, clamp((rect.maxY - 1 - area.y) / e, rows))
    )
  }

  /// Whether none of the rectangles but `own` intersects `rect`.
  func isFree(_ rect: PixelRect, but own: PixelRect? = nil) -> Bool {
    let range = cells(rect)
    for y in range.y {
      for x in range.x {
        var link = heads[y * columns + x]
        while link >= 0 {
          let taken = rects[Int(links[Int(link)].rect)]
          if taken.intersects(rect), taken != own { return false }
          link = links[Int(link)].next
        }
      }
    }
    return true
  }

  mutating func add(_ rect: PixelRect) {
    let range = cells(rect)
    let index = Int32(rects.count)
    rects.append(rect)
    for y in range.y {
      for x in range.x {
        links.append((index, heads[y * columns + x]))
        heads[y * columns + x] = Int32(links.count - 1)
      }
    }
  }
}
