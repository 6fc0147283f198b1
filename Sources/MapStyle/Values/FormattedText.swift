/// Text with sections of their own size, font and colour (`format` in the style language).
public struct FormattedText: Sendable, Hashable {
  /// Where a section stands on a line that has taller ones.
  public enum VerticalAlignment: String, Sendable, Hashable {
    /// On the line's lower edge.
    case bottom
    /// In the middle of the line.
    case center
    /// At the line's upper edge.
    case top
  }

  /// A part of the text, or an image in it.
  public struct Section: Sendable, Hashable {
    /// The text; empty for an image.
    public var text: String
    /// The image's name in the sprite sheet.
    public var image: String?
    /// The size as a multiple of `text-size`.
    public var scale: Double?
    /// The font stack.
    public var font: [String]?
    /// The colour.
    public var color: StyleColor?
    /// Where a smaller section stands on the line.
    public var alignment: VerticalAlignment?

    /// Creates a section of text.
    public init(
      _ text: String, image: String? = nil, scale: Double? = nil, font: [String]? = nil,
      color: StyleColor? = nil, alignment: VerticalAlignment? = nil
    ) {
      self.text = text
      self.image = image
      self.scale = scale
      self.font = font
      self.color = color
      self.alignment = alignment
    }
  }

  /// The sections in order.
  public var sections: [Section]
  /// The whole text without its sections' looks.
  public var plain: String { sections.map(\.text).joined() }

  /// Creates a text of sections.
  public init(sections: [Section]) { self.sections = sections }

  /// Creates a text of one plain section, or of none if `text` is empty.
  public init(_ text: String) { sections = text.isEmpty ? [] : [Section(text)] }
}
