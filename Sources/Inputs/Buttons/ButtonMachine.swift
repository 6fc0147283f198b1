import Configuration

/// Turns buttons that go down and up into `ButtonEvent`s, for single buttons and chords.
///
/// - A button is pressed when it goes down. If its hold has an action of its own, a release before
///   `holdAfter` reports the press, and otherwise `holdAfter` reports the hold. If it is part of a
///   chord, the press is reported after the chord window, or at its release if that is earlier.
///   Every press has the time at which the button went down.
/// - A chord is pressed when all its buttons are down, and released when the first of them comes
///   up. Its buttons report nothing of their own until all are up again. A button that was already
///   pressed or held when a late chord completes is released first. Of several chords that complete
///   together, the one with the most buttons counts, then the first one. A chord that may still
///   grow into a larger one waits for it within the window.
/// - If a button goes down twice without coming up, it counts as released in between.
///
/// A pure state machine without clock or timer. Times are nanoseconds of one clock; call `tick` at
/// `deadline`. Events come in order, and do not depend on how late `tick` is called.
public struct ButtonMachine<ID: Hashable & Sendable>: Sendable {
  private enum Stage {
    case up
    /// Down, and may become part of a chord.
    case undecided
    /// Down, waiting for a hold with its own action. Nothing was reported yet.
    case waiting
    case pressed, held
    /// Down for too long, or cancelled. Ignored until it comes up.
    case spent
    /// Part of an active chord.
    case inChord
  }

  private struct Key {
    var button: Button?
    var isChorded = false
    var isDown = false
    var downAt: UInt64 = 0
    var stage = Stage.up
  }

  /// A chord that was pressed, until all its buttons are up.
  private struct ActiveChord {
    var chord: Int
    var time: UInt64
    var isReleased = false
  }

  private let window: UInt64
  private let stuckAfter: UInt64
  private var index: [ID: Int] = [:]
  private var keys: [Key] = []
  private let chords: [(members: Set<Int>, chord: Chord)]
  private var activeChords: [ActiveChord] = []

  /// Creates a machine in which no button is pressed. Times are in nanoseconds.
  public init(
    buttons: [(ID, Button)], chords: [Chord] = [], chordWindow: UInt64 = ButtonTiming.chordWindow,
    stuckAfter: UInt64 = ButtonTiming.stuckAfter
  ) {
    window = chordWindow
    self.stuckAfter = stuckAfter
    var (index, keys): ([ID: Int], [Key]) = ([:], [])
    func key(_ id: ID) -> Int {
      if let known = index[id] { return known }
      index[id] = keys.count
      keys.append(Key())
      return keys.count - 1
    }
    for (id, button) in buttons { keys[key(id)].button = button }
    var all: [(members: Set<Int>, chord: Chord)] = []
    for chord in chords {
      let members = Set(chord.members.map(key))
      for member in members { keys[member].isChorded = true }
      all.append((members, chord))
    }
    self.chords = all
    (self.index, self.keys) = (index, keys)
  }

  // MARK: Input

  /// A button goes down. Unknown buttons are ignored. Returns the events due by then, in order.
  public mutating func down(_ id: ID, at time: UInt64) -> [ButtonEvent] {
    var events = tick(time)
    guard let key = index[id] else { return events }
    if keys[key].isDown { rise(key, time, &events) }
    keys[key].isDown = true
    if keys[key].stage == .inChord { return events }
    keys[key].downAt = time
    guard keys[key].isChorded else {
      decide(key, &events)
      return events
    }
    keys[key].stage = .undecided
    if let chord = largestChord(with: key), !mayGrow(chord) { sound(chord, &events) }
    return events
  }

  /// A button goes up. Ignored if it was not down. Returns the events due by then, in order.
  public mutating func up(_ id: ID, at time: UInt64) -> [ButtonEvent] {
    var events = tick(time)
    if let key = index[id], keys[key].isDown { rise(key, time, &events) }
    return events
  }

  /// A button was removed: a reported press is released, an undecided one is dropped. Returns the
  /// events due by then.
  public mutating func cancel(_ id: ID, at time: UInt64) -> [ButtonEvent] {
    var events = tick(time)
    guard let key = index[id], keys[key].isDown else { return events }
    if keys[key].stage == .undecided || keys[key].stage == .waiting { keys[key].stage = .spent }
    rise(key, time, &events)
    return events
  }

  /// Returns the events due by `time`, in order.
  public mutating func tick(_ time: UInt64) -> [ButtonEvent] {
    var events: [ButtonEvent] = []
    while let next = earliest, next.time <= time {
      switch next.who {
      case .key(let key): expire(key, next.time, &events)
      case .chord(let at): release(at, next.time, &events)
      }
    }
    return events
  }

  /// When to call `tick`, on the clock of the events; nil while nothing is pending.
  public var deadline: UInt64? { earliest?.time }

  // MARK: Deadlines

  private enum Who {
    case key(Int)
    case chord(Int)
  }

  private var earliest: (time: UInt64, who: Who)? {
    var best: (time: UInt64, who: Who)?
    for key in keys.indices {
      if let time = deadline(of: keys[key]), time < best?.time ?? .max { best = (time, .key(key)) }
    }
    for (at, one) in activeChords.enumerated() where !one.isReleased {
      let time = saturatingSum(one.time, stuckAfter)
      if time < best?.time ?? .max { best = (time, .chord(at)) }
    }
    return best
  }

