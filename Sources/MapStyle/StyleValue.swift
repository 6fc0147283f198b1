/// A colour of the style language: sRGB, not premultiplied, each channel 0 ... 1.
public struct StyleColor: Sendable, Hashable {
  /// Red, 0 ... 1.
  public var red: Double
  /// Green, 0 ... 1.
  public var green: Double
  /// Blue, 0 ... 1.
  public var blue: Double
  /// Opacity, 0 ... 1.
  public var alpha: Double

  /// Creates a colour of channels 0 ... 1, not premultiplied.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `0xAARRGGBB`, not premultiplied, with the opacity multiplied by `opacity`, 0 ... 1.
  public func word(opacity: Double = 1) -> UInt32 {
    func byte(_ value: Double) -> UInt32 { UInt32((min(max(value, 0), 1) * 255).rounded()) }
    return byte(alpha * opacity) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
  }
}

/// Text with sections of their own size, font and colour (`format` in the style language).
public struct FormattedText: Sendable, Hashable {
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

    /// Creates a section of text.
    public init(
      _ text: String, image: String? = nil, scale: Double? = nil, font: [String]? = nil,
      color: StyleColor? = nil
    ) {
      self.text = text
      self.image = image
      self.scale = scale
      self.font = font
      self.color = color
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

/// What a feature's geometry consists of.
public enum StyleGeometry: Sendable, Hashable {
  /// Not known.
  case unknown
  /// Points.
  case point
  /// Lines.
  case line
  /// Polygons.
  case polygon
}

/// A feature as expressions see it.
public struct StyleFeature: Sendable, Hashable {
  /// What its geometry consists of.
  public var geometry: StyleGeometry
  /// Its id; `.null` if it has none.
  public var id: StyleValue
  /// Its properties, or those of them that the expressions read.
  public var properties: [String: StyleValue]

  /// Creates a feature.
  public init(
    geometry: StyleGeometry = .unknown, id: StyleValue = .null,
    properties: [String: StyleValue] = [:]
  ) {
    self.geometry = geometry
    self.id = id
    self.properties = properties
  }
}
