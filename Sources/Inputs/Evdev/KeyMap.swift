import CEvdev
import Configuration

/// What each key does: the defaults, and what the configuration adds, replaces or disables.
///
/// Keys have the kernel's codes, which name a place on an American keyboard and not what is printed
/// there.
struct KeyMap {
  private var actions: [UInt16: Action] = [:]

  /// The default keys. Plus shares its key with "=", and has one of its own on the keypad.
  static let usual: [(key: String, action: Action)] = [
    ("KEY_LEFT", .panLeft), ("KEY_RIGHT", .panRight), ("KEY_UP", .panUp), ("KEY_DOWN", .panDown),
    ("KEY_EQUAL", .zoomIn), ("KEY_KPPLUS", .zoomIn),
    ("KEY_MINUS", .zoomOut), ("KEY_KPMINUS", .zoomOut),
    ("KEY_HOME", .home), ("KEY_TAB", .sourceNext),
    ("KEY_ENTER", .select), ("KEY_KPENTER", .select),
  ]

  init(_ configuration: Configuration.Input) {
    for (key, action) in Self.usual { set(key, action) }
    for entry in configuration.keys { set(entry.key, entry.action) }
  }

  private mutating func set(_ name: String, _ action: Action) {
    guard let code = Self.code(of: name) else { return }
    actions[code] = action == .none ? nil : action
  }

  /// The action of a key; nil: it does nothing.
  func action(of code: UInt16) -> Action? { actions[code] }

  /// The codes of the keys that have an action.
  var codes: some Collection<UInt16> { actions.keys }

  /// The kernel's code of a name such as "KEY_LEFT"; nil: there is no such key.
  static func code(of name: String) -> UInt16? {
    UInt16(exactly: libevdev_event_code_from_name(UInt32(EV_KEY), name))
  }

  /// The name of a code, such as "KEY_LEFT"; "key 700" for one without a name.
  static func name(of code: UInt16) -> String {
    libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)).map { String(cString: $0) }
      ?? "key \(code)"
  }

  /// All names of keys.
  static var names: [String] {
    (0...UInt32(KEY_MAX)).compactMap { code in
      libevdev_event_code_get_name(UInt32(EV_KEY), code).map { String(cString: $0) }
    }
  }
}
