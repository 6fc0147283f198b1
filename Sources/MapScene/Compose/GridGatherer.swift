import Glibc
import MapGeometry
import Pixels
import TileLoading

/// Collects 32-bit pixels of the tile grid, from tiles of any level and format.
///
/// Valid for one frame.
struct GridGatherer {
  let cache: TileCache
  /// Work memory of `scratchWords` pixels: a row to blend, and two tile rows to convert or reduce.
  let scratch: UnsafeMutablePointer<UInt32>
  /// The colours beyond the world's edge, and under tiles that have not arrived.
  let outside: UInt32
  let waiting: UInt32

  /// The number of 32-bit pixels that `scratch` needs for cells of `edge` pixels.
  static func scratchWords(edge: Int) -> Int { 6 * edge + 64 }

  /// The largest shift: a cell of 256 pixels is then one sampled pixel.
  private static let mostShift = 8

  /// How far, in grid pixels, to look for tiles that are not enlarged around pixels to be sampled
  /// with `shift`: larger pixels reach farther for their neighbours.
  static func reach(shift: Int) -> Int { 3 << min(shift, mostShift) }

  /// The smallest enlargement, as a power of two, among the tiles that layer `n` shows at the grid
  /// pixels x ..< x + width, y ..< y + height.
  ///
  /// The caller samples a grid whose pixels are 2^shift larger, so that tiles beyond their deepest
  /// level are enlarged and resampled in one step. Returns 0 ... 8; 0 if a tile is not enlarged, or
  /// if a tile of the base is not there: an edge is not mixed with the colour of nothing.
  func shift(
    _ plan: borrowing FramePlan, layer n: Int, x: Int, y: Int, width: Int, height: Int
  ) -> Int {
    let edge = plan.transform.cell
    var least = Int32.max
    let rows = floorDiv(y, edge)...floorDiv(y + height - 1, edge)
    // Keep the world's edge sharp.
    if rows.lowerBound < 0 || rows.upperBound >= plan.transform.columns { return 0 }
    for row in rows where plan.rows.contains(row) {
      for column in floorDiv(x, edge)...floorDiv(x + width - 1, edge)
      where plan.columns.contains(column) {
        let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
        if cell.visible, cell.pieceCount == 0, plan.layers[n].isBase { return 0 }
        let first = Int(cell.firstPiece)
        for i in first..<first + Int(cell.pieceCount) {
          least = min(least, plan.pieces[i].pixelShift)
        }
        if least <= 0 { return 0 }
      }
    }
    // Larger pixels must divide the cell.
    return least == .max
      ? 0 : min(Int(least), GridGatherer.mostShift, edge.trailingZeroBitCount)
  }

  /// Writes the grid pixels x ..< x + width, y ..< y + height of layer `n` to `out`, with `stride`
  /// pixels from row to row.
  ///
  /// Coordinates are in pixels of 2^`shift` grid pixels on a side. `shift` is at most what
  /// `shift(_:layer:x:y:width:height:)` returns for this area.
  func gather(
    _ plan: borrowing FramePlan, layer n: Int, shift: Int = 0, x: Int, y: Int, width: Int,
    height: Int, into out: UnsafeMutablePointer<UInt32>, stride: Int
  ) {
    let edge = plan.transform.cell >> shift
    let isBase = plan.layers[n].isBase
    var top = y
    while top < y + height {
      let row = floorDiv(top, edge)
      let bottom = min(y + height, (row + 1) * edge)
      var left = x
      while left < x + width {
        let column = floorDiv(left, edge)
        let right = min(x + width, (column + 1) * edge)
        let target = out + (top - y) * stride + (left - x)
        let inside = PixelRect(
          x: left - column * edge, y: top - row * edge, width: right - left, height: bottom - top)
        if plan.rows.contains(row), plan.columns.contains(column) {
          let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
          gather(plan, cell, shift, inside, isBase, target, stride)
        } else if shift > 0, !plan.rows.isEmpty, !plan.columns.isEmpty {
          gatherBeyond(
            plan, n, shift,
            PixelRect(x: left, y: top, width: right - left, height: bottom - top), target, stride)
        } else {
          let beyond = row < 0 || row >= plan.transform.columns
          fill(target, stride, inside, isBase ? (beyond ? outside : waiting) : 0)
        }
        left = right
      }
      top = bottom
    }
  }

