import Glibc
import MapGeometry
import Pixels
import Platform
import TileLoading

/// Draws plans: copies what may be copied straight to the display, and mixes the rest in a buffer that
/// stays in the processor's cache before it is written, once and in order.
///
/// The display's memory is never read. A frame allocates nothing once its size has been seen.
public final class Compositor {
  /// Colours where there is no map, 0xFFRRGGBB.
  public struct Palette: Sendable, Equatable {
    /// Beyond the world's northern and southern edge.
    public var outside: UInt32 = 0xFFC9_CDD1
    /// Under what has not come yet.
    public var waiting: UInt32 = 0xFFE4_E4E0

    public init() {}
  }

  // The unit of mixing: 256 x 64 words are 64 KiB.
  private static let chunkWidth = 256
  private static let chunkHeight = 64
  private static let blockEdge = 32

  private let cache: TileCache
  private let over = SpriteIndex()
  private let band: UnsafeMutablePointer<UInt32>
  private let layerBand: UnsafeMutablePointer<UInt32>
  private let rows: UnsafeMutablePointer<UInt32>
  private let block: UnsafeMutablePointer<UInt32>
  // Not touched before the first view between two levels.
  private let field: UnsafeMutablePointer<UInt32>
  private let table: ResampleTable
  /// The tiles over a cell's base, bottom first.
  private let sheets: UnsafeMutablePointer<Sheet>
  /// The sprites over a strip, bottom first, and the columns that they cover.
  private let sprites: UnsafeMutablePointer<SpriteIndex.Placed>
  private let spans: UnsafeMutablePointer<(left: Int, right: Int)>
  private static let mostSprites = 32
  private let flats: FlatTiles
  private static let mostSheets = 16
  private let tableMemory: UnsafeMutableRawPointer
  private var gatherScratch: UnsafeMutablePointer<UInt32>
  private var gatherWords: Int
  // Source pixels of a row or block: at most √2 a step, turned by any angle, and neighbours.
  private static let rowsWords = 2400
  private static let blockWords = 72
  // Rows that are gathered at once, so that they stay in the processor's nearest cache until they are
  // sampled: source pixels of a chunk at √2 a step, and neighbours.
  private static let fieldRows = 16
  private static let fieldWords = 368 * fieldRows

  public var palette = Palette()

  /// Cells with something over the map may be mixed once and kept in the cache. Only where every tile of
  /// the plan has its standing in the cache: they take the place of those that have none.
  public var keepsFlatTiles = false

  /// Bytes of the buffers in which pixels are mixed.
  public var bytes: Int {
    (2 * Compositor.chunkWidth * Compositor.chunkHeight + Compositor.rowsWords
      + Compositor.blockWords * Compositor.blockWords + Compositor.fieldWords + gatherWords) * 4
      + ResampleTable.bytes(Compositor.chunkWidth) + over.bytes + flats.bytes
  }

  public init(cache: TileCache) {
    self.cache = cache
    flats = FlatTiles(cache: cache)
    let words = Compositor.chunkWidth * Compositor.chunkHeight
    band = .allocate(capacity: words)
    layerBand = .allocate(capacity: words)
    rows = .allocate(capacity: Compositor.rowsWords)
    block = .allocate(capacity: Compositor.blockWords * Compositor.blockWords)
    field = .allocate(capacity: Compositor.fieldWords)
    sheets = .allocate(capacity: Compositor.mostSheets)
    sprites = .allocate(capacity: Compositor.mostSprites)
    spans = .allocate(capacity: Compositor.mostSprites)
    tableMemory = .allocate(
      byteCount: ResampleTable.bytes(Compositor.chunkWidth), alignment: 64)
    table = ResampleTable(tableMemory)
    gatherWords = GridGatherer.scratchWords(edge: 512)
    gatherScratch = .allocate(capacity: gatherWords)
    band.initialize(repeating: 0, count: words)
    layerBand.initialize(repeating: 0, count: words)
    rows.initialize(repeating: 0, count: Compositor.rowsWords)
    block.initialize(repeating: 0, count: Compositor.blockWords * Compositor.blockWords)
    gatherScratch.initialize(repeating: 0, count: gatherWords)
  }

  deinit {
    band.deallocate()
    layerBand.deallocate()
    rows.deallocate()
    block.deallocate()
    field.deallocate()
    tableMemory.deallocate()
    sheets.deallocate()
    sprites.deallocate()
    spans.deallocate()
    gatherScratch.deallocate()
  }

  /// Takes what lies over the map in the frames that are drawn from now on, bottom first.
  ///
  /// - Parameters:
  ///   - sprites: their pictures are to live as long as frames are drawn with them.
  ///   - width: the view's, in pixels.
  public func place(_ sprites: [Sprite], width: Int, height: Int) {
    over.place(sprites, width: width, height: height)
  }

