import Platform

/// What owners changed since the last frame. `Kiosk.frame` drains it, each part in its place.
struct Changes: OptionSet, Sendable {
  let rawValue: UInt16

  // Input.
  /// A held zoom button is due to zoom by another level.
  static let zoomRepeat = Changes(rawValue: 1 << 0)
  /// Nobody used the kiosk for `view.home_after`.
  static let homeDue = Changes(rawValue: 1 << 1)
  /// Nobody used the kiosk for `display.sleep_after`.
  static let sleepDue = Changes(rawValue: 1 << 2)
  /// The sun rose or set, or the clock was set.
  static let themeDue = Changes(rawValue: 1 << 3)

  // Follow and view.
  /// The last fix is old, or its age reads differently.
  static let fixAged = Changes(rawValue: 1 << 4)

  // Layers.
  /// Which layers there are, in which order, or what is known of them.
  static let layers = Changes(rawValue: 1 << 5)
  /// Filters or the theme: tiles are decoded in other colours.
  static let colors = Changes(rawValue: 1 << 6)
  /// Files of layers may have changed.
  static let files = Changes(rawValue: 1 << 7)

  /// Holes of the map are due to be asked for again.
  static let holesDue = Changes(rawValue: 1 << 13)

  // Plan and draw.
  /// The picture may differ: a frame is planned.
  static let picture = Changes(rawValue: 1 << 8)

  // Announce.
  /// What is wrong differs.
  static let health = Changes(rawValue: 1 << 10)
  /// Something that is saved differs.
  static let state = Changes(rawValue: 1 << 11)
  /// The state is due to be written.
  static let stateDue = Changes(rawValue: 1 << 12)

  /// What is still to be drawn.
  static let drawn: Changes = [.layers, .colors, .picture]
}

/// What is wrong with something; `detail` nil: it is well again.
struct HealthNote {
  var what: String
  var state: Health.State
  var detail: String?
}

/// Where owners leave what the rest of the kiosk has to know. They share it and nothing else.
///
/// Belongs to the loop's thread.
final class Outbox {
  /// Tells subscribers of single happenings, at once and in their order.
  var onEvent: ((KioskEvent) -> Void)?
  /// Takes what is worth a line in the log.
  var onLog: ((LogLevel, String) -> Void)?

  private(set) var changes: Changes = []
  private var notes: [HealthNote] = []

  func add(_ new: Changes) { changes.formUnion(new) }

  /// Whether one of `some` was added since it was last taken.
  func take(_ some: Changes) -> Bool {
    if changes.isDisjoint(with: some) { return false }
    changes.subtract(some)
    return true
  }

  /// Leaves a note for the health board.
  func note(_ what: String, _ state: Health.State, _ detail: String?) {
    // The latest note on a matter is the one that counts.
    if let i = notes.firstIndex(where: { $0.what == what }) { notes.remove(at: i) }
    notes.append(HealthNote(what: what, state: state, detail: detail))
    add(.health)
  }

  /// The notes left since the last call, in their order.
  func takeNotes() -> [HealthNote] {
    if notes.isEmpty { return notes }
    defer { notes = [] }
    return notes
  }

  func tell(_ event: KioskEvent) { onEvent?(event) }

  func log(_ level: LogLevel, _ line: String) { onLog?(level, line) }
}