  /// The memory of the grid pixels x ..< x + width, y ..< y + height of layer `n`, and the pixels
  /// from row to row there; nil unless all are part of one 32-bit tile. `gather` would copy the
  /// same pixels.
  func tile(
    _ plan: borrowing FramePlan, layer n: Int, shift: Int = 0, x: Int, y: Int, width: Int,
    height: Int
  ) -> (pixels: UnsafePointer<UInt32>, stride: Int)? {
    guard let (slot, left, top) = place(plan, n, shift, x, y, width, height) else { return nil }
    let tile = cache.entry(slot)
    guard tile.format != .rgb565 else { return nil }
    let stride = Int(tile.edge)
    return (
      UnsafePointer(tile.pixels.assumingMemoryBound(to: UInt32.self)) + top * stride + left, stride
    )
  }

  /// Prefetches the tile pixels behind these grid pixels. If one tile holds them all, it fetches
  /// nothing and returns the block, for the caller to fetch a little at a time.
  func fetch(
    _ plan: borrowing FramePlan, layer n: Int, shift: Int, x: Int, y: Int, width: Int, height: Int
  ) -> BlockAhead {
    if let (slot, left, top) = place(plan, n, shift, x, y, width, height) {
      return ahead(slot, left, top, width, height)
    }
    let edge = plan.transform.cell >> shift
    var row = max(floorDiv(y, edge), plan.rows.lowerBound)
    while row * edge < y + height, row < plan.rows.upperBound {
      var column = max(floorDiv(x, edge), plan.columns.lowerBound)
      while column * edge < x + width, column < plan.columns.upperBound {
        let part = PixelRect(x: x, y: y, width: width, height: height).intersection(
          PixelRect(x: column * edge, y: row * edge, width: edge, height: edge))
        if !part.isEmpty,
          let (slot, left, top) = place(
            plan, n, shift, part.x, part.y, part.width, part.height)
        {
          ahead(slot, left, top, part.width, part.height).fetch()
        }
        column += 1
      }
      row += 1
    }
    return BlockAhead()
  }

  private func ahead(
    _ slot: Int32, _ left: Int, _ top: Int, _ width: Int, _ height: Int
  ) -> BlockAhead {
    let tile = cache.entry(slot)
    let bytes = tile.format.bytes
    let (rowBytes, first) = (Int(tile.edge) * bytes, left * bytes & ~3)
    return BlockAhead(
      UnsafePointer((tile.pixels + top * rowBytes + first).assumingMemoryBound(to: UInt32.self)),
      stride: rowBytes / 4, width: (width * bytes + 3) / 4, height: height)
  }

  /// The slot of the single tile that holds all of these grid pixels, and the position of the first
  /// one in it; nil: there is no such tile.
  private func place(
    _ plan: borrowing FramePlan, _ n: Int, _ shift: Int, _ x: Int, _ y: Int, _ width: Int,
    _ height: Int
  ) -> (slot: Int32, left: Int, top: Int)? {
    let edge = plan.transform.cell >> shift
    let (firstColumn, firstRow) = (floorDiv(x, edge), floorDiv(y, edge))
    let (lastColumn, lastRow) = (floorDiv(x + width - 1, edge), floorDiv(y + height - 1, edge))
    guard plan.rows.contains(firstRow), plan.rows.contains(lastRow),
      plan.columns.contains(firstColumn), plan.columns.contains(lastColumn)
    else { return nil }
    var found: (slot: Int32, left: Int, top: Int)?
    for row in firstRow...lastRow {
      for column in firstColumn...lastColumn {
        let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
        guard cell.pieceCount == 1 else { return nil }
        let piece = plan.pieces[Int(cell.firstPiece)]
        guard piece.shift == shift, piece.scaling == nil, piece.x == 0, piece.y == 0,
          Int(piece.width) == plan.transform.cell, Int(piece.height) == plan.transform.cell,
          !(piece.alpha && plan.layers[n].isBase)
        else { return nil }
        let left = x - column * edge - piece.originX >> shift
        let top = y - row * edge - piece.originY >> shift
        if let found {
          // The neighbour must show the same tile, and not its copy across the antimeridian.
          guard found.slot == piece.slot, found.left == left, found.top == top else { return nil }
        } else {
          found = (piece.slot, left, top)
        }
      }
    }
    return found
  }

