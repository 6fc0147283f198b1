import Configuration

/// What the configured lines are for. Each line is requested once, however often it is used, and is
/// identified by its index in `lines`.
struct GPIOPlan {
  struct Line: Equatable {
    var line: Configuration.Gpio.Line
    /// Whether to debounce it. Encoders need every edge at once, and their decoder ignores bounce.
    var isDebounced: Bool
  }

  struct Encoder: Equatable {
    var first: Int
    var second: Int
    var origin: String
    var clockwise: Action
    var counterclockwise: Action
  }

  private(set) var lines: [Line] = []
  private(set) var buttons: [(Int, ButtonMachine<Int>.Button)] = []
  private(set) var chords: [ButtonMachine<Int>.Chord] = []
  private(set) var encoders: [Encoder] = []

  init(_ gpio: Configuration.Gpio) {
    for encoder in gpio.encoders where encoder.lines.count == 2 {
      encoders.append(
        Encoder(
          first: index(encoder.lines[0], debounced: false),
          second: index(encoder.lines[1], debounced: false), origin: Self.origin(encoder.lines),
          clockwise: encoder.clockwise, counterclockwise: encoder.counterclockwise))
    }
    for button in gpio.buttons {
      let at = index(button.line, debounced: true)
      buttons.append(
        (
          at,
          ButtonMachine.Button(
            origin: Self.origin([button.line]), action: button.action, hold: button.hold,
            holdAfter: nanoseconds(button.holdAfter))
        ))
    }
    for chord in gpio.chords {
      let members = chord.lines.map { index($0, debounced: true) }
      chords.append(
        ButtonMachine.Chord(
          origin: Self.origin(chord.lines), members: members, action: chord.action))
    }
  }

  private mutating func index(_ line: Configuration.Gpio.Line, debounced: Bool) -> Int {
    if let known = lines.firstIndex(where: { $0.line == line }) { return known }
    lines.append(Line(line: line, isDebounced: debounced))
    return lines.count - 1
  }

  /// The name of one or several lines: "gpio 17", "gpio GPIO17", "gpio 17+27".
  static func origin(_ lines: [Configuration.Gpio.Line]) -> String {
    let names = lines.map { line in
      switch line {
      case .offset(let offset): String(offset)
      case .named(let name): name
      }
    }
    return "gpio " + names.joined(separator: "+")
  }
}
