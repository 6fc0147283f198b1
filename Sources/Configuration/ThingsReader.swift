import Drawing
import MapGeometry
import Pixels
import Platform
import TileSources

/// Checks one marker as `[[marker]]` of a file or `marker.set` over the socket gives it.
///
/// - Returns: the marker, nil where a finding is an error.
public func parseMarker(_ table: ConfigValue) -> (Configuration.Marker?, [Finding]) {
  let findings = Findings()
  guard let entries = table.table else {
    findings.error("marker = \(table.shown): a table", at: table.origin)
    return (nil, findings.all)
  }
  let reader = TableReader(
    "marker", entries, table.origin, findings, refused: NotInThisVersion.keys)
  let marker = ConfigurationReader(findings: findings).marker(reader)
  reader.finish()
  let bad = findings.all.contains { $0.severity == .error }
  return (bad ? nil : marker, findings.all)
}

/// Overlays, markers, buttons and keys.
extension ConfigurationReader {
  func overlays(_ root: TableReader) -> [Configuration.Overlay] {
    var all: [Configuration.Overlay] = []
    root.tables("overlay") { t in
      if let overlay = overlay(t, isInline: false) { all.append(overlay) }
      if all.count == Configuration.Overlay.maxCount + 1 {
        t.findings.error(
          "overlay: there are more than \(Configuration.Overlay.maxCount); at most so many are "
            + "possible", at: t.origin)
      }
    }
    return all
  }

  /// - Parameter isInline: the features come with the table: it names neither file nor kind.
  func overlay(_ t: TableReader, isInline: Bool) -> Configuration.Overlay? {
    let named = name(t, "name")
    let kind = t.read("kind", "\"grid\"") { $0.string == "grid" ? "grid" : nil }
    let path = t.resolvedPath("path")
    let level = t.choice("level", SourceSpec.Level.self)
    let stroke = t.read("stroke", Expected.color) { $0.color }
    let width = t.number("stroke_width", 0...100, "points")
    let fill = t.read("fill", Expected.color) { $0.color }
    let label = t.text("label", "a property's name")
    let colorBy = t.choice("color_by", Configuration.Overlay.ColorBy.self)
    let minZoom = t.number("min_zoom", 0...24, "a zoom") ?? 0
    let given = (kind == nil ? 0 : 1) + (path == nil ? 0 : 1) + (isInline ? 1 : 0)
    guard given == 1 else {
      if given > 1 || (t.value("kind") == nil && t.value("path") == nil) {
        t.findings.error(
          isInline
            ? "overlay: one of path, geojson and kind, not \(given)"
            : "overlay: one of path and kind = \"grid\"", at: t.origin)
      }
      return nil
    }
    let content: Configuration.Overlay.Content =
      path.map { .file($0) } ?? (isInline ? .geoJSON("") : .grid)
    let fileName = path.map(Paths.stem).flatMap { $0.isEmpty ? nil : $0 }
    guard let name = named ?? fileName ?? (kind == nil ? nil : "grid") else {
      if t.value("name") == nil {
        t.findings.error("overlay: name is missing; only a file gives its own", at: t.origin)
      }
      return nil
    }
    var overlay = Configuration.Overlay(
      name: name, content: content,
      level: level ?? (kind == nil ? .aboveRoads : .aboveLabels))
    overlay.stroke = stroke
    overlay.strokeWidth = width
    overlay.fill = fill
    overlay.label = label
    overlay.colorBy = colorBy
    overlay.minZoom = minZoom
    return overlay
  }

  func markers(_ root: TableReader) -> [Configuration.Marker] {
    var all: [Configuration.Marker] = []
    root.tables("marker") { t in
      guard let marker = marker(t) else { return }
      all.append(marker)
      if all.count == Configuration.Marker.most + 1 {
        t.findings.error(
          "marker: more than \(Configuration.Marker.most); put that many places into an overlay's "
            + "file", at: t.origin)
      }
    }
    return all
  }

  func marker(_ t: TableReader) -> Configuration.Marker? {
    let id = name(t, "id")
    let lat = t.number("lat", -90...90, "degrees")
    let lon = t.number("lon", -540...540, "degrees")
    for key in ["id", "lat", "lon"] where t.value(key) == nil {
      t.findings.error("marker: \(key) is missing; id, lat and lon are required", at: t.origin)
    }
    func words(_ key: String, _ longest: Int) -> String? {
      t.read(key, "a string of at most \(longest) bytes") { value in
        value.string.flatMap { $0.utf8.count <= longest ? $0 : nil }
      }
    }
    let label = words("label", Configuration.Marker.longestLabel)
    let text = words("text", Configuration.Marker.longestText)
    let color = t.read("color", Expected.color) { $0.color }
    var icon: MarkerIcon?
    if let value = t.value("icon") {
      icon = value.string.flatMap(MarkerIcon.init(rawValue:))
      if icon == nil {
        let nearest = value.string.flatMap { NearestName.closest(to: $0, in: MarkerIcon.names) }
        t.wrong(
          "icon", value,
          (nearest.map { "perhaps \"\($0)\"; " } ?? "") + "one of "
            + MarkerIcon.names.joined(separator: ", "))
      }
    }
    guard let id, let lat, let lon else { return nil }
    return Configuration.Marker(
      id: id, place: GeoPoint(lat: lat, lon: lon), label: label, text: text, color: color,
      icon: icon)
  }

  /// A name: not empty, at most 100 bytes, no control characters.
  func name(_ t: TableReader, _ key: String) -> String? {
    t.read(key, "a name of 1 to 100 bytes without control characters") { value in
      guard let text = value.string, (1...100).contains(text.utf8.count), text.escaped == text
      else { return nil }
      return text
    }
  }

