import Configuration
import Control
import EventLoop
import Features
import MapOverlays

/// Why a notice was refused.
enum NoticeError: Error, CustomStringConvertible {
  case tooMany, tooMuchText

  var description: String {
    switch self {
    case .tooMany:
      "there are \(Configuration.Notice.most) notices already, which is the most; remove some first"
    case .tooMuchText:
      "all notices together have at most \(NoticeBoard.maxBytes >> 10) KiB; shorten or remove some "
        + "first"
    }
  }
}

/// Owns the notices: what people must know, until when, and what is closed.
final class NoticeBoard {
  /// The most bytes of all notices together: their texts and features.
  static let maxBytes = 256 << 10

  private struct Entry {
    var notice: Configuration.Notice
    /// The table that set it over the socket; nil: it was configured.
    var table: JSON?
    /// Whether a trusted clock has shown that it was not over yet, or somebody set it in this run.
    var wasValid = false
  }

  private let outbox: Outbox
  private var entries: [Entry] = []
  private(set) var timer: LoopTimer?
  private var watch: ClockWatch?
  private let loop: EventLoop

  init(loop: EventLoop, outbox: Outbox) {
    self.loop = loop
    self.outbox = outbox
    timer = loop.timer { [outbox] in outbox.add(.noticesDue) }
  }

  /// All notices, configured ones first.
  var all: [Configuration.Notice] { entries.map(\.notice) }

  var bytes: Int { entries.reduce(0) { $0 + $1.notice.byteCount } }

  /// The tables of the notices set over the socket.
  var addedTables: [JSON] { entries.compactMap(\.table) }

  func isAdded(_ id: String) -> Bool { entries.contains { $0.notice.id == id && $0.table != nil } }

  subscript(id: String) -> Configuration.Notice? { entries.first { $0.notice.id == id }?.notice }

  /// Sets a notice, or replaces the one with its id. `table` set it over the socket, before the
  /// last start unless `isNew`.
  func set(_ notice: Configuration.Notice, table: JSON, isNew: Bool) throws(NoticeError) {
    let i = entries.firstIndex { $0.notice.id == notice.id }
    if i == nil, entries.count >= Configuration.Notice.most { throw .tooMany }
    let old = i.map { entries[$0].notice.byteCount } ?? 0
    if bytes - old + notice.byteCount > NoticeBoard.maxBytes { throw .tooMuchText }
    let entry = Entry(notice: notice, table: table, wasValid: isNew)
    if let i { entries[i] = entry } else { entries.append(entry) }
    outbox.tell(.notice(notice.id, .set))
    outbox.add(.noticesDue)
  }

  /// Removes a notice. False if there is none with that id.
  func remove(_ id: String) -> Bool { drop(id, .removed) }

  private func drop(_ id: String, _ change: KioskEvent.NoticeChange) -> Bool {
    guard let i = entries.firstIndex(where: { $0.notice.id == id }) else { return false }
    entries.remove(at: i)
    outbox.tell(.notice(id, change))
    outbox.add(.noticesDue)
    return true
  }

  /// Replaces the configured notices `old` by `new`. Those set over the socket stay, unless the
  /// configuration's notice with that id is new or differs.
  func configure(_ new: [Configuration.Notice], before old: [Configuration.Notice] = []) {
    let names = Set(new.map(\.id))
    let before = entries
    let own = entries.filter { $0.table != nil }
    let configured = new.map { notice in
      own.first { $0.notice.id == notice.id && old.contains(notice) } ?? Entry(notice: notice)
    }
    let kept = own.filter { !names.contains($0.notice.id) }
    // Configured ones come first, so it is the last of the others that have no room.
    entries = Array((configured + kept).prefix(Configuration.Notice.most))
    for entry in before where self[entry.notice.id] == nil {
      outbox.tell(.notice(entry.notice.id, .removed))
    }
    for entry in entries
    where !before.contains(where: { $0.notice == entry.notice }) {
      outbox.tell(.notice(entry.notice.id, .set))
    }
    outbox.add(.noticesDue)
  }

