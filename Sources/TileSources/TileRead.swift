import MapGeometry
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
    /// One for each tile that somebody waits for, however often it was asked for.
    var waiting: [Waiter: @Sendable () -> Void] = [:]
  }

  /// Who waits, and for which tile.
  package struct Waiter: Hashable, Sendable {
    /// The object that waits.
    package var owner: ObjectIdentifier
    /// The tile.
    package var tile: TileID

    /// `owner` waits for `tile`.
    package init(_ owner: AnyObject, _ tile: TileID) {
      self.owner = ObjectIdentifier(owner)
      self.tile = tile
    }
  }

  /// So many tiles are told of at most. Of the others one is forgotten, and asked for again after a
  /// while, as if the source did not tell.
  package static let mostWaiting = 4096

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
      defer { (state.actions, state.waiting) = ([], [:]) }
      return state.actions + state.waiting.values
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

  /// Calls `action` as `whenFired(_:)` does, in place of an earlier one of the same waiter.
  package func whenFired(for waiter: Waiter, _ action: @escaping @Sendable () -> Void) {
    let hasFired = state.withLock { state in
      if state.hasFired { return true }
      if state.waiting[waiter] == nil, state.waiting.count >= Self.mostWaiting,
        let other = state.waiting.keys.first
      {
        state.waiting[other] = nil
      }
      state.waiting[waiter] = action
      return false
    }
    if hasFired { action() }
  }

  /// For how many tiles somebody waits.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }
}
