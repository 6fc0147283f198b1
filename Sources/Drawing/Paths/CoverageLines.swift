/// Following lines through the cells.
extension CoverageCells {
  /// Adds a line between two points, row by row. What it adds to a row depends only on its two
  /// ends, whatever part of it is on the canvas.
  func add(_ from: Point, _ to: Point) {
    if from.y == to.y { return }
    let isDown = to.y > from.y
    let upper = isDown ? from : to
    let lower = isDown ? to : from
    let (upperX, upperY) = (Int(upper.x), Int(upper.y))
    let (lowerX, lowerY) = (Int(lower.x), Int(lower.y))
    let upperRow = upperY &>> 8
    let lowerRow = (lowerY &- 1) &>> 8
    var row = max(upperRow, top)
    let lastRow = min(lowerRow, top &+ rows &- 1)
    if row > lastRow { return }
    let width = width
    if upperX >= width &<< 8, lowerX >= width &<< 8 { return }
    let stride = stride
    var cells = CoverageRow(
      sums: sums + (row &- top) &* stride, span: spans + 2 &* (row &- top), width: width,
      sign: isDown ? 1 : -1)
    let (dx, dy) = (lowerX &- upperX, lowerY &- upperY)
    if upperRow == lowerRow {
      cells.scan(upperX, upperY & 255, lowerX, lowerY &- upperRow &<< 8, dx, dy)
      return
    }
    // The distances in x to the first row's lower side and from one to the next, times 2³⁰. A line
    // that is at most a row high passes one only. So all numbers are below 2⁶³.
    let slope = Double(dx) / Double(dy)
    let start = Int64(slope * Double(256 &- upperY & 255) * Self.one) &+ 1 &<< 29
    let step = dy > 256 ? Int64(slope * 256 * Self.one) : 0
    var place = start &+ Int64(row &- upperRow &- 1) &* step
    var x = upperX
    var y = upperY & 255
    if row > upperRow {
      x = upperX &+ Int(place &>> 30)
      y = 0
    }
    while true {
      if row == lowerRow {
        cells.scan(x, y, lowerX, lowerY &- row &<< 8, dx, dy)
        return
      }
      place &+= step
      let next = upperX &+ Int(place &>> 30)
      cells.scan(x, y, next, 256, dx, dy)
      if row == lastRow { return }
      x = next
      y = 0
      row &+= 1
      cells.sums += stride
      cells.span += 2
    }
  }

  private static let one = 1_073_741_824.0  // 2³⁰
}

/// A row of cells, and the direction of the line that is followed through it.
struct CoverageRow {
  var sums: UnsafeMutablePointer<Int32>
  /// The first and the last cell that is touched.
  var span: UnsafeMutablePointer<Int32>
  let width: Int
  /// 1 for a line that goes down, else −1.
  let sign: Int32

  /// Adds the part of a line within the row: from (xa, ya) down to (xb, yb), with ya and yb in
  /// 0...256. The whole line goes dx to the right and dy down.
  @inline(__always)
  func scan(_ xa: Int, _ ya: Int, _ xb: Int, _ yb: Int, _ dx: Int, _ dy: Int) {
    let cell = xa &>> 8
    if cell == xb &>> 8, UInt(bitPattern: cell) < UInt(bitPattern: width) {
      touch(cell, cell)
      note(cell, yb &- ya, (xa & 255) &+ (xb & 255))
    } else if xa < xb {
      cross(xa, ya, xb, yb, Double(dy) / Double(dx))
    } else {
      // From left to right, which covers the same area.
      cross(xb, yb, xa, ya, Double(dy) / Double(dx))
    }
  }

  /// `scan` for a line that is not within one pixel of the canvas, from left to right. It goes
  /// down by `slope` pixels in each pixel.
  private func cross(_ left: Int, _ leftY: Int, _ right: Int, _ rightY: Int, _ slope: Double) {
    if left >= width &<< 8 { return }
    if right <= 0 {
      // The whole row lies to its right.
      touch(0, 0)
      sums[0] &+= Int32(truncatingIfNeeded: abs(rightY &- leftY)) &* 512 &* sign
      return
    }
    let (least, greatest) = (min(leftY, rightY), max(leftY, rightY))
    // The y at which the line crosses the left side of a cell.
    @inline(__always)
    func height(_ cell: Int) -> Int {
      // Times a number of at most 2³² that is at least 1 the slope is finite or out of range.
      let way = min(max(Double(cell &<< 8 &- left) * slope, -512), 512)
      return min(max(leftY &+ Self.nearest(way), least), greatest)
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
    touch(cell, min(endCell, width &- 1))
    while cell < endCell {
      let next = height(cell &+ 1)
      note(cell, abs(next &- y), inCell &+ 256)
      y = next
      inCell = 0
      cell &+= 1
    }
    if cell == lastCell, cell < width {
      note(cell, abs(rightY &- y), inCell &+ (right & 255))
    }
  }

  /// Rounds a number of at most 512.
  @inline(__always)
  private static func nearest(_ value: Double) -> Int {
    // 1.5 · 2⁵²: after the addition the number's last bits are whole ones.
    Int(Int32(truncatingIfNeeded: (value + 6_755_399_441_055_744).bitPattern))
  }

  /// Adds an edge that goes down by `dy` through a cell; `twiceX` is twice its mean distance from
  /// the cell's left side.
  @inline(__always)
  private func note(_ cell: Int, _ dy: Int, _ twiceX: Int) {
    let dy = Int32(truncatingIfNeeded: dy) &* sign
    let part = dy &* Int32(truncatingIfNeeded: twiceX)
    sums[cell] &+= dy &* 512 &- part
    sums[cell &+ 1] &+= part
  }

  @inline(__always)
  private func touch(_ from: Int, _ to: Int) {
    let (from, to) = (Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to &+ 1))
    // An edge also touches the next cell.
    if from < span[0] { span[0] = from }
    if to > span[1] { span[1] = to }
  }
}
