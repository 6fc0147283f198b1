/// `[gpio]` and `[input]`: buttons, chords, encoders and keys.
extension ConfigurationReader {
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
    t.tables("button", upTo: Configuration.Gpio.mostLines) { t in
      if let button = button(t, &users) { buttons.append(button) }
    }
    t.tables("chord", upTo: Configuration.Gpio.mostLines) { t in
      if let chord = chord(t, &users) { chords.append(chord) }
    }
    t.tables("encoder", upTo: Configuration.Gpio.mostLines) { t in
      if let encoder = encoder(t, &users) { encoders.append(encoder) }
    }
    (g.buttons, g.encoders, g.chords) = (buttons, encoders, chords)
  }

  private static func button(
    _ t: TableReader, _ users: inout LineUsers
  ) -> Configuration.Gpio.Button? {
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
    guard let line, let action, let hold else { return nil }
    users.add(line, "a button's", t.place("line"))
    var button = Configuration.Gpio.Button(line: line, action: action, hold: hold)
    if let after { button.holdAfter = after }
    return button
  }

  private static func chord(
    _ t: TableReader, _ users: inout LineUsers
  ) -> Configuration.Gpio.Chord? {
    let lines = t.read("lines", "a list of two or more different lines") {
      $0.gpioLines.flatMap { $0.count >= 2 && Set($0).count == $0.count ? $0 : nil }
    }
    let action = action(t, "action")
    require(t, ["lines", "action"])
    guard let lines, let action else { return nil }
    for line in lines { users.add(line, "a chord's", t.place("lines")) }
    return Configuration.Gpio.Chord(lines: lines, action: action)
  }

  private static func encoder(
    _ t: TableReader, _ users: inout LineUsers
  ) -> Configuration.Gpio.Encoder? {
    let lines = t.read("lines", "a list of two different lines") {
      $0.gpioLines.flatMap { $0.count == 2 && $0[0] != $0[1] ? $0 : nil }
    }
    let clockwise = action(t, "clockwise")
    let counterclockwise = action(t, "counterclockwise")
    require(t, ["lines", "clockwise", "counterclockwise"])
    guard let lines, let clockwise, let counterclockwise else { return nil }
    for line in lines {
      if let user = users.of(line, beside: t.origin), let value = t.value("lines") {
        t.wrong(
          "lines", value, "line \(line.shown) is \(user); an encoder needs two lines of its own")
      }
      users.add(line, "an encoder's", t.place("lines"))
    }
    return Configuration.Gpio.Encoder(
      lines: lines, clockwise: clockwise, counterclockwise: counterclockwise)
  }

  static func input(_ i: inout Configuration.Input, _ t: TableReader) {
    var keys = i.keys
    if let evdev = t.read("evdev", "true or false", { $0.boolean }) { i.evdev = evdev }
    t.set(&i.grab, "grab")
    i.touchRotation = t.read("touch_rotation", Expected.rotation) { $0.rotation }
    t.tables("key", upTo: Configuration.Input.mostKeys) { t in
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

/// Records which part uses which GPIO line, as lines cannot be shared.
private struct LineUsers {
  private var users: [Configuration.Gpio.Line: (who: String, place: ConfigValue.Origin)] = [:]

  mutating func add(
    _ line: Configuration.Gpio.Line, _ who: String, _ place: ConfigValue.Origin
  ) {
    if users[line] == nil { users[line] = (who, place) }
  }

  /// "a button's in line 3", with the file's name if it is not `origin`'s.
  func of(_ line: Configuration.Gpio.Line, beside origin: ConfigValue.Origin) -> String? {
    users[line].map { user in
      "\(user.who) in line \(user.place.line)"
        + (user.place.file == origin.file ? "" : " of \(user.place.file)")
    }
  }
}

extension Configuration.Gpio.Line {
  /// The line as it is written in the configuration, for its findings: 17, "GPIO17".
  public var shown: String {
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
