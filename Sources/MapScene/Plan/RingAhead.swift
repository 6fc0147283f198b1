import MapGeometry
import TileLoading

/// The tiles that a view will need next: the ring around it, starting in the direction of motion,
/// then the level above, and tiles that stand in wherever it goes: of the lowest levels of the map,
/// or, if the map is painted, of a level some way up.
struct RingAhead {
  /// How many levels above the view the latter lie, enlarged eight times, and how many cells
  /// beyond the view they reach.
  static let farLevels = 3
  static let farCells = 3

  let cache: TileCache
  let missing: MissingTiles
  let id: ViewID

  /// Adds the ring's missing tiles to `update`, and protects its cached ones from eviction.
  ///
  /// - Parameters:
  ///   - plan: The plan of the view.
  ///   - layers: The view's layers, bottom first.
  ///   - isPainted: Whether tiles are painted for the zoom shown.
  ///   - motion: The direction in which the view moves, in screen axes and any unit.
  ///   - update: Receives the tiles to load.
  func add(
    _ plan: borrowing FramePlan, _ layers: [SceneLayer], isPainted: Bool,
    _ motion: (x: Double, y: Double), to update: inout Scene.Update
  ) {
    let t = plan.transform
    let (stepX, stepY) = (t.stepX, t.stepY)
    let way = (
      x: motion.x * stepX - motion.y * stepY, y: motion.x * stepY + motion.y * stepX
    )
    for layer in layers {
      guard let source = layer.chain.first, source.levels != nil else { continue }
      addRing(plan, source, way, &update)
      if t.level > 0 { addLevelAbove(plan, source, &update) }
      guard layer.isBase, let lowest = source.levels?.lowerBound else { continue }
      if isPainted {
        let far = max(lowest, t.level - source.lift - Self.farLevels)
        addStandIns(plan, source, level: far, beyond: Self.farCells, mayBeFormer: true, &update)
      } else {
        for level in lowest...lowest + 1 {
          addStandIns(plan, source, level: level, beyond: 0, mayBeFormer: false, &update)
        }
      }
    }
  }

  /// The tiles of a level of `source` at least two above the view's, where the view lies and some
  /// cells beyond. With `mayBeFormer`, former ones will do: what was painted for a zoom is not
  /// painted for every other one.
  private func addStandIns(
    _ plan: borrowing FramePlan, _ source: SceneSource, level: Int, beyond: Int,
    mayBeFormer: Bool, _ update: inout Scene.Update
  ) {
    let t = plan.transform
    let up = t.level - level - source.lift
    guard up > 1 else { return }
    let resolver = resolver(t, level: level + source.lift)
    // A few tiles at most: they are at least four times as large as a cell.
    let top = max(plan.rows.lowerBound - beyond, 0)
    let bottom = max(min(plan.rows.upperBound + beyond, t.columns) - 1, top)
    let (left, right) = (plan.columns.lowerBound - beyond, plan.columns.upperBound - 1 + beyond)
    for row in top >> up...bottom >> up {
      for column in left >> up...right >> up {
        guard let tile = TileID(z: t.level - up, wrapping: column, row: row) else { continue }
        if mayBeFormer, let own = resolver.target(source, tile)?.tile,
          let slot = resolver.used(source, own)
        {
          cache.raise(slot, to: .ahead, for: id)
          continue
        }
        switch resolver.find(source, tile, use: true) {
        case .loaded(let slot, _): cache.raise(slot, to: .ahead, for: id)
        case .wanted(let wanted, 0): want(source, wanted, resolver, &update)
        default: break
        }
      }
    }
  }

  private func addRing(
    _ plan: borrowing FramePlan, _ source: SceneSource, _ way: (x: Double, y: Double),
    _ update: inout Scene.Update
  ) {
    let t = plan.transform
    let (columns, rows) = (plan.columns, plan.rows)
    let resolver = resolver(t, level: t.level)
    for pass in 0..<2 {
      for row in (rows.lowerBound - 1)...rows.upperBound where row >= 0 && row < t.columns {
        for column in (columns.lowerBound - 1)...columns.upperBound {
          let dx = column < columns.lowerBound ? -1 : column >= columns.upperBound ? 1 : 0
          let dy = row < rows.lowerBound ? -1 : row >= rows.upperBound ? 1 : 0
          if dx == 0, dy == 0 { continue }
          let isAhead = Double(dx) * way.x + Double(dy) * way.y > 0
          guard isAhead == (pass == 0),
            let tile = TileID(z: t.level, wrapping: column, row: row)
          else { continue }
          // Look without `use` first: a missing tile of the ring is not a cache miss.
          if case .wanted(let wanted, 0) = resolver.find(source, tile, use: false) {
            want(source, wanted, resolver, &update)
          } else if case .loaded(let slot, _) = resolver.find(source, tile, use: true) {
            cache.raise(slot, to: .ahead, for: id)
          }
        }
      }
    }
  }

  private func addLevelAbove(
    _ plan: borrowing FramePlan, _ source: SceneSource, _ update: inout Scene.Update
  ) {
    let t = plan.transform
    let (columns, rows) = (plan.columns, plan.rows)
    let resolver = resolver(t, level: t.level - 1)
    for row in stride(from: rows.lowerBound & ~1, to: rows.upperBound, by: 2) {
      for column in stride(from: columns.lowerBound & ~1, to: columns.upperBound, by: 2) {
        guard let tile = TileID(z: t.level, wrapping: column, row: row)?.ancestor(1) else {
          continue
        }
        switch resolver.find(source, tile, use: true) {
        case .loaded(let slot, _): cache.raise(slot, to: .ahead, for: id)
        case .wanted(let wanted, 0): want(source, wanted, resolver, &update)
        default: break
        }
      }
    }
  }

  private func resolver(_ t: ViewTransform, level: Int) -> CellResolver {
    CellResolver(cache: cache, missing: missing, level: level, cellEdge: t.cell)
  }

  private func want(
    _ source: SceneSource, _ tile: TileID, _ resolver: CellResolver,
    _ update: inout Scene.Update
  ) {
    update.want(
      TileLoader.Request(
        key: TileKey(source: source.index, tile: tile), tile: tile, levels: 0,
        edge: resolver.edge(source), standing: .ahead))
  }
}