  private func deadline(of key: Key) -> UInt64? {
    switch key.stage {
    case .undecided: saturatingSum(key.downAt, window)
    case .waiting: holdTime(key)
    case .pressed: key.button?.hold == .repeating ? holdTime(key) : stuckTime(key)
    case .held: stuckTime(key)
    case .up, .spent, .inChord: nil
    }
  }

  private func holdTime(_ key: Key) -> UInt64 {
    saturatingSum(key.downAt, key.button?.holdAfter ?? 0)
  }

  private func stuckTime(_ key: Key) -> UInt64 {
    let begins = key.button.map { $0.hold == .nothing ? 0 : $0.holdAfter } ?? 0
    return saturatingSum(key.downAt, begins >= stuckAfter ? begins &+ stuckAfter : stuckAfter)
  }

  private mutating func expire(_ key: Int, _ time: UInt64, _ events: inout [ButtonEvent]) {
    switch keys[key].stage {
    case .undecided:
      if let chord = largestChord(with: key) {
        sound(chord, &events)
      } else {
        decide(key, &events)
      }
    case .waiting:
      keys[key].stage = .held
      if case .action(let action)? = keys[key].button?.hold {
        tell(key, .hold, time, &events, action)
      }
    case .pressed where keys[key].button?.hold == .repeating:
      keys[key].stage = .held
      tell(key, .hold, time, &events)
    case .pressed, .held:
      tellRelease(key, time, &events)
      keys[key].stage = .spent
    case .up, .spent, .inChord: break
    }
  }

  // MARK: One button

  /// The button is not part of a chord: presses it, or waits for its hold.
  private mutating func decide(_ key: Int, _ events: inout [ButtonEvent]) {
    if keys[key].button?.hasOwnHold == true {
      keys[key].stage = .waiting
    } else {
      keys[key].stage = .pressed
      tell(key, .press, keys[key].downAt, &events)
    }
  }

  private mutating func rise(_ key: Int, _ time: UInt64, _ events: inout [ButtonEvent]) {
    if isReady(key), let chord = largestChord(with: key) { sound(chord, &events) }
    keys[key].isDown = false
    switch keys[key].stage {
    case .inChord: return riseInChord(key, time, &events)
    case .undecided, .waiting:
      tell(key, .press, keys[key].downAt, &events)
      tell(key, .release, time, &events)
    case .pressed, .held: tellRelease(key, time, &events)
    case .up, .spent: break
    }
    keys[key].stage = .up
  }

  /// Reports the release of the action that was reported, which may be the hold's own.
  private func tellRelease(_ key: Int, _ time: UInt64, _ events: inout [ButtonEvent]) {
    var action: Action?
    if keys[key].stage == .held, case .action(let own)? = keys[key].button?.hold { action = own }
    tell(key, .release, time, &events, action)
  }

  private func tell(
    _ key: Int, _ phase: ButtonEvent.Phase, _ time: UInt64, _ events: inout [ButtonEvent],
    _ action: Action? = nil
  ) {
    guard let button = keys[key].button else { return }
    events.append(
      ButtonEvent(
        origin: button.origin, action: action ?? button.action, phase: phase, time: time))
  }

  // MARK: Chords

  /// Whether the button can become part of a chord now.
  private func isReady(_ key: Int) -> Bool {
    switch keys[key].stage {
    case .undecided, .waiting, .pressed, .held: keys[key].isDown
    case .up, .spent, .inChord: false
    }
  }

  private func largestChord(with key: Int) -> Int? {
    var best: Int?
    for (at, (members, _)) in chords.enumerated()
    where members.contains(key) && members.allSatisfy(isReady) {
      if let best, chords[best].members.count >= members.count { continue }
      best = at
    }
    return best
  }

  /// Whether pressing buttons that are up now would make a larger chord.
  private func mayGrow(_ chord: Int) -> Bool {
    chords.contains { other in
      other.members.isStrictSuperset(of: chords[chord].members)
        && other.members.allSatisfy { isReady($0) || keys[$0].stage == .up }
    }
  }

  private mutating func sound(_ at: Int, _ events: inout [ButtonEvent]) {
    let (members, chord) = chords[at]
    let time = members.reduce(0) { max($0, keys[$1].downAt) }
    for key in members.sorted() {
      if keys[key].stage == .pressed || keys[key].stage == .held { tellRelease(key, time, &events) }
      keys[key].stage = .inChord
    }
    activeChords.append(ActiveChord(chord: at, time: time))
    events.append(
      ButtonEvent(origin: chord.origin, action: chord.action, phase: .press, time: time))
  }

  private mutating func riseInChord(_ key: Int, _ time: UInt64, _ events: inout [ButtonEvent]) {
    guard let at = activeChords.firstIndex(where: { chords[$0.chord].members.contains(key) })
    else { return }
    release(at, time, &events)
    let members = chords[activeChords[at].chord].members
    if members.contains(where: { keys[$0].isDown }) { return }
    for member in members { keys[member].stage = .up }
    activeChords.remove(at: at)
  }

  private mutating func release(_ at: Int, _ time: UInt64, _ events: inout [ButtonEvent]) {
    if activeChords[at].isReleased { return }
    activeChords[at].isReleased = true
    let chord = chords[activeChords[at].chord].chord
    events.append(
      ButtonEvent(origin: chord.origin, action: chord.action, phase: .release, time: time))
  }
}
