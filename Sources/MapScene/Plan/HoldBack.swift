import MapGeometry

/// How much memory the tiles of a part of the screen take, for views that need more than the cache
/// holds: these are completed block by block.
struct HoldBack {
  private var seen = Set<UInt64>()

  /// Bytes of the tiles under `rect`, at 4 bytes a pixel, without those that were counted before.
  mutating func bytes(
    _ rect: PixelRect, _ plan: borrowing FramePlan, _ layers: [SceneLayer]
  ) -> Int {
    let t = plan.transform
    var bytes = 0
    let range = t.cells(in: rect)
    for row in range.rows.clamped(to: plan.rows) {
      for column in range.columns.clamped(to: plan.columns) {
        for n in layers.indices {
          guard plan.cells[plan.index(layer: n, column: column, row: row)].visible else { continue }
          for source in layers[n].chain {
            // A source of the chain may need a tile of its own for this cell.
            let edge = t.cell << source.lift
            let mask = t.columns - 1
            let tile = UInt64(((row >> source.lift) << 26) | ((column & mask) >> source.lift))
            if seen.insert(UInt64(source.index) << 52 | tile).inserted { bytes += edge * edge * 4 }
          }
        }
      }
    }
    return bytes
  }
}
