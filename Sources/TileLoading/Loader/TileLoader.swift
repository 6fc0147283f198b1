import MapGeometry
import Pixels
import Platform
import TileSources

/// Loads tiles from their sources into the cache, and decides what to read and decode next.
///
/// Each view states what it wants with every plan, nearest first. Jobs that are no longer wanted
/// are dropped unless they have begun, and no tile is requested twice at the same time.
/// `ReaderThreads` read; `DecodePool` decodes and draws. Both only hold jobs handed to them, and
/// their results are collected here. Use it on the loop's thread.
public final class TileLoader {
  let cache: TileCache
  let missing: MissingTiles
  let mailbox: LoaderMailbox
  let pool: DecodePool
  private let readers = ReaderThreads()
  /// How many threads decode and draw.
  let threads: Int
  /// How many tiles of one source are under way at once.
  public let depth: Int
  let scale: Int
  let answers: LoaderAnswers
  var sources: [Int: LoaderSource] = [:]
  private var generations = 0
  var work: LoaderWork
  var wants = LoaderWants()
  /// Quiet cells under way whose painter has changed since.
  private var stale: Set<UInt64> = []

  /// Called with the number of a source to open that is not set, so that the caller can set it.
  public var provide: ((Int) -> Void)?
  /// Returns the painter of a source's quiet cell; called when the cell is to be painted.
  public var provideQuietCell: ((Int) -> (any TilePainter)?)?
  /// The display's opaque tile format; opaque tiles are decoded into it.
  public let opaque: TilePixelFormat
  private var counts = Stats()

  /// The counts so far, and the number of tiles under way.
  public var stats: Stats {
    var stats = counts
    stats.inFlight = work.count
    return stats
  }

  /// Creates a loader without sources.
  ///
  /// - Parameters:
  ///   - cache: Receives the tiles.
  ///   - missing: Remembers which tiles are unavailable.
  ///   - opaque: The format of tiles without transparency.
  ///   - threads: The number of threads that decode and draw.
  ///   - scale: Pixels per point, for sources that draw.
  ///   - clock: Nanoseconds of a clock that does not jump; nil: the monotonic clock.
  ///   - wake: Called on any thread when there is something to `collect`.
  public init(
    cache: TileCache, missing: MissingTiles, opaque: TilePixelFormat, threads: Int, scale: Int = 1,
    clock: (() -> UInt64)? = nil, wake: @escaping @Sendable () -> Void
  ) {
    self.scale = scale
    self.cache = cache
    work = LoaderWork(cache: cache)
    self.missing = missing
    self.opaque = opaque
    answers = LoaderAnswers(missing: missing, clock: clock ?? MonotonicTime.now)
    let mailbox = LoaderMailbox(wake: wake)
    self.mailbox = mailbox
    pool = DecodePool(threads: threads) { mailbox.put($0, isUrgent: $1) }
    self.threads = max(1, threads)
    depth = TileLoader.depth(threads: threads)
  }

  /// How many tiles of one source are under way at once where `threads` decode: enough that no
  /// thread waits for the loop, little enough that a view that moves on leaves little behind.
  public static func depth(threads: Int) -> Int { max(1, threads) * 2 + 2 }

  deinit {
    for job in mailbox.close().compactMap(\.job) { work.giveBack(job.memory) }
    for source in sources.values { takeBack(source.stop()) }
    takeBack(pool.stop())
    readers.stop()
    // The threads unmap what they still hold when they are done with it.
    work.disown()
  }

  /// Releases jobs that no thread has begun.
  func takeBack(_ jobs: [PaintJob]) {
    for var job in jobs {
      landed(job.key)
      job.buffers?.giveBack(&job.parts)
      work.giveBack(job.memory)
    }
  }

  /// Records that `key` is no longer under way.
  private func landed(_ key: TileKey) {
    if work.end(key) { sources[key.source]?.inFlight -= 1 }
  }

  /// Bytes that sources' readers keep for encoded tiles.
  public var encodedBytes: Int { sources.values.reduce(0) { $0 + $1.encodedBytes } }

  /// The number of threads that read, of sources that wait for one, and the most threads allowed.
  public var readerThreads: (count: Int, waiting: Int, limit: Int) {
    let figures = readers.figures
    return (figures.threads, figures.waiting, ReaderThreads.limit)
  }
}

// MARK: Sources

extension TileLoader {
  /// Sets the source with the number `index`, and removes an earlier one.
  ///
  /// - Parameters:
  ///   - index: The number, 0 ..< `TileKey.maxSources`.
  ///   - name: The file name in tile errors.
  ///   - path: A file or folder that it reads; nil if it reads none. The sources of one medium
  ///     share a few of the reader threads, so that one that hangs delays no other medium.
  ///   - colors: The colour changes applied to its tiles.
  ///   - make: Opens the source; called on a reader's thread with the first request.
  public func setSource(
    _ index: Int, name: String, path: String? = nil, colors: TileColors = .none,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) {
    removeSource(index)
    generations += 1
    let (generation, readers, pool, mailbox) = (generations, readers, pool, mailbox)
    sources[index] = LoaderSource(generation: generation, colors: colors, name: name) {
      SourceReader(
        name: name, medium: path.map { Mounts().point(of: $0) }, generation: generation,
        threads: readers, pool: pool, mailbox: mailbox, make: make)
    }
  }

