import CLinux
import EventLoop
import Platform
import VectorMaps

/// What is left to the tile cache while memory is short.
final class MemoryRelief {
  /// How long memory must not be short until the cache gets twice as much again, in nanoseconds.
  static let rest: UInt64 = 60_000_000_000

  /// The most bytes of the cache; nil: as configured.
  var limit: Int?
  /// How often memory was short.
  var count = 0
  var watch: MemoryPressure?
  /// When memory was short, or the cache got more, for the last time.
  var changedAt: UInt64 = 0
  private var timer: LoopTimer?
  /// Called when memory was not short for `rest`.
  var onCalm: (() -> Void)?

  init(loop: EventLoop) {
    timer = loop.timer { [weak self] in self?.onCalm?() }
  }

  /// Waits for a rest, unless MemAvailable is looked at anyway.
  func awaitCalm(_ now: UInt64) {
    changedAt = now
    if limit != nil, watch?.means != .available {
      timer?.arm(after: MemoryRelief.rest)
    } else {
      timer?.cancel()
    }
  }
}

extension Kiosk {
  /// Frees memory when the system is short of it, from now on.
  ///
  /// - Parameters:
  ///   - request: What the service manager asked for.
  ///   - system: The kernel's file for the pressure of the whole system.
  ///   - available: Gives the bytes that programs can still take; nil: unknown.
  package func watchMemory(
    _ request: MemoryPressure.Request, system: String = MemoryPressure.system,
    available: @escaping () -> Int? = { MemoryPressure.memAvailable() }
  ) {
    relief.onCalm = { [weak self] in self?.memoryIsCalm() }
    relief.watch = MemoryPressure(
      request, loop: loop, system: system, available: available,
      onPressure: { [weak self] in self?.memoryIsShort() })
  }

  /// What tells of a shortage, how often that came, and the cache's limit meanwhile, for `stats`.
  package var memoryPressure: (means: MemoryPressure.Means, count: Int, limit: Int?) {
    (relief.watch?.means ?? .off, relief.count, relief.limit)
  }

  /// Looks at the memory after something was loaded, where nothing else tells of it.
  func checkMemory() {
    let now = EventLoop.now()
    if relief.watch?.loaded(at: now) == true, relief.limit != nil,
      now &- relief.changedAt >= MemoryRelief.rest
    {
      memoryIsCalm()
    }
  }

  /// Halves the cache, down to its floor, and frees what can be made again.
  func memoryIsShort() {
    let cache = pipeline.cache
    relief.count += 1
    relief.limit = max((relief.limit ?? cache.limit) / 2, cache.floor)
    cache.squeeze(to: relief.limit)
    VectorMemory.removeAll()
    waypost_trim_heaps()
    memoryChanged()
  }

  /// Gives the cache twice as much again, until it has what is configured.
  func memoryIsCalm() {
    guard let limit = relief.limit else { return }
    let cache = pipeline.cache
    let next = max(limit, 1 << 20).multipliedReportingOverflow(by: 2)
    let isEnough = next.overflow || next.partialValue >= max(cache.requested, cache.floor)
    relief.limit = isEnough ? nil : next.partialValue
    cache.squeeze(to: relief.limit)
    memoryChanged()
  }

  private func memoryChanged() {
    relief.awaitCalm(EventLoop.now())
    let cache = pipeline.cache
    let usual = max(cache.requested, cache.floor)
    let isAtFloor = cache.limit <= cache.floor
    outbox.note(
      "memory", .warning,
      relief.limit == nil
        ? nil
        : "memory is short; the tile cache is limited to \(ByteCount.text(cache.limit)) instead of "
          + "\(ByteCount.text(usual))\(isAtFloor ? ", the least that this display needs" : ""). "
          + "End other programs, or set a smaller cache.memory")
    changed()
  }
}