  /// Whether layer `n` is fully transparent at the grid pixels x ..< x + width, y ..< y + height.
  func isClear(
    _ plan: borrowing FramePlan, layer n: Int, x: Int, y: Int, width: Int, height: Int
  ) -> Bool {
    let edge = plan.transform.cell
    for row in floorDiv(y, edge)...floorDiv(y + height - 1, edge) where plan.rows.contains(row) {
      for column in floorDiv(x, edge)...floorDiv(x + width - 1, edge)
      where plan.columns.contains(column) {
        let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
        let first = Int(cell.firstPiece)
        for i in first..<first + Int(cell.pieceCount) {
          let piece = plan.pieces[i]
          let tile = cache.entry(piece.slot)
          guard piece.isExact, let cover = tile.cover else { return false }
          // The part of the cell, in the tile's pixels.
          let (left, top) = (max(x, column * edge), max(y, row * edge))
          let right = min(x + width, (column + 1) * edge)
          let bottom = min(y + height, (row + 1) * edge)
          let (tileX, tileY) = (column * edge + piece.originX, row * edge + piece.originY)
          let blocks = TileCover.blocks(edge: Int(tile.edge))
          for blockY in (top - tileY) / TileCover.block...(bottom - 1 - tileY) / TileCover.block {
            for blockX in (left - tileX) / TileCover.block...(right - 1 - tileX) / TileCover.block
            where cover[blockY * blocks + blockX] != TileCover.clear {
              return false
            }
          }
        }
      }
    }
    return true
  }

  /// Writes pixels of cells that are out of view and so not planned. They come from the nearest
  /// planned cell's tile, which is larger than its cell; beyond the tile, its edge pixels repeat.
  private func gatherBeyond(
    _ plan: borrowing FramePlan, _ n: Int, _ shift: Int, _ rect: PixelRect,
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int
  ) {
    let edge = plan.transform.cell >> shift
    let isBase = plan.layers[n].isBase
    for y in rect.y..<rect.maxY {
      let row = min(max(floorDiv(y, edge), plan.rows.lowerBound), plan.rows.upperBound - 1)
      for x in rect.x..<rect.maxX {
        let column = min(
          max(floorDiv(x, edge), plan.columns.lowerBound), plan.columns.upperBound - 1)
        let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
        let target = out + (y - rect.y) * stride + x - rect.x
        let first = Int(cell.firstPiece)
        target.pointee = isBase ? waiting : 0
        for i in first..<first + Int(cell.pieceCount) {
          let piece = plan.pieces[i]
          let (left, top) = (piece.originX >> shift, piece.originY >> shift)
          let (across, down) = size(piece, shift)
          let place = PixelRect(
            x: min(max(x - column * edge, left), left + across - 1),
            y: min(max(y - row * edge, top), top + down - 1), width: 1, height: 1)
          draw(piece, shift, place, target, 1, blend: piece.alpha && isBase)
        }
      }
    }
  }

  /// The size of a piece's whole tile, in pixels of 2^`shift` grid pixels.
  private func size(_ piece: FramePlan.Piece, _ shift: Int) -> (across: Int, down: Int) {
    if let scaling = piece.scaling {
      return (max(1, scaling.width >> shift), max(1, scaling.height >> shift))
    }
    let edge = max(1, Int(cache.entry(piece.slot).edge) << (Int(piece.shift) - shift))
    return (edge, edge)
  }

