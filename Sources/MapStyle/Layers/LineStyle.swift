/// How a `line` layer is drawn.
public final class LineStyle: Sendable {
  /// `line-cap`; butt.
  public let cap: StyleProperty<StyleLineCap>
  /// `line-join`; miter.
  public let join: StyleProperty<StyleLineJoin>
  /// `line-miter-limit` in half widths; 2.
  public let miterLimit: StyleProperty<Double>
  /// `line-round-limit` in half widths; 1.05. Round joins below it are drawn as miter joins.
  public let roundLimit: StyleProperty<Double>
  /// `line-sort-key`: higher ones are drawn later; none.
  public let sortKey: StyleProperty<Double?>
  /// `line-opacity`, 0 ... 1; 1.
  public let opacity: StyleProperty<Double>
  /// `line-color`; black.
  public let color: StyleProperty<StyleColor>
  /// `line-translate` in points; none.
  public let translate: StyleProperty<StyleOffset>
  /// `line-translate-anchor`; the map.
  public let translateAnchor: StyleProperty<StyleTranslateAnchor>
  /// `line-width` in points; 1.
  public let width: StyleProperty<Double>
  /// `line-gap-width` in points: the width inside a line that is drawn as two; 0.
  public let gapWidth: StyleProperty<Double>
  /// `line-offset` in points, to the right of the line's direction; 0.
  public let offset: StyleProperty<Double>
  /// `line-blur` in points; 0.
  public let blur: StyleProperty<Double>
  /// `line-dasharray`: dashes and gaps in turn, in line widths; none.
  public let dashes: StyleProperty<[Double]>
  /// `line-pattern`: an image's name, which is drawn along the line; none.
  public let pattern: StyleProperty<String?>

  init(_ reader: inout LayerReader) {
    cap = reader.choice("line-cap", .butt, .feature)
    join = reader.choice("line-join", .miter, .feature)
    miterLimit = reader.number("line-miter-limit", 2, .feature)
    roundLimit = reader.number("line-round-limit", 1.05, .feature)
    sortKey = reader.sortKey("line-sort-key")
    opacity = reader.number("line-opacity", 1, .feature)
    color = reader.color("line-color", .black, .feature)
    translate = reader.offset("line-translate", .zoom)
    translateAnchor = reader.translateAnchor("line-translate-anchor")
    width = reader.number("line-width", 1, .feature)
    gapWidth = reader.number("line-gap-width", 0, .feature)
    offset = reader.number("line-offset", 0, .feature)
    blur = reader.number("line-blur", 0, .feature)
    dashes = reader.numbers("line-dasharray", .feature)
    pattern = reader.image("line-pattern", .feature)
  }
}
