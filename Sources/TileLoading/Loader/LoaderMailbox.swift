import Platform

/// Passes results from the loader's threads to the loop's thread. They meet nowhere else.
final class LoaderMailbox: Sendable {
  private struct State {
    var waiting: [LoaderResult] = []
    /// Whether the loop was woken for the waiting results.
    var isAnnounced = false
    /// Whether the loader is gone. Threads that still report then free the memory themselves.
    var closed = false
  }

  /// How many tiles the loop takes at once while there is enough to decode. Waking it costs about a
  /// tenth of decoding a tile.
  private static let batch = 4

  private let state = Lock(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called on any thread when there are results to take.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Stores `result` and wakes the loop, unless a result that is about to come will wake it.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - isUrgent: Whether a thread may soon have nothing to do.
  func put(_ result: LoaderResult, isUrgent: () -> Bool = { true }) {
    let (isLost, wakes) = state.withLock { state in
      if state.closed { return (true, false) }
      state.waiting.append(result)
      // Asked only after storing, so that a later result announces this one.
      if state.isAnnounced || state.waiting.count < LoaderMailbox.batch && !isUrgent() {
        return (false, false)
      }
      state.isAnnounced = true
      return (false, true)
    }
    if isLost { result.job?.memory.unmap() }
    if wakes { wake() }
  }

  /// Takes all waiting results.
  func take() -> [LoaderResult] {
    state.withLock { state in
      state.isAnnounced = false
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Takes all waiting results and discards later ones.
  func close() -> [LoaderResult] {
    state.withLock { state in
      state.closed = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
