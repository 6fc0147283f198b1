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
  /// The hash of each cell alone, and whether a tile of it is enlarged.
  private var own: [(hash: UInt64, isEnlarged: Bool)] = []
  private var old: [UInt64] = []
  /// The hash of the layers as such, on which what lies beyond the world depends, too.
  private var layers: UInt64?

  /// Bytes of the hashes.
  var bytes: Int {
    (values.capacity + 2 * own.capacity + old.capacity) * MemoryLayout<UInt64>.stride
  }

  /// Replaces the hashes by those of an exact `plan`, and adds the parts of the view within `kept`
  /// where cells changed to `damage`. Returns false if all may look different, because the layers
  /// changed, or if what a cell looks like may depend on cells that are not beside it.
  mutating func update(
    _ plan: borrowing FramePlan, within kept: PixelRect, to damage: inout [PixelRect]
  ) -> Bool {
    let t = plan.transform
    var hash = FNV1a()
    for n in plan.layers.indices {
      hash.combine(plan.layers[n].opacity.bitPattern)
      hash.combine(plan.layers[n].isBase ? 1 : 0)
    }
    let areSame = layers == nil || layers == hash.value
    layers = hash.value
    if !areSame {
      (columns, rows) = (0..<0, 0..<0)
      return false
    }
    let (oldColumns, oldRows) = (columns, rows)
    swap(&old, &values)
    (columns, rows) = (plan.columns, plan.rows)
    own.removeAll(keepingCapacity: true)
    for row in rows {
      for column in columns {
        guard let cell = CellSignatures.look(plan, column, row) else {
          (columns, rows) = (0..<0, 0..<0)
          return false
        }
        own.append(cell)
      }
    }
    values.removeAll(keepingCapacity: true)
    for row in rows {
      for column in columns {
        // An enlarged tile is mixed with its neighbours across its edge.
        let cell = own[index(column, row)]
        let value = cell.isEnlarged ? around(column, row) : cell.hash
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
        hash.combine(own[index(x, y)].hash)
      }
    }
    return hash.value
  }

  /// The hash of what a cell shows in all layers, and whether a tile of it is enlarged; nil if that
  /// is so much that neighbours of neighbours show in it.
  private static func look(
    _ plan: borrowing FramePlan, _ column: Int, _ row: Int
  ) -> (hash: UInt64, isEnlarged: Bool)? {
    var hash = FNV1a()
    var isEnlarged = false
    for n in plan.layers.indices {
      let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
      hash.combine(UInt64(truncatingIfNeeded: cell.pieceCount))
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
          hash.combine(UInt64(truncatingIfNeeded: scaling.width))
          hash.combine(UInt64(truncatingIfNeeded: scaling.height))
        }
      }
    }
    return (hash.value, isEnlarged)
  }
}

extension FNV1a {
  /// Adds two numbers in one step.
  fileprivate mutating func combine(_ a: Int32, _ b: Int32) {
    combine(UInt64(UInt32(bitPattern: a)) << 32 | UInt64(UInt32(bitPattern: b)))
  }
}
