import EventLoop
import Platform

/// What owners changed since the last frame. `Kiosk.frame` drains it in a fixed order.
struct Changes: OptionSet, Sendable {
  let rawValue: UInt32

  // Input.
  /// A held zoom button is due to zoom by another level.
  static let zoomRepeat = Changes(rawValue: 1 << 0)
  /// Nobody used the kiosk for `view.home_after`.
  static let homeDue = Changes(rawValue: 1 << 1)
  /// Nobody used the kiosk for `display.sleep_after`.
  static let sleepDue = Changes(rawValue: 1 << 2)
  /// The sun rose or set, or somebody set the clock.
  static let themeDue = Changes(rawValue: 1 << 3)

  // Follow and view.
  /// The last fix is old, or the age shown for it changed.
  static let fixAged = Changes(rawValue: 1 << 4)

  // Layers.
  /// The layers, their order, or what is known of them.
  static let layers = Changes(rawValue: 1 << 5)
  /// Filters or the theme, so that tiles are decoded in other colours.
  static let colors = Changes(rawValue: 1 << 6)
  /// Files of layers may have changed.
  static let files = Changes(rawValue: 1 << 7)

  /// What a layer showed is gone. What it shows next has the same number, and may be there before
  /// the next frame.
  static let emptied = Changes(rawValue: 1 << 18)
  /// Holes of the map are due to be requested again.
  static let holesDue = Changes(rawValue: 1 << 13)

  /// Packs came to the watched folders, or left them.
  static let media = Changes(rawValue: 1 << 14)

  /// The language of words and names.
  static let language = Changes(rawValue: 1 << 15)
  /// A notice is due to go, or the clock was set.
  static let noticesDue = Changes(rawValue: 1 << 16)
  /// Nobody used the kiosk for `view.tour_after`, or the tour is due to go on.
  static let tourDue = Changes(rawValue: 1 << 17)

  // Plan and draw.
  /// The picture may have changed, so plan a frame.
  static let picture = Changes(rawValue: 1 << 8)

  // Announce.
  /// The current problems changed.
  static let health = Changes(rawValue: 1 << 10)
  /// Something that is saved changed.
  static let state = Changes(rawValue: 1 << 11)
  /// The state is due to be written.
  static let stateDue = Changes(rawValue: 1 << 12)

  /// What is still to be drawn.
  static let drawn: Changes = [.layers, .emptied, .colors, .picture]
}

/// A problem with something; `detail` nil: it has ended.
struct HealthNote {
  var what: String
  var state: Health.State
  var detail: String?
}

/// Where owners leave what the rest of the kiosk must know. It is all that they share.
///
/// Use it on the loop's thread.
final class Outbox {
  /// The most events that wait to be announced. One more, and they are announced at once.
  static let mostEvents = 1024

  /// Called with each event that is announced.
  var onEvent: ((KioskEvent) -> Void)?
  /// Called with each line for the log.
  var onLog: ((LogLevel, String) -> Void)?

  /// Nanoseconds of the loop's clock; tests bring their own.
  var clock: () -> UInt64 = EventLoop.now
  private var repeated = RepeatedLines()

  private(set) var changes: Changes = []
  private var notes: [HealthNote] = []
  private var events: [KioskEvent] = []
  /// The events that are being announced. Both lists keep their memory.
  private var announced: [KioskEvent] = []

  func add(_ new: Changes) { changes.formUnion(new) }

  /// Whether one of `some` is among the changes, and removes them.
  func take(_ some: Changes) -> Bool {
    if changes.isDisjoint(with: some) { return false }
    changes.subtract(some)
    return true
  }

  /// Leaves a note for the health board.
  func note(_ what: String, _ state: Health.State, _ detail: String?) {
    // Only the latest note on a matter counts.
    if let i = notes.firstIndex(where: { $0.what == what }) { notes.remove(at: i) }
    notes.append(HealthNote(what: what, state: state, detail: detail))
    add(.health)
  }

  /// Takes the notes left since the last call, in their order.
  func takeNotes() -> [HealthNote] {
    if notes.isEmpty { return notes }
    defer { notes = [] }
    return notes
  }

  /// Leaves an event to be announced when the frame is done.
  func tell(_ event: KioskEvent) {
    // The display is described when it is announced: once is enough.
    if case .display = event, case .display? = events.last { return }
    events.append(event)
    if events.count > Outbox.mostEvents { announce() }
  }

  /// Whether an event waits to be announced.
  var hasEvents: Bool { !events.isEmpty }

  /// Announces all events in their order. Those that this leads to wait for the next call.
  func announce() {
    guard announced.isEmpty, !events.isEmpty else { return }
    swap(&events, &announced)
    if let onEvent { for event in announced { onEvent(event) } }
    announced.removeAll(keepingCapacity: true)
  }

  /// Writes a line to the log. Whoever calls it sees to it that there are not many over a year.
  func log(_ level: LogLevel, _ line: String) { onLog?(level, line) }

  /// Writes a line that may come again and again: at growing intervals, with a count. `run` names
  /// it if its text has figures that change.
  func logRepeated(_ level: LogLevel, run: String? = nil, _ line: String) {
    guard let leftOut = repeated.admit(run ?? line, at: clock()) else { return }
    log(level, leftOut == 0 ? line : "\(line) (came \(leftOut) times more in between)")
  }
}
