import MapGeometry
import TileLoading

/// Finds what a cell of the grid shows: which tile of which source, what stands in for it until it
/// arrives, and what to load.
///
/// Among the layer's sources the deepest tile wins, and of equals the first source's. Beyond a
/// source's deepest level, that level's tile is enlarged. Up to three levels above its shallowest,
/// its tiles are reduced into one. Where a source lacks a tile, one up to four levels above it is
/// enlarged; further up there is no map of this place. While a tile is loading, its nearest cached
/// ancestor is shown enlarged, with any cached children reduced on top.
struct CellResolver {
  /// How many levels above a source's shallowest its tiles are still reduced. At 3, 4^3 tiles make
  /// one.
  static let maxReduction = 3

  /// How many levels above a missing tile another one still stands for it. Enlarged more than 16
  /// times, a tile shows a colour and nothing else.
  static let maxEnlargement = 4

  let cache: TileCache
  let missing: MissingTiles
  let level: Int
  /// A cell's edge in pixels.
  let cellEdge: Int

  /// What is known of one source at one cell.
  enum Found {
    /// The source is not open yet.
    case closed
    /// The source has nothing here.
    case none
    case loaded(slot: Int32, tile: TileID)
    /// The source has promised the tile for later.
    case awaited
    /// To be loaded; with `levels` above 0, made from tiles that many levels below.
    case wanted(TileID, levels: Int)
  }

  /// The result for one cell.
  struct Outcome {
    var complete = true
    /// The first source has the cell's level, but not its tile there.
    var missing = false
    /// If the cell is complete without any tile: its first source, whose quiet cell is shown.
    var quiet: Int?
    var closed: Int?
  }

  /// The edge of the source's tiles in pixels.
  func edge(_ source: SceneSource) -> Int { cellEdge << source.lift }

  /// The tile of `source` that covers `cell`, at the grid's level or the source's deepest level
  /// above it. With `levels` above 0, the tile is made from descendants that many levels below.
  /// Nil: the source does not cover the cell's level.
  func target(_ source: SceneSource, _ cell: TileID) -> (tile: TileID, levels: Int)? {
    guard let levels = source.levels else { return nil }
    // A 512-point tile of level 0 covers more than the grid's level 0. The cell shows it reduced.
    let own = max(level - source.lift, 0)
    let z = min(own, levels.upperBound)
    guard let tile = cell.ancestor(atLevel: min(z, cell.z)) else { return nil }
    if z >= levels.lowerBound { return (tile, 0) }
    let reduction = levels.lowerBound - z
    return reduction <= CellResolver.maxReduction ? (tile, reduction) : nil
  }

  func find(_ source: SceneSource, _ cell: TileID, use: Bool) -> Found {
    if source.failed { return .none }
    guard source.levels != nil else { return .closed }
    guard var (tile, levels) = target(source, cell) else { return .none }
    while true {
      let key = TileKey(source: source.index, tile: tile)
      if let slot = use ? cache.hit(key) : cache.peek(key) {
        return .loaded(slot: slot, tile: tile)
      }
      guard let known = missing.find(key) else { return .wanted(tile, levels: levels) }
      if known.isAwaited { return .awaited }
      guard let above = known.ancestorLevel, above < tile.z,
        let ancestor = tile.ancestor(atLevel: above)
      else { return .none }
      tile = ancestor
      levels = 0
    }
  }

  /// The piece that shows `tile` of `source` in `cell`.
  func piece(_ source: SceneSource, slot: Int32, tile: TileID, cell: TileID) -> FramePlan.Piece {
    let shift = level - tile.z - source.lift
    let e = cellEdge
    // The tile's corner in grid pixels, relative to the cell's; `up` levels lie between them.
    let up = cell.z - tile.z
    let originX = -(cell.x - (tile.x << up)) * e
    let originY = -(cell.y - (tile.y << up)) * e
    let entry = cache.entry(slot)
    let key = cache.key(slot)
    var scaling: FramePlan.Scaling?
    if Int(entry.edge) != edge(source) {
      // It was painted for cells of another size.
      scaling = FramePlan.Scaling(width: e << up, height: e << up)
    }
    return FramePlan.Piece(
      key: key, serial: entry.serial, slot: slot, shift: Int32(shift), scaling: scaling,
      originX: originX, originY: originY,
      x: 0, y: 0, width: Int32(e), height: Int32(e), alpha: entry.format == .argb8888)
  }

