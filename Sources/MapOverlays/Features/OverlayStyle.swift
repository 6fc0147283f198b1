import Features

/// The style of an overlay where its features set none, and the theme's change to all colours.
public struct OverlayStyle: Sendable {
  /// The colour of lines, 0xAARRGGBB, not premultiplied; nil: the default.
  public var stroke: UInt32?
  /// The width of lines in points; nil: the default.
  public var strokeWidth: Double?
  /// The colour of areas, 0xAARRGGBB, not premultiplied; nil: the default.
  public var fill: UInt32?
  /// Whether all features are drawn as closed.
  public var isClosed = false
  /// The line under lines.
  public var casing = Casing.none
  /// The lengths of dashes and gaps along lines in points, beginning with a dash; empty: none.
  public var dash: [Double] = []
  /// Changes every colour (0xAARRGGBB, not premultiplied) before it is drawn.
  public var transform: (@Sendable (UInt32) -> UInt32)?

  /// Creates a style. Nil leaves a property to the default, and colours unchanged.
  public init(
    stroke: UInt32? = nil, strokeWidth: Double? = nil, fill: UInt32? = nil,
    transform: (@Sendable (UInt32) -> UInt32)? = nil
  ) {
    self.stroke = stroke
    self.strokeWidth = strokeWidth
    self.fill = fill
    self.transform = transform
  }

  /// The line under a line, `casingWidth` points wider in all. It sets the line apart from the map.
  public enum Casing: Sendable, Equatable {
    /// There is none.
    case none
    /// Lines of at least `leastCased` points have one in the theme's colour; outlines of areas have
    /// none.
    case theme
    /// All lines and outlines have one in this colour, 0xAARRGGBB, not premultiplied.
    case color(UInt32)
  }

  /// How much wider a casing is than its line, in points.
  public static let casingWidth = 3.0
  /// The width in points from which lines have a casing of the theme. Crowds of thinner ones, like
  /// contours, would hide the map.
  public static let leastCased = 2.0

  /// The default colour of lines, a strong red that stands out from roads, woods and water.
  public static let defaultStroke: UInt32 = 0xFFC0_392B
  /// The default width of lines in points.
  public static let defaultStrokeWidth = 2.0
  /// The colour of what is closed, and the least width of a closed line in points.
  public static let closed = PictureTheme.day.accent
  static let closedWidth = 3.0
  static let closedDash = [3.0, 5]
  /// The default opacity of areas, 0 ... 255, low enough to read the map beneath.
  public static let defaultFillAlpha: UInt32 = 0x33
}

/// A feature's complete style. Colours are 0xAARRGGBB, lengths are in points.
struct DrawnStyle: Equatable, Sendable {
  var stroke: UInt32
  var strokeWidth: Double
  var fill: UInt32
  var marker: UInt32
  /// The rim around a point's disc.
  var markerRim: UInt32
  var markerRadius: Double
  /// The line under the line.
  var casing: OverlayStyle.Casing
  /// Dashes and gaps, in points.
  var dash: [Double]
  /// Which parts of lines are drawn.
  var lines: FeatureStyle.Lines
  /// Whether people may not go there now.
  var isClosed = false

  /// Each property is the feature's own, else the overlay's, else the default.
  init(_ own: FeatureStyle, _ overlay: OverlayStyle) {
    func color(_ rgb: UInt32?, _ opacity: Float?, _ other: UInt32, _ ownAlpha: Float) -> UInt32 {
      var color = other
      if let rgb { color = rgb & 0xFF_FFFF | alpha(ownAlpha) << 24 }
      if let opacity { color = color & 0xFF_FFFF | alpha(opacity) << 24 }
      return color
    }
    func alpha(_ part: Float) -> UInt32 { UInt32((min(max(part, 0), 1) * 255).rounded()) }
    let overlayStroke = overlay.stroke ?? OverlayStyle.defaultStroke
    // An area without a fill is filled in the colour of its outline.
    let plainFill =
      (own.stroke ?? overlayStroke) & 0xFF_FFFF | OverlayStyle.defaultFillAlpha << 24
    let change = overlay.transform ?? { $0 }
    // simplestyle-spec 1.1.0: fill-opacity is 0.6 if only a fill is given.
    stroke = change(color(own.stroke, own.strokeOpacity, overlayStroke, 1))
    fill = change(color(own.fill, own.fillOpacity, overlay.fill ?? plainFill, 0.6))
    strokeWidth =
      own.strokeWidth.map { Double($0) } ?? overlay.strokeWidth
      ?? OverlayStyle.defaultStrokeWidth
    strokeWidth = min(max(strokeWidth, 0), 100)
    marker = change(
      (own.markerColor ?? own.stroke).map { $0 & 0xFF_FFFF | 0xFF00_0000 }
        ?? (overlayStroke | 0xFF00_0000))
    markerRim = change(0xFFFF_FFFF)
    markerRadius = 4.5 * Double(own.markerScale ?? 1)
    lines = own.lines
    dash = overlay.dash
    casing = overlay.casing
    if own.isClosed || overlay.isClosed { close(change) }
    // A line in several colours needs its casing to look like one line.
    if lines == .casing, casing == .none { casing = .theme }
    if case .color(let color) = casing { casing = .color(change(color)) }
  }

  /// Takes the look of closed things: short dashes in the accent colour on a casing.
  private mutating func close(_ change: (UInt32) -> UInt32) {
    isClosed = true
    stroke = change(OverlayStyle.closed)
    fill = change(OverlayStyle.closed & 0xFF_FFFF | OverlayStyle.defaultFillAlpha << 24)
    strokeWidth = max(strokeWidth, OverlayStyle.closedWidth)
    dash = OverlayStyle.closedDash
    casing = .theme
  }

  /// Whether lines, or outlines of areas, have a casing.
  func hasCasing(ofAreas: Bool) -> Bool {
    guard lines != .ink, strokeWidth > 0, stroke >> 24 != 0 || lines == .casing else {
      return false
    }
    switch casing {
    case .none: return false
    case .theme:
      return !ofAreas && (strokeWidth >= OverlayStyle.leastCased || lines == .casing)
    case .color(let color): return color >> 24 != 0
    }
  }

  /// How far its drawing reaches beyond its geometry, in points.
  var reach: Double { max(lineReach, markerRadius + DrawnStyle.rimWidth) }

  /// How far a line reaches to each side, in points.
  var lineReach: Double {
    strokeWidth / 2 + (casing == .none ? 0 : OverlayStyle.casingWidth / 2)
  }

  /// The width of the rim around a point's disc, in points.
  static let rimWidth = 1.5
}
