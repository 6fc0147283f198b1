import MapGeometry
import Pixels
import TileSources

/// What the threads of the loader report to the loop.
enum LoaderResult: Sendable {
  enum Outcome: Sendable {
    case tile(TilePixelFormat)
    /// The tile has transparency and its buffer holds two bytes a pixel only.
    case needsAlphaRoom
    case failed(TileID, String)
  }

  /// A source was opened.
  case opened(source: Int, generation: Int, SourceInfo, problems: [SourceError])
  case openFailed(source: Int, generation: Int, SourceError)
  /// The source has no such tile.
  case missing(TileKey, generation: Int, TileMemory, ancestor: Int?)
  /// The tile is there but cannot be read.
  case unreadable(TileKey, generation: Int, TileMemory, TileError, ancestor: Int?)
  case decoded(DecodeJob, Outcome, nanoseconds: Int)
}
