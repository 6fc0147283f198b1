import CSQLite
import Glibc
import Platform
import Synchronization

/// Interrupts statements that run too long, from a thread of its own.
///
/// A statement's start and end cost an atomic addition each, and no clock: the watchdog looks at
/// all connections once in a period and interrupts one that is in the same statement for `patience`
/// looks. Where nothing runs its thread waits without waking up.
final class SQLiteWatchdog: Sendable {
  /// The one of all packs: a statement gets 10 seconds.
  static let shared = SQLiteWatchdog(period: 1_000_000, patience: 10)

  /// One connection under watch.
  final class Ward: Sendable {
    /// Odd while a statement runs.
    fileprivate let turns = Atomic<UInt>(0)
    private let watchdog: SQLiteWatchdog

    fileprivate init(_ watchdog: SQLiteWatchdog) { self.watchdog = watchdog }

    /// A statement begins.
    func begin() {
      turns.add(1, ordering: .sequentiallyConsistent)
      if !watchdog.isAwake.load(ordering: .sequentiallyConsistent) { watchdog.wake() }
    }

    /// It has ended.
    func end() { turns.add(1, ordering: .releasing) }
  }

  private struct Watched {
    var ward: Ward
    /// Unchecked: a connection may be interrupted from any thread as long as it is open
    /// (sqlite.org/c3ref/interrupt.html), and it is taken out before it is closed.
    var connection: UInt
    var turn: UInt = 0
    var looks = 0
  }

  private struct State {
    var watched: [Watched] = []
    var hasThread = false
    var isWanted = false
  }

  private let gate = Gate(State())
  fileprivate let isAwake = Atomic<Bool>(false)
  private let period: UInt32
  private let patience: Int

  /// - Parameters:
  ///   - period: microseconds between two looks.
  ///   - patience: how many looks find the same statement before it is interrupted.
  init(period: UInt32, patience: Int) {
    self.period = period
    self.patience = patience
  }

  /// Watches `connection` until `release`.
  func watch(_ connection: OpaquePointer) -> Ward {
    let ward = Ward(self)
    let address = UInt(bitPattern: connection)
    gate.locked { $0.watched.append(Watched(ward: ward, connection: address)) }
    return ward
  }

  /// Watches the connection of `ward` no longer; call it before that is closed.
  func release(_ ward: Ward) {
    gate.locked { $0.watched.removeAll { $0.ward === ward } }
  }

  private func wake() {
    let needsThread = gate.locked(signal: true) { state in
      state.isWanted = true
      isAwake.store(true, ordering: .sequentiallyConsistent)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    // Where the system has no room for a thread, the next statement tries again.
    if needsThread, !startThread(named: "sqlite-watch", stack: 128 << 10, { self.run() }) {
      gate.locked { $0.hasThread = false }
      isAwake.store(false, ordering: .sequentiallyConsistent)
    }
  }

  private func run() {
    while true {
      gate.wait { state in state.isWanted ? () : nil }
      repeat { usleep(period) } while look()
    }
  }

  /// Looks at all connections.
  ///
  /// - Returns: whether there is anything to look at again.
  private func look() -> Bool {
    gate.locked { state in
      var isRunning = false
      for i in state.watched.indices {
        let turn = state.watched[i].ward.turns.load(ordering: .sequentiallyConsistent)
        let isSame = turn == state.watched[i].turn && turn % 2 == 1
        state.watched[i].turn = turn
        state.watched[i].looks = isSame ? state.watched[i].looks + 1 : 0
        isRunning = isRunning || turn % 2 == 1
        if isSame, state.watched[i].looks >= patience {
          sqlite3_interrupt(OpaquePointer(bitPattern: state.watched[i].connection))
        }
      }
      if isRunning { return true }
      // A statement that begins from here on sees that nobody watches, and wakes this thread; one
      // that began before the store is seen by the second look.
      isAwake.store(false, ordering: .sequentiallyConsistent)
      let hasBegun = state.watched.contains {
        $0.ward.turns.load(ordering: .sequentiallyConsistent) % 2 == 1
      }
      if hasBegun { isAwake.store(true, ordering: .sequentiallyConsistent) }
      state.isWanted = hasBegun
      return hasBegun
    }
  }
}
