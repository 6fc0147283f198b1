import MapGeometry
import TileSources

/// A report of the loader's threads to the loop.
enum LoaderResult: Sendable {
  /// A source was opened. `generation` is the reader's.
  case opened(
    generation: Int, SourceInfo, problems: [SourceError], painter: (any TilePainter)?)
  case openFailed(generation: Int, SourceError)
  /// The source has no such tile. `ancestor` is the level of its deepest tile that covers the same
  /// area.
  case missing(PaintJob, ancestor: Int?, lifetime: Int? = nil)
  /// The tile exists but cannot be read. There is at least one error.
  case unreadable(PaintJob, [TileError], ancestor: Int?)
  /// The source will have the tile later.
  case later(PaintJob)
  /// A tile that was promised for later can be requested now. `generation` is the reader's.
  case ready(generation: Int, TileID)
  /// The source's file was replaced by another one. `generation` is the reader's.
  case replaced(generation: Int)
  /// The source is in trouble although its tiles come; nil: no longer. `generation` is the
  /// reader's.
  case trouble(generation: Int, SourceError?)
  /// A failed tile of a source was forgotten. `generation` is the reader's.
  case forgotten(generation: Int)
  case painted(PaintJob, PaintJob.Outcome, nanoseconds: Int)

  /// The job whose memory comes back with the result.
  var job: PaintJob? {
    switch self {
    case .opened, .openFailed, .ready, .replaced, .trouble, .forgotten: nil
    case .missing(let job, _, _), .unreadable(let job, _, _), .later(let job): job
    case .painted(let job, _, _): job
    }
  }
}
