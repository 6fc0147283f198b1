import EventLoop
import Glibc
import Platform

/// Does work with files beside the loop, one job after another. A medium that hangs delays only
/// this worker.
///
/// Use it on the loop's thread, where results are delivered too.
package final class FileWorker<Output: Sendable> {
  private struct State {
    var jobs: [@Sendable () -> Output] = []
    var results: [Output] = []
    /// Whether a job is running.
    var isBusy = false
    var isClosed = false
  }

  private let name: String
  private let capacity: Int
  private let gate = Gate(State())
  private var waker: Waker?
  private var isStarted = false
  private let onResult: (Output) -> Void

  /// Creates a worker with a thread named `name`, which starts with the first job. At most
  /// `capacity` jobs may wait. `onResult` is called on the loop with each result, in order.
  package init(
    _ name: String, loop: EventLoop, capacity: Int, onResult: @escaping (Output) -> Void
  ) {
    self.name = name
    self.capacity = capacity
    self.onResult = onResult
    waker = try? loop.waker { [weak self] in self?.deliver() }
  }

  deinit { gate.lockedBroadcast { $0.isClosed = true } }

  /// Queues `job`. False if too many are waiting already.
  package func post(_ job: @escaping @Sendable () -> Output) -> Bool {
    let capacity = capacity
    let isTaken = gate.locked(signal: true) { state in
      guard state.jobs.count < capacity else { return false }
      state.jobs.append(job)
      return true
    }
    if isTaken, !isStarted { start() }
    return isTaken
  }

  /// Whether no job is waiting or running.
  package var isIdle: Bool { gate.locked { $0.jobs.isEmpty && !$0.isBusy } }

  /// Blocks until all jobs are done, but at most `seconds`, then delivers their results. For the
  /// end of the program.
  package func finish(within seconds: Double) {
    let end = EventLoop.now() &+ UInt64(seconds * 1e9)
    while !isIdle, EventLoop.now() < end { usleep(500) }
    deliver()
  }

  private func deliver() {
    let results = gate.locked { state in
      defer { state.results = [] }
      return state.results
    }
    for result in results { onResult(result) }
  }

  private func start() {
    let (gate, waker) = (gate, waker)
    isStarted = startThread(named: name) {
      while true {
        let job: (@Sendable () -> Output)? = gate.wait { state in
          if state.isClosed, state.jobs.isEmpty { return .some(nil) }
          guard !state.jobs.isEmpty else { return nil }
          state.isBusy = true
          return state.jobs.removeFirst()
        }
        guard let job else { return }
        let result = job()
        gate.locked { state in
          state.results.append(result)
          state.isBusy = false
        }
        waker?.wake()
      }
    }
  }
}
