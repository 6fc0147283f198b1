/// Recognises gestures of the fingers on one touch screen. It has no device and no clock: it is
/// told which fingers are on the screen and when, and called at `deadline`.
///
/// The map stays under the finger: the first movement of a drag includes the slop.
struct TouchRecognizer {
  /// How far a finger may roll before it counts as moving, in points.
  static let slop = 8.0
  /// Nanoseconds after which a finger that did not move is held, and not a tap any more: like a
  /// button by default.
  static let holdAfter: UInt64 = 600_000_000
  /// A double tap's longest time in nanoseconds between the end of the first tap and the start of
  /// the second, and their greatest distance in points.
  static let doubleTapTime: UInt64 = 300_000_000
  static let doubleTapDistance = 40.0
  /// Nanoseconds that the last finger of a pinch must remain alone for its flick to count, since
  /// two fingers never leave at exactly the same time.
  static let aloneTime: UInt64 = 150_000_000

  private enum Phase {
    /// No finger is down.
    case idle
    /// Fingers are down, and none has moved beyond the slop.
    case still
    case moving
  }

  private var phase = Phase.idle
  /// The fingers' positions up to which movement was reported.
  private var told: [TouchContact] = []
  /// The fingers of the last report.
  private var fingers: [TouchContact] = []
  private var flick = FlickVelocity()
  private var began: UInt64 = 0
  /// Since when one finger has been alone, in a gesture that had several.
  private var aloneSince: UInt64?
  private var wasMany = false
  private var wasHeld = false
  /// The position of the last tap, and when its finger left.
  private var lastTap: (place: TouchContact, time: UInt64)?
  private var follows: TouchContact?

  init() {}

  /// When to call `advance`, in nanoseconds of the reports' clock; nil: nothing is pending.
  var deadline: UInt64? {
    phase == .still && !wasMany && !wasHeld ? began &+ Self.holdAfter : nil
  }

  /// Reports a finger that is held, if it is due at `time`.
  mutating func advance(to time: UInt64, into events: inout [TouchEvent]) {
    guard let deadline, deadline <= time else { return }
    wasHeld = true
    events.append(.held(x: told[0].x, y: told[0].y))
  }

  /// Takes one report of the device.
  ///
  /// - Parameters:
  ///   - now: All fingers on the screen, in any order.
  ///   - time: CLOCK_MONOTONIC in nanoseconds.
  ///   - events: Receives the events. Movement is joined with the last event if that is movement
  ///     too.
  mutating func report(_ now: [TouchContact], time: UInt64, into events: inout [TouchEvent]) {
    advance(to: time, into: &events)
    if phase != .idle, !fingers.contains(where: { old in now.contains { $0.id == old.id } }) {
      end(time, into: &events)
    }
    if now.isEmpty { return }
    if phase == .idle {
      begin(now, time, into: &events)
      return
    }
    noteFingers(now, time)
    if phase == .still, hasMoved(now) { phase = .moving }
    if phase == .moving {
      let movement = TouchMovement(from: told, to: now)
      events.add(movement)
      told = now
    } else {
      told.removeAll { old in !now.contains { $0.id == old.id } }
      for new in now where !told.contains(where: { $0.id == new.id }) { told.append(new) }
    }
    fingers = now
  }

  /// Ends the gesture without a report, when the device is gone or reports were lost.
  mutating func cancel(into events: inout [TouchEvent]) {
    if phase != .idle { events.append(.ended(vx: 0, vy: 0)) }
    self = TouchRecognizer()
  }

  /// Replaces the fingers' positions without movement, after the mapping has changed.
  mutating func restart(from now: [TouchContact]) {
    guard phase != .idle, !now.isEmpty else { return }
    (told, fingers) = (now, now)
    flick.clear()
  }

  private mutating func begin(
    _ now: [TouchContact], _ time: UInt64, into events: inout [TouchEvent]
  ) {
    phase = .still
    began = time
    (told, fingers) = (now, now)
    wasMany = now.count > 1
    wasHeld = false
    aloneSince = nil
    flick.clear()
    flick.add(x: now[0].x, y: now[0].y, time: time)
    follows = nil
    if let (place, tapTime) = lastTap, time <= tapTime &+ Self.doubleTapTime,
      place.distance(to: now[0]) <= Self.doubleTapDistance
    {
      follows = place
    }
    lastTap = nil
    events.append(.began)
  }

  private mutating func noteFingers(_ now: [TouchContact], _ time: UInt64) {
    if now.count > 1 {
      wasMany = true
      aloneSince = nil
      flick.clear()
    } else {
      if now[0].id != fingers[0].id || fingers.count > 1 { flick.clear() }
      if wasMany, aloneSince == nil { aloneSince = time }
      if now != fingers { flick.add(x: now[0].x, y: now[0].y, time: time) }
    }
  }

  private func hasMoved(_ now: [TouchContact]) -> Bool {
    told.contains { old in
      now.contains { $0.id == old.id && $0.distance(to: old) > Self.slop }
    }
  }

  private mutating func end(_ time: UInt64, into events: inout [TouchEvent]) {
    let moved = phase == .moving
    let first = told[0]  // Where the finger of a tap came down.
    phase = .idle
    if moved {
      let rested = aloneSince.map { time < $0 &+ Self.aloneTime } ?? wasMany
      let v = rested ? (x: 0, y: 0) : flick.velocity(at: time)
      events.append(.ended(vx: v.x, vy: v.y))
    } else {
      events.append(.ended(vx: 0, vy: 0))
      if !wasMany, !wasHeld {
        if follows != nil {
          events.append(.doubleTapped(x: first.x, y: first.y))
        } else {
          events.append(.tapped(x: first.x, y: first.y))
          lastTap = (first, time)
        }
      }
    }
    told.removeAll(keepingCapacity: true)
    fingers.removeAll(keepingCapacity: true)
  }
}
