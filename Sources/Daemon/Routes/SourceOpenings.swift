import Control
import EventLoop
import Kiosk

/// The calls that wait until a source is open, with their deadlines.
struct SourceOpenings {
  /// `source.add`: if the new source cannot be opened, the one that it replaced comes back.
  struct Adding {
    let reply: ControlReply<SourceAdd>
    let former: SourceEntry?
  }

  /// `source.use`: if the source cannot be opened, the one shown before comes back.
  struct Using {
    let reply: ControlReply<SourceUse>
    let former: String?
    /// On the monotonic clock, in nanoseconds.
    let deadline: UInt64
  }

  /// How long a call waits for a source to open, in seconds.
  static let patience = 10

  /// By the source's name.
  var adding: [String: Adding] = [:]
  var using: [String: [Using]] = [:]

  /// The earliest deadline of the calls that wait for a switch.
  var deadline: UInt64? { using.values.joined().map(\.deadline).min() }

  /// Removes and returns the calls whose deadline has passed at `now`.
  mutating func takeLate(at now: UInt64) -> [(name: String, waiter: Using)] {
    var late: [(name: String, waiter: Using)] = []
    for (name, waiters) in using {
      for waiter in waiters where waiter.deadline <= now { late.append((name, waiter)) }
      let left = waiters.filter { $0.deadline > now }
      using[name] = left.isEmpty ? nil : left
    }
    return late
  }
}
