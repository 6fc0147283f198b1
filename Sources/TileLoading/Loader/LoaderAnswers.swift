import TileSources

/// Records why tiles did not arrive, and reports what is new.
struct LoaderAnswers {
  let missing: MissingTiles
  let clock: () -> UInt64

  /// Records that there is no such tile. It is requested again after `lifetime` seconds, if any.
  func miss(
    _ job: PaintJob, ancestor: Int?, lifetime: Int?, _ handle: (TileLoader.Event) -> Void
  ) {
    missing.insert(
      job.key, .init(ancestorLevel: ancestor, failed: false),
      retry: lifetime.map { RetryTime(job.retry, afterMissing: $0, at: clock()) })
    handle(.missing(job.key))
  }

  /// Records that the source will have the tile later.
  func promise(_ job: PaintJob, _ handle: (TileLoader.Event) -> Void) {
    let now = clock()
    let earlier = missing.retry(of: job.key)
    var retry = earlier ?? RetryTime(job.retry, promised: true, at: now)
    retry.promise(at: now)
    missing.insert(
      job.key, .init(ancestorLevel: nil, failed: false, isAwaited: true), retry: retry)
    handle(.awaited(job.key))
    if earlier?.hasFailed == true, !retry.hasFailed { tellRecovery(of: job.key.source, handle) }
  }

  /// Records that the tile could not be read or painted. If the error may pass, the tile is
  /// requested again later.
  ///
  /// - Returns: Whether the errors are new: false if a retry failed again.
  func fail(_ job: PaintJob, _ errors: [TileError], ancestor: Int?) -> Bool {
    let isPassing = errors.contains(where: \.isTransient)
    let now = clock()
    let earlier = missing.retry(of: job.key)
    var retry = earlier ?? RetryTime(job.retry, promised: false, at: now)
    retry.fail(at: now, lacksMemory: errors.contains(where: \.lacksMemory))
    missing.insert(
      job.key, .init(ancestorLevel: ancestor, failed: true), retry: isPassing ? retry : nil)
    return earlier?.hasFailed != true || !isPassing
  }

  /// Forgets that a tile failed, was promised or was missing, because it was answered.
  ///
  /// - Returns: Whether it had failed. Retries of its source are then due now.
  func forgetFailure(_ key: TileKey, _ handle: (TileLoader.Event) -> Void) -> Bool {
    guard let retry = missing.retry(of: key) else { return false }
    missing.remove(key)
    if !retry.hasFailed { return false }
    handle(.returned(key))
    // What made this tile fail probably made others fail.
    missing.hasten(source: key.source, at: clock())
    tellRecovery(of: key.source, handle)
    return true
  }

  /// Reports that no tile of `source` fails any more, if so.
  private func tellRecovery(of source: Int, _ handle: (TileLoader.Event) -> Void) {
    if !missing.hasFailures(source: source) { handle(.recovered(source: source)) }
  }
}

extension PaintJob {
  /// The request that retries it without evicting what a view shows.
  fileprivate var retry: TileLoader.Request {
    TileLoader.Request(key: key, tile: tile, levels: levels, edge: edge, standing: .ahead)
  }
}
