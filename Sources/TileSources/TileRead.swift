import Synchronization

/// What a source answers when it is asked for a tile.
public enum TileRead: Sendable {
  /// The tile's encoded bytes with their format.
  case payload(TilePayload)
  /// The source has no such tile. The map enlarges one from above instead.
  case nothing
  /// The source cannot tell yet: the tile is on its way. To be asked again when the `TileRetry`
  /// says so; until then the tile counts neither as there nor as missing.
  case later(TileRetry)
}

/// Tells when a tile that was answered with `TileRead.later` may be asked for again.
///
/// The source makes one, keeps it and calls `fire()` once. One may stand for many tiles: all that a
/// provider still has to answer, say.
public final class TileRetry: Sendable {
  private struct State {
    var hasFired = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// A promise that has not been kept yet.
  public init() {}

  /// Whether the tiles may be asked for again.
  public var hasFired: Bool { state.withLock { $0.hasFired } }

  /// Says that the tiles may be requested again, now and later. Any thread may call it; calls after
  /// the first do nothing.
  public func fire() {
    let actions = state.withLock { state in
      state.hasFired = true
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Calls `action` once: when `fire()` is called, on that thread, or at once where it was called.
  public func whenFired(_ action: @escaping @Sendable () -> Void) {
    let hasFired = state.withLock { state in
      if !state.hasFired { state.actions.append(action) }
      return state.hasFired
    }
    if hasFired { action() }
  }
}
