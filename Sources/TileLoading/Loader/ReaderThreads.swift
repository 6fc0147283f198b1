import Platform

/// The threads that open and read sources.
///
/// A source with work gets a thread of its own until the work is done, so that a slow medium delays
/// no other source. At most `limit` threads run; if that many sources hang, others wait. A few
/// threads stay and sleep for the next work; the others end.
final class ReaderThreads: Sendable {
  /// The most threads at once.
  static let limit = 32
  /// How many threads stay when there is nothing to read.
  static let resting = 4
  /// Bytes of a thread's stack. SQLite parses a pack's schema on it.
  private static let stack = 1 << 20

  private struct State {
    var waiting: [SourceReader] = []
    var threads = 0
    var idle = 0
    var started = 0
    var stopped = false
  }

  /// Not a mutex, because threads wait for work.
  private let gate = Gate(State())

  /// The number of threads, and of sources that wait for one.
  var figures: (threads: Int, waiting: Int) {
    gate.locked { ($0.threads, $0.waiting.count) }
  }

  /// Queues `reader`, which has work and no thread, for a thread to run.
  ///
  /// - Returns: False if there is no thread and the system cannot start one.
  func run(_ reader: SourceReader) -> Bool {
    let number = gate.locked(signal: true) { state -> Int? in
      state.waiting.append(reader)
      guard state.idle < state.waiting.count, state.threads < ReaderThreads.limit else {
        return nil
      }
      state.threads += 1
      state.started += 1
      return state.started
    }
    guard let number else { return true }
    if startThread(named: "reader-\(number)", stack: ReaderThreads.stack, { [self] in work() }) {
      return true
    }
    return gate.locked { state in
      state.threads -= 1
      if state.threads > 0 { return true }
      state.waiting.removeAll { $0 === reader }
      return false
    }
  }

  /// Ends the threads once no reader waits for one.
  func stop() { gate.lockedBroadcast { $0.stopped = true } }

  private func work() {
    while let reader = next() { reader.run() }
  }

  private func next() -> SourceReader? {
    var waits = false
    return gate.wait { state -> SourceReader?? in
      if waits { state.idle -= 1 }
      waits = false
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      if state.stopped || state.idle >= ReaderThreads.resting {
        state.threads -= 1
        return .some(nil)
      }
      waits = true
      state.idle += 1
      return nil
    }
  }
}
