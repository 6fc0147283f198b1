import MapGeometry
import TileStore

/// Where the tiles of a source come from: a server with an address for each, or an archive. Belongs
/// to the loop's thread.
protocol TileOrigin: AnyObject {
  /// What the source says of itself; nil: not known yet, or it says nothing.
  var info: ArchiveInfo? { get }

  /// Calls `done` when `info` is known, or cannot be known now. Possibly before this returns.
  func describe(_ done: @escaping () -> Void)

  /// Tells the tiles of one address, or of one state of an archive, from those of another: where it
  /// changes, what is stored is out of date.
  func variant(_ scale: Int) -> Int64

  /// The scale of what the server sends to a display of `scale`: 1 if it is the same for all.
  func storedScale(_ scale: Int) -> Int

  /// Asks for a tile.
  ///
  /// - Parameters:
  ///   - tile: The tile.
  ///   - scale: The display's.
  ///   - stored: What is stored of it, expired and of the present variant; nil: nothing.
  ///   - isBehind: Nobody waits for the answer.
  ///   - reply: Gets what came of it, possibly before this returns.
  func ask(
    _ tile: TileID, scale: Int, stored: TileStore.Tile?, isBehind: Bool,
    _ reply: @escaping HostQueue.Reply)

  /// What was wrong may be mended: it is tried at once.
  func retry()
}
