import MapGeometry
import Pixels
import TileSources

/// Brings tiles from their sources into the cache: decides, on the loop's thread, what is read and
/// decoded next, and in whose place.
///
/// Each view restates what it wants with every plan, nearest first. Work that is no longer wanted
/// and has not begun is not begun; what is being worked on is not asked for twice. `ReaderThreads`
/// read, `DecodePool` decodes and draws. Both only ever hold jobs handed to them, and their results
/// are collected here.
public final class TileLoader {
  private let cache: TileCache
  private let missing: MissingTiles
  private let mailbox: LoaderMailbox
  private let pool: DecodePool
  private let readers = ReaderThreads()
  /// How many tiles of one source are under way at once.
  public let depth: Int
  private let scale: Int
  private let answers: LoaderAnswers
  private var sources: [Int: LoaderSource] = [:]
  private var generations = 0
  private var work: LoaderWork
  private var wants = LoaderWants()
  /// Quiet cells under way that must be painted again.
  private var stale: Set<UInt64> = []

  /// Called with the number of a source that is to be opened and not set, so that it can be.
  public var provide: ((Int) -> Void)?
  /// Gives the painter of a source's quiet cell, when one is wanted.
  public var provideQuietCell: ((Int) -> (any TilePainter)?)?
  /// The display's opaque tile format; tiles are decoded into it.
  public let opaque: TilePixelFormat
  private var counts = Stats()

  /// What was done so far, and is being done.
  public var stats: Stats {
    var stats = counts
    stats.inFlight = work.count
    return stats
  }

  /// A loader without sources.
  ///
  /// - Parameters:
  ///   - cache: gets the tiles.
  ///   - missing: remembers what is unavailable.
  ///   - opaque: the format of tiles without transparency.
  ///   - threads: how many decode and draw.
  ///   - scale: pixels a point, for sources that draw.
  ///   - clock: nanoseconds that do not jump; nil: the monotonic clock.
  ///   - wake: called on any thread when `collect` has something to give.
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
    // What the threads still hold they unmap when they are done with it.
    work.disown()
  }

  /// Jobs come back that no thread has begun.
  private func takeBack(_ jobs: [PaintJob]) {
    for var job in jobs {
      landed(job.key)
      job.buffers?.giveBack(&job.parts)
      work.giveBack(job.memory)
    }
  }

  /// `key` is no longer under way.
  private func landed(_ key: TileKey) {
    if work.end(key) { sources[key.source]?.inFlight -= 1 }
  }

  /// Bytes that sources' readers keep for encoded tiles.
  public var encodedBytes: Int { sources.values.reduce(0) { $0 + $1.encodedBytes } }

  /// How many threads read, how many sources wait for one, and the most threads that there are.
  public var readerThreads: (count: Int, waiting: Int, limit: Int) {
    let figures = readers.figures
    return (figures.threads, figures.waiting, ReaderThreads.limit)
  }
}

// MARK: Sources

extension TileLoader {
  /// Makes `index` stand for a source, in place of an earlier one.
  ///
  /// - Parameters:
  ///   - index: 0 ..< `TileKey.maxSources`.
  ///   - name: what tile errors name as the file.
  ///   - colors: what is done to its tiles' colours.
  ///   - make: opens it; called on a reader's thread with the first request.
  public func setSource(
    _ index: Int, name: String, colors: TileColors = .none,
    make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) {
    removeSource(index)
    generations += 1
    let (generation, readers, pool, mailbox) = (generations, readers, pool, mailbox)
    sources[index] = LoaderSource(generation: generation, colors: colors, name: name) {
      SourceReader(
        name: name, generation: generation, threads: readers, pool: pool, mailbox: mailbox,
        make: make)
    }
  }

  /// The painter that the source `index` brought; nil while it is not open, and where it has none.
  public func painter(of index: Int) -> (any TilePainter)? { sources[index]?.painter }

  /// Gives the source `index` other colours under the new number `new`, where it has no tiles yet.
  /// The tiles that it had stay in the cache under their old number, to stand in for the new ones,
  /// until `cache.remove(source:)`. It stays open; what is known to be missing stays known.
  ///
  /// - Parameters:
  ///   - index: its number.
  ///   - new: its number from now on; where it is the same, the tiles that it had are dropped.
  ///   - colors: what is done to its tiles' colours.
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

  /// What is done to the colours of the source `index`; nil: there is none.
  public func colors(of index: Int) -> TileColors? { sources[index]?.colors }

  /// Lets go of the source `index` and of its tiles.
  ///
  /// - Parameters:
  ///   - index: its number.
  ///   - keepingTiles: its tiles stay in the cache until `cache.remove(source:)`.
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

  /// Drops all work for the source `index`. What its threads still hold comes back with the old
  /// generation and is let go then.
  private func abandon(_ index: Int) {
    takeBack(sources[index]?.askedReader?.takeBack() ?? [])
    takeBack(pool.takeBack(now: true) { $0.source == index })
    work.endAll(of: index)
    wants.remove(source: index)
    stale.remove(TileKey(quietCellOf: index).raw)
  }

