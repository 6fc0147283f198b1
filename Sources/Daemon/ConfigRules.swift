import Configuration
import Control
import Glibc
import Inputs
import Kiosk
import MapScene
import Pixels
import Platform
import TileLoading
import TileSources

/// Checks that involve several keys: names that refer to nothing, limits that contradict each
/// other, impossible places.
struct ConfigRules {
  /// A finding, and where it belongs.
  struct Note: Equatable {
    let severity: Finding.Severity
    /// The line of a key, or of the first value that is this text.
    let near: Near
    let text: String
    /// Whether the running daemon says so itself.
    var isToldLater = false
  }

  /// The value at a line of the configuration.
  enum Near: Equatable {
    case key(String)
    case value(String)
    /// An element of a list, a key of it, and a text in that key's list.
    case element(String, Int, key: String? = nil, text: String? = nil)

    func place(in places: ConfigurationPlaces) -> ConfigValue.Origin {
      switch self {
      case .key(let key): places.key(key)
      case .value(let text): places.text(text) ?? places.key("")
      case .element(let list, let index, let key, let text):
        places.element(list, index, key: key, text: text)
      }
    }
  }

  let configuration: Configuration
  /// Seconds since 1970, UTC; nil: the clock is wrong.
  var now: Double? = ConfigRules.clock

  /// Everything that was found.
  func notes() -> [Note] { state + control + media + words + warnings }

  /// What is found without a look at the files and groups of the system: a medium that hangs would
  /// hold up the daemon's start.
  private var warnings: [Note] { actions + holds + chords + view + cache + publicNotes + baseNotes }

  /// Everything that was found, where it is.
  func findings(in places: ConfigurationPlaces) -> [Finding] {
    notes().map { finding($0, in: places) }
  }

  /// What a daemon that runs on the configuration warns of. `isToldLater`: it logs that anyway.
  func warnings(in places: ConfigurationPlaces) -> [(finding: Finding, isToldLater: Bool)] {
    warnings.map { (finding($0, in: places), $0.isToldLater) }
  }

  private func finding(_ note: Note, in places: ConfigurationPlaces) -> Finding {
    let place = note.near.place(in: places)
    return Finding(file: place.file, line: place.line, severity: note.severity, text: note.text)
  }

  /// Whether there is a source that can be shown as the map.
  private var baseNotes: [Note] {
    guard configuration.media.watch.isEmpty,
      !configuration.sources.contains(where: { $0.role == .base })
    else { return [] }
    let text =
      configuration.sources.isEmpty
      ? "there is no source, so no map is shown; add a [[source]], or media.watch"
      : "no [[source]] is a base map, so no map is shown; give one role = \"base\", which is the "
        + "default, or set media.watch"
    return [Note(severity: .warning, near: .key("source"), text: text)]
  }

  // MARK: Actions

  private var actions: [Note] {
    let gpio = configuration.gpio
    var all = gpio.buttons.map(\.action) + configuration.input.keys.map(\.action)
    for button in gpio.buttons { if case .action(let action) = button.hold { all.append(action) } }
    all += gpio.encoders.flatMap { [$0.clockwise, $0.counterclockwise] }
    all += gpio.chords.map(\.action)
    var told: Set<Action> = []
    return all.filter { told.insert($0).inserted }.compactMap { note(on: $0) }
  }

  private func note(on action: Action) -> Note? {
    switch action {
    case .source(let name):
      let known = configuration.sources.filter { $0.role == .base }.map(\.name)
      // A medium may bring it.
      return known.contains(name) || !configuration.media.watch.isEmpty
        ? nil : note(on: action, "base source", name, known)
    case .overlayToggle(let name):
      let known = configuration.overlays.map(\.name)
      return known.contains(name) ? nil : note(on: action, "overlay", name, known)
    case .languageNext where configuration.hud.languages.count < 2:
      return Note(
        severity: .warning, near: .value("\(action)"),
        text: "action \"\(action)\": there is no other language; name two or more in "
          + "hud.languages, such as [\"de\", \"en\"]")
    default: return nil
    }
  }

  /// A warning: what it names may be added over the socket.
  private func note(on action: Action, _ what: String, _ name: String, _ known: [String]) -> Note {
    let hint =
      NearestName.find(name, among: known).map { "perhaps \"\($0)\"" }
      ?? (known.isEmpty ? "none is configured" : "configured are \(known.joined(separator: ", "))")
    return Note(
      severity: .warning, near: .value("\(action)"),
      text: "action \"\(action)\": no \(what) is called \"\(name)\"; \(hint)")
  }

  /// Only pans and zooms repeat.
  private var holds: [Note] {
    configuration.gpio.buttons.enumerated().compactMap { index, button in
      guard button.hold == .repeating, !button.action.repeats else { return nil }
      return Note(
        severity: .warning, near: .element("gpio.button", index, key: "hold"),
        text: "gpio.button.hold = \"repeat\": \"\(button.action)\" does not repeat, only pans and "
          + "zooms do; give hold another action, or leave it out")
    }
  }

