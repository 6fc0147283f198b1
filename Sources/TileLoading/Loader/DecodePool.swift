import CLinux
import Platform
import TileSources

/// The threads that decode and draw tiles, normally one per core.
///
/// They start when a source is opened and sleep when there is nothing to do. They run at a lower
/// priority (nice 10) than the thread that draws frames, so that after a switch of maps all cores
/// decode, and during a pan one of them draws frames.
///
/// A thread prefers drawings from the same payload as its last one, then those from payloads that
/// another thread has parsed, so that each is parsed once and soon done with. It leaves drawings
/// from payloads that are being parsed for later.
///
/// Decoding has precedence over drawing, which may take long: drawing uses only threads that
/// decoding does not need. If a tile to decode arrives while all threads draw, the drawing that
/// began last is interrupted and starts again later. In a pool of one thread it may first use up a
/// time slice: 50 ms, doubled by each interruption up to 400 ms.
final class DecodePool: Sendable {
  static let niceness: Int32 = 10
  /// How long a single thread may draw before its first interruption, in nanoseconds.
  static let slice: UInt64 = 50_000_000
  /// How long a tile that is no longer wanted may be drawn in all, in nanoseconds.
  static let grace: UInt64 = 100_000_000

  /// A tile that a thread is drawing.
  private struct Running {
    var key: TileKey
    var origin: PaintJob.Origin?
    var cancellation: PaintCancellation
    var started: UInt64
    var interruptions: Int
    /// Whether it was told to stop, to start again later.
    var isInterrupted = false
    /// Whether no view wants it any more.
    var isObsolete = false
  }

  private struct State {
    var decodes: [PaintJob] = []
    var drawings: [PaintJob] = []
    var running: [Running] = []
    /// The payloads of drawings that have ended, while others wait or run; forgotten when another
    /// drawing ends.
    var parsed: [PaintJob.Origin] = []
    /// How many threads have been started.
    var threads = 0
    /// Threads that wait for a job.
    var idle = 0
    var stopped = false

    /// Records that the payload of a drawing that has ended is parsed, and forgets those that
    /// nothing is drawn from any more.
    mutating func note(_ job: PaintJob, _ outcome: PaintJob.Outcome) {
      if let origin = job.origin, !outcome.isCancelled, !parsed.contains(origin) {
        parsed.append(origin)
      }
      parsed.removeAll { origin in
        !running.contains { $0.origin == origin } && !drawings.contains { $0.origin == origin }
      }
    }
  }

  /// Not a mutex, because threads wait for jobs.
  private let gate = Gate(State())
  private let count: Int
  private let started = Gate(0)
  private let done: @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void

  /// Creates a pool without threads.
  ///
  /// - Parameters:
  ///   - threads: The number of threads; at least one is started.
  ///   - done: Called with each result, on the decoding thread. `isUrgent` returns whether a thread
  ///     may soon run out of decoding. Called after the result is stored, it returns true at least
  ///     for the last of the jobs given out.
  init(threads: Int, done: @escaping @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void) {
    count = max(1, threads)
    self.done = done
  }

  /// Starts the threads. Called early, so that they are ready before the first tile is read.
  func start() {
    started.locked { started in
      if started == count { return }
      // If the system cannot start a thread, the next job tries again.
      while started < count,
        startThread(named: "decode-\(started)", stack: 1 << 20, { [self] in work() })
      {
        started += 1
      }
      gate.locked { [started] in $0.threads = started }
    }
  }

  /// Adds a job whose parts have been read, or that needs none.
  func add(_ job: PaintJob) {
    start()
    let stopped = gate.locked(signal: true) { state in
      if state.stopped { return true }
      if job.isDrawn {
        state.drawings.append(job)
      } else {
        state.decodes.append(job)
        interruptOne(&state)
      }
      return false
    }
    if stopped { job.memory.unmap() }
  }

  /// If all threads draw, interrupts the drawing that began last.
  private func interruptOne(_ state: inout State) {
    guard state.idle == 0, state.running.count == state.threads,
      !state.running.contains(where: \.isInterrupted),
      let i = state.running.indices.max(by: {
        state.running[$0].started < state.running[$1].started
      })
    else { return }
    let slice =
      state.threads > 1
      ? 0 : DecodePool.slice << UInt64(min(state.running[i].interruptions, 3))
    state.running[i].isInterrupted = true
    state.running[i].cancellation.cancel(at: state.running[i].started &+ slice)
  }