  /// Draws the part `rect` of the view, with the sprites that were placed.
  ///
  /// - Parameters:
  ///   - target: the panel's memory.
  ///   - rotation: how the panel is mounted; `rect` and the plan are in view pixels.
  public func draw(
    _ plan: borrowing FramePlan, in rect: PixelRect, to target: ScanoutBuffer,
    rotation: MountingRotation
  ) {
    let t = plan.transform
    let rect = rect.intersection(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    if rect.isEmpty { return }
    let words = GridGatherer.scratchWords(edge: t.cell)
    if words > gatherWords {
      gatherScratch.deallocate()
      gatherScratch = .allocate(capacity: words)
      gatherScratch.initialize(repeating: 0, count: words)
      gatherWords = words
    }
    if t.isExact {
      drawExact(plan, rect, target, rotation)
    } else {
      mix(plan, rect, target, rotation)
    }
  }

  /// Whole zoom, bearing 0: cell by cell, each copied if nothing but an opaque tile lies there.
  private func drawExact(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    let t = plan.transform
    let (originX, originY) = (Int(t.originX), Int(t.originY))
    let opaque = TilePixelFormat(opaqueFor: target.format)
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
      while left < rect.maxX {
        let gridX = left + originX
        let column = gridX >= 0 ? gridX / cell : -((cell - 1 - gridX) / cell)
        let right = inWorld ? min(rect.maxX, (column + 1) * cell - originX) : rect.maxX
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        if inWorld, let base = copyable(plan, column, row, opaque),
          let count = stacked(plan, column, row)
        {
          let flat = count > 0 ? flat(base, count, plan, column, row, opaque) : nil
          draw(
            flat ?? base, over: flat == nil ? count : 0, part, x: gridX - column * cell,
            y: top + originY - row * cell, plan, target, rotation)
        } else {
          mix(plan, part, target, rotation)
        }
        left = right
      }
      top = bottom
    }
  }

  /// Where the strip beyond the world that begins at `top` ends.
  private func worldEdge(
    _ top: Int, _ end: Int, _ rows: Range<Int>, _ cell: Int, _ originY: Int
  ) -> Int {
    let worldTop = rows.lowerBound * cell - originY
    return !rows.isEmpty && top < worldTop ? min(end, worldTop) : end
  }

  /// A tile as it lies over or under a cell.
  private struct Sheet {
    /// The pixel at the cell's corner, and bytes from row to row.
    var corner: UnsafeRawPointer
    var rowBytes: Int
    /// What its blocks hold (`TileCover`): that at the cell's corner, and how many there are in a row.
    var cover: UnsafePointer<UInt8>?
    var blocks = 0
    /// 0 ... 256.
    var opacity = 256
    /// The tile's serial number in the cache.
    var serial: UInt32 = 0
  }

