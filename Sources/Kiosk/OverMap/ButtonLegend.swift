import Configuration
import Drawing
import MapOverlays
import MapScene
import Pixels
import Words

/// Short descriptions of what the configured buttons, dials, chords and keys do, in their order,
/// and what touching them does.
struct ButtonLegend {
  typealias Item = HudContent.LegendItem

  /// What a finger on a slot does: the same as the button would.
  struct Touch: Equatable {
    var press: Action
    var hold = Configuration.Gpio.Hold.nothing
  }

  private(set) var items: [Item] = []
  /// For each item; nil: it has two directions, like a dial.
  private(set) var touches: [Touch?] = []

  init(_ configuration: Configuration, _ words: Words) {
    func face(of action: Action, _ words: Words) -> (Pictogram, String)? {
      guard case .overlayToggle(let name) = action,
        let overlay = configuration.overlays.first(where: { $0.name == name })
      else { return ButtonLegend.face(of: action, words) }
      // An overlay is called as on the map's key.
      let title = overlay.title(in: words.language) ?? OverlayTitle.readable(name)
      return (.layers, title.isEmpty ? name : title)
    }
    let gpio = configuration.gpio
    // Each button has its slot, so the legend's row matches the row of buttons.
    for button in gpio.buttons {
      let hold: (Pictogram, String)? =
        if case .action(let action) = button.hold { face(of: action, words) } else { nil }
      let below = hold.map { words(.holdFor, $0.1) } ?? ""
      let touch = Touch(press: button.action, hold: button.hold)
      if let (icon, text) = face(of: button.action, words) {
        add(Item(icon: icon, text: text, below: below), touch)
      } else {
        add(Item(icon: hold?.0, text: below), touch)
      }
    }
    for encoder in gpio.encoders {
      if let item = ButtonLegend.turns(encoder, words, face) { add(item, nil) }
    }
    for chord in gpio.chords {
      guard let (icon, text) = face(of: chord.action, words) else { continue }
      // The public knows buttons by what they do. Other lines have no name for it.
      let names = chord.lines.compactMap { line in
        gpio.buttons.first { $0.line == line }.flatMap { face(of: $0.action, words)?.1 }
      }
      let below = names.count == chord.lines.count ? names.joined(separator: " + ") : ""
      add(Item(icon: icon, text: text, below: below), Touch(press: chord.action))
    }
    for key in configuration.input.keys {
      guard let (icon, text) = face(of: key.action, words) else { continue }
      let name = ButtonLegend.name(ofKey: key.key)
      // A key "Up" that moves up needs no description.
      let hold: Configuration.Gpio.Hold = key.action.repeats ? .repeating : .nothing
      add(
        Item(icon: icon, text: text, below: text == name ? "" : name),
        Touch(press: key.action, hold: hold))
    }
    // A row of buttons that do nothing tells nothing.
    if items.allSatisfy(\.text.isEmpty) { (items, touches) = ([], []) }
  }

  private mutating func add(_ item: Item, _ touch: Touch?) {
    items.append(item)
    touches.append(touch)
  }

  /// What turning a dial does.
  private static func turns(
    _ encoder: Configuration.Gpio.Encoder, _ words: Words,
    _ face: (Action, Words) -> (Pictogram, String)?
  ) -> Item? {
    let pair: Set = [encoder.clockwise, encoder.counterclockwise]
    if pair == [.zoomIn, .zoomOut] {
      return Item(icon: .rotateRight, text: words(.turnForZoom))
    }
    if pair == [.rotateLeft, .rotateRight] {
      return Item(icon: .rotateRight, text: words(.turnToTurn))
    }
    if pair == [.sourceNext, .sourcePrevious] {
      return Item(icon: .rotateRight, text: words(.turnForMap))
    }
    let left = face(encoder.counterclockwise, words).map { words(.turnLeftFor, $0.1) }
    let right = face(encoder.clockwise, words).map { words(.turnRightFor, $0.1) }
    let both = [left, right].compactMap { $0 }
    guard let first = both.first else { return nil }
    return Item(
      icon: left == nil ? .rotateRight : .rotateLeft, text: first,
      below: both.count > 1 ? both[1] : "")
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
    case .selectNext: turned(.nextPlace, .nextPlaceLeftward, words(.selectNext))
    case .back: turned(.back, .backRightward, words(.back))
    default: word(for: action).map { ($0, words($1)) }
    }
  }

  /// A text with the picture for its direction: what comes next is where a text in the language
  /// goes on, and back is where it began. Arrows that move or turn the map never depend on the
  /// language.
  private static func turned(
    _ rightward: Pictogram, _ leftward: Pictogram, _ text: String
  ) -> (Pictogram, String) {
    (TextDirection(of: text) == .rightToLeft ? leftward : rightward, text)
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
    case .mapKey: (.key, .mapKey)
    case .languageNext: (.language, .languageNext)
    case .sleep: (.power, .sleep)
    case .none, .source, .overlayToggle, .selectNext, .back: nil
    }
  }
}
