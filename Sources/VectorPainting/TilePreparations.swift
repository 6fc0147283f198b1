import MapGeometry
import Platform

/// Tracks which tiles are being prepared. If several threads paint parts of one tile, one of them
/// parses it and the others wait.
final class TilePreparations: Sendable {
  /// How often a waiting thread checks whether its tile is still wanted, in nanoseconds.
  private static let patience: UInt64 = 5_000_000

  private let gate = Gate<Set<TileID>>([])

  /// How the calling thread continues.
  enum Turn {
    /// It prepares the tile, and calls `end` when that is done or has failed.
    case first
    /// Another thread has prepared it, or tried to.
    case later
    /// Nobody wants it any more.
    case cancelled
  }

  /// Begins to prepare a tile, or waits until another thread that does so is done with it.
  func begin(_ tile: TileID, isCancelled: () -> Bool) -> Turn {
    if gate.locked({ $0.insert(tile).inserted }) { return .first }
    while true {
      let done = gate.wait(atMost: Self.patience) { $0.contains(tile) ? nil : true }
      if isCancelled() { return .cancelled }
      if done == true { return .later }
    }
  }

  /// Lets other threads have the tile.
  func end(_ tile: TileID) {
    gate.lockedBroadcast { tiles in tiles.remove(tile) }
  }
}
