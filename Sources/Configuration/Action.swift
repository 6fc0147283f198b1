import Platform

/// What a button, a key or `press` does.
public enum Action: Sendable, Hashable, CustomStringConvertible {
  case panLeft, panRight, panUp, panDown
  case zoomIn, zoomOut
  case home
  case sourceNext, sourcePrevious
  /// Makes the source with this name the base map.
  case source(String)
  /// Shows the overlay with this name if it is hidden, else hides it.
  case overlayToggle(String)
  case themeToggle
  case follow
  case rotateLeft, rotateRight, northUp
  /// Opens what `selectNext` chose, else the next marker around the centre.
  case select
  /// Moves the focus to the next thing on the screen that `select` can open.
  case selectNext
  /// Closes what was opened last; with nothing open, as `home`.
  case back
  /// Shows or hides the key of what is on the map.
  case mapKey
  /// Shows the words, names and texts in the next language of `hud.languages`.
  case languageNext
  case sleep
  case none

  private static let plain: [(String, Action)] = [
    ("pan-left", .panLeft), ("pan-right", .panRight), ("pan-up", .panUp), ("pan-down", .panDown),
    ("zoom-in", .zoomIn), ("zoom-out", .zoomOut), ("home", .home), ("source-next", .sourceNext),
    ("source-previous", .sourcePrevious), ("theme-toggle", .themeToggle), ("follow", .follow),
    ("rotate-left", .rotateLeft), ("rotate-right", .rotateRight), ("north-up", .northUp),
    ("select", .select), ("select-next", .selectNext), ("back", .back), ("map-key", .mapKey),
    ("language-next", .languageNext), ("sleep", .sleep), ("none", .none),
  ]

  /// All spellings, for messages. The two that take a name appear as "source:NAME" and
  /// "overlay-toggle:NAME".
  public static let allNames = plain.map(\.0) + ["source:NAME", "overlay-toggle:NAME"]

  /// The action that `text` spells, such as "pan-left" or "source:topo"; nil if there is none.
  /// Whether the named source or overlay exists is not checked.
  public init?(_ text: String) {
    if let found = Action.plain.first(where: { $0.0 == text }) {
      self = found.1
    } else if text.hasPrefix("source:"), text.utf8.count > 7 {
      self = .source(String(text.dropFirst(7)))
    } else if text.hasPrefix("overlay-toggle:"), text.utf8.count > 15 {
      self = .overlayToggle(String(text.dropFirst(15)))
    } else {
      return nil
    }
  }

  /// The spelling in the configuration: "pan-left", "source:topo". `init(_:)` reads it back.
  public var description: String {
    switch self {
    case .source(let name): "source:\(name)"
    case .overlayToggle(let name): "overlay-toggle:\(name)"
    default: Action.plain.first { $0.1 == self }?.0 ?? "none"
    }
  }

  /// Whether holding the button repeats the action when the configuration does not say: true for
  /// pans and zooms.
  public var repeats: Bool {
    switch self {
    case .panLeft, .panRight, .panUp, .panDown, .zoomIn, .zoomOut: true
    default: false
    }
  }

  /// What would be right instead of a text that is no action.
  ///
  /// - Parameter text: The text; nil if it was none.
  /// - Returns: The nearest name, if one is near, and all names.
  public static func advice(for text: String?) -> String {
    let nearest = text.flatMap { NearestName.closest(to: $0, in: allNames) }
    return (nearest.map { "perhaps \"\($0)\"; " } ?? "") + "one of "
      + allNames.joined(separator: ", ")
  }
}
