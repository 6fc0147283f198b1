import Control
import EventLoop
import Kiosk

/// Who waits until a source is open, and until when.
struct SourceOpenings {
  /// `source.add`: what the added source took the place of comes back if it cannot be opened.
  struct Adding {
    let reply: ControlReply<SourceAdd>
    let former: SourceEntry?
  }

  /// `source.use`: what was shown before comes back if the source cannot be opened.
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

  /// When the first of those who wait for a switch has waited long enough.
  var deadline: UInt64? { using.values.joined().map(\.deadline).min() }

  /// Takes out who has waited until `now`.
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
