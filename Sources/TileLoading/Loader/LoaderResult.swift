import MapGeometry
import Pixels
import TileSources

/// What the threads of the loader report to the loop.
enum LoaderResult: Sendable {
  enum Outcome: Sendable {
    /// Drawn; `broken`: descendants that are there but could not be decoded, their places empty.
    case tile(TilePixelFormat, broken: [BrokenTile])
    /// The tile has transparency and its buffer holds two bytes a pixel only.
    case needsAlphaRoom
    /// There is nothing to be drawn.
    case nothing
    /// Nothing could be decoded; at least one.
    case failed([BrokenTile])
  }

  /// A tile that cannot be decoded, and why.
  struct BrokenTile: Sendable {
    var tile: TileID
    var reason: String
  }

  /// A source was opened. `generation` is the reader's.
  case opened(
    generation: Int, SourceInfo, problems: [SourceError], drawing: (any TileDrawing)?)
  case openFailed(generation: Int, SourceError)
  /// The source has no such tile.
  case missing(TileKey, generation: Int, TileMemory, ancestor: Int?)
  /// The source cannot tell yet; it may be asked again when the retry fires.
  case later(TileKey, generation: Int, TileMemory, TileRetry)
  /// The tile is there but cannot be read. At least one error.
  case unreadable(TileKey, generation: Int, TileMemory, [TileError], ancestor: Int?)
  case decoded(DecodeJob, Outcome, nanoseconds: Int)

  /// The tile's memory that comes back with the result.
  var memory: TileMemory? {
    switch self {
    case .opened, .openFailed: nil
    case .missing(_, _, let memory, _): memory
    case .later(_, _, let memory, _): memory
    case .unreadable(_, _, let memory, _, _): memory
    case .decoded(let job, _, _): job.memory
    }
  }
}
