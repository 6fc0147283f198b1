import CSQLite
import Glibc
import Platform
import Synchronization

/// Interrupts statements that run too long, from its own thread.
///
/// A statement's start and end cost an atomic addition each, and never read a clock. The watchdog
/// looks at all connections once per period, and interrupts a statement that it has seen for
/// `patience` periods. While no statement runs, its thread sleeps.
final class SQLiteWatchdog: Sendable {
  /// The watchdog of all packs, which gives a statement about 10 seconds.
  static let shared = SQLiteWatchdog(period: 1_000_000, patience: 10)

  /// A connection being watched.
  final class Ward: Sendable {
    /// Odd while a statement runs.
    fileprivate let turns = Atomic<UInt>(0)
    private let watchdog: SQLiteWatchdog

    fileprivate init(_ watchdog: SQLiteWatchdog) { self.watchdog = watchdog }

    /// Call when a statement begins.
    func begin() {
      turns.add(1, ordering: .sequentiallyConsistent)
      if !watchdog.isAwake.load(ordering: .sequentiallyConsistent) { watchdog.wake() }
    }

    /// Call when the statement has ended.
    func end() { turns.add(1, ordering: .releasing) }
  }

  private struct Watched {
    var ward: Ward
    /// The connection's address. Any thread may interrupt a connection while it is open
    /// (sqlite.org/c3ref/interrupt.html), and it is removed here before it is closed.
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

  /// Creates a watchdog without a thread.
  ///
  /// - Parameters:
  ///   - period: Microseconds between two looks.
  ///   - patience: How many periods a statement may last before it is interrupted.
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

  /// Stops watching the connection of `ward`. Call it before closing the connection.
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
    // If the system cannot start a thread, the next statement tries again.
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
  /// - Returns: Whether a statement runs, so that another look is needed.
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
      // A statement that begins after this store sees that nobody watches, and wakes this thread.
      // One that began before is seen by the second look.
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
