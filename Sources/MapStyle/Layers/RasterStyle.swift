/// How a `raster` layer is drawn: pictures of a source.
public final class RasterStyle: Sendable {
  /// `raster-opacity`, 0 ... 1; 1.
  public let opacity: StyleProperty<Double>
  /// `raster-hue-rotate` in degrees; 0.
  public let hueRotate: StyleProperty<Double>
  /// `raster-brightness-min`, 0 ... 1: what black becomes; 0.
  public let brightnessMin: StyleProperty<Double>
  /// `raster-brightness-max`, 0 ... 1: what white becomes; 1.
  public let brightnessMax: StyleProperty<Double>
  /// `raster-saturation`, −1 ... 1; 0.
  public let saturation: StyleProperty<Double>
  /// `raster-contrast`, −1 ... 1; 0.
  public let contrast: StyleProperty<Double>
  /// `raster-resampling`; linear.
  public let resampling: StyleProperty<StyleResampling>

  init(_ reader: inout LayerReader) {
    opacity = reader.number("raster-opacity", 1, .zoom)
    hueRotate = reader.number("raster-hue-rotate", 0, .zoom)
    brightnessMin = reader.number("raster-brightness-min", 0, .zoom)
    brightnessMax = reader.number("raster-brightness-max", 1, .zoom)
    saturation = reader.number("raster-saturation", 0, .zoom)
    contrast = reader.number("raster-contrast", 0, .zoom)
    resampling = reader.choice("raster-resampling", .linear, .zoom)
    // Tiles appear at once.
    reader.ignore(["raster-fade-duration"])
  }
}

/// How pictures are enlarged (`raster-resampling`).
public enum StyleResampling: String, StyleChoice {
  /// Softly, between the pixels.
  case linear
  /// As squares of one colour.
  case nearest
}
