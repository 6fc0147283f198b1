/// The colours of a label.
enum LabelInk: Hashable {
  /// The colour of what it names.
  case own(UInt32)
  /// Those of words over a light part of the map, and over a dark one.
  case onLight, onDark
}

/// When a map is dark enough for light words.
public enum DarkGround {
  /// Below this lightness words become light, above the other one dark again, 0 ... 255. Between
  /// them they stay as they are.
  private static let dark = 88
  private static let light = 112
  /// The same in the red theme, where pure red has a lightness of 54.
  private static let darkRed = 34
  private static let lightRed = 40

  /// Whether words are to be light.
  ///
  /// - Parameters:
  ///   - light: How light the ground is, 0 (black) ... 255 (white).
  ///   - isDark: Whether they are light now.
  ///   - kind: The theme.
  /// - Returns: Whether they are to be light.
  public static func isDark(_ light: Int, was isDark: Bool, in kind: PictureTheme.Kind) -> Bool {
    if kind == .red { return light < (isDark ? lightRed : darkRed) }
    return light < (isDark ? DarkGround.light : dark)
  }
}

/// Which labels on the map are light and which are dark. The choice is made while the view rests.
///
/// Until then a label follows the map as a whole. Nothing is chosen while the map moves, so that
/// labels do not flicker.
struct LabelInks {
  /// More words than this are forgotten.
  private static let most = 4096

  private var onDark: [LabelMemory.Key: Bool] = [:]

  /// Whether something was chosen for a word.
  func isKnown(_ key: LabelMemory.Key) -> Bool { onDark[key] != nil }

  /// The colours of a word.
  func ink(of key: LabelMemory.Key, _ painter: SpritePainter) -> LabelInk {
    let known = onDark.isEmpty ? nil : onDark[key]
    return known ?? painter.isGroundDark ? .onDark : .onLight
  }

  /// Chooses for a word over ground of this lightness. Returns whether that is a change.
  mutating func choose(
    _ key: LabelMemory.Key, _ light: Int, _ painter: SpritePainter
  ) -> Bool {
    let known = onDark[key]
    let before = known ?? painter.isGroundDark
    let now = DarkGround.isDark(light, was: before, in: painter.theme.kind)
    if known == nil, onDark.count >= LabelInks.most { onDark.removeAll(keepingCapacity: true) }
    if known != now { onDark[key] = now }
    return now != before
  }
}