  /// Paints the quiet cell of the source `index` again when it is next wanted.
  public func repaintQuietCell(of index: Int) {
    let key = TileKey(quietCellOf: index)
    cache.remove(key)
    if work.contains(key) { stale.insert(key.raw) }
  }

  /// Opens the source `index` if it is not open yet; `collect` tells how it went.
  public func open(_ index: Int) {
    if sources[index] == nil { provide?(index) }
    sources[index]?.reader.open()
  }
}

// MARK: Wants

extension TileLoader {
  /// Replaces what `view` wants. What cannot be made (`Request.isPossible`) is left out.
  ///
  /// - Parameters:
  ///   - requests: in order of urgency.
  ///   - view: whose requests they are.
  public func want(_ requests: [Request], for view: ViewID = .main) {
    wants.set(requests, for: view)
    withdraw()
    pump()
  }

  /// Takes back what no thread has begun, so that the new order holds for it too.
  private func withdraw() {
    if work.isEmpty { return }
    // Of many sources few have anything under way.
    for index in work.sources { takeBack(sources[index]?.askedReader?.takeBack() ?? []) }
    takeBack(pool.takeBack(now: false) { wants.find($0) == nil })
  }

  /// Whether something that the main view's plan cannot be whole without is still to come.
  public var isNeeded: Bool { isNeeded(for: .main) }

  /// Whether something that the plan of `view` cannot be whole without is still to come.
  public func isNeeded(for view: ViewID) -> Bool {
    wants.first(of: view)?.standing == .needed
  }

  /// Whether nothing is wanted or under way.
  public var isIdle: Bool { work.isEmpty && wants.isEmpty }

  /// When `retryDue` is to be called, in nanoseconds of the monotonic clock; nil: no present plan
  /// shows a hole whose tile failed for a reason that can pass, or that was promised for later.
  public var nextRetry: UInt64? { missing.nextRetry }

  /// Asks again for the holes that are due.
  public func retryDue() {
    for request in missing.takeDue(at: answers.clock()) { wants.add(hole: request) }
    pump()
  }

  private func pump() {
    wants.forEach { request in
      guard cache.peek(request.key) == nil, missing.find(request.key) == nil,
        sources[request.key.source] != nil
      else { return false }
      dispatch(request)
      return true
    } askAgain: { request in
      guard missing.isHole(request.key), cache.peek(request.key) == nil else { return false }
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

// MARK: Results

extension TileLoader {
  /// Takes in what the threads have done; call it after `wake`.
  ///
  /// - Parameter handle: is told what happened.
  public func collect(_ handle: (Event) -> Void) {
    let batch = mailbox.take()
    for result in batch { take(result, handle) }
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
    case .missing(let job, let ancestor):
      work.giveBack(job.memory)
      if land(job) { miss(job, ancestor: ancestor, handle) }
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
      tell(job.errors(broken, file: name(of: job)), of: job.key, handle)
      if answers.forgetFailure(job.key, handle) { retryDue() }
      return
    }
    work.giveBack(job.memory)
    switch outcome {
    case .needsAlphaRoom:
      // Asked for again, from now on with room for four bytes a pixel.
      sources[job.key.source]?.alpha = true
    case .nothing: miss(job, ancestor: nil, handle)
    case .failed(let broken):
      // The level above is tried next, and knows what is above it.
      let level = broken.first?.tile.z ?? 0
      let ancestor = job.levels == 0 && level > 0 ? level - 1 : nil
      fail(job, job.errors(broken, file: name(of: job)), ancestor: ancestor, handle)
    case .tile, .cancelled: break
    }
  }

  private func miss(_ job: PaintJob, ancestor: Int?, _ handle: (Event) -> Void) {
    let hadFailed = answers.forgetFailure(job.key, handle)
    answers.miss(job, ancestor: ancestor, handle)
    if hadFailed { retryDue() }
  }

  private func fail(
    _ job: PaintJob, _ errors: [TileError], ancestor: Int?, _ handle: (Event) -> Void
  ) {
    if answers.fail(job, errors, ancestor: ancestor) { tell(errors, of: job.key, handle) }
  }

  /// The source brought a painter. Where that needs no payload, nothing is read any more.
  private func paintsFromNowOn(_ index: Int, _ painter: any TilePainter) {
    guard let source = sources[index] else { return }
    source.painter = painter
    source.alpha = true
    if painter.needsPayload { return }
    missing.setPainter(painter, of: index)
    takeBack(source.stop())
  }

  /// Whether the result of `job` is still of use; it is no longer under way in any case.
  private func land(_ job: PaintJob) -> Bool {
    if sources[job.key.source]?.generation != job.generation { return false }
    landed(job.key)
    return true
  }

  private func name(of job: PaintJob) -> String { sources[job.key.source]?.name ?? "" }

  private func tell(_ errors: [TileError], of key: TileKey, _ handle: (Event) -> Void) {
    for error in errors {
      counts.decodeErrors += 1
      handle(.tileError(source: key.source, error))
    }
  }
}
