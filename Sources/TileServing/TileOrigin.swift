import MapGeometry
import TileStore

/// Where the tiles of a source come from: a server with an address for each, or an archive. Belongs
/// to the loop's thread.
protocol TileOrigin: AnyObject {
  /// What the source says of itself; nil: not known yet, or it says nothing.
  var info: ArchiveInfo? { get }

  /// Calls `done` when `info` is known, or cannot be known now. Possibly before this returns.
  func describe(_ done: @escaping () -> Void)

  /// Identifies the address of the tiles, or the version of the archive. When it changes, stored
  /// tiles are out of date.
  func variant(_ scale: Int) -> Int64

  /// The scale of what the server sends to a display of `scale`: 1 if it is the same for all.
  func storedScale(_ scale: Int) -> Int

  /// Asks for a tile.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - scale: The display's.
  ///   - stored: The stored tile, expired but of the present variant; nil: none.
  ///   - isBehind: Nobody waits for the answer.
  ///   - reply: Gets what came of it, possibly before this returns.
  func ask(
    _ tile: TileID, scale: Int, stored: TileStore.Tile?, isBehind: Bool,
    _ reply: @escaping HostQueue.Reply)

  /// Tries again at once, because the cause of a failure may be gone.
  func retry()
}
