import Features
import MapGeometry
import Pixels

/// A grid over a part of the map, and which of its cells lines are drawn over.
package struct MapCells {
  /// The part of the map.
  let patch: MapPatch
  private let columns: Int
  private let rows: Int
  private var isCovered: [Bool]

  /// Creates a grid whose cells are all free.
  ///
  /// - Parameters:
  ///   - patch: The part of the map.
  ///   - columns: How many cells it has from left to right, at least 1.
  ///   - rows: How many cells it has from top to bottom, at least 1.
  package init(_ patch: MapPatch, columns: Int, rows: Int) {
    self.patch = patch
    (self.columns, self.rows) = (max(columns, 1), max(rows, 1))
    isCovered = Array(repeating: false, count: self.columns * self.rows)
  }

  /// The covered cells as parts of the screen. Neighbours in a row are one part.
  ///
  /// - Parameter area: What the grid covers, in view pixels.
  /// - Returns: The parts in view pixels.
  package func rects(over area: PixelRect) -> [PixelRect] {
    var rects: [PixelRect] = []
    for row in 0..<rows {
      let (top, bottom) = (area.height * row / rows, area.height * (row + 1) / rows)
      var column = 0
      while column < columns {
        let first = column
        while column < columns, isCovered[row * columns + column] { column += 1 }
        if column > first {
          let (left, right) = (area.width * first / columns, area.width * column / columns)
          rects.append(
            PixelRect(x: area.x + left, y: area.y + top, width: right - left, height: bottom - top))
        } else {
          column += 1
        }
      }
    }
    return rects
  }

  /// Covers the cells under a straight piece between two points of a copy of the world.
  mutating func add(_ a: FeaturePoint, _ b: FeaturePoint, world: Double, middle: WorldPoint) {
    func cell(_ point: FeaturePoint) -> (x: Double, y: Double) {
      let (dx, dy) = (point.unitX - world - middle.x, point.unitY - middle.y)
      let (x, y) = (
        dx * patch.along.x + dy * patch.along.y, dy * patch.along.x - dx * patch.along.y
      )
      return (
        (x / patch.halfWidth + 1) / 2 * Double(columns),
        (y / patch.halfHeight + 1) / 2 * Double(rows)
      )
    }
    let (from, to) = (cell(a), cell(b))
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    // The part of the piece within the grid.
    var (start, end) = (0.0, 1.0)
    func clip(_ at: Double, _ delta: Double, _ size: Int) -> Bool {
      if delta == 0 { return at >= 0 && at <= Double(size) }
      let (p, q) = (-at / delta, (Double(size) - at) / delta)
      (start, end) = (max(start, min(p, q)), min(end, max(p, q)))
      return start <= end
    }
    guard clip(from.x, dx, columns), clip(from.y, dy, rows) else { return }
    // At most two steps a cell.
    let steps = Int(max(abs(dx), abs(dy)) * (end - start) * 2) + 1
    for n in 0...steps {
      let t = start + (end - start) * Double(n) / Double(steps)
      let column = min(max(Int(from.x + t * dx), 0), columns - 1)
      let row = min(max(Int(from.y + t * dy), 0), rows - 1)
      isCovered[row * columns + column] = true
    }
  }
}

extension FeatureDrawing {
  /// Covers the cells that the drawing's lines cross.
  ///
  /// - Parameters:
  ///   - cells: The grid.
  ///   - budget: How many pieces of lines may be looked at; receives how many are left. Once it is
  ///     used up, the other lines cover nothing.
  package func cover(_ cells: inout MapCells, budget: inout Int) {
    var patch = cells.patch
    patch.middle.x -= patch.middle.x.rounded(.down)
    for world in [0.0, -1, 1] {
      guard let box = patch.box(world: world) else { continue }
      var left = budget
      index.visit(box, features.features) { number in
        left -= 1
        let style = style(of: Int(number))
        guard style.stroke >> 24 > 0, style.strokeWidth > 0 else { return left > 0 }
        visitPieces(of: Int(number), in: box, budget: &left) {
          cells.add($0, $1, world: world, middle: patch.middle)
          return true
        }
        return left > 0
      }
      budget = left
    }
  }
}
