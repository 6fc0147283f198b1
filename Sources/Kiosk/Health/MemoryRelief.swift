import EventLoop
import Platform

/// What is left to the tile cache while memory is short.
final class MemoryRelief {
  /// How long memory must not be short until the cache gets twice as much again, in nanoseconds.
  static let rest: UInt64 = 60_000_000_000

  /// The most bytes of the cache; nil: as configured.
  private(set) var limit: Int?
  /// How often memory was short.
  private(set) var count = 0
  private var watch: MemoryPressure?
  /// When memory was short, or the cache got more, for the last time.
  private var changedAt: UInt64 = 0
  private var timer: LoopTimer?
  /// Called when memory was not short for `rest`.
  private var onCalm: (() -> Void)?

  init(loop: EventLoop) {
    timer = loop.timer { [weak self] in self?.onCalm?() }
  }

  /// How a shortage is noticed.
  var means: MemoryPressure.Means { watch?.means ?? .off }

  /// Begins to watch the memory.
  ///
  /// - Parameters:
  ///   - watch: Tells of a shortage.
  ///   - onCalm: Called when memory was not short for `rest`.
  func begin(_ watch: MemoryPressure, onCalm: @escaping () -> Void) {
    self.watch = watch
    self.onCalm = onCalm
  }

  /// Looks at the memory after something was loaded, where nothing else tells of it.
  ///
  /// Returns whether the cache may get more.
  func isCalmAfterLoading(at now: UInt64) -> Bool {
    watch?.loaded(at: now) == true && limit != nil && now &- changedAt >= MemoryRelief.rest
  }

  /// Notes that memory is short: the cache gets half of what it has, and at least `floor`.
  func halve(_ present: Int, floor: Int) {
    count += 1
    limit = max((limit ?? present) / 2, floor)
  }

  /// Gives the cache twice as much again, or all of it from `enough` bytes on. Returns whether it
  /// was limited.
  func double(enough: Int) -> Bool {
    guard let before = limit else { return false }
    let next = max(before, 1 << 20).multipliedReportingOverflow(by: 2)
    limit = next.overflow || next.partialValue >= enough ? nil : next.partialValue
    return true
  }

  /// Waits for a rest while the cache is limited.
  func awaitCalm(_ now: UInt64) {
    changedAt = now
    if limit != nil { timer?.arm(after: MemoryRelief.rest) } else { timer?.cancel() }
  }

  /// Whether memory is still not short after a rest, and the cache may get more; otherwise it waits
  /// for another. Where nothing tells of a shortage, this looks.
  func isCalmAfterRest(at now: UInt64) -> Bool {
    if watch?.means != .available || watch?.loaded(at: now) == true { return true }
    // A look that found memory short has armed the timer.
    if limit != nil { timer?.arm(after: MemoryRelief.rest) }
    return false
  }
}
