import EventLoop
import TileSources

/// Counts the tiles that fail after a source's first one, so that a lost medium causes one line in
/// the log. A part of the layer book.
final class FailedTiles {
  /// How long tiles are counted before a line is written, in nanoseconds: at first, and at most.
  /// Each line doubles it. It is short again once no tile was counted for the longest time: a
  /// source that fails and recovers again and again for a year is a few lines a day, too.
  static let pauses: (first: UInt64, longest: UInt64) = (2_000_000_000, 21_600_000_000_000)

  private(set) var pause = FailedTiles.pauses.first
  /// When the last line was written.
  private var toldAt: UInt64 = 0
  private var counts: [String: (count: Int, last: TileError)] = [:]
  private var timer: LoopTimer?
  private let outbox: Outbox
  private let clock: () -> UInt64

  /// `clock`: nanoseconds of the loop's clock.
  init(loop: EventLoop, outbox: Outbox, clock: @escaping () -> UInt64 = EventLoop.now) {
    self.outbox = outbox
    self.clock = clock
    timer = loop.timer { [weak self] in self?.tell() }
  }

  /// Counts a tile of the source that is called `matter` in the log.
  func add(_ matter: String, _ error: TileError) {
    if counts.isEmpty {
      if clock() &- toldAt > FailedTiles.pauses.longest { pause = FailedTiles.pauses.first }
      timer?.arm(after: pause)
    }
    counts[matter] = ((counts[matter]?.count ?? 0) + 1, error)
  }

  /// Writes a line for each source whose tiles were counted. By then they may be readable again.
  func tell() {
    timer?.cancel()
    if counts.isEmpty { return }
    toldAt = clock()
    pause = min(2 * pause, FailedTiles.pauses.longest)
    for (matter, run) in counts.sorted(by: { $0.key < $1.key }) {
      outbox.log(
        .notice,
        run.count == 1
          ? "\(matter): \(run.last)"
          : "\(matter): \(run.count) more tiles could not be read; the last: \(run.last)")
    }
    counts = [:]
  }
}