  /// The legend names the buttons of a chord by what they do.
  private var chords: [Note] {
    guard configuration.hud.buttons else { return [] }
    let gpio = configuration.gpio
    return gpio.chords.enumerated().compactMap { index, chord in
      if chord.action == .none { return nil }
      let unnamed = chord.lines.filter { line in
        !gpio.buttons.contains { $0.line == line && $0.action != .none }
      }
      guard let line = unnamed.first else { return nil }
      return Note(
        severity: .warning, near: .element("gpio.chord", index, key: "lines"),
        text: "gpio.chord.lines: the legend of the buttons does not say how to press "
          + "\"\(chord.action)\", because line \(line.shown) is no [[gpio.button]] with an action")
    }
  }

  // MARK: View and cache

  private var view: [Note] {
    let view = configuration.view
    var notes: [Note] = []
    if let center = view.center, let bounds = view.bounds, !bounds.contains(center) {
      notes.append(
        Note(
          severity: .warning, near: .key("view.center"),
          text: "view.center: [\(plain(center.lat)), \(plain(center.lon))] is outside view.bounds;"
            + " the nearest view inside them is shown"))
    }
    guard let zoom = view.zoom, !(view.minZoom...max(view.minZoom, view.maxZoom)).contains(zoom)
    else { return notes }
    return notes + [
      Note(
        severity: .warning, near: .key("view.zoom"),
        text:
          "view.zoom: \(plain(zoom)) is outside view.min_zoom and view.max_zoom (\(plain(view.minZoom))"
          + " to \(plain(view.maxZoom))); the nearest of them is shown")
    ]
  }

  private func plain(_ number: Double) -> String { JSON.double(number).text }

  /// The floor depends on the display, which is not opened here, so its configured values are used.
  private var cache: [Note] {
    let display = configuration.display
    let size = display.backend == .headless ? display.size : display.mode?.size ?? display.size
    let isOnItsSide = display.rotation % 180 != 0
    let tile = configuration.sources.map(\.tileSize).max() ?? 256
    let others = configuration.sources.filter(\.isAlwaysShown).reduce(0) { $0 + chain(of: $1) }
    let floor = CacheFloor.Demand(
      width: isOnItsSide ? size.height : size.width,
      height: isOnItsSide ? size.width : size.height, edge: tile * display.scale,
      opaqueBytes: display.format == .rgb565 ? 2 : 4,
      layers: configuration.sources.filter { $0.role == .base }.map { chain(of: $0) }.max() ?? 0,
      overlays: others + configuration.overlays.count,
      jobs: TileLoader.depth(threads: Pipeline.decodeThreads)
    ).floor
    guard configuration.cache.memory < floor else { return [] }
    return [
      Note(
        severity: .warning, near: .key("cache.memory"),
        text: "cache.memory: \(ByteCount.text(configuration.cache.memory)) is less than a view of"
          + " \(size) pixels can need, \(ByteCount.text(floor)), which is used instead",
        isToldLater: true)
    ]
  }

  /// How many sources lie over each other where `source` is shown: it and its fallbacks.
  private func chain(of source: SourceSpec) -> Int {
    var names: [String] = []
    var next: SourceSpec? = source
    while let spec = next, names.count < SceneLayer.longestChain, !names.contains(spec.name) {
      names.append(spec.name)
      next = spec.fallback.flatMap { name in configuration.sources.first { $0.name == name } }
    }
    return names.count
  }

  // MARK: Places and groups

  /// A watched folder need not be there yet. What is there must be a folder.
  private var media: [Note] {
    var notes = configuration.media.watch.compactMap { path -> Note? in
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFDIR else { return nil }
      return Note(
        severity: .error, near: .key("media.watch"),
        text: "media.watch: \(path) is not a folder; give one below which media are mounted")
    }
    if !configuration.media.watch.isEmpty, !PathTrust.isEnforced {
      notes.append(
        Note(
          severity: .error, near: .key("media.watch"),
          text: "media.watch: packs on media are opened by openat2, which needs Linux 5.6"))
    }
    return notes
  }

  private var state: [Note] {
    guard let path = configuration.state.path else { return [] }
    guard let reason = Self.whyNoFile(path) else { return [] }
    return [
      Note(
        severity: .error, near: .key("state.path"),
        text: "state.path: \(path): \(reason); give a file in a folder that is there, or \"\"")
    ]
  }

  /// Why no file can be written at `path`; nil if one can. At the default path a missing folder
  /// is no reason: the unit makes it.
  private static func whyNoFile(_ path: String) -> String? {
    var info = stat()
    if stat(path, &info) == 0 {
      return info.st_mode & S_IFMT == S_IFREG ? nil : "exists but is not a regular file"
    }
    if path == Configuration().state.path { return nil }
    let folder = Paths.directory(of: path)
    guard stat(folder, &info) == 0 else { return "the folder \(folder) does not exist" }
    return info.st_mode & S_IFMT == S_IFDIR ? nil : "\(folder) is not a folder"
  }

  private var control: [Note] {
    let group = configuration.control.group
    do throws(ListenError) {
      _ = try ControlListener.groupID(group)
      return []
    } catch {
      return [Note(severity: .error, near: .key("control.group"), text: "control.group: \(error)")]
    }
  }
}
