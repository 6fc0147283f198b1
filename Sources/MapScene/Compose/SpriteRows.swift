import MapGeometry
import Pixels

/// Draws cells that have nothing over them but sprites. Each row is written once, in order: copied
/// where no sprite lies, mixed where one does.
///
/// Valid for one frame.
struct SpriteRows {
  let over: SpriteLists
  let panel: PanelWriter
  let work: Workspace

  /// Draws adjacent cells of the workspace, one row of sprite strips after the other. If rows
  /// bypass the processor's caches, they are drawn cell by cell; otherwise row by row across all
  /// cells, because other stores are faster in memory order. The panel must not be turned.
  func drawCells(_ cells: Range<Int>) {
    guard let first = cells.first else { return }
    let part = work.cells[first].part
    var top = part.y
    while top < part.maxY {
      let end = (top / SpriteLists.stripHeight + 1) * SpriteLists.stripHeight
      let height = min(part.maxY, end) - top
      let open = prepare(cells, top, height)
      if Pixels.streamsPastCaches {
        for n in 0..<open {
          for row in 0..<height { draw(work.cellRows[n], row) }
        }
      } else {
        for row in 0..<height {
          for n in 0..<open { draw(work.cellRows[n], row) }
        }
      }
      top += height
    }
  }

  /// Finds the sprites on rows `top` ..< `top + height` of these cells. Draws the cells that cannot
  /// be drawn row by row, and returns the number of the others.
  private func prepare(_ cells: Range<Int>, _ top: Int, _ height: Int) -> Int {
    let (first, last) = (work.cells[cells.lowerBound].part, work.cells[cells.upperBound - 1].part)
    let band = PixelRect(x: first.x, y: top, width: last.maxX - first.x, height: height)
    let found = over.find(band, work.numbers, most: Workspace.mostSpritesOfRow)
    var numbers = work.numbers + Workspace.mostSpritesOfRow
    var (open, room) = (0, Workspace.mostSpritesOfCells)
    for n in cells {
      let cell = work.cells[n]
      let rect = PixelRect(x: cell.part.x, y: top, width: cell.part.width, height: height)
      let from = cell.from + (top - cell.part.y) * cell.rowBytes
      guard let found,
        let own = sprites(on: rect, of: found, numbers, most: min(Workspace.mostSprites, room)),
        own == 0 || rect.width <= Workspace.rowsWords, let out = panel.output(rect)
      else {
        drawUnderSprites(from, cell.rowBytes, rect)
        continue
      }
      let isApart = over.areApart(numbers, own)
      if !isApart {
        var some = UnsafeMutableBufferPointer(start: numbers, count: own)
        some.sort()
      }
      work.cellRows[open] = Workspace.CellRows(
        from: from, rowBytes: cell.rowBytes, rect: rect, out: out, numbers: numbers, count: own,
        isApart: isApart)
      numbers += own
      room -= own
      open += 1
    }
    return open
  }

  /// Writes those of the `count` sprites found that lie on `rect` to `numbers`, by their left
  /// sides. Returns how many, or nil if there are more than `most`.
  private func sprites(
    on rect: PixelRect, of count: Int, _ numbers: UnsafeMutablePointer<Int32>, most: Int
  ) -> Int? {
    var own = 0
    for n in 0..<count {
      let number = work.numbers[n]
      let box = over.placed[Int(number)].rect
      if box.x >= rect.maxX || box.maxX <= rect.x { continue }
      if own == most { return nil }
      numbers[own] = number
      own &+= 1
    }
    return own
  }

  /// Draws row `row` of what is left of a cell.
  @inline(__always)
  private func draw(_ cell: Workspace.CellRows, _ row: Int) {
    let from = cell.from + row * cell.rowBytes
    let target: UnsafeMutableRawPointer
    let bytes: Int
    if let words = cell.out.words {
      (target, bytes) = (UnsafeMutableRawPointer(words + row * cell.out.stride), 4)
    } else if let halves = cell.out.halves {
      (target, bytes) = (UnsafeMutableRawPointer(halves + row * cell.out.stride), 2)
    } else {
      return
    }
    if cell.count == 0 {
      stream(from, target, byteCount: cell.rect.width * bytes)
      return
    }
    if cell.isApart, bytes == 4 {
      drawApart(cell, row, from, target)
      return
    }
    draw(from, findSpans(cell, cell.rect.y + row), cell, row, target, bytes)
  }

  /// Mixes a part of a cell with the sprites on it, as many rows at a time as there is room for,
  /// and writes it.
  ///
  /// - Parameters:
  ///   - from: The part's first pixel in the cell.
  ///   - rowBytes: The bytes from row to row of the cell.
  ///   - part: The part in view pixels.
  @inline(never)
  func drawUnderSprites(_ from: UnsafeRawPointer, _ rowBytes: Int, _ part: PixelRect) {
    let room = max(1, Workspace.chunkWidth * Workspace.chunkHeight / max(1, part.width))
    var top = part.y
    while top < part.maxY {
      let rect = PixelRect(
        x: part.x, y: top, width: part.width, height: min(part.maxY, top + room) - top)
      blendSprites(from + (top - part.y) * rowBytes, rowBytes, rect)
      top = rect.maxY
    }
  }