  /// The painter that the source `index` brought; nil while it is not open, or if it has none.
  public func painter(of index: Int) -> (any TilePainter)? { sources[index]?.painter }

  /// Changes the colours of the source `index` and gives it the number `new`, under which the cache
  /// has no tiles yet.
  ///
  /// Its old tiles stay in the cache under their old number until `cache.remove(source:)`, to stand
  /// in for the new ones. The source stays open, and missing tiles stay known.
  ///
  /// - Parameters:
  ///   - index: Its present number.
  ///   - new: Its new number; if it is `index`, its old tiles are dropped.
  ///   - colors: The colour changes applied to its tiles.
  public func recolor(_ index: Int, to new: Int, colors: TileColors) {
    guard let source = sources[index] else { return }
    abandon(index)
    generations += 1
    source.generation = generations
    source.inFlight = 0
    source.colors = colors
    if new == index {
      cache.remove(source: index)
    } else {
      removeSource(new)
      sources[index] = nil
      missing.rename(source: index, to: new)
      if let painter = source.painter, !painter.needsPayload {
        missing.setPainter(nil, of: index)
        missing.setPainter(painter, of: new)
      }
    }
    sources[new] = source
  }

  /// Whether the source `index` is set.
  public func has(_ index: Int) -> Bool { sources[index] != nil }

  /// The colour changes of the source `index`; nil: there is no such source.
  public func colors(of index: Int) -> TileColors? { sources[index]?.colors }

  /// Removes the source `index`, its requests and its tiles.
  ///
  /// - Parameters:
  ///   - index: Its number.
  ///   - keepingTiles: Whether its tiles stay in the cache until `cache.remove(source:)`.
  public func removeSource(_ index: Int, keepingTiles: Bool = false) {
    if let old = sources[index] {
      abandon(index)
      takeBack(old.stop())
      sources[index] = nil
    }
    wants.remove(source: index)
    if !keepingTiles { cache.remove(source: index) }
    missing.setPainter(nil, of: index)
    missing.forget(source: index)
  }

  /// Drops all work for the source `index`. Jobs that threads still hold come back with the old
  /// generation, and their memory is released then.
  private func abandon(_ index: Int) {
    takeBack(sources[index]?.askedReader?.takeBack() ?? [])
    takeBack(pool.takeBack(now: true) { $0.source == index })
    work.endAll(of: index)
    wants.remove(source: index)
    stale.remove(TileKey(quietCellOf: index).raw)
  }

  /// Drops the quiet cell of the source `index`, so that it is painted again when next wanted.
  public func repaintQuietCell(of index: Int) {
    let key = TileKey(quietCellOf: index)
    cache.remove(key)
    if work.contains(key) { stale.insert(key.raw) }
  }

  /// Opens the source `index` unless it is open. `collect` reports the result.
  public func open(_ index: Int) {
    if sources[index] == nil { provide?(index) }
    sources[index]?.reader.open()
  }
}

// MARK: Results

extension TileLoader {
  /// Takes in the results of the threads; call it after `wake`.
  ///
  /// - Parameter handle: Called with each event.
  public func collect(_ handle: (Event) -> Void) {
    let batch = mailbox.take()
    for result in batch {
      take(result) { event in
        if case .recovered(let index) = event { sources[index]?.failedAt = nil }
        handle(event)
      }
    }
    if !batch.isEmpty { pump() }
  }

  private func take(_ result: LoaderResult, _ handle: (Event) -> Void) {
    switch result {
    case .opened(let generation, let info, let problems, let painter):
      guard let index = sources.index(ofReader: generation) else { return }
      if let painter { paintsFromNowOn(index, painter) }
      handle(.opened(source: index, info, problems: problems))
    case .openFailed(let generation, let error):
      if let index = sources.index(ofReader: generation) {
        handle(.openFailed(source: index, error))
      }
    case .ready(let generation, let tile):
      guard let index = sources.index(ofReader: generation) else { return }
      missing.hasten(TileKey(source: index, tile: tile), to: 0)
      retryDue()
      handle(.awaited(TileKey(source: index, tile: tile)))
    case .replaced(let generation):
      if let index = sources.index(ofReader: generation) { handle(.replaced(source: index)) }
    case .trouble(let generation, let error):
      if let index = sources.index(ofReader: generation) { handle(.trouble(source: index, error)) }
    case .forgotten(let generation):
      guard let index = sources.index(ofReader: generation) else { return }
      tellForgotten(index, handle)
    case .missing(let job, let ancestor, let lifetime):
      work.giveBack(job.memory)
      if land(job) { miss(job, ancestor, lifetime, handle) }
    case .later(let job):
      work.giveBack(job.memory)
      if land(job) { answers.promise(job, handle) }
    case .unreadable(let job, let errors, let ancestor):
      work.giveBack(job.memory)
      if land(job) { fail(job, errors, ancestor: ancestor, handle) }
    case .painted(let job, let outcome, let nanoseconds):
      take(job, outcome, nanoseconds, handle)
    }
  }