  static func gpio(_ g: inout Configuration.Gpio, _ t: TableReader) {
    var (buttons, encoders, chords) = (g.buttons, g.encoders, g.chords)
    var users = LineUsers()
    let chip = t.text("chip", "\"auto\" or a chip's name, label or path")
    g.chip = chip == "auto" ? nil : chip
    t.set(&g.debounce, "debounce", "a duration up to 1s, such as \"8ms\"") {
      $0.string.flatMap(Quantities.duration).flatMap { $0 <= 1 ? $0 : nil }
    }
    t.set(&g.bias, "bias")
    t.set(&g.active, "active")
    t.tables("button") { t in
      let line = t.read("line", Self.lineForm) { $0.gpioLine }
      let action = action(t, "action")
      var hold = action.map { $0.repeats ? Configuration.Gpio.Hold.repeating : .nothing }
      if let value = t.value("hold") {
        switch value.string {
        case "repeat": hold = .repeating
        case "none": hold = .nothing
        case let text?:
          if let other = Action(text) { hold = .action(other) } else { fallthrough }
        default:
          t.wrong("hold", value, "\"repeat\", \"none\" or an action: " + Action.advice(for: nil))
        }
      }
      let after = t.read("hold_after", Expected.duration) { $0.duration }
      require(t, ["line", "action"])
      guard let line, let action, let hold else { return }
      users.add(line, "a button's", t.place("line"))
      var button = Configuration.Gpio.Button(line: line, action: action, hold: hold)
      if let after { button.holdAfter = after }
      buttons.append(button)
    }
    t.tables("chord") { t in
      let lines = t.read("lines", "a list of two or more different lines") {
        $0.gpioLines.flatMap { $0.count >= 2 && Set($0).count == $0.count ? $0 : nil }
      }
      let action = action(t, "action")
      require(t, ["lines", "action"])
      guard let lines, let action else { return }
      for line in lines { users.add(line, "a chord's", t.place("lines")) }
      chords.append(Configuration.Gpio.Chord(lines: lines, action: action))
    }
    t.tables("encoder") { t in
      let lines = t.read("lines", "a list of two different lines") {
        $0.gpioLines.flatMap { $0.count == 2 && $0[0] != $0[1] ? $0 : nil }
      }
      let clockwise = action(t, "clockwise")
      let counterclockwise = action(t, "counterclockwise")
      require(t, ["lines", "clockwise", "counterclockwise"])
      guard let lines, let clockwise, let counterclockwise else { return }
      for line in lines {
        if let user = users.of(line, beside: t.origin), let value = t.value("lines") {
          t.wrong(
            "lines", value, "line \(line.shown) is \(user); an encoder needs two lines of its own")
        }
        users.add(line, "an encoder's", t.place("lines"))
      }
      encoders.append(
        Configuration.Gpio.Encoder(
          lines: lines, clockwise: clockwise, counterclockwise: counterclockwise))
    }
    (g.buttons, g.encoders, g.chords) = (buttons, encoders, chords)
  }

  static func input(_ i: inout Configuration.Input, _ t: TableReader) {
    var keys = i.keys
    if let evdev = t.read("evdev", "true or false", { $0.boolean }) { i.evdev = evdev }
    t.set(&i.grab, "grab")
    i.touchRotation = t.read("touch_rotation", Expected.rotation) { $0.rotation }
    t.tables("key") { t in
      let key = t.read("key", "an input event code's name, such as \"KEY_VOLUMEUP\"") { value in
        value.string.flatMap { text in
          (text.hasPrefix("KEY_") || text.hasPrefix("BTN_")) && text.utf8.count > 4
            && text.utf8.allSatisfy {
              (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
            } ? text : nil
        }
      }
      let action = action(t, "action")
      require(t, ["key", "action"])
      guard let key, let action else { return }
      keys.append(Configuration.Input.Key(key: key, action: action))
    }
    i.keys = keys
  }

  private static let lineForm = "a line's offset (17) or name (\"GPIO17\")"

  private static func action(_ t: TableReader, _ key: String) -> Action? {
    guard let value = t.value(key) else { return nil }
    if let action = value.string.flatMap({ Action($0) }) { return action }
    t.wrong(key, value, Action.advice(for: value.string))
    return nil
  }

  private static func require(_ t: TableReader, _ keys: [String]) {
    for key in keys where t.value(key) == nil {
      t.findings.error("\(t.path): \(key) is missing", at: t.origin)
    }
  }
}

/// Who uses which GPIO line, for what may not share one.
private struct LineUsers {
  private var users: [Configuration.Gpio.Line: (who: String, place: ConfigValue.Origin)] = [:]

  mutating func add(
    _ line: Configuration.Gpio.Line, _ who: String, _ place: ConfigValue.Origin
  ) {
    if users[line] == nil { users[line] = (who, place) }
  }

  /// "a button's in line 3", with the file where that is another one than `origin`'s.
  func of(_ line: Configuration.Gpio.Line, beside origin: ConfigValue.Origin) -> String? {
    users[line].map { user in
      "\(user.who) in line \(user.place.line)"
        + (user.place.file == origin.file ? "" : " of \(user.place.file)")
    }
  }
}

extension Configuration.Gpio.Line {
  fileprivate var shown: String {
    switch self {
    case .offset(let offset): String(offset)
    case .named(let name): "\"\(name)\""
    }
  }
}

extension ConfigValue {
  var gpioLine: Configuration.Gpio.Line? {
    if let offset = integer { return (0...1023).contains(offset) ? .offset(offset) : nil }
    return string.flatMap { $0.isEmpty ? nil : .named($0) }
  }

  var gpioLines: [Configuration.Gpio.Line]? {
    guard let array else { return nil }
    let lines = array.compactMap(\.gpioLine)
    return lines.count == array.count ? lines : nil
  }
}