  /// Withdraws drawings that have not begun, and stops running ones that nobody waits for. The
  /// latter still report their results.
  ///
  /// - Parameters:
  ///   - now: True: takes back only obsolete drawings, and stops those being drawn at once. False:
  ///     takes back all drawings but those to keep, and stops those being drawn once they have
  ///     taken `grace`.
  ///   - keeps: Whether a drawing that has not begun stays in its place.
  ///   - isObsolete: Whether nobody waits for a tile.
  /// - Returns: The jobs that have not begun.
  func takeBack(
    now: Bool, keeping keeps: (PaintJob) -> Bool = { _ in false },
    where isObsolete: (TileKey) -> Bool
  ) -> [PaintJob] {
    gate.locked { state in
      for i in state.running.indices where !state.running[i].isObsolete {
        let running = state.running[i]
        guard isObsolete(running.key) else { continue }
        state.running[i].isObsolete = true
        running.cancellation.cancel(at: now ? 0 : running.started &+ DecodePool.grace)
      }
      if state.drawings.isEmpty { return [] }
      var taken: [PaintJob] = []
      state.drawings.removeAll { job in
        let stays = now ? !isObsolete(job.key) : keeps(job)
        if !stays { taken.append(job) }
        return !stays
      }
      return taken
    }
  }

  /// Ends the threads: they finish decoding, but stop drawing.
  ///
  /// - Returns: The jobs that have not begun. Jobs added later free their memory.
  func stop() -> [PaintJob] {
    var left: [PaintJob] = []
    gate.lockedBroadcast { state in
      state.stopped = true
      left = state.decodes + state.drawings
      state.decodes = []
      state.drawings = []
      for running in state.running { running.cancellation.cancel(at: 0) }
    }
    return left
  }

  // MARK: On the threads

  private func work() {
    // Drawing frames, reading and answering clients come first, on every core.
    waypost_yield_thread(DecodePool.niceness)
    let tools = PaintTools()
    var last = Run()
    while var job = next(&last, tools) {
      let begun = MonotonicTime.now()
      let outcome = job.run(tools)
      let nanoseconds = Int(MonotonicTime.now() - begun)
      if let cancellation = job.cancellation, finish(job, cancellation, outcome) { continue }
      job.buffers?.giveBack(&job.parts)
      done(.painted(job, outcome, nanoseconds: nanoseconds)) {
        // Only decodings count: a drawing may take long, so it does not promise another result
        // soon.
        gate.locked { $0.decodes.count < count }
      }
    }
  }

  /// The drawings that a thread has made from one payload, one after the other.
  private struct Run {
    /// The most: after these, other payloads have their turn.
    static let limit = 4
    var origin: PaintJob.Origin?
    var count = 0

    mutating func add(_ job: PaintJob) {
      let origin = job.origin
      count = origin == self.origin ? count + 1 : 1
      self.origin = origin
    }
  }

  /// Which drawing a thread begins next; there is at least one.
  private static func choice(_ state: State, after last: Run) -> Int {
    if last.count < Run.limit {
      let own = state.drawings.firstIndex { $0.origin != nil && $0.origin == last.origin }
      let parsed = state.drawings.firstIndex { job in
        job.origin.map { state.parsed.contains($0) } ?? false
      }
      if let index = own ?? parsed { return index }
    }
    let index = state.drawings.firstIndex { job in
      guard let origin = job.origin else { return true }
      return !state.running.contains { $0.origin == origin }
    }
    return index ?? 0
  }

  /// The next job, for which the thread waits; nil: the pool ends.
  private func next(_ last: inout Run, _ tools: PaintTools) -> PaintJob? {
    var waits = false
    return gate.wait { state -> PaintJob?? in
      if waits { state.idle -= 1 }
      waits = false
      if state.stopped { return .some(nil) }
      if !state.decodes.isEmpty { return state.decodes.removeFirst() }
      if !state.drawings.isEmpty {
        let job = state.drawings.remove(at: Self.choice(state, after: last))
        last.add(job)
        if let cancellation = job.cancellation {
          state.running.append(
            Running(
              key: job.key, origin: job.origin, cancellation: cancellation,
              started: MonotonicTime.now(), interruptions: job.interruptions))
        }
        return job
      }
      tools.rest()
      waits = true
      state.idle += 1
      return nil
    }
  }

  /// Records that a drawing has ended. Returns true if it was interrupted and is queued again.
  private func finish(
    _ job: PaintJob, _ cancellation: PaintCancellation, _ outcome: PaintJob.Outcome
  ) -> Bool {
    gate.locked { state in
      guard let i = state.running.firstIndex(where: { $0.cancellation === cancellation }) else {
        return false
      }
      let running = state.running.remove(at: i)
      let isInterrupted = outcome.isCancelled && !running.isObsolete && !state.stopped
      if isInterrupted {
        cancellation.reset()
        var again = job
        again.interruptions += 1
        state.drawings.insert(again, at: 0)
      }
      state.note(job, outcome)
      return isInterrupted
    }
  }
}
