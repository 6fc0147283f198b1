import MapGeometry

/// Adds up the memory of the tiles under parts of the screen. `Scene` uses it for views that need
/// more than the cache holds, which it completes block by block.
struct HoldBack {
  private var seen = Set<UInt64>()

  /// Bytes of the tiles under `rect`, at 4 bytes per pixel, except tiles counted in earlier calls.
  mutating func bytes(
    _ rect: PixelRect, _ plan: borrowing FramePlan, _ layers: [SceneLayer]
  ) -> Int {
    let t = plan.transform
    var bytes = 0
    let range = t.cells(in: rect)
    for row in range.rows.clamped(to: plan.rows) {
      for column in range.columns.clamped(to: plan.columns)
      where t.screenBox(column: column, row: row).intersects(rect) {
        for n in layers.indices {
          guard plan.cells[plan.index(layer: n, column: column, row: row)].visible else { continue }
          for source in layers[n].chain {
            // Each source of the chain may need its own tile for this cell.
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
