/// A value of the style language.
public enum StyleValue: Sendable, Hashable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// Text.
  case string(String)
  /// A colour.
  case color(StyleColor)
  /// Text with looks.
  case formatted(FormattedText)
  /// The name of an image in the sprite sheet.
  case image(String)
  /// A list.
  case array([StyleValue])
  /// A dictionary.
  case object([String: StyleValue])
}