  @inline(__always)
  private func floorDiv(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((b - 1 - a) / b) }

  private func fill(
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int, _ rect: PixelRect, _ color: UInt32
  ) {
    for j in 0..<rect.height {
      Pixels.fill(out + j * stride, color, rect.width)
    }
  }

  private func gather(
    _ plan: borrowing FramePlan, _ cell: FramePlan.Cell, _ shift: Int, _ rect: PixelRect,
    _ isBase: Bool, _ out: UnsafeMutablePointer<UInt32>, _ stride: Int
  ) {
    let first = Int(cell.firstPiece)
    let count = Int(cell.pieceCount)
    if count == 0 || plan.pieces[first].alpha || plan.pieces[first].shift < 0 || !isBase {
      fill(out, stride, rect, isBase ? waiting : 0)
    }
    for i in first..<first + count {
      let piece = plan.pieces[i]
      let part = PixelRect(
        x: Int(piece.x) >> shift, y: Int(piece.y) >> shift, width: Int(piece.width) >> shift,
        height: Int(piece.height) >> shift
      ).intersection(rect)
      if part.isEmpty { continue }
      draw(
        piece, shift, part, out + (part.y - rect.y) * stride + (part.x - rect.x), stride,
        blend: piece.alpha && isBase)
    }
  }

  /// Draws `part` of the cell from `piece`'s tile.
  private func draw(
    _ piece: FramePlan.Piece, _ shift: Int, _ part: PixelRect,
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int, blend: Bool
  ) {
    let tile = cache.entry(piece.slot)
    let edge = Int(tile.edge)
    let narrow = tile.format == .rgb565
    let rowBytes = edge * tile.format.bytes
    let tileX = part.x - piece.originX >> shift
    let tileY = part.y - piece.originY >> shift
    let shift = Int(piece.shift) - shift
    let count = part.width
    if let scaling = piece.scaling {
      ScaledTile(tile, to: scaling).draw(
        PixelRect(x: tileX, y: tileY, width: count, height: part.height), to: out, stride: stride,
        blend: blend, row: scratch)
      return
    }
    let row = scratch
    let work = scratch + count
    for j in 0..<part.height {
      let target = blend ? row : out + j * stride
      if shift == 0 {
        let source =
          UnsafeRawPointer(tile.pixels) + (tileY + j) * rowBytes + tileX * tile.format.bytes
        if narrow {
          expand565(source.assumingMemoryBound(to: UInt16.self), target, count)
        } else if blend {
          blendOver(
            source.assumingMemoryBound(to: UInt32.self), into: out + j * stride, count,
            opacity: 256)
          continue
        } else {
          memcpy(target, source, count * 4)
        }
      } else if shift > 0 {
        let pixels = UnsafeRawPointer(tile.pixels)
        if narrow {
          enlargeSpan565(
            tile: pixels, rowBytes: rowBytes, edge: edge, shift: shift, u: tileX, v: tileY + j,
            destination: target, count: count, scratch: work)
        } else {
          enlargeSpan(
            tile: pixels, rowBytes: rowBytes, edge: edge, shift: shift, u: tileX, v: tileY + j,
            destination: target, count: count, scratch: work)
        }
      } else {
        let source =
          UnsafeRawPointer(tile.pixels) + (tileY + j) * 2 * rowBytes
          + tileX * 2 * tile.format.bytes
        if narrow {
          expand565(source.assumingMemoryBound(to: UInt16.self), work, count * 2)
          expand565(
            (source + rowBytes).assumingMemoryBound(to: UInt16.self), work + count * 2, count * 2)
          reduce2x2(work, work + count * 2, target, count)
        } else {
          reduce2x2(
            source.assumingMemoryBound(to: UInt32.self),
            (source + rowBytes).assumingMemoryBound(to: UInt32.self), target, count)
        }
      }
      if blend {
        blendOver(row, into: out + j * stride, count, opacity: 256)
      }
    }
  }
}
