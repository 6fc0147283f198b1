import CLinux
import Platform
import TileSources

/// The threads that decode and draw tiles, as many as there are cores.
///
/// They start when a source is opened and sleep when there is nothing to do. They give way to the
/// thread that draws frames by ten steps of nice, so that after a switch of maps all cores decode,
/// and during a pan one of them draws frames.
///
/// Decoded tiles come first. Drawn tiles may take long: they use threads that no decoded tile
/// needs, and where all threads draw, one of them gives way to a decoded tile that comes. It starts
/// again later. A single thread draws for a time slice before it gives way: 50 ms at first, 400 ms
/// at most.
final class DecodePool: Sendable {
  static let niceness: Int32 = 10
  /// What a single thread draws before it gives way for the first time, in nanoseconds.
  static let slice: UInt64 = 50_000_000
  /// How long a tile that is no longer wanted may still be drawn, in nanoseconds.
  static let grace: UInt64 = 100_000_000

  /// A drawn tile that a thread is at work on.
  private struct Running {
    var key: TileKey
    var cancellation: PaintCancellation
    var started: UInt64
    var interruptions: Int
    /// It gives way, and starts again later.
    var isInterrupted = false
    /// Nobody waits for it.
    var isObsolete = false
  }

  private struct State {
    var decodes: [PaintJob] = []
    var drawings: [PaintJob] = []
    var running: [Running] = []
    /// Threads that wait for a job.
    var idle = 0
    var stopped = false
  }

  /// A gate, not a mutex: threads wait for jobs.
  private let gate = Gate(State())
  private let count: Int
  private let started = Gate(false)
  private let done: @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void

  /// - Parameters:
  ///   - threads: how many; at least one is started.
  ///   - done: called on a decoding thread. `isUrgent` tells whether a thread may soon have nothing
  ///     to do; asked after the result was put where it is found, the last one that is asked for
  ///     all jobs given out says so.
  init(threads: Int, done: @escaping @Sendable (LoaderResult, _ isUrgent: () -> Bool) -> Void) {
    count = max(1, threads)
    self.done = done
  }

  /// Starts the threads: they get ready while the first tile is still being read.
  func start() {
    started.locked { started in
      if started { return }
      for i in 0..<count {
        let runs = startThread(named: "decode-\(i)", stack: 1 << 20) { [self] in work() }
        // Where the system gives none, the next job tries again.
        started = started || runs
      }
    }
  }

  /// Adds a job whose parts are read, or that needs none.
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

  /// Where all threads draw, has the one that began last give way.
  private func interruptOne(_ state: inout State) {
    guard state.idle == 0, state.running.count == count,
      !state.running.contains(where: \.isInterrupted),
      let i = state.running.indices.max(by: {
        state.running[$0].started < state.running[$1].started
      })
    else { return }
    let slice = count > 1 ? 0 : DecodePool.slice << UInt64(min(state.running[i].interruptions, 3))
    state.running[i].isInterrupted = true
    state.running[i].cancellation.cancel(at: state.running[i].started &+ slice)
  }

  /// Takes back the drawn tiles that have not begun, and has those give up that are being drawn and
  /// for which nobody waits. They come back with their results.
  ///
  /// - Parameters:
  ///   - now: those that are being drawn give up at once, else after a while.
  ///   - isObsolete: whether nobody waits for a tile.
  /// - Returns: the jobs that have not begun.
  func takeBack(now: Bool, where isObsolete: (TileKey) -> Bool) -> [PaintJob] {
    gate.locked { state in
      for i in state.running.indices where !state.running[i].isObsolete {
        let running = state.running[i]
        guard isObsolete(running.key) else { continue }
        state.running[i].isObsolete = true
        running.cancellation.cancel(at: now ? 0 : running.started &+ DecodePool.grace)
      }
      if state.drawings.isEmpty { return [] }
      let taken = state.drawings.filter { !now || isObsolete($0.key) }
      if now {
        state.drawings.removeAll { isObsolete($0.key) }
      } else {
        state.drawings.removeAll(keepingCapacity: true)
      }
      return taken
    }
  }

  /// Ends the threads after what they are decoding now; what they are drawing they give up.
  ///
  /// - Returns: the jobs that have not begun; those that are still added let go of their memory.
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
    // Whoever draws, reads or answers comes first, on every core.
    waypost_yield_thread(DecodePool.niceness)
    let tools = PaintTools()
    while var job = next() {
      let begun = MonotonicTime.now()
      let outcome = job.run(tools)
      let nanoseconds = Int(MonotonicTime.now() - begun)
      if let cancellation = job.cancellation, finish(job, cancellation, outcome) { continue }
      job.buffers?.giveBack(&job.parts)
      done(.painted(job, outcome, nanoseconds: nanoseconds)) {
        // What is drawn may take long, and reports for nobody else.
        gate.locked { $0.decodes.count < count }
      }
    }
  }

  private func next() -> PaintJob? {
    var waits = false
    return gate.wait { state -> PaintJob?? in
      if waits { state.idle -= 1 }
      waits = false
      if state.stopped { return .some(nil) }
      if !state.decodes.isEmpty { return state.decodes.removeFirst() }
      if !state.drawings.isEmpty {
        let job = state.drawings.removeFirst()
        if let cancellation = job.cancellation {
          state.running.append(
            Running(
              key: job.key, cancellation: cancellation,
              started: MonotonicTime.now(), interruptions: job.interruptions))
        }
        return job
      }
      waits = true
      state.idle += 1
      return nil
    }
  }

  /// Notes that a drawn tile is no longer being drawn. True when it gave way and waits again.
  private func finish(
    _ job: PaintJob, _ cancellation: PaintCancellation, _ outcome: PaintJob.Outcome
  ) -> Bool {
    gate.locked { state in
      guard let i = state.running.firstIndex(where: { $0.cancellation === cancellation }) else {
        return false
      }
      let running = state.running.remove(at: i)
      guard case .cancelled = outcome, !running.isObsolete, !state.stopped else { return false }
      cancellation.reset()
      var again = job
      again.interruptions += 1
      state.drawings.insert(again, at: 0)
      return true
    }
  }
}
