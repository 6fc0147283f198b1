import EventLoop
import TileSources

/// Counts the tiles that fail after a source's first one, so that a lost medium causes one line in
/// the log. A part of the layer book.
final class FailedTiles {
  /// How long tiles are counted before the line is written, in nanoseconds.
  static let pause: UInt64 = 2_000_000_000

  private var counts: [String: (count: Int, last: TileError)] = [:]
  private var timer: LoopTimer?
  private let outbox: Outbox

  init(loop: EventLoop, outbox: Outbox) {
    self.outbox = outbox
    timer = loop.timer { [weak self] in self?.tell() }
  }

  /// Counts a tile of the source that is called `matter` in the log.
  func add(_ matter: String, _ error: TileError) {
    if counts.isEmpty { timer?.arm(after: FailedTiles.pause) }
    counts[matter] = ((counts[matter]?.count ?? 0) + 1, error)
  }

  /// Writes a line for each source whose tiles were counted.
  func tell() {
    timer?.cancel()
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
