import Configuration
import Drawing
import MapOverlays
import MapScene
import Pixels
import Words

/// Short descriptions of what the configured buttons, dials, chords and keys do, in their order.
enum ButtonLegend {
  static func items(_ configuration: Configuration, _ words: Words) -> [HudContent.LegendItem] {
    var items: [HudContent.LegendItem] = []
    func add(_ action: Action, _ form: (String) -> String = { $0 }) {
      guard let (icon, text) = face(of: action, words) else { return }
      items.append(HudContent.LegendItem(icon: icon, text: form(text)))
    }
    let gpio = configuration.gpio
    for button in gpio.buttons {
      add(button.action)
      if case .action(let hold) = button.hold { add(hold) { words(.holdFor, $0) } }
    }
    for encoder in gpio.encoders {
      let pair: Set = [encoder.clockwise, encoder.counterclockwise]
      if pair == [.zoomIn, .zoomOut] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: words(.turnForZoom)))
      } else if pair == [.rotateLeft, .rotateRight] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: words(.turnToTurn)))
      } else if pair == [.sourceNext, .sourcePrevious] {
        items.append(HudContent.LegendItem(icon: .rotateRight, text: words(.turnForMap)))
      } else {
        add(encoder.counterclockwise) { words(.turnLeftFor, $0) }
        add(encoder.clockwise) { words(.turnRightFor, $0) }
      }
    }
    for chord in gpio.chords {
      // Buttons by their position in the row, other lines by their names.
      let names = chord.lines.map { line in
        gpio.buttons.firstIndex { $0.line == line }.map { String($0 + 1) } ?? line.shown
      }
      add(chord.action) { words(.buttonsFor, $0, names.joined(separator: " + ")) }
    }
    for key in configuration.input.keys {
      let name = name(ofKey: key.key)
      // A key "Up" that moves up needs no description.
      add(key.action) { $0 == name ? name : words(.buttonsFor, $0, name) }
    }
    return items
  }

  /// A key's name for people: "Volumeup" for "KEY_VOLUMEUP".
  static func name(ofKey key: String) -> String {
    let plain = key.split(separator: "_").dropFirst().joined(separator: " ")
    return plain.prefix(1) + plain.dropFirst().lowercased()
  }

  /// The picture and the text of an action; nil: it has none.
  static func face(of action: Action, _ words: Words) -> (Pictogram, String)? {
    switch action {
    case .source(let name), .overlayToggle(let name): (.layers, name)
    default: word(for: action).map { ($0, words($1)) }
    }
  }

  private static func word(for action: Action) -> (Pictogram, Word)? {
    switch action {
    case .panLeft: (.left, .left)
    case .panRight: (.right, .right)
    case .panUp: (.up, .up)
    case .panDown: (.down, .down)
    case .zoomIn: (.plus, .zoomIn)
    case .zoomOut: (.minus, .zoomOut)
    case .home: (.home, .home)
    case .sourceNext: (.layers, .nextMap)
    case .sourcePrevious: (.layers, .previousMap)
    case .themeToggle: (.moon, .dayOrNight)
    case .follow: (.target, .follow)
    case .rotateLeft: (.rotateLeft, .turnLeft)
    case .rotateRight: (.rotateRight, .turnRight)
    case .northUp: (.north, .northUp)
    case .select: (.select, .select)
    case .selectNext: (.right, .selectNext)
    case .back: (.back, .back)
    case .mapKey: (.key, .mapKey)
    case .languageNext: (.language, .languageNext)
    case .sleep: (.power, .sleep)
    case .none, .source, .overlayToggle: nil
    }
  }
}