  /// The opaque tile, in the display's format, that lies below everything else in a cell.
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
    guard piece.shift == 0, tile.format == opaque else { return nil }
    let rowBytes = Int(tile.edge) * opaque.bytes
    return Sheet(
      corner: UnsafeRawPointer(tile.pixels) - piece.originY * rowBytes
        - piece.originX * opaque.bytes,
      rowBytes: rowBytes, serial: tile.serial)
  }

  /// Puts the tiles that lie over a cell's base into `sheets`, bottom first; how many there are, nil
  /// where some are no whole tiles at their own size.
  private func stacked(_ plan: borrowing FramePlan, _ column: Int, _ row: Int) -> Int? {
    var count = 0
    for n in 1..<max(1, plan.layers.count) {
      let opacity = plan.layers[n].opacity
      let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
      if cell.pieceCount == 0 || opacity <= 0 { continue }
      let piece = plan.pieces[Int(cell.firstPiece)]
      let tile = cache.entry(piece.slot)
      let block = TileCover.block
      guard cell.pieceCount == 1, piece.shift == 0, let cover = tile.cover,
        count < Compositor.mostSheets, (piece.originX | piece.originY) % block == 0
      else { return nil }
      let rowBytes = Int(tile.edge) * 4
      let blocks = Int(tile.edge) / block
      sheets[count] = Sheet(
        corner: UnsafeRawPointer(tile.pixels) - piece.originY * rowBytes - piece.originX * 4,
        rowBytes: rowBytes,
        cover: cover - piece.originY / block * blocks - piece.originX / block, blocks: blocks,
        opacity: min(256, Int((opacity * 256).rounded())),
        serial: tile.serial)
      count += 1
    }
    return count
  }

  /// The cell with what lies over it, mixed before or now; nil: it is not to be kept, or has no room.
  private func flat(
    _ base: Sheet, _ count: Int, _ plan: borrowing FramePlan, _ column: Int, _ row: Int,
    _ opaque: TilePixelFormat
  ) -> Sheet? {
    let t = plan.transform
    guard keepsFlatTiles, t.cell <= Compositor.chunkWidth * Compositor.chunkHeight,
      let tile = TileID(z: t.level, x: column & (t.columns - 1), y: row)
    else { return nil }
    // Multiplied between one serial number and the next: they are small, and their sums alike.
    var signature = FNV1a()
    signature.combine(UInt64(base.serial))
    for n in 0..<count {
      signature.combine(UInt64(sheets[n].serial))
      signature.combine(UInt64(sheets[n].opacity))
    }
    let rowBytes = t.cell * opaque.bytes
    if let pixels = flats.find(tile, signature.value) {
      return Sheet(corner: UnsafeRawPointer(pixels), rowBytes: rowBytes)
    }
    guard let pixels = flats.add(tile, signature.value, edge: t.cell, opaque) else { return nil }
    for y in 0..<t.cell {
      let from = base.corner + y * base.rowBytes
      let out = pixels + y * rowBytes
      let words: UnsafeMutablePointer<UInt32>
      if opaque == .rgb565 {
        words = band
        expand565(from.assumingMemoryBound(to: UInt16.self), words, t.cell)
      } else {
        words = out.assumingMemoryBound(to: UInt32.self)
        copyRow(from.assumingMemoryBound(to: UInt32.self), words, t.cell)
      }
      for n in 0..<count {
        let sheet = sheets[n]
        let last = t.cell / TileCover.block - 1
        if isClear(sheet, 0...last, y / TileCover.block) { continue }
        blendOver(
          (sheet.corner + y * sheet.rowBytes).assumingMemoryBound(to: UInt32.self), into: words,
          t.cell, opacity: sheet.opacity)
      }
      if opaque == .rgb565 {
        pack565(words, out.assumingMemoryBound(to: UInt16.self), t.cell, x: 0, y: y)
      }
    }
    return Sheet(corner: UnsafeRawPointer(pixels), rowBytes: rowBytes)
  }

  /// Draws a part of a cell, block by block where something lies over its base: what is seen of one
  /// tile alone is copied, the rest mixed.
  ///
  /// - Parameters:
  ///   - count: how many of `sheets` lie over `base`.
  ///   - x: the part's first column in the cell.
  ///   - y: its first row.
  private func draw(
    _ base: Sheet, over count: Int, _ part: PixelRect, x: Int, y: Int,
    _ plan: borrowing FramePlan, _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    // Without anything over it, in strips of the sprites' index.
    let size = TileCover.block
    if count == 0 {
      if !over.meets(part) {
        copy(base, part, x: x, y: y, target, rotation)
        return
      }
      drawUnderSprites(base, part, x: x, y: y, plan, target, rotation)
      return
    }
    let wide = target.format == .xrgb8888
    var top = part.y
    while top < part.maxY {
      let cellY = y + top - part.y
      let bottom = min(part.maxY, top + size - cellY % size)
      let blockY = cellY / size
      var left = part.x
      while left < part.maxX {
        let first = (x + left - part.x) / size
        let seen = topmost(count, first, blockY, wide)
        var next = first + 1
        while next * size < x + part.width, topmost(count, next, blockY, wide) == seen { next += 1 }
        let right = min(part.maxX, part.x + next * size - x)
        let rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        if over.meets(rect) {
          mix(plan, rect, target, rotation)
        } else if seen < 0 {
          stitch(base, count, rect, x: x + left - part.x, y: cellY, plan, target, rotation)
        } else {
          copy(
            seen == 0 ? base : sheets[seen - 1], rect, x: x + left - part.x, y: cellY, target,
            rotation)
        }
        left = right
      }
      top = bottom
    }
  }

  /// Which tile alone is seen in a block: 0 the base, 1 and more those over it; −1: several are.
  @inline(__always)
  private func topmost(_ count: Int, _ x: Int, _ y: Int, _ wide: Bool) -> Int {
    var n = count
    while n > 0 {
      let sheet = sheets[n - 1]
      guard let cover = sheet.cover else { return -1 }
      let content = cover[y * sheet.blocks + x]
      if content == TileCover.mixed { return -1 }
      if content == TileCover.opaque { return sheet.opacity == 256 && wide ? n : -1 }
      n -= 1
    }
    return 0
  }

  /// Draws a part of a cell row by row, each layer over the ones below in a row that stays in the
  /// cache, and the last of them straight to the display.
  private func stitch(
    _ base: Sheet, _ count: Int, _ part: PixelRect, x: Int, y: Int,
    _ plan: borrowing FramePlan, _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    guard rotation == .none, let out = target.words(of: part), part.width <= Compositor.rowsWords
    else {
      mix(plan, part, target, rotation)
      return
    }
    let size = TileCover.block
    for j in 0..<part.height {
      var under = (base.corner + (y + j) * base.rowBytes + x * 4)
        .assumingMemoryBound(to: UInt32.self)
      let row = out.first + j * out.stride
      // The uppermost layer that has anything here is the one that is written out.
      var last = count
      while last > 0, isClear(sheets[last - 1], x / size...(x + part.width - 1) / size, y / size) {
        last -= 1
      }
      for n in 0..<last {
        let sheet = sheets[n]
        if n < last - 1, isClear(sheet, x / size...(x + part.width - 1) / size, y / size) {
          continue
        }
        let destination = n == last - 1 ? row : rows
        blend(
          (sheet.corner + (y + j) * sheet.rowBytes + x * 4).assumingMemoryBound(to: UInt32.self),
          over: under, to: destination, part.width, opacity: sheet.opacity)
        under = UnsafePointer(destination)
      }
    }
  }

  private func isClear(_ sheet: Sheet, _ columns: ClosedRange<Int>, _ row: Int) -> Bool {
    guard let cover = sheet.cover else { return false }
    for column in columns where cover[row * sheet.blocks + column] != TileCover.clear {
      return false
    }
    return true
  }

  private func copy(
    _ sheet: Sheet, _ part: PixelRect, x: Int, y: Int, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    var source = sheet.corner + y * sheet.rowBytes + x * target.format.bytes
    if rotation == .none {
      for row in part.y..<part.maxY {
        target.copyRow(x: part.x, y: row, count: part.width, from: source)
        source += sheet.rowBytes
      }
    } else {
      target.storeRotated(source, sourceRowBytes: sheet.rowBytes, rect: part, rotation: rotation)
    }
  }

  /// Mixes a part of a cell with the sprites that lie on it, and writes it.
  private func blendSprites(
    _ base: Sheet, _ part: PixelRect, x: Int, y: Int, _ plan: borrowing FramePlan,
    _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    let from = base.corner + y * base.rowBytes + x * target.format.bytes
    for j in 0..<part.height {
      let row = from + j * base.rowBytes
      if target.format == .rgb565 {
        expand565(row.assumingMemoryBound(to: UInt16.self), band + j * part.width, part.width)
      } else {
        copyRow(row.assumingMemoryBound(to: UInt32.self), band + j * part.width, part.width)
      }
    }
    over.blend(into: band, part)
    store(part, plan.transform, target, rotation)
  }

  /// Copies a part of a cell, and mixes with it only what sprites cover.
  private func drawUnderSprites(
    _ base: Sheet, _ part: PixelRect, x: Int, y: Int, _ plan: borrowing FramePlan,
    _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    var top = part.y
    while top < part.maxY {
      let end = (top / SpriteIndex.stripHeight + 1) * SpriteIndex.stripHeight
      let rect = PixelRect(
        x: part.x, y: top, width: part.width, height: min(part.maxY, end) - top)
      let cellY = y + top - part.y
      top = rect.maxY
      let count = over.find(rect, sprites, most: Compositor.mostSprites)
      if count == 0 {
        copy(base, rect, x: x, y: cellY, target, rotation)
        continue
      }
      if rotation == .none, rect.width <= Compositor.rowsWords, let count,
        let out = output(target, rect, plan.transform)
      {
        let from = base.corner + cellY * base.rowBytes + x * target.format.bytes
        let spans = findSpans(count, rect)
        for row in 0..<rect.height {
          draw(from + row * base.rowBytes, spans, count, rect, row, out)
        }
      } else {
        blendSprites(base, rect, x: x, y: cellY, plan, target, rotation)
      }
    }
  }

  /// Puts the columns of `rect` that `sprites` cover into `spans`, from left to right, each with all the
  /// sprites that overlap there; how many.
  private func findSpans(_ count: Int, _ rect: PixelRect) -> Int {
    var found = 0
    for n in 0..<count {
      let box = sprites[n].rect
      var span = (left: max(box.x, rect.x), right: min(box.maxX, rect.maxX))
      // The spans that it touches become one with it.
      var first = 0
      while first < found, spans[first].right <= span.left { first += 1 }
      var next = first
      while next < found, spans[next].left < span.right {
        span = (min(span.left, spans[next].left), max(span.right, spans[next].right))
        next += 1
      }
      let shift = 1 - (next - first)
      if shift > 0 {
        for i in stride(from: found, to: first, by: -1) { spans[i] = spans[i - 1] }
      } else if shift < 0 {
        for i in next..<found { spans[i + shift] = spans[i] }
      }
      found += shift
      spans[first] = span
    }
    return found
  }

  /// Writes row `row` of `rect` once and in order: copied from `from`, the row's first pixel, where no
  /// sprite lies, mixed where some do.
  private func draw(
    _ from: UnsafeRawPointer, _ spanCount: Int, _ count: Int, _ rect: PixelRect, _ row: Int,
    _ out: Output
  ) {
    let y = rect.y + row
    let bytes = out.words == nil ? 2 : 4
    let target =
      out.words.map { UnsafeMutableRawPointer($0 + row * out.stride) }
      ?? out.halves.map { UnsafeMutableRawPointer($0 + row * out.stride) }
    guard let target else { return }
    // Columns from the rectangle's left.
    var done = 0
    for n in 0..<spanCount {
      let span = spans[n]
      // The sprites of the span that have this row.
      var (first, last) = (-1, -1)
      for i in 0..<count
      where sprites[i].rect.x < span.right && sprites[i].rect.maxX > span.left
        && sprites[i].rect.y <= y && sprites[i].rect.maxY > y
      {
        if first < 0 { first = i }
        last = i
      }
      if first < 0 { continue }
      var (left, right) = (span.left - rect.x, span.right - rect.x)
      if first == last {
        left = max(sprites[first].rect.x - rect.x, 0)
        right = min(sprites[first].rect.maxX - rect.x, rect.width)
      }
      if left > done {
        memcpy(target + done * bytes, from + done * bytes, (left - done) * bytes)
      }
      done = right
      let under = from + left * bytes
      if first == last, out.words != nil {
        let sprite = sprites[first]
        let pixels =
          sprite.pixels + (y - sprite.rect.y) * sprite.rect.width + left + rect.x - sprite.rect.x
        blend(
          pixels, over: under.assumingMemoryBound(to: UInt32.self),
          to: (target + left * 4).assumingMemoryBound(to: UInt32.self), right - left, opacity: 256)
        continue
      }
      if out.words == nil {
        expand565(under.assumingMemoryBound(to: UInt16.self), rows, right - left)
      } else {
        copyRow(under.assumingMemoryBound(to: UInt32.self), rows, right - left)
      }
      for i in first...last {
        let box = sprites[i].rect
        if box.y > y || box.maxY <= y { continue }
        let start = max(box.x, left + rect.x)
        let end = min(box.maxX, right + rect.x)
        if start >= end { continue }
        blendOver(
          sprites[i].pixels + (y - box.y) * box.width + start - box.x,
          into: rows + start - rect.x - left, end - start, opacity: 256)
      }
      if out.words == nil {
        pack565(
          rows, (target + left * 2).assumingMemoryBound(to: UInt16.self), right - left,
          x: out.x + left, y: out.y + row)
      } else {
        memcpy(target + left * 4, rows, (right - left) * 4)
      }
    }
    if done < rect.width {
      memcpy(target + done * bytes, from + done * bytes, (rect.width - done) * bytes)
    }
  }

  /// Mixes `rect` chunk by chunk and writes it; samples straight to the display what nothing lies over.
  func mix(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    let gatherer = GridGatherer(
      cache: cache, scratch: gatherScratch, outside: palette.outside, waiting: palette.waiting)
    let isOpaque =
      !plan.layers.isEmpty && plan.layers[0].isBase && plan.layers[0].opacity == 1
    var y = rect.y
    while y < rect.maxY {
      let height = min(Compositor.chunkHeight, rect.maxY - y)
      var x = rect.x
      while x < rect.maxX {
        // Chunks begin at the same columns whatever part is drawn, so that rounding is the same.
        let width = min(
          Compositor.chunkWidth - x % Compositor.chunkWidth, rect.maxX - x)
        let chunk = PixelRect(x: x, y: y, width: width, height: height)
        if rotation == .none, isOpaque, !over.meets(chunk), isClear(plan, chunk, gatherer),
          let shift = sampled(plan, 0, chunk, gatherer),
          let out = output(target, chunk, plan.transform)
        {
          sample(plan, 0, chunk, shift, out, gatherer)
        } else {
          mix(plan, chunk, gatherer)
          over.blend(into: band, chunk)
          store(chunk, plan.transform, target, rotation)
        }
        x += width
      }
      y += height
    }
  }

  /// By how much (2^n) the grid's pixels are taken together where a layer is sampled for `chunk`; nil:
  /// its pixels are copied.
  private func sampled(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ gatherer: GridGatherer
  ) -> Int? {
    let t = plan.transform
    // Constants: a variable that a nested function captures is allocated, by Swift 6.0.
    let box = t.isExact ? wholeCells(gridPixels(plan, chunk), t.cell) : gridPixels(plan, chunk)
    func least(_ reach: Int) -> Int {
      gatherer.shift(
        plan, layer: n, x: box.left - reach, y: box.top - reach,
        width: box.right - box.left + 2 * reach, height: box.bottom - box.top + 2 * reach)
    }
    // Larger pixels have neighbours farther away.
    var shift = least(0)
    if shift > 0 { shift = least(3 << shift) }
    return t.isExact && shift == 0 ? nil : shift
  }

  /// The cells of `edge` pixels that `gridPixels` gives pixels of: the same whatever part of a cell is drawn.
  private func wholeCells(
    _ box: (left: Int, top: Int, right: Int, bottom: Int), _ edge: Int
  ) -> (left: Int, top: Int, right: Int, bottom: Int) {
    func cell(_ place: Int) -> Int { place - (place % edge + edge) % edge }
    return (
      cell(box.left + 2), cell(box.top + 2), cell(box.right - 3) + edge,
      cell(box.bottom - 3) + edge
    )
  }

  /// The grid's pixels that `chunk` is made of, and two around them for filtering and rounding.
  private func gridPixels(
    _ plan: borrowing FramePlan, _ chunk: PixelRect
  ) -> (left: Int, top: Int, right: Int, bottom: Int) {
    let box = plan.transform.gridBox(chunk)
    return (
      Int(box.minX.rounded(.down)) - 2, Int(box.minY.rounded(.down)) - 2,
      Int(box.maxX.rounded(.up)) + 2, Int(box.maxY.rounded(.up)) + 2
    )
  }

  /// Whether none of the layers over the lowest has anything in `chunk`.
  private func isClear(
    _ plan: borrowing FramePlan, _ chunk: PixelRect, _ gatherer: GridGatherer
  ) -> Bool {
    for n in 1..<max(1, plan.layers.count) where !isClear(plan, n, chunk, gatherer) {
      return false
    }
    return true
  }

  private func isClear(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ gatherer: GridGatherer
  ) -> Bool {
    if plan.layers[n].opacity <= 0 { return true }
    let (left, top, right, bottom) = gridPixels(plan, chunk)
    return gatherer.isClear(
      plan, layer: n, x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Writes the mixed `chunk` to the panel, in its format and turned as it is mounted.
  private func store(
    _ chunk: PixelRect, _ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    var source = UnsafeRawPointer(band)
    if target.format == .rgb565 {
      let (ax, ay) = ditherOrigin(t)
      if rotation == .none, let out = target.halfWords(of: chunk) {
        for j in 0..<chunk.height {
          pack565(
            band + j * chunk.width, out.first + j * out.stride, chunk.width, x: ax + chunk.x,
            y: ay + chunk.y + j)
        }
        return
      }
      let narrow = UnsafeMutableRawPointer(layerBand).assumingMemoryBound(to: UInt16.self)
      for j in 0..<chunk.height {
        pack565(
          band + j * chunk.width, narrow + j * chunk.width, chunk.width, x: ax + chunk.x,
          y: ay + chunk.y + j)
      }
      source = UnsafeRawPointer(narrow)
    }
    let rowBytes = chunk.width * target.format.bytes
    if rotation == .none {
      for j in 0..<chunk.height {
        target.copyRow(
          x: chunk.x, y: chunk.y + j, count: chunk.width, from: source + j * rowBytes)
      }
    } else {
      target.storeRotated(source, sourceRowBytes: rowBytes, rect: chunk, rotation: rotation)
    }
  }

  private func mix(_ plan: borrowing FramePlan, _ chunk: PixelRect, _ gatherer: GridGatherer) {
    var covered = false
    for n in plan.layers.indices {
      let layer = plan.layers[n]
      if !covered, layer.isBase, layer.opacity == 1 {
        sample(
          plan, n, chunk, sampled(plan, n, chunk, gatherer),
          Output(words: band, stride: chunk.width), gatherer)
        covered = true
        continue
      }
      if !covered {
        fill(band, palette.waiting, chunk.width * chunk.height)
        covered = true
      }
      let opacity = Int((min(max(layer.opacity, 0), 1) * 256).rounded())
      if opacity == 0 || (!layer.isBase && isClear(plan, n, chunk, gatherer)) { continue }
      let t = plan.transform
      if t.isExact, !layer.isBase,
        let tile = gatherer.tile(
          plan, layer: n, x: Int(t.originX) + chunk.x, y: Int(t.originY) + chunk.y,
          width: chunk.width, height: chunk.height)
      {
        for j in 0..<chunk.height {
          blendOver(
            tile.pixels + j * tile.stride, into: band + j * chunk.width, chunk.width,
            opacity: opacity)
        }
        continue
      }
      sample(
        plan, n, chunk, sampled(plan, n, chunk, gatherer),
        Output(words: layerBand, stride: chunk.width), gatherer)
      blendOver(layerBand, into: band, chunk.width * chunk.height, opacity: opacity)
    }
    if !covered {
      fill(band, palette.waiting, chunk.width * chunk.height)
    }
  }

  /// Where samples are written to, without being read.
  private struct Output {
    /// Words, or RGB565: one of them is there.
    var words: UnsafeMutablePointer<UInt32>?
    var halves: UnsafeMutablePointer<UInt16>?
    /// Pixels from row to row.
    var stride: Int
    /// Of the first pixel, in the pattern that RGB565 is dithered with.
    var x = 0
    var y = 0
  }

  /// `chunk` in the display's memory; nil: it is not all there.
  private func output(
    _ target: ScanoutBuffer, _ chunk: PixelRect, _ t: ViewTransform
  ) -> Output? {
    if let (first, stride) = target.words(of: chunk) { return Output(words: first, stride: stride) }
    guard let (first, stride) = target.halfWords(of: chunk) else { return nil }
    let (x, y) = ditherOrigin(t)
    return Output(halves: first, stride: stride, x: x + chunk.x, y: y + chunk.y)
  }

  /// Dithered on the grid where a pixel is a grid pixel, as tiles are: no seam, no shimmer.
  private func ditherOrigin(_ t: ViewTransform) -> (x: Int, y: Int) {
    t.isExact ? (Int(t.originX), Int(t.originY)) : (0, 0)
  }

  /// One layer's pixels for `chunk`.
  ///
  /// - Parameters:
  ///   - shift: what `sampled` gives.
  ///   - out: words, where `shift` is nil.
  private func sample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int?, _ out: Output,
    _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    guard let shift else {
      guard let words = out.words else { return }
      gatherer.gather(
        plan, layer: n, x: Int(t.originX) + chunk.x, y: Int(t.originY) + chunk.y,
        width: chunk.width, height: chunk.height, into: words, stride: out.stride)
      return
    }
    if t.bearing == 0 {
      resample(plan, n, chunk, shift, out, gatherer)
    } else {
      rotate(plan, n, chunk, shift, out, gatherer)
    }
  }

  /// Bilinear, separable, a few rows at a time: straight out of a tile where all of them lie in one.
  private func resample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int, _ out: Output,
    _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    let size = 1 / Double(1 << shift)
    let step = max(1, Int((t.stepX * size * 65536).rounded()))
    // Samples lie at pixel centres: half a grid pixel to the left is the left neighbour's centre.
    let startX = (t.originX + (Double(chunk.x) + 0.5) * t.stepX) * size - 0.5
    let startY = (t.originY + (Double(chunk.y) + 0.5) * t.stepX) * size - 0.5
    let left = Int(startX.rounded(.down))
    let top = Int(startY.rounded(.down))
    let position = Int((startX - Double(left)) * 65536)
    let count = (position + step * (chunk.width - 1)) >> 16 + 2
    table.fill(count: chunk.width, position: position, step: step)
    // Weights of 7 bits, to the nearest.
    let place = Int((startY - Double(top)) * 65536) + 256
    let last = (place + step * (chunk.height - 1)) >> 16 + 1
    let most = max(2, min(Compositor.fieldRows, Compositor.fieldWords / count) & ~1)
    func supply(_ first: Int) -> (rows: Range<Int>, words: UnsafePointer<UInt32>, stride: Int) {
      let end = min(first + most, last + 1)
      if let tile = gatherer.tile(
        plan, layer: n, shift: shift, x: left, y: top + first, width: count, height: end - first)
      {
        return (first..<end, tile.pixels, tile.stride)
      }
      gatherer.gather(
        plan, layer: n, shift: shift, x: left, y: top + first, width: count, height: end - first,
        into: field, stride: count)
      return (first..<end, UnsafePointer(field), count)
    }
    var source = supply(place >> 16)
    if step >= 65536 {
      // Reduced: each row is mixed of two and then resampled across.
      for j in 0..<chunk.height {
        let at = place + j * step
        let (y, weight) = (at >> 16, at >> 9 & 127)
        if y + 1 >= source.rows.upperBound, source.rows.upperBound <= last { source = supply(y) }
        let row = source.words + (y - source.rows.lowerBound) * source.stride
        if let words = out.words {
          resampleBetween(
            source: row, next: source.stride, weight: weight, table: table,
            destination: words + j * out.stride, count: chunk.width)
        } else if let halves = out.halves {
          resampleBetween565(
            source: row, next: source.stride, weight: weight, table: table,
            destination: halves + j * out.stride, count: chunk.width, x: out.x, y: out.y + j)
        }
      }
      return
    }
    // Enlarged: each row is resampled across once, two at a time, and two of them mixed for each row
    // between them. Four rows are kept, each in the place of its number.
    let planes = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: UInt16.self)
    let room = Compositor.chunkWidth
    var next = place >> 16
    let even = next
    for j in 0..<chunk.height {
      let at = place + j * step
      let y = at >> 16
      while next <= y + 1, next <= last {
        // Rows come in pairs, and `most` is even.
        if next >= source.rows.upperBound { source = supply(next) }
        let words = source.words + (next - source.rows.lowerBound) * source.stride
        let other = next < last ? source.stride : 0
        let lanes = planes + ((next - even) & 3) * 4 * room
        if out.words != nil {
          resampleRowsToPlanes(
            source: words, next: other, table: table, destination: lanes, room: room,
            count: chunk.width)
        } else {
          resampleRowsToPlanes565(
            source: words, next: other, table: table, destination: lanes, room: room,
            count: chunk.width)
        }
        next += 2
      }
      let upper = planes + ((y - even) & 3) * 4 * room
      let lower = planes + ((y - even + 1) & 3) * 4 * room
      if let words = out.words {
        lerpPlanes(
          upper, lower, weight: at >> 9 & 127, words + j * out.stride, chunk.width)
      } else if let halves = out.halves {
        lerpPlanes565(
          upper, lower, weight: at >> 9 & 127, halves + j * out.stride, chunk.width, x: out.x,
          y: out.y + j)
      }
    }
  }

  /// A block of a turned view: its place on the screen, and the grid's pixels that it is made of.
  private struct Block {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var left: Int
    var top: Int
    var across: Int
    var down: Int
    /// Of the first sample from (left, top), 16.16.
    var u: Int
    var v: Int

    /// - Parameters:
    ///   - rect: the block on the screen.
    ///   - size: grid pixels of the plan in one of those that are sampled, as a factor.
    init(_ t: ViewTransform, _ rect: PixelRect, _ size: Double) {
      (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
      let (acrossX, acrossY) = (t.stepX * size, t.stepY * size)
      let start = t.grid(Double(x) + 0.5, Double(y) + 0.5)
      let first = (x: start.x * size - 0.5, y: start.y * size - 0.5)
      // The box of all samples, in whole grid pixels from (left, top).
      let (w, h) = (Double(width - 1), Double(height - 1))
      let minX = first.x + min(0, w * acrossX) + min(0, -h * acrossY)
      let maxX = first.x + max(0, w * acrossX) + max(0, -h * acrossY)
      let minY = first.y + min(0, w * acrossY) + min(0, h * acrossX)
      let maxY = first.y + max(0, w * acrossY) + max(0, h * acrossX)
      // One pixel of room for the rounding of the steps.
      left = Int(minX.rounded(.down)) - 1
      top = Int(minY.rounded(.down)) - 1
      across = min(Int(maxX.rounded(.down)) + 3 - left, Compositor.blockWords)
      down = min(Int(maxY.rounded(.down)) + 3 - top, Compositor.blockWords)
      u = Int(((first.x - Double(left)) * 65536).rounded())
      v = Int(((first.y - Double(top)) * 65536).rounded())
    }
  }

  /// Bilinear at any angle, in blocks whose source pixels lie in one tile or are gathered first. Those of
  /// the next block are fetched while one is drawn.
  private func rotate(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int, _ out: Output,
    _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    let e = Compositor.blockEdge
    let size = 1 / Double(1 << shift)
    let stepX = Int((t.stepX * size * 65536).rounded())
    let stepY = Int((t.stepY * size * 65536).rounded())
    func block(_ x: Int, _ y: Int) -> Block {
      let rect = PixelRect(
        x: chunk.x + x, y: chunk.y + y, width: min(e, max(1, chunk.width - x)),
        height: min(e, chunk.height - y))
      return Block(t, rect, size)
    }
    var next = block(0, 0)
    var y = 0
    while y < chunk.height {
      var x = 0
      while x < chunk.width {
        let now = next
        var ahead = BlockAhead()
        // In the last row, the block beyond the chunk is the next chunk's first.
        let isLast = x + e >= chunk.width && y + e < chunk.height
        next = isLast ? block(0, y + e) : block(x + e, y)
        if next.x < t.width {
          ahead = gatherer.fetch(
            plan, layer: n, shift: shift, x: next.left, y: next.top, width: next.across,
            height: next.down)
        }
        var source = UnsafePointer(self.block)
        var stride = now.across
        if let tile = gatherer.tile(
          plan, layer: n, shift: shift, x: now.left, y: now.top, width: now.across,
          height: now.down)
        {
          (source, stride) = tile
        } else {
          gatherer.gather(
            plan, layer: n, shift: shift, x: now.left, y: now.top, width: now.across,
            height: now.down, into: self.block, stride: now.across)
        }
        if let words = out.words {
          rotateBlock(
            source: source, sourceStride: stride, u: now.u, v: now.v, du: stepX, dv: stepY,
            destination: words + y * out.stride + x, destinationStride: out.stride,
            width: now.width, height: now.height, next: ahead)
        } else if let halves = out.halves {
          rotateBlock565(
            source: source, sourceStride: stride, u: now.u, v: now.v, du: stepX, dv: stepY,
            destination: halves + y * out.stride + x, destinationStride: out.stride,
            width: now.width, height: now.height, x: out.x + x, y: out.y + y, next: ahead)
        }
        x += e
      }
      y += e
    }
  }
}
