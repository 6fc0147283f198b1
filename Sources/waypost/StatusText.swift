import Control
import Glibc

/// `waypost status` for a person in front of the device: what works, what does not and since when,
/// and what to do about it.
struct StatusText {
  /// How a part of the device is.
  private enum Mark: String {
    case works = "ok"
    /// It has nothing to show at present, which is no fault.
    case idle = "-"
    case warning = "WARNING"
    case failed = "FAILED"

    var isProblem: Bool { self == .warning || self == .failed }

    /// The colour's number (ECMA-48, SGR).
    var color: Int {
      switch self {
      case .works: 32
      case .idle: 2
      case .warning: 33
      case .failed: 31
      }
    }
  }

  private struct Row {
    var mark: Mark
    var what: String
    var text: String
  }

  let status: StatusResult
  /// Seconds since 1970.
  let now: Double
  let isColored: Bool

  /// Whether standard output is a terminal that shows colours, and nobody asked for none
  /// (no-color.org).
  static var terminalHasColors: Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    if let none = getenv("NO_COLOR"), none.pointee != 0 { return false }
    guard let kind = getenv("TERM") else { return false }
    return String(cString: kind) != "dumb"
  }

  /// The entries that are problems.
  private var problems: [HealthItem] { status.health.filter { $0.state != "ok" } }

  /// The lines.
  var text: String {
    let rows = working + problems.map(row)
    let width = rows.map(\.what.count).max() ?? 0
    var lines = [
      "waypostd  \(status.version), process \(status.pid), up \(Tables.duration(status.uptime))"
    ]
    for row in rows {
      let mark = row.mark.rawValue.padded(to: 7)
      let shown = isColored ? "\u{1b}[\(row.mark.color)m\(mark)\u{1b}[0m" : mark
      lines.append("\(shown)  \(row.what.padded(to: width))  \(row.text)")
      if row.mark.isProblem, let advice = StatusText.advice(for: row.what, row.text) {
        lines.append(String(repeating: " ", count: 11 + width) + "To do: " + advice)
      }
    }
    lines.append(summary)
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let failed = problems.filter { $0.state == "error" }.count
    let rest = problems.count - failed
    if problems.isEmpty { return "Everything works." }
    var parts: [String] = []
    if failed > 0 { parts.append("\(failed) not working") }
    if rest > 0 { parts.append("\(rest) worse than configured") }
    let noun = problems.count == 1 ? "problem" : "problems"
    return "\(problems.count) \(noun): \(parts.joined(separator: ", "))."
  }

  /// The parts without a problem.
  private var working: [Row] {
    var rows: [Row] = []
    func add(
      _ what: String, _ text: String, isIdle: Bool = false, unless matters: [String]
    ) {
      let isIll = problems.contains { problem in
        matters.contains { problem.what == $0 || problem.what.hasPrefix($0 + " ") }
      }
      if !isIll {
        rows.append(
          Row(mark: isIdle ? .idle : .works, what: what, text: StatusText.plain(text)))
      }
    }
    if let display = status.display {
      let place = [display.backend, display.device, display.connector, display.mode]
        .compactMap { $0 }.joined(separator: " ")
      let picture = "\(display.width)x\(display.height) \(display.format)"
      add(
        "display",
        display.isConnected
          ? "\(place), \(picture), \(display.power)"
          : "\(place), \(picture): no screen is connected; the map is drawn in memory",
        unless: ["display", "console"])
    } else {
      add("display", "none", unless: ["display"])
    }
    if let source = status.source {
      add("map", source.name, unless: ["source " + source.name])
    } else {
      add("map", "none: there is no source with role base", unless: ["map"])
    }
    let view = status.view
    add(
      "view",
      "\(Tables.number(view.lat)), \(Tables.number(view.lon))"
        + "  zoom \(Tables.number(view.zoom, digits: 3))"
        + "  bearing \(Tables.number(view.bearing, digits: 2))°", unless: [])
    if let position = try? PositionInfo(status.position) {
      add(
        "position", Tables.position(position), isIdle: position.state != "fix", unless: ["gpsd"])
    }
    addInputs { add($0, $1, isIdle: $2, unless: $3) }
    add(
      "cache",
      "\(Tables.bytes(status.cache.bytes)) of \(Tables.bytes(status.cache.limit)),"
        + " \(status.cache.tiles) tiles", unless: ["cache", "memory"])
    if let file = status.stateFile {
      add(
        "state",
        file.isEmpty
          ? "state.path is empty: the view will not outlast a restart" : "is kept in \(file)",
        isIdle: file.isEmpty, unless: ["state"])
    }
    return rows
  }

  /// The buttons, and the keyboards, dials and touch screens.
  private func addInputs(
    _ add: (_ what: String, _ text: String, _ isIdle: Bool, _ matters: [String]) -> Void
  ) {
    if let count = status.gpioLines {
      add(
        "gpio", count == 0 ? "no lines are configured" : StatusText.count(count, "line"),
        count == 0, ["gpio"])
    }
    if let count = status.inputDevices {
      add(
        "input",
        count == 0
          ? "no keyboard, dial or touch screen is used" : StatusText.count(count, "device"),
        count == 0, ["input", "input.key"])
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func row(_ item: HealthItem) -> Row {
    var text = ""
    if let since = item.since { text += StatusText.since(since, now) + ": " }
    text += item.detail ?? item.state
    return Row(
      mark: item.state == "error" ? .failed : .warning, what: StatusText.plain(item.what),
      text: StatusText.plain(text))
  }

  /// "since 2026-11-23 10:12 (2 h 3 min)" in local time.
  private static func since(_ time: Double, _ now: Double) -> String {
    guard time.isFinite, abs(time) < 1e11 else { return "since an unknown time" }
    var seconds = time_t(time)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = bytes.withUnsafeMutableBytes { room in
      guard let start = room.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
      return strftime(start, room.count, "%Y-%m-%d %H:%M", &parts)
    }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return "since \(text) (\(Tables.duration(now - time)))"
  }

  /// A text without characters that would move a terminal's cursor.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar -> Unicode.Scalar in
          scalar.value < 32 || (127..<160).contains(scalar.value) ? "?" : scalar
        }))
  }

  /// What to do about a state that was not read or is not written whole; nil: the detail says all.
  private static func adviceForState(_ detail: String) -> String? {
    // The next file takes the place of a damaged one.
    if detail.contains("; set aside as ") || detail.contains(" MiB at most; ") { return nil }
    if detail.contains("; the view begins ") { return "check state.path and who may read it" }
    if detail.contains("No such file or directory") {
      return "make the folder of state.path, or correct that"
    }
    return "check the disk: \"df -h\", and whether it is mounted read-only"
  }

  /// What to do about the display; nil: the detail says all.
  private static func adviceForDisplay(_ detail: String) -> String? {
    if detail.contains("another program holds") { return nil }
    if lacksMemory(detail) { return adviceForMemory }
    return "check the cable and the panel's power; \"waypost display get\" tells more"
  }

  /// What to do if a file could not be opened because of the machine; nil: that was not it.
  private static func adviceForMachine(_ detail: String) -> String? {
    if lacksMemory(detail) { return adviceForMemory }
    return detail.contains("Too many open files")
      ? "wait: it is opened again; if it stays so, \"systemctl restart waypostd\"" : nil
  }

  private static let adviceForMemory = "\"ps aux --sort=-rss\" tells which programs take it"

  private static func lacksMemory(_ detail: String) -> Bool {
    detail.contains("no memory") || detail.contains("Cannot allocate memory")
  }

  /// What to do about a medium; nil: the detail says all.
  private static func adviceForMedia(_ detail: String) -> String? {
    if detail.contains("is not mounted: its file system is") {
      return "copy the packs to a medium with FAT32, exFAT or ext4, or format this one so"
    }
    if detail.contains("/media has folders of its names already") {
      return "remove those folders, if nothing is in them, and plug it in again"
    }
    if detail.contains("is not mounted: its folder ") {
      return "check the system's disk: \"df -h\", and whether it is mounted read-only"
    }
    if detail.contains("is not mounted: ") {
      return "plug it in again, or copy the packs to another medium"
    }
    if detail.hasPrefix("/") { return "copy the file again: it is damaged or of no use" }
    return nil
  }

  /// What to do about gpsd and its receiver.
  private static func adviceForGPSD(_ detail: String) -> String {
    detail.contains("no fix has come")
      ? "check the receiver's antenna, its view of the sky and its cable; \"gpspipe -w\" shows what "
        + "gpsd hears"
      : "\"systemctl status gpsd\", then the receiver's cable and its view of the sky"
  }

  /// What to do about a source; nil: the detail says all.
  private static func adviceForSource(_ detail: String) -> String? {
    if let advice = adviceForMachine(detail) { return advice }
    if detail.hasSuffix("a style for its own layers") { return nil }
    if detail.contains("tiles are shown but not kept") {
      return "make room on the medium of the source's store, or let store name a file that "
        + "waypost-fetch can write"
    }
    if detail.contains("waypost-fetch") {
      return "\"systemctl status waypost-fetch\"; \"journalctl -u waypost-fetch\" tells more"
    }
    if detail.contains("there is no provider") {
      return "start the program that makes the socket: it is asked once it listens; or correct the "
        + "path"
    }
    // A pack, a style or a folder.
    if detail.contains("No such file or directory") {
      return "copy the file there or plug its medium in: it is opened once it is there; or correct "
        + "the path"
    }
    return detail.contains("server") || detail.contains("://")
      ? "check the network and the server; what is stored is shown meanwhile"
      : "look at the file or its medium; \"waypost pack verify FILE\" tests a pack"
  }

  /// What to do about an overlay's file.
  private static func adviceForOverlay(_ detail: String) -> String {
    if let advice = adviceForMachine(detail) { return advice }
    if detail.contains("No such file or directory") {
      return "copy the file there: it is read once it is there; or correct the path"
    }
    if detail.contains("Permission denied") { return "check who may read the file" }
    return "correct the file, or look at its medium: it is read again when it changes"
  }

  /// What to do about a problem; nil: its own text says so.
  private static func advice(for what: String, _ detail: String) -> String? {
    let kind = what.prefix { $0 != " " }
    switch kind {
    case "configuration":
      return "correct the file, test it with \"waypostd --check-config\", then "
        + "\"systemctl reload waypostd\""
    case "display": return adviceForDisplay(detail)
    case "console":
      return "\"systemctl status getty@tty1\" tells whether a login has the console; the unit "
        + "needs TTYPath= and the group tty"
    case "backlight": return "check display.backlight and the user's group video"
    case "map":
      return "\"waypost source add FILE\", or a [[source]] in the configuration"
    case "source": return adviceForSource(detail)
    case "overlay": return adviceForOverlay(detail)
    case "media": return adviceForMedia(detail)
    case "packs":
      return
        "test the file with \"waypost pack verify\", if it is a pack; copy it again, or take it "
        + "away"
    case "gpsd": return adviceForGPSD(detail)
    case "clock", "notices":
      return "a time service sets the clock, a battery keeps it, and gpsd tells the time; "
        + "waypost.toml(5) says under theme.mode what else counts"
    case "gpio": return "check gpio.chip and the line; \"gpioinfo\" tells who uses it"
    case "input": return "check the device's cable and the user's group input"
    case "state": return adviceForState(detail)
    case "last-good": return "the copy is beside state.path: make room there, or make it writable"
    case "cache": return "set cache.memory to the size named"
    case "memory": return adviceForMemory
    default: return nil
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
