import CLinux
import EventLoop
import Platform
import VectorMaps

/// What is done when the system is short of memory.
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
    let watch = MemoryPressure(
      request, loop: loop, system: system, available: available,
      onPressure: { [weak self] in self?.memoryIsShort() })
    relief.begin(watch) { [weak self] in self?.memoryRested(at: EventLoop.now()) }
  }

  /// For `stats`: where shortages are reported from, how many there were, and the cache's limit
  /// during one.
  package var memoryPressure: (means: MemoryPressure.Means, count: Int, limit: Int?) {
    (relief.means, relief.count, relief.limit)
  }

  /// Checks the memory after something was loaded, if no trigger reports pressure.
  func checkMemory() {
    if relief.isCalmAfterLoading(at: EventLoop.now()) { memoryIsCalm() }
  }

  /// Gives the cache more if memory was not short for a while before `now`, in nanoseconds.
  func memoryRested(at now: UInt64) {
    if relief.isCalmAfterRest(at: now) { memoryIsCalm() }
  }

  /// Frees memory when the system refused it for a tile, and reports that. The tiles are requested
  /// again after a while.
  func checkRefusals() {
    let loader = pipeline.loader
    let isBusy = relief.isRefused && (loader.stats.inFlight > 0 || loader.lacksMemory)
    guard relief.take(refusals: pipeline.cache.refusals, isBusy: isBusy) else { return }
    if relief.isRefused { return memoryIsShort() }
    // Forgets those that no view shows any more.
    retryLacking()
    outbox.logRepeated(
      .notice, run: "memory",
      "memory: there is some for tiles again; it was refused \(relief.refusals) times")
    noteMemory()
  }

  /// Requests missing tiles that are due. Tiles that lacked memory have a schedule of their own.
  func retryHoles() {
    let loader = pipeline.loader
    if relief.takeDue() { retryLacking() }
    loader.retryDue()
  }

  private func retryLacking() {
    for index in pipeline.loader.retryLacking() { book.sources.recovered(index) }
  }

  /// Halves the cache, down to its floor, and frees what can be made again.
  func memoryIsShort() {
    let cache = pipeline.cache
    relief.halve(cache.limit, floor: cache.floor)
    cache.squeeze(to: relief.limit)
    VectorMemory.removeAll()
    pipeline.compositor.freeBackdrop()
    waypost_trim_heaps()
    memoryChanged()
  }

  /// Gives the cache twice as much again, until it has what is configured.
  func memoryIsCalm() {
    let cache = pipeline.cache
    guard relief.double(enough: max(cache.requested, cache.floor)) else { return }
    cache.squeeze(to: relief.limit)
    memoryChanged()
  }

  /// Has memory that is free, and code, given back to the kernel before the loop sleeps.
  package func giveMemoryBack() { tidy.giveBackSoon() }

  /// Ends a wake-up after which the loop sleeps. Never gives memory back during a movement.
  func endWakeUp() {
    if tidy.takeRest() { freeLabelsAtRest() }
    if !view.isMoving { tidy.finish() }
  }

  /// Frees what labels at rest do not need, then gives memory back.
  private func freeLabelsAtRest() {
    baseLabels.rest { [weak self] in self?.tidy.giveBackSoon() }
  }

  private func memoryChanged() {
    relief.awaitCalm(EventLoop.now())
    noteMemory()
    changed()
  }

  private func noteMemory() {
    let cache = pipeline.cache
    let usual = max(cache.requested, cache.floor)
    let isAtFloor = cache.limit <= cache.floor
    var texts: [String] = []
    if relief.isRefused {
      texts.append("the system has no memory for tiles, which are asked for again")
    }
    if relief.limit != nil {
      texts.append(
        "memory is short; the tile cache is limited to \(ByteCount.text(cache.limit)) instead of "
          + "\(ByteCount.text(usual))\(isAtFloor ? ", the least that this display needs" : ""). "
          + "End other programs, or set a smaller cache.memory")
    }
    outbox.note("memory", .warning, texts.isEmpty ? nil : texts.joined(separator: "; "))
  }
}
