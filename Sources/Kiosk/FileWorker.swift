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
  private let startThread: (String, @escaping @Sendable () -> Void) -> Bool
  private let onResult: (Output) -> Void

  /// A worker whose thread is called `name`, with room for `capacity` pieces of work. `onResult` is
  /// called on the loop with each result, in their order. `startThread` starts a thread of that
  /// name and says whether the system had room for it.
  package init(
    _ name: String, loop: EventLoop, capacity: Int,
    startThread: @escaping (String, @escaping @Sendable () -> Void) -> Bool = {
      Platform.startThread(named: $0, $1)
    },
    onResult: @escaping (Output) -> Void
  ) {
    self.name = name
    self.capacity = capacity
    self.startThread = startThread
    self.onResult = onResult
    waker = try? loop.waker { [weak self] in self?.deliver() }
  }

  deinit { gate.lockedBroadcast { $0.isClosed = true } }

  /// Has `job` carried out. False when too much waits already, and where the system has no room for
  /// the thread; the next call tries again to start it.
  package func post(_ job: @escaping @Sendable () -> Output) -> Bool {
    if !isStarted { isStarted = start() }
    guard isStarted else { return false }
    let capacity = capacity
    return gate.locked(signal: true) { state in
      guard state.jobs.count < capacity else { return false }
      state.jobs.append(job)
      return true
    }
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

  private func start() -> Bool {
    let gate = gate
    guard let waker else { return false }
    return startThread(name) {
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
        waker.wake()
      }
    }
  }
}
