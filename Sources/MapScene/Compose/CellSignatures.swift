import MapGeometry
import Platform
import TileLoading

/// What the cells of a plan look like, as hashes, to find those that changed since the plan before.
///
/// Cells belong to the grid: a cell keeps its hash while the view is panned.
struct CellSignatures {
  private var columns = 0..<0
  private var rows = 0..<0
  private var values: [UInt64] = []
  private var own: [UInt64] = []
  private var old: [UInt64] = []

  /// Bytes of the hashes.
  var bytes: Int { (values.capacity + own.capacity + old.capacity) * MemoryLayout<UInt64>.stride }

  /// Replaces the hashes by those of an exact `plan`, and adds the parts of the view within `kept`
  /// where cells changed to `damage`. Returns false if what a cell looks like may depend on cells
  /// that are not beside it.
  mutating func update(
    _ plan: borrowing FramePlan, within kept: PixelRect, to damage: inout [PixelRect]
  ) -> Bool {
    let t = plan.transform
    let (oldColumns, oldRows) = (columns, rows)
    swap(&old, &values)
    (columns, rows) = (plan.columns, plan.rows)
    own.removeAll(keepingCapacity: true)
    var isEnlarged = false
    for row in rows {
      for column in columns {
        guard let hash = CellSignatures.hash(plan, column, row, &isEnlarged) else {
          (columns, rows) = (0..<0, 0..<0)
          return false
        }
        own.append(hash)
      }
    }
    values.removeAll(keepingCapacity: true)
    for row in rows {
      for column in columns {
        // An enlarged tile is mixed with its neighbours across its edge.
        let value = isEnlarged ? around(column, row) : own[index(column, row)]
        values.append(value)
        guard oldColumns.contains(column), oldRows.contains(row),
          old[
            (row - oldRows.lowerBound) * oldColumns.count + column - oldColumns.lowerBound]
            != value
        else { continue }
        let rect = PixelRect(
          x: column * t.cell - Int(t.originX), y: row * t.cell - Int(t.originY), width: t.cell,
          height: t.cell
        ).intersection(kept)
        if !rect.isEmpty { damage.append(rect) }
      }
    }
    return true
  }

  private func index(_ column: Int, _ row: Int) -> Int {
    (row - rows.lowerBound) * columns.count + column - columns.lowerBound
  }

  /// The hash of a cell and of those beside it.
  private func around(_ column: Int, _ row: Int) -> UInt64 {
    var hash = FNV1a()
    for y in row - 1...row + 1 where rows.contains(y) {
      for x in column - 1...column + 1 where columns.contains(x) {
        hash.combine(own[index(x, y)])
      }
    }
    return hash.value
  }

  /// The hash of what a cell shows in all layers; nil if a tile of it is enlarged so much that
  /// neighbours of neighbours show in it.
  private static func hash(
    _ plan: borrowing FramePlan, _ column: Int, _ row: Int, _ isEnlarged: inout Bool
  ) -> UInt64? {
    var hash = FNV1a()
    for n in plan.layers.indices {
      hash.combine(plan.layers[n].opacity.bitPattern)
      let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
      let first = Int(cell.firstPiece)
      for i in first..<first + Int(cell.pieceCount) {
        let piece = plan.pieces[i]
        if !piece.isExact {
          isEnlarged = true
          guard GridGatherer.reach(shift: Int(piece.shift)) <= plan.transform.cell else {
            return nil
          }
        }
        hash.combine(UInt64(piece.serial))
        hash.combine(UInt64(truncatingIfNeeded: piece.originX))
        hash.combine(UInt64(truncatingIfNeeded: piece.originY))
        hash.combine(piece.x, piece.y)
        hash.combine(piece.width, piece.height)
        hash.combine(piece.shift, 0)
        if let scaling = piece.scaling {
          hash.combine(UInt64(scaling.width) << 32 | UInt64(scaling.height))
        }
      }
    }
    return hash.value
  }
}

extension FNV1a {
  /// Adds two numbers in one step.
  fileprivate mutating func combine(_ a: Int32, _ b: Int32) {
    combine(UInt64(UInt32(bitPattern: a)) << 32 | UInt64(UInt32(bitPattern: b)))
  }
}
