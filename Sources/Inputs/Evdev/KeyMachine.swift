import Configuration

/// Times pressed keys: a press at once, a hold if the action repeats, a release, and the end of a
/// key that is stuck. Knows neither devices nor a clock.
struct KeyMachine {
  /// Nanoseconds until a pan or a zoom continues by itself.
  static let holdAfter: UInt64 = 600_000_000
  /// Nanoseconds after which a key is taken for stuck: it is released once, and ignored until it
  /// really comes up.
  static let stuckAfter: UInt64 = 60_000_000_000
  /// The most keys down at once.
  static let limit = 64

  struct Key: Hashable {
    /// The device's number.
    var device: Int
    /// The kernel's key code.
    var code: UInt16
  }

  private struct Down {
    var key: Key
    var origin: String
    var action: Action
    var since: UInt64
    var phase: ButtonEvent.Phase

    /// When `advance` must be called for this key; nil: never.
    var deadline: UInt64? {
      switch phase {
      case .press: since &+ (action.repeats ? KeyMachine.holdAfter : KeyMachine.stuckAfter)
      case .hold: since &+ KeyMachine.stuckAfter
      case .release: nil
      }
    }
  }

  private var down: [Down] = []

  init() {}

  /// When to call `advance`; nil: nothing is pending.
  var deadline: UInt64? { down.lazy.compactMap(\.deadline).min() }

  /// The names of the keys that are stuck.
  var stuck: [String] { down.filter { $0.phase == .release }.map(\.origin) }

  mutating func press(
    _ key: Key, _ origin: String, _ action: Action, time: UInt64, into events: inout [ButtonEvent]
  ) {
    advance(to: time, into: &events)
    if down.contains(where: { $0.key == key }) || down.count >= Self.limit { return }
    down.append(Down(key: key, origin: origin, action: action, since: time, phase: .press))
    events.append(ButtonEvent(origin: origin, action: action, phase: .press, time: time))
  }

  mutating func release(_ key: Key, time: UInt64, into events: inout [ButtonEvent]) {
    advance(to: time, into: &events)
    guard let index = down.firstIndex(where: { $0.key == key }) else { return }
    let was = down.remove(at: index)
    if was.phase != .release { events.append(Self.event(was, .release, time)) }
  }

  /// Releases all keys of a device that is gone.
  mutating func releaseAll(of device: Int, time: UInt64, into events: inout [ButtonEvent]) {
    for key in down.map(\.key) where key.device == device {
      release(key, time: time, into: &events)
    }
  }

  /// Reports the holds and the stuck keys due at `time`.
  mutating func advance(to time: UInt64, into events: inout [ButtonEvent]) {
    for index in down.indices {
      while let deadline = down[index].deadline, deadline <= time {
        let isStuck = deadline == down[index].since &+ Self.stuckAfter
        down[index].phase = isStuck ? .release : .hold
        events.append(Self.event(down[index], down[index].phase, deadline))
      }
    }
  }

  private static func event(
    _ key: Down, _ phase: ButtonEvent.Phase, _ time: UInt64
  ) -> ButtonEvent {
    ButtonEvent(origin: key.origin, action: key.action, phase: phase, time: time)
  }
}
