import MapGeometry
import TileSources

/// What the threads of the loader report to the loop.
enum LoaderResult: Sendable {
  /// A source was opened. `generation` is the reader's.
  case opened(
    generation: Int, SourceInfo, problems: [SourceError], painter: (any TilePainter)?)
  case openFailed(generation: Int, SourceError)
  /// The source has no such tile; the deepest level above at which a tile covers this place.
  case missing(PaintJob, ancestor: Int?)
  /// The tile is there but cannot be read. At least one error.
  case unreadable(PaintJob, [TileError], ancestor: Int?)
  /// The source will have the tile later.
  case later(PaintJob)
  /// A tile that was promised for later can be asked for. `generation` is the reader's.
  case ready(generation: Int, TileID)
  /// Another file took the place of the one that was opened. `generation` is the reader's.
  case replaced(generation: Int)
  case painted(PaintJob, PaintJob.Outcome, nanoseconds: Int)

  /// The job whose memory comes back with the result.
  var job: PaintJob? {
    switch self {
    case .opened, .openFailed, .ready, .replaced: nil
    case .missing(let job, _), .unreadable(let job, _, _), .later(let job): job
    case .painted(let job, _, _): job
    }
  }
}