  /// Removes the notices whose time is over at `time`, in seconds since 1970; nil: the clock cannot
  /// be trusted, and they stay. Arms the timer for the next one. Logs which notices were already
  /// over when they were loaded.
  ///
  /// - Returns: Whether one that was set over the socket is gone.
  func update(at time: Double?) -> Bool {
    timer?.cancel()
    let ends = entries.compactMap(\.notice.until?.time)
    guard !ends.isEmpty else {
      watch = nil
      outbox.note("notices", .warning, nil)
      return false
    }
    if watch == nil { watch = ClockWatch(loop: loop) { [outbox] in outbox.add(.noticesDue) } }
    guard let time else {
      outbox.note(
        "notices", .warning,
        "the clock cannot be trusted: notices with an end stay until it can be")
      // It may become right without being set.
      timer?.arm(after: 600 * 1_000_000_000)
      return false
    }
    outbox.note("notices", .warning, nil)
    var isAddedGone = false
    for entry in entries where (entry.notice.until?.time ?? .infinity) <= time {
      if !entry.wasValid, let until = entry.notice.until {
        outbox.log(
          .warning,
          "notice \(entry.notice.id): until \"\(until.text)\" is over, so that it is not shown"
            + (entry.table == nil ? "" : "; it was set over the socket before the start"))
      }
      if entry.table != nil { isAddedGone = true }
      _ = drop(entry.notice.id, .ended)
    }
    for i in entries.indices { entries[i].wasValid = true }
    guard let next = ends.filter({ $0 > time }).min() else { return isAddedGone }
    // A day at most: clocks drift.
    timer?.arm(after: UInt64(min(max(next - time, 0), 86_400) * 1e9) &+ 1_000_000)
    return isAddedGone
  }

  /// What is shown, the worst first, then in their order.
  ///
  /// - Parameters:
  ///   - language: The language of the texts.
  ///   - short: What a notice closes, in a few words; empty: nothing, or it has no name.
  /// - Returns: The notices.
  func lines(
    in language: String, short: (Configuration.Notice) -> String = { _ in "" }
  ) -> [NoticeLine] {
    NoticeBoard.order.flatMap { severity in
      entries.filter { $0.notice.severity == severity }.map { entry in
        let notice = entry.notice
        return NoticeLine(
          text: notice.texts.text(in: language, else: notice.text) ?? "",
          severity: NoticeLine.Severity(rawValue: severity.rawValue) ?? .info,
          short: short(notice), closes: notice.closes != nil)
      }
    }
  }

  /// The notices that close a line of an overlay, the worst first.
  ///
  /// - Parameters:
  ///   - overlay: The overlay's name.
  ///   - names: What the line is called in its file.
  /// - Returns: The notices; none where it is open.
  func closing(_ overlay: String, _ names: [String]) -> [Configuration.Notice] {
    let found = entries.map(\.notice).filter { notice in
      switch notice.closes {
      case .overlay(let name, let feature)?:
        name == overlay && feature.map(names.contains) ?? true
      case .geoJSON?: NoticeBoard.overlay(of: notice.id) == overlay
      case nil: false
      }
    }
    return NoticeBoard.order.flatMap { severity in found.filter { $0.severity == severity } }
  }

  /// Severities, the worst first.
  private static let order: [Configuration.Notice.Severity] = [.danger, .warning, .info]

  /// The prefix of the overlays that draw the notices' own closed features.
  static let prefix = Configuration.Overlay.closurePrefix

  /// The name of the overlay that draws what the notice `id` closes.
  static func overlay(of id: String) -> String { prefix + id }

  /// What is closed of each overlay, by the overlays' names.
  var closures: [String: FeatureClosure] {
    var all: [String: FeatureClosure] = [:]
    for entry in entries {
      guard case .overlay(let name, let feature)? = entry.notice.closes else {
        if case .geoJSON? = entry.notice.closes {
          all[NoticeBoard.overlay(of: entry.notice.id)] = FeatureClosure(isWhole: true)
        }
        continue
      }
      var closure = all[name] ?? FeatureClosure()
      if let feature { closure.names.insert(feature) } else { closure.isWhole = true }
      all[name] = closure
    }
    return all
  }

  /// Overlays for the closed features that notices bring themselves.
  var overlays: [Configuration.Overlay] {
    entries.compactMap { entry in
      guard case .geoJSON(let json)? = entry.notice.closes else { return nil }
      return Configuration.Overlay(
        name: NoticeBoard.overlay(of: entry.notice.id), content: .geoJSON(json),
        level: .aboveRoads)
    }
  }
}
