import EventLoop
import Platform

/// Shrinks the tile cache while memory is short, and times new attempts.
final class MemoryRelief {
  /// How long memory must be plentiful before the cache is doubled, in nanoseconds.
  static let rest: UInt64 = 60_000_000_000
  /// The wait before tiles that found no memory are requested again: the longest, and the first
  /// one. It doubles each time. In nanoseconds.
  private static let lastRetry: UInt64 = 60_000_000_000
  private var firstRetry: UInt64 = 1_000_000_000

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
  /// How many tiles found no memory, as the cache counts them.
  private(set) var refusals = 0
  /// Whether memory was refused when tiles were last requested.
  private(set) var isRefused = false
  private var retryTimer: LoopTimer?
  private var retryPause: UInt64 = 1_000_000_000
  /// Whether the tiles are to be asked for again now.
  private var isDue = false
  /// Whether the tiles were asked for again since the last look.
  private var isRetried = false

  /// `onRetry` is called when it is time to request tiles again that found no memory: all of them
  /// at once, whatever the memory was for.
  init(loop: EventLoop, onRetry: @escaping () -> Void) {
    timer = loop.timer { [weak self] in self?.onCalm?() }
    retryTimer = loop.timer { [weak self] in
      self?.isDue = true
      onRetry()
    }
  }

  /// Sets after what time tiles are asked for again at first, in nanoseconds, for tests.
  func setRetry(after time: UInt64) { (firstRetry, retryPause) = (time, time) }

  /// Whether to ask for the tiles again now.
  func takeDue() -> Bool {
    defer { isDue = false }
    if isDue { isRetried = true }
    return isDue
  }

  /// Another cache follows, which counts from 0 again.
  func cacheReplaced() { refusals = 0 }

  /// Takes the cache's count after tiles were requested. Returns whether the system began to refuse
  /// memory, or stopped. It has stopped once no tile is in flight, because threads need memory too,
  /// and no visible tile lacks memory.
  func take(refusals count: Int, isBusy: Bool) -> Bool {
    let isMore = count > refusals
    refusals = count
    if isMore {
      isRetried = false
      awaitRetry()
      defer { isRefused = true }
      return !isRefused
    }
    guard isRefused, isRetried else { return false }
    if isBusy {
      // Others were not asked for yet, or were given up while they were made.
      awaitRetry()
      return false
    }
    retryTimer?.cancel()
    (isRefused, isRetried, retryPause) = (false, false, firstRetry)
    return true
  }

  private func awaitRetry() {
    guard let retryTimer, !retryTimer.isArmed else { return }
    retryTimer.arm(after: retryPause)
    retryPause = min(2 * retryPause, MemoryRelief.lastRetry)
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

  /// Checks the memory after something was loaded, if no trigger reports pressure.
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

  /// Doubles the cache's limit, or lifts it from `enough` bytes on. Returns whether there was one.
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

  /// Whether memory stayed plentiful for `rest`, so that the cache may grow; if not, waits once
  /// more. Without a trigger, this checks the memory itself.
  func isCalmAfterRest(at now: UInt64) -> Bool {
    if watch?.means != .available || watch?.loaded(at: now) == true { return true }
    // If the check found memory short, this restarts the timer that it armed.
    if limit != nil { timer?.arm(after: MemoryRelief.rest) }
    return false
  }
}
