import MapGeometry
import Platform

/// A source's answer to a request for a tile.
public enum TileRead: Sendable {
  /// The tile's encoded bytes with their format.
  case payload(TilePayload)
  /// The source has no such tile. The map enlarges an ancestor instead.
  case nothing
  /// The source does not know yet. Ask again when the `TileRetry` fires; until then the tile counts
  /// neither as present nor as missing.
  case later(TileRetry)
}

/// Signals that a tile answered with `TileRead.later` may be requested again.
///
/// The source creates it, keeps it and calls `fire()` once. One object may stand for many tiles,
/// such as all those that a provider still has to answer.
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

  /// The most tiles that wait at once. Beyond that another one is forgotten; it is requested again
  /// after a while, as if its source gave no signal.
  package static let mostWaiting = 4096

  private let state = Lock(State())

  /// Creates a signal that has not fired.
  public init() {}

  /// Whether the tiles may be requested again.
  public var hasFired: Bool { state.withLock { $0.hasFired } }

  /// Signals that the tiles may be requested again. Any thread may call it. Calls after the first
  /// do nothing.
  public func fire() {
    let actions = state.withLock { state in
      state.hasFired = true
      defer { (state.actions, state.waiting) = ([], [:]) }
      return state.actions + state.waiting.values
    }
    for action in actions { action() }
  }

  /// Calls `action` once, on the thread that calls `fire()`, or at once if it has fired.
  public func whenFired(_ action: @escaping @Sendable () -> Void) {
    let hasFired = state.withLock { state in
      if !state.hasFired { state.actions.append(action) }
      return state.hasFired
    }
    if hasFired { action() }
  }

  /// Calls `action` as `whenFired(_:)` does, and replaces an earlier one of the same waiter.
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
