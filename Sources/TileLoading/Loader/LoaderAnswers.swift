import TileSources

/// Records why tiles did not arrive, and reports what is new.
struct LoaderAnswers {
  let missing: MissingTiles
  let clock: () -> UInt64

  /// Records that there is no such tile.
  func miss(_ job: PaintJob, ancestor: Int?, _ handle: (TileLoader.Event) -> Void) {
    missing.insert(job.key, .init(ancestorLevel: ancestor, failed: false))
    handle(.missing(job.key))
  }

  /// Records that the source will have the tile later.
  func promise(_ job: PaintJob, _ handle: (TileLoader.Event) -> Void) {
    let earlier = missing.retry(of: job.key).flatMap { $0.isPromised ? $0 : nil }
    missing.insert(
      job.key, .init(ancestorLevel: nil, failed: false, isAwaited: true),
      retry: earlier ?? RetryTime(job, promised: true, at: clock()))
    handle(.awaited(job.key))
  }

  /// Records that the tile could not be read or painted. If the error may pass, the tile is
  /// requested again later.
  ///
  /// - Returns: Whether to report the errors: false if a retry failed again.
  func fail(_ job: PaintJob, _ errors: [TileError], ancestor: Int?) -> Bool {
    let isPassing = errors.contains(where: \.isTransient)
    let earlier = missing.retry(of: job.key).flatMap { $0.isPromised ? nil : $0 }
    missing.insert(
      job.key, .init(ancestorLevel: ancestor, failed: true),
      retry: isPassing ? earlier ?? RetryTime(job, promised: false, at: clock()) : nil)
    return earlier == nil || !isPassing
  }

  /// Forgets that a tile failed or was promised, because it was answered.
  ///
  /// - Returns: Whether it had failed. Retries of its source are then due now.
  func forgetFailure(_ key: TileKey, _ handle: (TileLoader.Event) -> Void) -> Bool {
    guard let retry = missing.retry(of: key) else { return false }
    missing.remove(key)
    if retry.isPromised { return false }
    handle(.returned(key))
    // What made this tile fail probably made others fail.
    missing.hasten(source: key.source, at: clock())
    if !missing.hasFailures(source: key.source) { handle(.recovered(source: key.source)) }
    return true
  }
}

extension RetryTime {
  /// Retries `job` without evicting what a view shows.
  fileprivate init(_ job: PaintJob, promised: Bool, at now: UInt64) {
    let request = TileLoader.Request(
      key: job.key, tile: job.tile, levels: job.levels, edge: job.edge, standing: .ahead)
    self.init(request, promised: promised, at: now)
  }
}
