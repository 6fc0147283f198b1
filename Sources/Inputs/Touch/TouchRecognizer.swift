/// Makes gestures of the fingers on one touch screen. Knows no device and no clock: it is told what
/// lies on the screen and when.
///
/// What lies under a finger stays under it: the first movement of a drag makes up for the slop.
struct TouchRecognizer {
  /// Points that a finger may roll before it counts as moving.
  static let slop = 8.0
  /// Nanoseconds after which a finger that did not move is no tap any more, but was laid down.
  static let tapTime: UInt64 = 700_000_000
  /// Nanoseconds between the end of a tap and the beginning of the next one that make them a double
  /// tap, and how far they may be apart in points.
  static let doubleTapTime: UInt64 = 300_000_000
  static let doubleTapDistance = 40.0
  /// Nanoseconds that one finger must have been alone after a pinch for its flick to count: two
  /// fingers never leave at once.
  static let aloneTime: UInt64 = 150_000_000

  private enum Phase {
    /// No finger is down.
    case idle
    /// Fingers are down and have not moved beyond the slop.
    case still
    case moving
  }

  private var phase = Phase.idle
  /// Where the fingers were when what they did was last told.
  private var told: [TouchContact] = []
  /// The fingers of the last report.
  private var fingers: [TouchContact] = []
  private var flick = FlickVelocity()
  private var began: UInt64 = 0
  /// Since when one finger has been alone, in a gesture that had more of them.
  private var aloneSince: UInt64?
  private var wasMany = false
  /// The last tap: where it was, and when its finger left.
  private var lastTap: (place: TouchContact, time: UInt64)?
  private var follows: TouchContact?

  init() {}

  /// What lies on the screen after one report of the device.
  ///
  /// - Parameters:
  ///   - now: all fingers, in any order.
  ///   - time: CLOCK_MONOTONIC in nanoseconds.
  ///   - events: what the fingers did is added, and joined to the last one where both are movement.
  mutating func report(_ now: [TouchContact], time: UInt64, into events: inout [TouchEvent]) {
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

  /// Ends the gesture without a report: the device is gone, or its reports were lost.
  mutating func cancel(into events: inout [TouchEvent]) {
    if phase != .idle { events.append(.ended(vx: 0, vy: 0)) }
    self = TouchRecognizer()
  }

  /// The same fingers are at other places, because the view's points are: that is no movement.
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
    let first = told[0]  // Where the one finger of a tap came down.
    phase = .idle
    if moved {
      let rested = aloneSince.map { time < $0 &+ Self.aloneTime } ?? wasMany
      let v = rested ? (x: 0, y: 0) : flick.velocity(at: time)
      events.append(.ended(vx: v.x, vy: v.y))
    } else {
      events.append(.ended(vx: 0, vy: 0))
      if !wasMany, time <= began &+ Self.tapTime {
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