  /// Appends the pieces of `cell` to `pieces`, bottom first. Calls `want` with the source, tile and
  /// levels of each tile to load.
  func resolve(
    _ layer: borrowing SceneLayer, _ cell: TileID, into pieces: inout [FramePlan.Piece],
    want: (SceneSource, TileID, Int) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    var best: (source: SceneSource, slot: Int32, tile: TileID, depth: Int)?
    // Shows through the transparent parts of `best`.
    var below: (source: SceneSource, slot: Int32, tile: TileID, depth: Int)?
    for n in layer.chain.indices {
      let source = layer.chain[n]
      if let best, cache.entry(best.slot).format != .argb8888,
        let reach = target(source, cell)?.tile.z, reach + source.lift <= best.depth
      {
        continue
      }
      switch find(source, cell, use: true) {
      case .closed:
        outcome.complete = false
        if outcome.closed == nil { outcome.closed = source.index }
      case .none:
        if n == 0, !source.failed, !source.isDrawn,
          source.levels?.contains(level - source.lift) ?? false
        {
          outcome.missing = true
        }
      case .loaded(let slot, let tile):
        let own = target(source, cell)?.tile.z ?? tile.z
        if n == 0, own == level - source.lift, tile.z < own { outcome.missing = true }
        if layer.isBase, own - tile.z > CellResolver.maxEnlargement { continue }
        let depth = tile.z + source.lift
        if let present = best, present.depth >= depth {
          if below == nil || below!.depth < depth { below = (source, slot, tile, depth) }
        } else {
          below = best
          best = (source, slot, tile, depth)
        }
      case .awaited:
        outcome.complete = false
      case .wanted(let tile, let levels):
        outcome.complete = false
        want(source, tile, levels)
      }
    }
    if !outcome.complete { standIn(layer, cell, without: nil, &best) }
    if let best {
      if let below, layer.isBase, cache.entry(best.slot).format == .argb8888 {
        pieces.append(piece(below.source, slot: below.slot, tile: below.tile, cell: cell))
      }
      pieces.append(piece(best.source, slot: best.slot, tile: best.tile, cell: cell))
    }
    if !outcome.complete, layer.isBase, best.map({ $0.depth < level }) ?? true {
      children(layer, cell, &pieces)
    }
    if best == nil, outcome.complete, layer.isBase { outcome.quiet = layer.chain.first?.index }
    return outcome
  }

  /// Appends the pieces that `cell` of the base would show if the tile of its piece `own` had not
  /// arrived, bottom first.
  ///
  /// - Returns: Whether a tile stands in for it that still shows something: one at most
  ///   `maxEnlargement` levels above. Without one, nothing is appended.
  func standIns(
    _ layer: borrowing SceneLayer, _ cell: TileID, for own: FramePlan.Piece,
    into pieces: inout [FramePlan.Piece]
  ) -> Bool {
    guard own.key.tile != nil else { return false }
    var best: (source: SceneSource, slot: Int32, tile: TileID, depth: Int)?
    standIn(layer, cell, without: own.key, &best)
    guard let best, level - best.depth - Int(own.shift) <= CellResolver.maxEnlargement else {
      return false
    }
    pieces.append(piece(best.source, slot: best.slot, tile: best.tile, cell: cell))
    if best.depth < level { children(layer, cell, &pieces) }
    return true
  }

  /// Finds the deepest cached tile at or above the cell's own, except the one with the key
  /// `excluded`. A source's former tiles count too.
  private func standIn(
    _ layer: borrowing SceneLayer, _ cell: TileID, without excluded: TileKey?,
    _ best: inout (source: SceneSource, slot: Int32, tile: TileID, depth: Int)?
  ) {
    for source in layer.chain {
      guard let own = target(source, cell)?.tile else { continue }
      for up in 0...own.z {
        guard let tile = own.ancestor(up) else { break }
        if let best, tile.z + source.lift <= best.depth { break }
        if let slot = used(source, tile, without: excluded) {
          best = (source, slot, tile, tile.z + source.lift)
          break
        }
      }
    }
  }

  /// Appends the cached children of the cell's own tile, each reduced into its quarter.
  private func children(
    _ layer: borrowing SceneLayer, _ cell: TileID, _ pieces: inout [FramePlan.Piece]
  ) {
    guard let source = layer.chain.first, source.levels != nil else { return }
    for quarter in 0..<4 {
      let (dx, dy) = (quarter & 1, quarter >> 1)
      // The cell's quarter, and the tile one level below the source's own that covers it.
      guard let quarterCell = cell.child(dx, dy),
        let tile = quarterCell.ancestor(source.lift)
      else { continue }
      guard let slot = used(source, tile) else { continue }
      let entry = cache.entry(slot)
      // The halves of an odd edge differ by a pixel.
      let (x, width) = dx == 0 ? (0, cellEdge / 2) : (cellEdge / 2, cellEdge - cellEdge / 2)
      let (y, height) = dy == 0 ? (0, cellEdge / 2) : (cellEdge / 2, cellEdge - cellEdge / 2)
      let offsetX = source.lift == 0 ? 0 : x
      let offsetY = source.lift == 0 ? 0 : y
      var scaling: FramePlan.Scaling?
      if Int(entry.edge) != edge(source) || edge(source) % 2 != 0 {
        scaling =
          source.lift == 0
          ? FramePlan.Scaling(width: width, height: height)
          : FramePlan.Scaling(width: cellEdge, height: cellEdge)
      }
      pieces.append(
        FramePlan.Piece(
          key: cache.key(slot), serial: entry.serial, slot: slot, shift: -1, scaling: scaling,
          originX: x - offsetX, originY: y - offsetY, x: Int32(x), y: Int32(y),
          width: Int32(width), height: Int32(height), alpha: entry.format == .argb8888))
    }
  }

  /// The slot of the source's tile unless its key is `excluded`, or of the one that stands in for
  /// it.
  func used(
    _ source: SceneSource, _ tile: TileID, without excluded: TileKey? = nil
  ) -> Int32? {
    let key = TileKey(source: source.index, tile: tile)
    if key != excluded, let slot = cache.use(key) { return slot }
    if let former = source.former, let slot = cache.use(TileKey(source: former, tile: tile)) {
      return slot
    }
    if let older = source.older { return cache.use(TileKey(source: older, tile: tile)) }
    return nil
  }
}
