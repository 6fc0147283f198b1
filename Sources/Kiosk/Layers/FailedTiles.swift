import EventLoop
import TileSources

/// Counts the tiles that fail after a source's first one, so that a lost medium causes one line in
/// the log. A part of the layer book.
final class FailedTiles {
  /// How long tiles are counted before a line is written, in nanoseconds: at first, and at most.
  /// Each line doubles it until a source's tiles can be read again.
  static let pauses: (first: UInt64, longest: UInt64) = (2_000_000_000, 600_000_000_000)

  private(set) var pause = FailedTiles.pauses.first
  /// When the last line was written.
  private var toldAt: UInt64 = 0
  private var counts: [String: (count: Int, last: TileError)] = [:]
  private var timer: LoopTimer?
  private let outbox: Outbox

  init(loop: EventLoop, outbox: Outbox) {
    self.outbox = outbox
    timer = loop.timer { [weak self] in self?.timeIsUp() }
  }

  /// Counts a tile of the source that is called `matter` in the log.
  func add(_ matter: String, _ error: TileError) {
    if counts.isEmpty {
      if EventLoop.now() &- toldAt > FailedTiles.pauses.longest { pause = FailedTiles.pauses.first }
      timer?.arm(after: pause)
    }
    counts[matter] = ((counts[matter]?.count ?? 0) + 1, error)
  }

  /// The tiles were counted for long enough.
  func timeIsUp() {
    tell()
    pause = min(2 * pause, FailedTiles.pauses.longest)
  }

  /// The tiles of a source can be read again.
  func recovered() {
    tell()
    pause = FailedTiles.pauses.first
  }

  /// Writes a line for each source whose tiles were counted.
  func tell() {
    timer?.cancel()
    toldAt = EventLoop.now()
    for (matter, run) in counts.sorted(by: { $0.key < $1.key }) {
      outbox.log(
        .notice,
        run.count == 1
          ? "\(matter): \(run.last)"
          : "\(matter): \(run.count) more tiles cannot be read; the last: \(run.last)")
    }
    counts = [:]
  }
}
