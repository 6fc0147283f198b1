/// How a `background` layer is drawn.
public final class BackgroundStyle: Sendable {
  /// `background-color`; black.
  public let color: StyleProperty<StyleColor>
  /// `background-opacity`, 0 ... 1; 1.
  public let opacity: StyleProperty<Double>
  /// `background-pattern`: an image's name; none.
  public let pattern: StyleProperty<String?>

  init(_ reader: inout LayerReader) {
    color = reader.color("background-color", .black, .zoom)
    opacity = reader.number("background-opacity", 1, .zoom)
    pattern = reader.image("background-pattern", .zoom)
  }
}

/// How a `fill` layer is drawn, and a `fill-extrusion` layer, flat.
public final class FillStyle: Sendable {
  /// `fill-antialias`; true. If false there is no outline either.
  public let antialias: StyleProperty<Bool>
  /// `fill-color`; black.
  public let color: StyleProperty<StyleColor>
  /// `fill-opacity`, 0 ... 1; 1.
  public let opacity: StyleProperty<Double>
  /// `fill-outline-color`: the colour of a line of one pixel around each area; nil: the fill's.
  public let outlineColor: StyleProperty<StyleColor?>
  /// `fill-translate` in points; none.
  public let translate: StyleProperty<StyleOffset>
  /// `fill-translate-anchor`; the map.
  public let translateAnchor: StyleProperty<StyleTranslateAnchor>
  /// `fill-pattern`: an image's name; none.
  public let pattern: StyleProperty<String?>
  /// `fill-sort-key`: higher ones are drawn later; none.
  public let sortKey: StyleProperty<Double?>

  init(_ reader: inout LayerReader) {
    antialias = reader.flag("fill-antialias", true, .zoom)
    color = reader.color("fill-color", .black, .feature)
    opacity = reader.number("fill-opacity", 1, .feature)
    outlineColor = reader.optionalColor("fill-outline-color", .feature)
    translate = reader.offset("fill-translate", .zoom)
    translateAnchor = reader.translateAnchor("fill-translate-anchor")
    pattern = reader.image("fill-pattern", .feature)
    sortKey = reader.sortKey("fill-sort-key")
  }

  /// An extrusion, drawn flat: heights and the light are left out.
  init(extrusion reader: inout LayerReader) {
    antialias = StyleProperty(constant: true, isSet: false)
    color = reader.color("fill-extrusion-color", .black, .feature)
    opacity = reader.number("fill-extrusion-opacity", 1, .zoom)
    outlineColor = StyleProperty(constant: nil, isSet: false)
    translate = reader.offset("fill-extrusion-translate", .zoom)
    translateAnchor = reader.translateAnchor("fill-extrusion-translate-anchor")
    pattern = reader.image("fill-extrusion-pattern", .feature)
    sortKey = StyleProperty(constant: nil, isSet: false)
    reader.ignore(["fill-extrusion-base", "fill-extrusion-vertical-gradient"])
    reader.expect("fill-extrusion-height", .number(0), "is not drawn: the areas are flat")
  }
}

/// How a `circle` layer is drawn.
public final class CircleStyle: Sendable {
  /// `circle-radius` in points; 5.
  public let radius: StyleProperty<Double>
  /// `circle-color`; black.
  public let color: StyleProperty<StyleColor>
  /// `circle-blur` as a share of the radius; 0.
  public let blur: StyleProperty<Double>
  /// `circle-opacity`, 0 ... 1; 1.
  public let opacity: StyleProperty<Double>
  /// `circle-translate` in points; none.
  public let translate: StyleProperty<StyleOffset>
  /// `circle-translate-anchor`; the map.
  public let translateAnchor: StyleProperty<StyleTranslateAnchor>
  /// `circle-stroke-width` in points, outside the radius; 0.
  public let strokeWidth: StyleProperty<Double>
  /// `circle-stroke-color`; black.
  public let strokeColor: StyleProperty<StyleColor>
  /// `circle-stroke-opacity`, 0 ... 1; 1.
  public let strokeOpacity: StyleProperty<Double>
  /// `circle-sort-key`: higher ones are drawn later; none.
  public let sortKey: StyleProperty<Double?>

  init(_ reader: inout LayerReader) {
    radius = reader.number("circle-radius", 5, .feature)
    color = reader.color("circle-color", .black, .feature)
    blur = reader.number("circle-blur", 0, .feature)
    opacity = reader.number("circle-opacity", 1, .feature)
    translate = reader.offset("circle-translate", .zoom)
    translateAnchor = reader.translateAnchor("circle-translate-anchor")
    strokeWidth = reader.number("circle-stroke-width", 0, .feature)
    strokeColor = reader.color("circle-stroke-color", .black, .feature)
    strokeOpacity = reader.number("circle-stroke-opacity", 1, .feature)
    sortKey = reader.sortKey("circle-sort-key")
    // Without a pitch both come to the same.
    reader.ignore(["circle-pitch-scale", "circle-pitch-alignment"])
  }
}