  private func take(
    _ job: PaintJob, _ outcome: PaintJob.Outcome, _ nanoseconds: Int, _ handle: (Event) -> Void
  ) {
    guard land(job), stale.remove(job.key.raw) == nil else { return work.giveBack(job.memory) }
    if case .tile(let format, let broken, let companion) = outcome {
      counts.decodes += 1
      work.keep(job, format, companion, for: wants.find(job.key))
      handle(.decoded(job.key, nanoseconds: nanoseconds))
      if answers.forgetFailure(job.key, handle) {
        retryDue()
      } else {
        forgetOldFailures(of: job.key.source, handle)
      }
      // Last: a recovery of the source ends what its tiles told before.
      tell(job.errors(broken, file: name(of: job)), of: job.key, handle)
      return
    }
    work.giveBack(job.memory)
    switch outcome {
    case .needsAlphaRoom:
      // Requested again by the next pump, with room for 4 bytes per pixel.
      sources[job.key.source]?.alpha = true
      keepRetry(of: job.key)
    case .nothing: miss(job, nil, nil, handle)
    case .failed(let broken):
      // Try the level above. If it is missing too, its own answer leads further up.
      let level = job.tile.z
      let ancestor = job.levels == 0 && level > 0 ? level - 1 : nil
      fail(job, job.errors(broken, file: name(of: job)), ancestor: ancestor, handle)
    case .cancelled: keepRetry(of: job.key)
    case .tile: break
    }
  }

  private func miss(_ job: PaintJob, _ ancestor: Int?, _ life: Int?, _ handle: (Event) -> Void) {
    let hadFailed = answers.forgetFailure(job.key, handle)
    answers.miss(job, ancestor: ancestor, lifetime: life, handle)
    if hadFailed { retryDue() }
  }

  private func fail(
    _ job: PaintJob, _ errors: [TileError], ancestor: Int?, _ handle: (Event) -> Void
  ) {
    if errors.contains(where: \.lacksMemory) { cache.noteRefusal() }
    if errors.contains(where: \.isTransient) {
      sources[job.key.source]?.failedAt = answers.clock()
    }
    if answers.fail(job, errors, ancestor: ancestor) {
      tell(errors, of: job.key, handle)
    } else if let error = errors.first {
      handle(.failedAgain(job.key, error))
    }
  }

  /// How long failures that no view shows are kept while other tiles of their source come, in
  /// nanoseconds.
  static let failureLifetime: UInt64 = 300_000_000_000

  /// A tile of the source `index` came. Forgets the failures that may pass and that no view shows,
  /// if the last one is old: nobody might ever request those tiles again.
  private func forgetOldFailures(of index: Int, _ handle: (Event) -> Void) {
    let now = answers.clock()
    guard let source = sources[index], let last = source.failedAt,
      now &- last >= TileLoader.failureLifetime
    else { return }
    source.failedAt = now
    missing.forgetFailures(unseenOf: index)
    tellForgotten(index, handle)
  }

  /// Failures of the source `index` were forgotten.
  private func tellForgotten(_ index: Int, _ handle: (Event) -> Void) {
    let hasMore = missing.hasFailures(source: index)
    handle(hasMore ? .forgotten(source: index) : .recovered(source: index))
  }

  /// Notes the painter that a source brought. If it needs no payload, the source is no longer read.
  private func paintsFromNowOn(_ index: Int, _ painter: any TilePainter) {
    guard let source = sources[index] else { return }
    source.painter = painter
    source.alpha = true
    if painter.needsPayload { return }
    missing.setPainter(painter, of: index)
    takeBack(source.stop())
  }

  /// Ends the work on `job`. False if its source has changed since, so that the result is useless.
  private func land(_ job: PaintJob) -> Bool {
    guard sources[job.key.source]?.generation == job.generation else { return false }
    landed(job.key)
    return true
  }

  private func name(of job: PaintJob) -> String { sources[job.key.source]?.name ?? "" }

  /// Whether the tile failed when it was last requested, and was not promised since by a source
  /// that gives other tiles again.
  public func hasFailed(_ key: TileKey) -> Bool { missing.hasFailed(key) }

  /// Whether the tile failed and will be requested again, because a view shows its place.
  public func isRetried(_ key: TileKey) -> Bool {
    missing.isHole(key) && missing.retry(of: key)?.hasFailed == true
  }

  private func tell(_ errors: [TileError], of key: TileKey, _ handle: (Event) -> Void) {
    for error in errors {
      counts.decodeErrors += 1
      handle(.tileError(key, error))
    }
  }
}
