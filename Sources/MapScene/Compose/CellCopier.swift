import MapGeometry
import Pixels
import TileLoading

/// Draws views at a whole zoom and bearing 0 cell by cell. Opaque tiles are copied straight to the
/// display; only blocks in which several tiles show are mixed.
///
/// Valid for one frame.
struct CellCopier {
  let cache: TileCache
  /// Keeps flattened cells; nil: none are kept.
  let flats: FlatTiles?
  let mixer: ChunkMixer
  private var panel: PanelWriter { mixer.panel }

  init(cache: TileCache, flats: FlatTiles?, mixer: ChunkMixer) {
    (self.cache, self.flats, self.mixer) = (cache, flats, mixer)
  }

  /// Draws `rect` cell by cell. Cells that cannot be copied go to `mixer`.
  @inline(never)
  func drawExact(
    _ plan: borrowing FramePlan, _ rect: PixelRect
  ) {
    let t = plan.transform
    let (originX, originY) = (Int(t.originX), Int(t.originY))
    let opaque = TilePixelFormat(opaqueFor: panel.target.format)
    let cell = t.cell
    var top = rect.y
    while top < rect.maxY {
      let row = (top + originY) >= 0 ? (top + originY) / cell : -1
      let inWorld = plan.rows.contains(row)
      let bottom =
        inWorld
        ? min(rect.maxY, (row + 1) * cell - originY)
        : worldEdge(
          top, rect.maxY, plan.rows, cell, originY)
      var left = rect.x
      var count = 0
      while left < rect.maxX {
        let gridX = left + originX
        let column = gridX >= 0 ? gridX / cell : -((cell - 1 - gridX) / cell)
        let right = inWorld ? min(rect.maxX, (column + 1) * cell - originX) : rect.maxX
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        if inWorld, let base = copyable(plan, column, row, opaque),
          !mixer.hasSpritesBetween(plan, column, row, part),
          let stack = stacked(plan, column, row)
        {
          let (x, y) = (gridX - column * cell, top + originY - row * cell)
          let flat = stack.count > 0 ? flat(base, stack, t, column, row, opaque) : nil
          if stack.count > 0, flat == nil {
            draw(base, under: stack, part, x: x, y: y, plan)
          } else if panel.rotation == .none {
            let sheet = flat ?? base
            mixer.work.cells[count] = Workspace.Cell(
              from: sheet.corner + y * sheet.rowBytes + x * opaque.bytes, rowBytes: sheet.rowBytes,
              part: part)
            if flat == nil {
              count += 1
              if count == Workspace.mostCells { drawCells(&count) }
            } else {
              // It does not wait for others: flattening the next cell may evict it.
              rows.drawCells(count..<count + 1)
            }
          } else {
            draw(flat ?? base, part, x: x, y: y)
          }
        } else {
          mixer.mix(plan, part)
        }
        left = right
      }
      drawCells(&count)
      top = bottom
    }
  }

  /// Where the strip beyond the world's edge that begins at row `top` ends.
  private func worldEdge(
    _ top: Int, _ end: Int, _ rows: Range<Int>, _ cell: Int, _ originY: Int
  ) -> Int {
    let worldTop = rows.lowerBound * cell - originY
    return !rows.isEmpty && top < worldTop ? min(end, worldTop) : end
  }

  /// The cell's base tile if it can be copied: one opaque tile in the display's format, unscaled.
  private func copyable(
    _ plan: borrowing FramePlan, _ column: Int, _ row: Int, _ opaque: TilePixelFormat
  ) -> Sheet? {
    guard let base = plan.layers.first, base.isBase, base.opacity == 1,
      plan.columns.contains(column)
    else { return nil }
    let cell = plan.cells[plan.index(layer: 0, column: column, row: row)]
    guard cell.pieceCount == 1 else { return nil }
    let piece = plan.pieces[Int(cell.firstPiece)]
    let tile = cache.entry(piece.slot)
    guard piece.isExact, tile.format == opaque else { return nil }
    let rowBytes = Int(tile.edge) * opaque.bytes
    return Sheet(
      corner: UnsafeRawPointer(tile.pixels) - piece.originY * rowBytes
        - piece.originX * opaque.bytes,
      rowBytes: rowBytes, serial: tile.serial)
  }

  /// The tiles over a cell's base; nil if one of them is scaled, is made of several pieces, has no
  /// cover or is one too many for the stack.
  private func stacked(_ plan: borrowing FramePlan, _ column: Int, _ row: Int) -> SheetStack? {
    var stack = SheetStack(sheets: mixer.work.sheets)
    for n in 1..<max(1, plan.layers.count) {
      let opacity = plan.layers[n].opacity
      let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
      if cell.pieceCount == 0 || opacity <= 0 { continue }
      let piece = plan.pieces[Int(cell.firstPiece)]
      let tile = cache.entry(piece.slot)
      let block = TileCover.block
      guard cell.pieceCount == 1, piece.isExact, let cover = tile.cover,
        stack.count < SheetStack.capacity, (piece.originX | piece.originY) % block == 0
      else { return nil }
      let rowBytes = Int(tile.edge) * 4
      let blocks = TileCover.blocks(edge: Int(tile.edge))
      stack.sheets[stack.count] = Sheet(
        corner: UnsafeRawPointer(tile.pixels) - piece.originY * rowBytes - piece.originX * 4,
        rowBytes: rowBytes,
        cover: cover - piece.originY / block * blocks - piece.originX / block, blocks: blocks,
        opacity: min(256, Int((opacity * 256).rounded())),
        serial: tile.serial)
      stack.count += 1
    }
    return stack
  }

