import MapGeometry
import Platform

/// Which tiles are being prepared, so that several threads that paint parts of one tile do not all
/// parse it: one does, and the others wait for it.
final class TilePreparations: Sendable {
  /// How long a thread waits until it looks whether its tile is still wanted, in nanoseconds.
  private static let patience: UInt64 = 5_000_000

  private let gate = Gate<Set<TileID>>([])

  /// How a thread goes on.
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
