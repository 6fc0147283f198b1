import MapGeometry

/// Which cells of the view show their tile of the base map, and which of those wait with it for the
/// overlays' tiles, so that base and overlays of a cell appear together.
///
/// Only a cell that showed no tile of its own waits, and only once. An overlay that is turned on
/// later takes no tile back. Once a wait was in vain, no other begins until the overlays are
/// complete: a slow board or a medium that hangs delays the map by one wait at most.
struct NewCells {
  /// The longest time that a base tile waits, in nanoseconds.
  static let patience: UInt64 = 250_000_000

  /// Of a cell whose base tile has not arrived.
  private static let absent: UInt64 = 0
  /// Of a cell that shows its base tile.
  private static let shown = UInt64.max

  /// The cells of one plan, row by row: `absent`, `shown`, or until when a cell waits.
  private struct Grid {
    var level = -1
    var columns = 0..<0
    var rows = 0..<0
    var ends: [UInt64] = []

    func end(column: Int, row: Int) -> UInt64 {
      guard columns.contains(column), rows.contains(row) else { return NewCells.absent }
      return ends[(row - rows.lowerBound) * columns.count + column - columns.lowerBound]
    }
  }

  private var grid = Grid()
  /// Those of the plan before.
  private var former = Grid()
  /// Whether this plan awaits a tile of an overlay.
  private var isAwaiting = false
  /// Whether a wait was in vain since the overlays were complete.
  private var wasInVain = false

  /// Begins a new plan. Cells are the same as those of the last plan if it has the same level.
  mutating func begin(_ plan: borrowing FramePlan) {
    if !isAwaiting { wasInVain = false }
    isAwaiting = false
    swap(&grid, &former)
    (grid.level, grid.columns, grid.rows) = (plan.transform.level, plan.columns, plan.rows)
    let count = grid.columns.count * grid.rows.count
    // Both grow at once, so that the next plan allocates nothing.
    if former.ends.capacity < count { former.ends.reserveCapacity(count) }
    grid.ends.removeAll(keepingCapacity: true)
    grid.ends.append(contentsOf: repeatElement(NewCells.absent, count: count))
  }

  /// Decides whether a visible cell waits with its base tile.
  ///
  /// - Parameters:
  ///   - column: The cell's column in the plan.
  ///   - row: Its row.
  ///   - isComplete: Whether its base tile is there.
  ///   - isAwaited: Whether a tile of an overlay is about to arrive.
  ///   - now: The time of the frame in nanoseconds; nil: nothing waits.
  /// - Returns: Until when it waits; nil: it does not.
  mutating func wait(
    column: Int, row: Int, isComplete: Bool, isAwaited: Bool, now: UInt64?
  ) -> UInt64? {
    if isAwaited { isAwaiting = true }
    guard isComplete else { return nil }
    let before =
      former.level == grid.level ? former.end(column: column, row: row) : NewCells.absent
    guard isAwaited, before != NewCells.shown, !wasInVain, let now else {
      show(column: column, row: row)
      return nil
    }
    let end = before == NewCells.absent ? now &+ NewCells.patience : before
    if now >= end {
      wasInVain = true
      show(column: column, row: row)
      return nil
    }
    set(column: column, row: row, end)
    return end
  }

  /// The cell shows its base tile, although it might have waited.
  mutating func show(column: Int, row: Int) { set(column: column, row: row, NewCells.shown) }

  private mutating func set(column: Int, row: Int, _ end: UInt64) {
    let index = (row - grid.rows.lowerBound) * grid.columns.count + column
    grid.ends[index - grid.columns.lowerBound] = end
  }
}
