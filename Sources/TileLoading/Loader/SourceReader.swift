import MapGeometry
import Platform
import TileSources

/// Opens and reads one source, on one reader's thread at a time.
final class SourceReader: Sendable {
  /// The open source.
  ///
  /// Unchecked: only the thread that runs the reader uses it, and there is one at a time.
  private final class Opened: @unchecked Sendable {
    let source: any TileSource
    let painter: (any TilePainter)?

    init(_ source: any TileSource) {
      self.source = source
      painter = (source as? any DrawnSource)?.painter
    }
  }

  private enum Opening {
    case notYet
    case open(Opened)
    case failed(SourceError)
  }

  private struct State {
    var jobs: [PaintJob] = []
    var opening = Opening.notYet
    /// Whether a thread runs it or is about to.
    var isScheduled = false
    var stopped = false
  }

  private let state = Lock(State())
  private let name: String
  /// The mount point of the file system that the source reads; nil if it reads none.
  let medium: String?
  /// Identifies results of this opening.
  let generation: Int
  private let make: @Sendable () -> Result<any TileSource, SourceError>
  private let threads: ReaderThreads
  private let pool: DecodePool
  private let mailbox: LoaderMailbox
  let buffers = EncodedBuffers()

  /// Creates a reader that opens its source on first use.
  ///
  /// - Parameters:
  ///   - name: The file name in errors.
  ///   - medium: The mount point of the file system that the source reads; nil if it reads none.
  ///   - generation: Identifies results of this opening.
  ///   - threads: Run the reader.
  ///   - pool: Receives jobs whose tile was read.
  ///   - mailbox: Receives all other results.
  ///   - make: Opens the source; called once, on a reader's thread.
  init(
    name: String, medium: String?, generation: Int, threads: ReaderThreads, pool: DecodePool,
    mailbox: LoaderMailbox, make: @escaping @Sendable () -> Result<any TileSource, SourceError>
  ) {
    self.name = name
    self.medium = medium
    self.generation = generation
    self.threads = threads
    self.pool = pool
    self.mailbox = mailbox
    self.make = make
  }

  /// Opens the source if it is not open yet.
  func open() {
    schedule { state in
      if case .notYet = state.opening { true } else { false }
    }
  }

  /// Reads for `job` and passes it on to be painted.
  func read(_ job: PaintJob) {
    schedule { state in
      state.jobs.append(job)
      return true
    }
  }

  /// Stops the reader. A reader's thread closes the source after the present read, since closing
  /// may take long.
  ///
  /// - Returns: The jobs not begun, which get no result.
  func stop() -> [PaintJob] {
    var left: [PaintJob] = []
    schedule { state in
      state.stopped = true
      swap(&left, &state.jobs)
      if case .open = state.opening { return true }
      return false
    }
    return left
  }

  /// The keys of the jobs not begun.
  func queued() -> Set<UInt64> { state.withLock { Set($0.jobs.lazy.map(\.key.raw)) } }

  /// Takes back the jobs not begun. The caller may queue them again.
  func takeBack() -> [PaintJob] {
    state.withLock { state in
      if state.jobs.isEmpty { return [] }
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Changes the state, and requests a thread if `change` returns that there is work for one.
  private func schedule(_ change: (inout State) -> Bool) {
    let needsThread = state.withLock { state in
      guard change(&state), !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    guard needsThread, !threads.run(self) else { return }
    let isOpen = state.withLock { state in
      state.isScheduled = false
      if case .open = state.opening { return true }
      return false
    }
    let error = SourceError(
      file: name, reason: "the system has no room for a thread to read it",
      isTransient: true)
    if !isOpen { mailbox.put(.openFailed(generation: generation, error)) }
    for job in takeBack() { refuse(job, error) }
  }

  private func refuse(_ job: PaintJob, _ error: SourceError) {
    let error = TileError(
      file: error.file, tile: job.tile, reason: error.reason, isTransient: error.isTransient)
    mailbox.put(.unreadable(job, [error], ancestor: nil))
  }

  // MARK: On a reader's thread

  /// Works until there is nothing left to do.
  func run() {
    while true {
      let (job, opening) = next()
      switch opening {
      case nil: return
      case .notYet: openSource()
      case .open(let opened): if let job { read(job, from: opened) }
      case .failed(let error): if let job { refuse(job, error) }
      }
    }
  }

  /// The next job, if any, and the state of the source; nil: there is nothing to do.
  private func next() -> (PaintJob?, Opening?) {
    var closed = Opening.notYet
    // Release the source after the lock is released, not under it.
    defer { withExtendedLifetime(closed) {} }
    return state.withLock { state in
      if state.stopped {
        swap(&closed, &state.opening)
        state.isScheduled = false
        return (nil, nil)
      }
      if case .notYet = state.opening { return (nil, .notYet) }
      if state.jobs.isEmpty {
        state.isScheduled = false
        return (nil, nil)
      }
      return (state.jobs.removeFirst(), state.opening)
    }
  }

  private func openSource() {
    // Meanwhile the decoding threads start.
    pool.start()
    switch make() {
    case .failure(let error):
      state.withLock { $0.opening = .failed(error) }
      mailbox.put(.openFailed(generation: generation, error))
    case .success(let source):
      let opened = Opened(source)
      state.withLock { $0.opening = .open(opened) }
      mailbox.put(
        .opened(
          generation: generation, source.info, problems: source.problems, painter: opened.painter))
      // After the message, so that the loop knows the source.
      (source as? any TroubledSource)?.whenTroubled { [mailbox, generation] in
        mailbox.put(.trouble(generation: generation, $0))
      }
    }
  }

  private func read(_ job: PaintJob, from opened: Opened) {
    var job = job
    if let painter = opened.painter {
      job.painter = painter
      if painter.mayTakeLong { job.cancellation = PaintCancellation() }
      if !painter.needsPayload {
        // Requested before the loader knew that the source draws.
        guard painter.mayPaint(job.tile) else { return mailbox.put(.missing(job, ancestor: nil)) }
        job.levels = 0
        return pool.add(job)
      }
    }
    let reading = SourceReading.read(job.tile, levels: job.levels, from: opened.source, buffers)
    // The payload may come from the new file, so discard it.
    if opened.source.isReplaced {
      if case .parts(var parts, _) = reading { buffers.giveBack(&parts) }
      mailbox.put(.later(job))
      return mailbox.put(.replaced(generation: generation))
    }
    switch reading {
    case .parts(let parts, let broken):
      job.parts = parts
      job.broken = broken
      job.buffers = buffers
      pool.add(job)
    case .missing(let ancestor):
      mailbox.put(
        .missing(job, ancestor: ancestor, lifetime: opened.source.missingLifetime))
    case .later(let retry):
      mailbox.put(.later(job))
      // Registered after the message, so that the loop learns of the promise first.
      let waiter = TileRetry.Waiter(self, job.tile)
      retry.whenFired(for: waiter) { [mailbox, generation, tile = job.tile] in
        mailbox.put(.ready(generation: generation, tile))
      }
    case .failed(let errors, let ancestor):
      mailbox.put(.unreadable(job, errors, ancestor: ancestor))
    }
  }
}