  private func blendSprites(_ from: UnsafeRawPointer, _ rowBytes: Int, _ part: PixelRect) {
    for j in 0..<part.height {
      let row = from + j * rowBytes
      if panel.target.format == .rgb565 {
        expand565(row.assumingMemoryBound(to: UInt16.self), work.band + j * part.width, part.width)
      } else {
        copyRow(row.assumingMemoryBound(to: UInt32.self), work.band + j * part.width, part.width)
      }
    }
    over.blend(into: work.band, part)
    panel.store(part)
  }

  /// Writes row `row` of a cell on which no two sprites meet, in 32-bit pixels.
  @inline(__always)
  private func drawApart(
    _ cell: Workspace.CellRows, _ row: Int, _ from: UnsafeRawPointer,
    _ target: UnsafeMutableRawPointer
  ) {
    let (y, x, width) = (cell.rect.y &+ row, cell.rect.x, cell.rect.width)
    var out = LineRow(from, to: target, by: work.rows, width: width)
    for n in 0..<cell.count {
      let sprite = over.placed + Int(cell.numbers[n])
      let (line, start) = (y &- sprite.pointee.rect.y, sprite.pointee.rect.x &- x)
      if line < 0 || line >= sprite.pointee.rect.height { continue }
      let columns = sprite.pointee.columns[line]
      let left = max(start &+ Int(columns.left), 0)
      let right = min(start &+ Int(columns.right), width)
      if left >= right { continue }
      out.mix(left, right) { under, into in
        blend(
          sprite.pointee.pixels + (line &* sprite.pointee.rect.width &+ left &- start),
          over: under, to: into, right &- left, opacity: sprite.pointee.opacity)
      }
    }
    out.finish()
  }

  /// Writes the columns of row `y` in which one of a cell's sprites is not transparent to
  /// `work.spans`, left to right, with overlapping sprites merged into one span. Returns the number
  /// of spans.
  private func findSpans(_ cell: Workspace.CellRows, _ y: Int) -> Int {
    var found = 0
    for n in 0..<cell.count {
      let sprite = over.placed[Int(cell.numbers[n])]
      if y < sprite.rect.y || y >= sprite.rect.maxY { continue }
      let (left, right) = sprite.columns(y, from: cell.rect.x, to: cell.rect.maxX)
      if left >= right { continue }
      var span = Workspace.Span(left: left, right: right, first: n, last: n)
      // Merge the spans that it overlaps.
      var first = 0
      while first < found, work.spans[first].right <= left { first += 1 }
      var next = first
      while next < found, work.spans[next].left < right {
        let other = work.spans[next]
        span.left = min(span.left, other.left)
        span.right = max(span.right, other.right)
        span.first = min(span.first, other.first)
        next += 1
      }
      let shift = 1 - (next - first)
      if shift > 0 {
        for i in stride(from: found, to: first, by: -1) { work.spans[i] = work.spans[i - 1] }
      } else if shift < 0 {
        for i in next..<found { work.spans[i + shift] = work.spans[i] }
      }
      found += shift
      work.spans[first] = span
    }
    return found
  }

  /// Writes row `row` of a cell once, in order: copied where no sprite lies, mixed where one does.
  /// `from` is the row's first pixel in the cell, `target` the one on the panel.
  private func draw(
    _ from: UnsafeRawPointer, _ spanCount: Int, _ cell: Workspace.CellRows, _ row: Int,
    _ target: UnsafeMutableRawPointer, _ bytes: Int
  ) {
    let (rect, y) = (cell.rect, cell.rect.y + row)
    if bytes == 4 {
      var out = LineRow(from, to: target, by: work.rows, width: rect.width)
      for n in 0..<spanCount {
        let span = work.spans[n]
        out.mix(span.left - rect.x, span.right - rect.x) { under, into in
          copyRow(under, into, span.right - span.left)
          blendSprites(span, of: cell, y, into: into)
        }
      }
      out.finish()
      return
    }
    // The columns already written, from the rectangle's left.
    var done = 0
    for n in 0..<spanCount {
      let span = work.spans[n]
      let (left, right) = (span.left - rect.x, span.right - rect.x)
      stream(from + done * 2, target + done * 2, byteCount: (left - done) * 2)
      done = right
      expand565(
        (from + left * 2).assumingMemoryBound(to: UInt16.self), work.rows, right - left)
      blendSprites(span, of: cell, y, into: work.rows)
      pack565(
        work.rows, (target + left * 2).assumingMemoryBound(to: UInt16.self), right - left,
        x: cell.out.x + left, y: cell.out.y + row)
    }
    stream(from + done * 2, target + done * 2, byteCount: (rect.width - done) * 2)
  }

  /// Blends the sprites of a span into its pixels of row `y`.
  private func blendSprites(
    _ span: Workspace.Span, of cell: Workspace.CellRows, _ y: Int,
    into pixels: UnsafeMutablePointer<UInt32>
  ) {
    for i in span.first...span.last {
      let sprite = over.placed[Int(cell.numbers[i])]
      let box = sprite.rect
      if box.y > y || box.maxY <= y { continue }
      let (start, end) = sprite.columns(y, from: span.left, to: span.right)
      if start >= end { continue }
      blendOver(
        sprite.pixels + (y - box.y) * box.width + start - box.x, into: pixels + start - span.left,
        end - start, opacity: sprite.opacity)
    }
  }
}
