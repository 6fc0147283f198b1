/// What views request, and the order in which it is begun.
extension TileLoader {
  /// Replaces the requests of `view`. Impossible requests (`Request.isPossible`) are left out.
  ///
  /// - Parameters:
  ///   - requests: The requests, most urgent first.
  ///   - view: The view that wants them.
  public func want(_ requests: [Request], for view: ViewID = .main) {
    let shares = { (source: Int) in self.sources[source]?.painter?.sharesPayloads == true }
    wants.set(requests, for: view, begun: begun(where: shares), where: shares)
    withdraw()
    pump()
  }

  /// The tiles of the level above those being painted, being read, or read. Jobs that wait for
  /// their reader do not count: they get no precedence.
  private func begun(where shares: (Int) -> Bool) -> Set<TileKey> {
    guard work.sources.contains(where: shares) else { return [] }
    let readers = work.sources.compactMap { sources[$0]?.askedReader }
    return work.above(
      where: shares, without: readers.reduce(into: []) { $0.formUnion($1.queued()) })
  }

  /// Withdraws jobs that no thread has begun, so that they follow the new order too. Drawings as
  /// urgent as what comes next stay queued: reading a shared payload again may take as long as
  /// painting.
  private func withdraw() {
    if work.isEmpty { return }
    for index in work.sources { withdraw(sources[index]?.askedReader?.takeBack() ?? []) }
    // A retry of a hole is not a view's request, so it must not be lost.
    withdraw(
      pool.takeBack(now: false, keeping: { wants.staysQueued($0, where: work.contains) }) {
        wants.find($0) == nil && !missing.isHole($0)
      })
  }

  /// Takes back jobs. No view requests a hole, so holes among them stay retries.
  private func withdraw(_ jobs: [PaintJob]) {
    takeBack(jobs)
    for job in jobs { keepRetry(of: job.key) }
  }

  /// Retries `key` soon, if it is a hole, because its retry did not come to an end.
  func keepRetry(of key: TileKey) {
    guard let retry = missing.retry(of: key) else { return }
    if missing.isHole(key) { wants.add(hole: retry.request) } else { giveUp(key) }
  }

  /// Gives up the retry of a tile that is no hole any more.
  private func giveUp(_ key: TileKey) {
    if missing.giveUpRetry(of: key), let source = sources[key.source] {
      mailbox.put(.forgotten(generation: source.opening))
    }
  }

  /// Whether `view` waits for a tile that its plan needs to be complete.
  public func isNeeded(for view: ViewID) -> Bool {
    wants.first(of: view)?.standing == .needed
  }

  /// Whether nothing is requested or under way.
  public var isIdle: Bool { work.isEmpty && wants.isEmpty }

  /// When to call `retryDue`, in nanoseconds of the monotonic clock; nil: no plan has such a hole.
  public var nextRetry: UInt64? { missing.nextRetry }

  /// Requests the holes that are due again.
  public func retryDue() {
    for request in missing.takeDue(at: answers.clock()) { wants.add(hole: request) }
    pump()
  }

  /// Whether a view shows a hole that failed for lack of memory.
  public var lacksMemory: Bool { missing.lacksMemory }

  /// Requests again the tiles that failed for lack of memory, while decoding or for their pixels.
  /// The caller decides when to do so, for all of them at once.
  ///
  /// Tiles for which the cache, which may be smaller by now, has no room are forgotten.
  ///
  /// - Returns: The sources of which no tile is known to fail any more, because none is needed.
  public func retryLacking() -> [Int] {
    let (requests, freed) = missing.takeLacking()
    for request in requests { wants.add(hole: request) }
    pump()
    var forgotten: Set<Int> = []
    for request in requests where missing.isHole(request.key) && !work.contains(request.key) {
      let index = request.key.source
      guard let source = sources[index], source.inFlight < depth else { continue }
      missing.remove(request.key)
      forgotten.insert(index)
    }
    return freed + forgotten.filter { !missing.hasFailures(source: $0) }
  }

  /// Begins what may be begun of what is wanted. Tiles that share payloads take long to paint, so
  /// none is read and painted ahead while the views still need as many as half of the threads: two
  /// threads may share a core.
  func pump() {
    var needed = 0
    wants.forEach { request in
      guard cache.peek(request.key) == nil, missing.find(request.key) == nil,
        let source = sources[request.key.source]
      else { return false }
      let shares = source.painter?.sharesPayloads == true
      if shares, request.standing == .needed { needed += 1 }
      if !shares || request.standing != .ahead || needed < max(1, threads / 2) { dispatch(request) }
      return true
    } askAgain: { request in
      if cache.peek(request.key) != nil || work.contains(request.key) { return false }
      guard missing.isHole(request.key) else {
        giveUp(request.key)
        return false
      }
      dispatch(request)
      return !work.contains(request.key)
    }
  }

  private func dispatch(_ request: Request) {
    let index = request.key.source
    guard let source = sources[index], source.inFlight < depth,
      !work.contains(request.key)
    else { return }
    var painter = source.painter
    if request.key.tile == nil {
      painter = provideQuietCell?(index)
      if painter == nil { return }
    }
    let bytes = request.edge * request.edge * source.pixelBytes(request, opaque)
    guard let memory = work.begin(request.key, bytes, request.standing) else { return }
    source.inFlight += 1
    let job = source.job(request, memory, opaque, scale: scale, painter: painter)
    if job.painter.needsPayload { source.reader.read(job) } else { pool.add(job) }
  }
}
