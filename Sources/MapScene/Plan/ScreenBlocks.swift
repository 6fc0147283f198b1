import MapGeometry
import Platform
import TileLoading

/// What each block of the screen shows, and which blocks to draw.
///
/// A block is *done* once it was drawn with every tile that it needs. It is drawn again only after
/// the view or the layers change, or when it is invalidated.
struct ScreenBlocks {
  /// A block's edge in pixels.
  static let edge = 256

  private struct Block {
    var drawn = false
    var done = false
    /// When last drawn: the sum of its cells' quality, and a hash of what they showed.
    var quality = 0
    var signature = FNV1a()
    // Recomputed by each update.
    var active = true
    var nowComplete = true
    var nowQuality = 0
    var nowSignature = FNV1a()
    /// The most levels that one of its tiles is enlarged by.
    var nowShift: Int32 = 0
  }

  private var blocks: [Block] = []
  private var columns = 0
  private var rows = 0
  private var screen = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var pending: [Int] = []

  var isEmpty: Bool { blocks.isEmpty }
  /// Whether every block was drawn with all that it needs.
  var areDone: Bool { blocks.allSatisfy(\.done) }
  /// How many blocks are done.
  var doneCount: Int { blocks.reduce(0) { $0 + ($1.done ? 1 : 0) } }
  /// Whether every block is done, or will be once the present damage is drawn.
  var areWhole: Bool { blocks.allSatisfy { $0.done || $0.nowComplete } }

  /// Starts over for a screen of `width` x `height` pixels.
  mutating func reset(width: Int, height: Int) {
    screen = PixelRect(x: 0, y: 0, width: width, height: height)
    columns = (width + ScreenBlocks.edge - 1) / ScreenBlocks.edge
    rows = (height + ScreenBlocks.edge - 1) / ScreenBlocks.edge
    blocks.removeAll(keepingCapacity: true)
    blocks.append(contentsOf: repeatElement(Block(), count: columns * rows))
    pending.removeAll(keepingCapacity: true)
  }

  /// Marks the blocks under `rect` to be drawn again.
  mutating func invalidate(_ rect: PixelRect) {
    for i in range(of: rect) { (blocks[i].done, blocks[i].drawn) = (false, false) }
  }

  /// Whether a block that shows some of a cell is not done yet, and whether one of those may
  /// request tiles.
  func need(
    _ t: ViewTransform, column: Int, row: Int
  ) -> (pending: Bool, active: Bool) {
    var (pending, active) = (false, false)
    for i in range(of: t.screenBox(column: column, row: row))
    where !blocks[i].done && t.isTouched(by: rect(i), column, row) {
      pending = true
      if blocks[i].active { active = true }
    }
    return (pending, active)
  }

  /// Lets every block request tiles.
  mutating func activateAll() { for i in blocks.indices { blocks[i].active = true } }

  /// Lets only the pending blocks nearest to the middle of the screen request tiles, as many as fit
  /// into `budget` bytes, and at least one.
  ///
  /// - Parameters:
  ///   - budget: The limit in bytes.
  ///   - bytes: Returns the bytes of the tiles under a rectangle, without those of earlier calls.
  mutating func activate(within budget: Int, bytes: (PixelRect) -> Int) {
    let middle = (columns * ScreenBlocks.edge / 2, rows * ScreenBlocks.edge / 2)
    func distance(_ i: Int) -> Int {
      let rect = rect(i)
      let dx = rect.x + rect.width / 2 - middle.0
      let dy = rect.y + rect.height / 2 - middle.1
      return dx * dx + dy * dy
    }
    let nearest = blocks.indices.filter { !blocks[$0].done }.sorted {
      distance($0) < distance($1)
    }
    for i in blocks.indices { blocks[i].active = false }
    var used = 0
    for (n, i) in nearest.enumerated() {
      used += bytes(rect(i))
      if n > 0, used > budget { break }
      blocks[i].active = true
    }
  }

  /// Compares what each block would show with what it shows, and appends the blocks to draw to
  /// `damage`.
  ///
  /// - Parameters:
  ///   - plan: The plan of the frame.
  ///   - order: The visible cells, as indices of the first layer's cells.
  ///   - isHeldBack: Whether only some blocks request tiles, so that none can wait for another.
  ///   - update: Receives the parts to draw.
  mutating func judge(
    _ plan: borrowing FramePlan, _ order: [(distance: Int, index: Int)], isHeldBack: Bool,
    _ update: inout Scene.Update
  ) {
    for i in blocks.indices {
      blocks[i].nowComplete = true
      blocks[i].nowQuality = 0
      blocks[i].nowSignature = FNV1a()
      blocks[i].nowShift = 0
    }
    let isEnlarged = judgeCells(plan, order)
    if isEnlarged, !isHeldBack { judgeNeighbours(plan, order) }
    pending.removeAll(keepingCapacity: true)
    for i in blocks.indices where !blocks[i].done {
      let b = blocks[i]
      if b.drawn, b.nowSignature == b.signature {
        // Drawn before with the same pixels: only update the state.
        blocks[i].done = b.nowComplete
      } else if !b.drawn || b.nowComplete || b.nowQuality > b.quality {
        pending.append(i)
        if b.drawn, b.nowQuality > b.quality { update.improved.append(rect(i)) }
      }
    }
    if pending.count == blocks.count {
      update.damage.append(screen)
    } else {
      for i in pending { update.damage.append(rect(i)) }
    }
  }

