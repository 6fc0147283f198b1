import MapGeometry
import TileLoading

/// A tile of the base map that a plan shows, or one beside the view that is in the cache.
public struct BaseTile: Sendable, Hashable {
  /// The tile.
  public var tile: TileID
  /// The copy of the world on which it is shown: 0, or how many worlds further east.
  public var world: Int
  /// The tile's serial number in the cache.
  public var serial: UInt32
  /// The tile's slot in the cache, valid until the cache changes.
  public var slot: Int32
}

extension Scene {
  /// Collects the tiles of the base map that the last plan shows, stand-ins included, and those in
  /// the ring of cells around it that are in the cache. Each is listed once on each copy of the
  /// world.
  ///
  /// - Parameters:
  ///   - tiles: Receives the tiles; it keeps its memory.
  ///   - withRing: Whether those around the view are wanted.
  /// - Returns: Whether every cell in view has the tile that belongs there.
  public func collectBaseTiles(into tiles: inout [BaseTile], withRing: Bool = true) -> Bool {
    tiles.removeAll(keepingCapacity: true)
    guard let layer = plan.layers.first, layer.isBase, layer.firstCell == 0 else { return true }
    var isComplete = true
    for row in plan.rows {
      for column in plan.columns {
        let cell = plan.cells[plan.index(layer: 0, column: column, row: row)]
        guard cell.visible else { continue }
        if !cell.complete { isComplete = false }
        let first = Int(cell.firstPiece)
        for i in first..<first + Int(cell.pieceCount) {
          let piece = plan.pieces[i]
          guard let tile = piece.key.tile, cache.holds(piece.slot, serial: piece.serial) else {
            continue
          }
          add(
            BaseTile(
              tile: tile, world: column >> plan.transform.level, serial: piece.serial,
              slot: piece.slot), to: &tiles)
        }
      }
    }
    if withRing { addRing(to: &tiles) }
    return isComplete
  }

  private func addRing(to tiles: inout [BaseTile]) {
    guard let source = baseSource, !plan.rows.isEmpty, !plan.columns.isEmpty else { return }
    let level = plan.transform.level
    for row in plan.rows.lowerBound - 1...plan.rows.upperBound {
      for column in plan.columns.lowerBound - 1...plan.columns.upperBound {
        if plan.rows.contains(row), plan.columns.contains(column),
          plan.cells[plan.index(layer: 0, column: column, row: row)].visible
        {
          continue
        }
        guard let tile = TileID(z: level, wrapping: column, row: row),
          let own = tile.ancestor(atLevel: min(level, source.levels?.upperBound ?? level)),
          let slot = cache.peek(TileKey(source: source.index, tile: own))
        else { continue }
        add(
          BaseTile(
            tile: own, world: column >> level, serial: cache.entry(slot).serial, slot: slot),
          to: &tiles)
      }
    }
  }

  private func add(_ tile: BaseTile, to tiles: inout [BaseTile]) {
    // A view has few tiles, and neighbours follow each other.
    for other in tiles.reversed() where other.slot == tile.slot && other.world == tile.world {
      return
    }
    tiles.append(tile)
  }
}
