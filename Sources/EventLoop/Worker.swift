import Glibc
import Platform

/// Runs jobs one after another on a thread of its own, so that whatever they wait for delays only
/// this worker.
///
/// Use it on the loop's thread, where results are delivered too.
package final class Worker {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// How many jobs are done whose results are not delivered.
    var done = 0
    /// Whether a job is running.
    var isBusy = false
    var isClosed = false
  }

  private let name: String
  private let loop: EventLoop
  private let capacity: Int
  private let gate = Gate(State())
  private let startThread: (String, @escaping @Sendable () -> Void) -> Bool
  private var waker: Waker?
  private var isStarted = false
  /// Delivers the results of the jobs that were taken, in their order.
  private var deliveries: [() -> Void] = []

  /// Creates a worker. Its thread starts with the first job.
  ///
  /// - Parameters:
  ///   - name: What the kernel calls the thread, at most 15 bytes.
  ///   - loop: Runs on this thread.
  ///   - capacity: How many jobs may wait behind the running one.
  ///   - startThread: Starts a thread of that name. Says whether the system had room for it.
  package init(
    _ name: String, loop: EventLoop, capacity: Int,
    startThread: @escaping (String, @escaping @Sendable () -> Void) -> Bool = {
      Platform.startThread(named: $0, $1)
    }
  ) {
    self.name = name
    self.loop = loop
    self.capacity = capacity
    self.startThread = startThread
  }

  deinit {
    gate.lockedBroadcast { $0.isClosed = true }
    if let waker { loop.remove(waker) }
  }

  /// Runs `job` on the thread, then calls `deliver` on the loop with its result.
  ///
  /// - Returns: False if too many jobs wait already, or if the system has no room for the thread;
  ///   the next call tries again to start it. `deliver` is then not called.
  package func post<Output: Sendable>(
    _ job: @escaping @Sendable () -> Output, then deliver: @escaping (Output) -> Void
  ) -> Bool {
    if !isStarted { isStarted = start() }
    guard isStarted else { return false }
    let (result, capacity) = (Gate<Output?>(nil), capacity)
    let isTaken = gate.locked(signal: true) { state in
      guard state.jobs.count < capacity else { return false }
      state.jobs.append {
        let output = job()
        result.locked { $0 = output }
      }
      return true
    }
    if isTaken {
      deliveries.append { if let output = result.locked({ $0 }) { deliver(output) } }
    }
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
    let done = gate.locked { state in
      defer { state.done = 0 }
      return state.done
    }
    for _ in 0..<done { deliveries.removeFirst()() }
  }

  private func start() -> Bool {
    if waker == nil { waker = try? loop.waker { [weak self] in self?.deliver() } }
    guard let waker else { return false }
    let gate = gate
    return startThread(name) {
      while true {
        let job: (@Sendable () -> Void)? = gate.wait { state in
          if state.isClosed, state.jobs.isEmpty { return .some(nil) }
          guard !state.jobs.isEmpty else { return nil }
          state.isBusy = true
          return state.jobs.removeFirst()
        }
        guard let job else { return }
        job()
        gate.locked { state in
          state.done += 1
          state.isBusy = false
        }
        waker.wake()
      }
    }
  }
}
