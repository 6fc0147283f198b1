import Configuration
import Drawing
import MapOverlays
import MapScene
import Pixels

/// Short descriptions of what the configured buttons, dials, chords and keys do, in their order.
enum ButtonLegend {
  static func items(_ configuration: Configuration) -> [HudContent.LegendItem] {
    var items: [HudContent.LegendItem] = []
    func add(_ action: Action, _ form: (String) -> String = { $0 }) {
      guard let (icon, text) = face(of: action) else { return }
      items.append(HudContent.LegendItem(icon: icon, text: form(text)))
    }
    let gpio = configuration.gpio
    for button in gpio.buttons {
      add(button.action)
      if case .action(let hold) = button.hold { add(hold) { "Hold: \($0)" } }
    }
    for encoder in gpio.encoders {
      let pair: Set = [encoder.clockwise, encoder.counterclockwise]
      if pair == [.zoomIn, .zoomOut] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: "Turn: zoom"))
      } else if pair == [.rotateLeft, .rotateRight] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: "Turn: turn the map"))
      } else if pair == [.sourceNext, .sourcePrevious] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: "Turn: map"))
      } else {
        add(encoder.counterclockwise) { "Turn left: \($0)" }
        add(encoder.clockwise) { "Turn right: \($0)" }
      }
    }
    for chord in gpio.chords {
      // Buttons by their position in the row, other lines by their names.
      let names = chord.lines.map { line in
        gpio.buttons.firstIndex { $0.line == line }.map { String($0 + 1) } ?? line.shown
      }
      add(chord.action) { "\(names.joined(separator: " + ")): \($0)" }
    }
    for key in configuration.input.keys {
      let name = name(ofKey: key.key)
      // A key "Up" that moves up needs no description.
      add(key.action) { $0 == name ? name : "\(name): \($0)" }
    }
    return items
  }

  /// A key's name for people: "Volumeup" for "KEY_VOLUMEUP".
  static func name(ofKey key: String) -> String {
    let plain = key.split(separator: "_").dropFirst().joined(separator: " ")
    return plain.prefix(1) + plain.dropFirst().lowercased()
  }

  /// The picture and the text of an action; nil: it has none.
  static func face(of action: Action) -> (Pictogram, String)? {
    switch action {
    case .panLeft: (.left, "Left")
    case .panRight: (.right, "Right")
    case .panUp: (.up, "Up")
    case .panDown: (.down, "Down")
    case .zoomIn: (.plus, "Zoom in")
    case .zoomOut: (.minus, "Zoom out")
    case .home: (.home, "Home")
    case .sourceNext: (.layers, "Next map")
    case .sourcePrevious: (.layers, "Previous map")
    case .source(let name): (.layers, name)
    case .overlayToggle(let name): (.layers, name)
    case .themeToggle: (.moon, "Day or night")
    case .follow: (.target, "Follow")
    case .rotateLeft: (.rotateLeft, "Turn left")
    case .rotateRight: (.rotateRight, "Turn right")
    case .northUp: (.north, "North up")
    case .select: (.select, "Select")
    case .sleep: (.power, "Sleep")
    case .none: nil
    }
  }
}
