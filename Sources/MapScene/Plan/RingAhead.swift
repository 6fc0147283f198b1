import MapGeometry
import TileLoading

/// The tiles that a view will need next: the ring around it, starting in the direction of motion,
/// then the level above, and the lowest levels of the map, which stand in wherever it goes.
struct RingAhead {
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
      // Tiles that are painted for the zoom shown would have to be painted for every zoom.
      if layer.isBase, !isPainted { addLowest(plan, source, &update) }
    }
  }

  /// The two lowest levels of `source`, where the view lies.
  private func addLowest(
    _ plan: borrowing FramePlan, _ source: SceneSource, _ update: inout Scene.Update
  ) {
    guard let lowest = source.levels?.lowerBound else { return }
    let t = plan.transform
    for level in lowest...lowest + 1 where level + source.lift < t.level - 1 {
      let up = t.level - level - source.lift
      let resolver = resolver(t, level: level + source.lift)
      // A few tiles at most: they are at least four times as large as a cell.
      for row in plan.rows.lowerBound >> up...max(plan.rows.upperBound - 1, 0) >> up {
        for column in plan.columns.lowerBound >> up...(plan.columns.upperBound - 1) >> up {
          guard let tile = TileID(z: t.level - up, wrapping: column, row: row) else { continue }
          switch resolver.find(source, tile, use: true) {
          case .loaded(let slot, _): cache.raise(slot, to: .ahead, for: id)
          case .wanted(let wanted, 0): want(source, wanted, resolver, &update)
          default: break
          }
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