  /// The cell flattened with `stack`, from the cache or mixed now; nil if flattened cells are not
  /// kept or the cache has no room.
  private func flat(
    _ base: Sheet, _ stack: SheetStack, _ t: ViewTransform, _ column: Int, _ row: Int,
    _ opaque: TilePixelFormat
  ) -> Sheet? {
    guard let flats, let tile = TileID(z: t.level, x: column & (t.columns - 1), y: row) else {
      return nil
    }
    return flats.sheet(tile, base, stack, edge: t.cell, opaque, row: mixer.work.band)
  }

  private var rows: SpriteRows {
    SpriteRows(over: mixer.over, panel: panel, work: mixer.work)
  }

  /// Draws the cells that wait for it.
  private func drawCells(_ count: inout Int) {
    rows.drawCells(0..<count)
    count = 0
  }

  /// Draws a part of a cell that has nothing over it but sprites.
  private func draw(_ base: Sheet, _ part: PixelRect, x: Int, y: Int) {
    if mixer.over.meets(part) {
      rows.drawUnderSprites(
        base.corner + y * base.rowBytes + x * panel.target.format.bytes, base.rowBytes, part)
    } else {
      panel.copy(base, part, x: x, y: y)
    }
  }

  /// Draws a part of a cell block by block. Blocks in which a single tile shows are copied, others
  /// are mixed.
  ///
  /// - Parameters:
  ///   - base: The tile at the bottom.
  ///   - stack: The tiles over it.
  ///   - part: The part in view pixels.
  ///   - x: The part's first column in the cell.
  ///   - y: The part's first row in the cell.
  ///   - plan: The plan of the view.
  private func draw(
    _ base: Sheet, under stack: SheetStack, _ part: PixelRect, x: Int, y: Int,
    _ plan: borrowing FramePlan
  ) {
    let size = TileCover.block
    let wide = panel.target.format == .xrgb8888
    var top = part.y
    while top < part.maxY {
      let cellY = y + top - part.y
      let bottom = min(part.maxY, top + size - cellY % size)
      let blockY = cellY / size
      var left = part.x
      while left < part.maxX {
        let first = (x + left - part.x) / size
        let seen = stack.topmost(first, blockY, wide)
        var next = first + 1
        while next * size < x + part.width, stack.topmost(next, blockY, wide) == seen { next += 1 }
        let right = min(part.maxX, part.x + next * size - x)
        let rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        if mixer.over.meets(rect) {
          mixer.mix(plan, rect)
        } else if seen < 0 {
          stitch(base, stack, rect, x: x + left - part.x, y: cellY, plan)
        } else {
          panel.copy(
            seen == 0 ? base : stack.sheets[seen - 1], rect, x: x + left - part.x, y: cellY)
        }
        left = right
      }
      top = bottom
    }
  }

  /// Draws a part of a cell row by row. Layers are blended in a row that stays in the processor's
  /// cache; the topmost is blended straight into the display's memory.
  private func stitch(
    _ base: Sheet, _ stack: SheetStack, _ part: PixelRect, x: Int, y: Int,
    _ plan: borrowing FramePlan
  ) {
    guard panel.rotation == .none, let out = panel.target.words(of: part),
      part.width <= Workspace.rowsWords
    else {
      mixer.mix(plan, part)
      return
    }
    let size = TileCover.block
    for j in 0..<part.height {
      var under = (base.corner + (y + j) * base.rowBytes + x * 4)
        .assumingMemoryBound(to: UInt32.self)
      let row = out.first + j * out.stride
      // The topmost layer with anything in this row writes to the display.
      var last = stack.count
      while last > 0,
        stack.sheets[last - 1].isClear(x / size...(x + part.width - 1) / size, y / size)
      {
        last -= 1
      }
      for n in 0..<last {
        let sheet = stack.sheets[n]
        if n < last - 1, sheet.isClear(x / size...(x + part.width - 1) / size, y / size) {
          continue
        }
        let destination = n == last - 1 ? row : mixer.work.rows
        blend(
          (sheet.corner + (y + j) * sheet.rowBytes + x * 4).assumingMemoryBound(to: UInt32.self),
          over: under, to: destination, part.width, opacity: sheet.opacity)
        under = UnsafePointer(destination)
      }
    }
  }
}
