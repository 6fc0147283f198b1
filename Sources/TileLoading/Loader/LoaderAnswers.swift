import TileSources

/// Keeps what was learned of tiles that did not arrive, and tells what is new in it.
struct LoaderAnswers {
  let missing: MissingTiles
  let clock: () -> UInt64

  /// There is no such tile.
  func miss(_ job: PaintJob, ancestor: Int?, _ handle: (TileLoader.Event) -> Void) {
    missing.insert(job.key, .init(ancestorLevel: ancestor, failed: false))
    handle(.missing(job.key))
  }

  /// The source will have the tile later.
  func promise(_ job: PaintJob, _ handle: (TileLoader.Event) -> Void) {
    let earlier = missing.retry(of: job.key).flatMap { $0.isPromised ? $0 : nil }
    missing.insert(
      job.key, .init(ancestorLevel: nil, failed: false, isAwaited: true),
      retry: earlier ?? RetryTime(job, promised: true, at: clock()))
    handle(.awaited(job.key))
  }

  /// The tile could not be read or painted. Where that can pass, it is asked for again.
  ///
  /// - Returns: whether the errors are news: what fails again was told.
  func fail(_ job: PaintJob, _ errors: [TileError], ancestor: Int?) -> Bool {
    let isPassing = errors.contains(where: \.isTransient)
    let earlier = missing.retry(of: job.key).flatMap { $0.isPromised ? nil : $0 }
    missing.insert(
      job.key, .init(ancestorLevel: ancestor, failed: true),
      retry: isPassing ? earlier ?? RetryTime(job, promised: false, at: clock()) : nil)
    return earlier == nil || !isPassing
  }

  /// Forgets that a tile failed or was promised: there is an answer.
  ///
  /// - Returns: whether it had failed, and others of its source are due now.
  func forgetFailure(_ key: TileKey, _ handle: (TileLoader.Event) -> Void) -> Bool {
    guard let retry = missing.retry(of: key) else { return false }
    missing.remove(key)
    if retry.isPromised { return false }
    handle(.returned(key))
    // What made this tile fail made others fail.
    missing.hasten(source: key.source, at: clock())
    if !missing.hasFailures(source: key.source) { handle(.recovered(source: key.source)) }
    return true
  }
}

extension RetryTime {
  /// Asks again for what `job` did not get, without displacing what a view shows.
  fileprivate init(_ job: PaintJob, promised: Bool, at now: UInt64) {
    let request = TileLoader.Request(
      key: job.key, tile: job.tile, levels: job.levels, edge: job.edge, standing: .ahead)
    self.init(request, promised: promised, at: now)
  }
}
