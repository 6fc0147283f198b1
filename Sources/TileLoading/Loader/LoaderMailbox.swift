import Synchronization

/// Where the loader's threads put their results for the loop's thread: the one crossing between
/// them.
final class LoaderMailbox: Sendable {
  private struct State {
    var waiting: [LoaderResult] = []
    /// The loop was woken for them.
    var isAnnounced = false
    /// The loader is gone: whoever still reports lets go of the memory itself.
    var closed = false
  }

  /// How many tiles are taken in at once while there is enough to decode: each waking of the loop
  /// takes as long as a tenth of a tile.
  private static let batch = 4

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called on any thread when there is something to take.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Puts `result` in, and wakes the loop unless another result that is about to come will.
  ///
  /// - Parameters:
  ///   - result: what a thread did.
  ///   - isUrgent: whether a thread may soon have nothing to do.
  func put(_ result: LoaderResult, isUrgent: () -> Bool = { true }) {
    let (isLost, wakes) = state.withLock { state in
      if state.closed { return (true, false) }
      state.waiting.append(result)
      // Asked only now: what is not announced is with whoever reports after it.
      if state.isAnnounced || state.waiting.count < LoaderMailbox.batch && !isUrgent() {
        return (false, false)
      }
      state.isAnnounced = true
      return (false, true)
    }
    if isLost { result.job?.memory.unmap() }
    if wakes { wake() }
  }

  /// Everything that was put in since.
  func take() -> [LoaderResult] {
    state.withLock { state in
      state.isAnnounced = false
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Takes everything and lets nothing more in.
  func close() -> [LoaderResult] {
    state.withLock { state in
      state.closed = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