  /// Notes in each block what its cells show. Returns whether a tile is enlarged.
  private mutating func judgeCells(
    _ plan: borrowing FramePlan, _ order: [(distance: Int, index: Int)]
  ) -> Bool {
    var isEnlarged = false
    let count = plan.columns.count * plan.rows.count
    for (_, index) in order {
      let row = plan.rows.lowerBound + index / plan.columns.count
      let column = plan.columns.lowerBound + index % plan.columns.count
      let range = range(of: plan.transform.screenBox(column: column, row: row))
      for n in plan.layers.indices {
        let cell = plan.cells[n * count + index]
        let hash = hash(of: cell, index, layer: n, plan)
        var shift: Int32 = 0
        let first = Int(cell.firstPiece)
        for i in first..<first + Int(cell.pieceCount) {
          shift = max(shift, plan.pieces[i].pixelShift)
        }
        if shift > 0 { isEnlarged = true }
        for i in range where plan.transform.isTouched(by: rect(i), column, row) {
          if !cell.complete { blocks[i].nowComplete = false }
          blocks[i].nowQuality += Int(cell.quality)
          blocks[i].nowSignature.combine(hash)
          blocks[i].nowShift = max(blocks[i].nowShift, shift)
        }
      }
    }
    return isEnlarged
  }

  /// Notes in each block with enlarged tiles what the cells beside it show: an enlarged tile is
  /// mixed with its neighbours across its edge.
  ///
  /// A neighbour whose own blocks are done was there once. It may leave the cache, and nothing
  /// waits for it.
  private mutating func judgeNeighbours(
    _ plan: borrowing FramePlan, _ order: [(distance: Int, index: Int)]
  ) {
    let count = plan.columns.count * plan.rows.count
    for (_, index) in order {
      let row = plan.rows.lowerBound + index / plan.columns.count
      let column = plan.columns.lowerBound + index % plan.columns.count
      let box = plan.transform.screenBox(column: column, row: row)
      let isPending = need(plan.transform, column: column, row: row).pending
      for i in blocks.indices where blocks[i].nowShift > 0 {
        let own = rect(i)
        let sampled = GridGatherer.reach(shift: Int(blocks[i].nowShift))
        let reach = Int((Double(sampled) * plan.transform.magnification).rounded(.up))
        let wide = PixelRect(
          x: own.x - reach, y: own.y - reach, width: own.width + 2 * reach,
          height: own.height + 2 * reach)
        guard wide.intersects(box), plan.transform.isTouched(by: wide, column, row),
          !own.intersects(box) || !plan.transform.isTouched(by: own, column, row)
        else { continue }
        for n in plan.layers.indices {
          let cell = plan.cells[n * count + index]
          if !cell.complete, isPending { blocks[i].nowComplete = false }
          blocks[i].nowSignature.combine(hash(of: cell, index, layer: n, plan))
        }
      }
    }
  }

  /// A hash of what `cell` shows, the cell `index` of layer `n`.
  private func hash(
    of cell: FramePlan.Cell, _ index: Int, layer n: Int, _ plan: borrowing FramePlan
  ) -> UInt64 {
    var hash = FNV1a()
    hash.combine(UInt64(index &+ 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(n))
    let first = Int(cell.firstPiece)
    for i in first..<first + Int(cell.pieceCount) {
      let (serial, shift) = (plan.pieces[i].serial, plan.pieces[i].shift)
      hash.combine(UInt64(serial) << 8 ^ UInt64(UInt8(truncatingIfNeeded: shift)))
    }
    return hash.value
  }

  /// Records that the damage of the last `judge` has been drawn.
  mutating func didDraw() {
    for i in pending {
      blocks[i].drawn = true
      blocks[i].done = blocks[i].nowComplete
      blocks[i].quality = blocks[i].nowQuality
      blocks[i].signature = blocks[i].nowSignature
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func rect(_ i: Int) -> PixelRect {
    let e = ScreenBlocks.edge
    return PixelRect(x: i % columns * e, y: i / columns * e, width: e, height: e)
      .intersection(screen)
  }

  /// The blocks under a part of the screen.
  private func range(of rect: PixelRect) -> BlockRange {
    if rect.isEmpty || blocks.isEmpty { return BlockRange(columns: 0..<0, rows: 0..<0, all: 0) }
    let e = ScreenBlocks.edge
    let (left, right) = (max(0, rect.x / e), min(columns - 1, (rect.maxX - 1) / e))
    let (top, bottom) = (max(0, rect.y / e), min(rows - 1, (rect.maxY - 1) / e))
    if left > right || top > bottom { return BlockRange(columns: 0..<0, rows: 0..<0, all: 0) }
    return BlockRange(columns: left..<right + 1, rows: top..<bottom + 1, all: columns)
  }
}

/// The indices of the blocks in some columns and rows, row by row.
private struct BlockRange: Sequence, IteratorProtocol {
  private let columns: Range<Int>
  private let end: Int
  private let all: Int
  private var column: Int
  private var row: Int

  /// `all` is how many columns there are.
  init(columns: Range<Int>, rows: Range<Int>, all: Int) {
    (self.columns, self.all, end) = (columns, all, rows.upperBound)
    (column, row) = (columns.lowerBound, columns.isEmpty ? end : rows.lowerBound)
  }

  mutating func next() -> Int? {
    if row >= end { return nil }
    let index = row * all + column
    column += 1
    if column == columns.upperBound { (column, row) = (columns.lowerBound, row + 1) }
    return index
  }
}
