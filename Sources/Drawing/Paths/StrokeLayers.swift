/// The solid strokes that make up a line style.
///
/// A plain line is one stroke. A gap is a second stroke, subtracted from the first. A blur is the
/// mean of several strokes of decreasing radii.
struct StrokeLayers {
  let style: StrokeStyle
  /// The strokes that are added.
  private(set) var outer: [StrokePen] = []
  /// The strokes of the gap.
  private(set) var inner: [StrokePen] = []
  /// How many strokes add up to full coverage.
  private(set) var steps = 1
  /// A factor for the colour's opacity.
  private(set) var opacity = 1.0
  /// Pixels by which the line is moved to the right.
  let offset: Double
  let dashes: StrokeDashes?

  /// The widest stroke: it covers any canvas that it is near.
  private static let widest = 65_536.0
  /// The most strokes of a blur.
  private static let mostSteps = 32

  /// Whether the style is one solid stroke.
  var isPlain: Bool { steps == 1 && inner.isEmpty }

  /// How far from its line the stroke draws at most.
  private(set) var margin = 0.0

  /// Returns nil if nothing is to be drawn.
  init?(_ style: StrokeStyle) {
    guard style.width > 0 else { return nil }
    func length(_ value: Double) -> Double { value > 0 ? min(value, Self.widest / 4) : 0 }
    self.style = style
    let width = min(style.width, Self.widest)
    let gap = length(style.gapWidth) / 2
    var blur = length(style.blur)
    offset = style.offset.isFinite ? min(max(style.offset, -Self.widest), Self.widest) : 0
    let dashes = StrokeDashes(style)
    self.dashes = dashes?.solidOpacity == nil ? dashes : nil
    let edge = gap > 0 ? min(gap + width, Self.widest / 2) : width / 2
    if gap == 0, blur > max(edge, 0.5) - 0.5 {
      // The blur reaches the line's middle, which becomes fainter instead of disappearing.
      let radius = max(edge, 0.5)
      opacity = (radius + 0.5) / (blur + 1)
      blur = radius - 0.5
    }
    if gap == 0, blur == 0 {
      // A thin line is fainter instead of narrower.
      outer = [StrokePen(style, radius: max(edge, 0.5), capReach: max(edge, 0.5))]
      opacity *= min(width, 1)
    } else {
      steps = blur > 0 ? min(max(2, Int((blur * 1.5).rounded(.up))), Self.mostSteps) : 1
      for step in 0..<steps {
        let less = blur * (Double(step) + 0.5) / Double(steps)
        if edge > less { outer.append(StrokePen(style, radius: edge - less, capReach: edge)) }
        if gap > less { inner.append(StrokePen(style, radius: gap - less, capReach: edge)) }
      }
    }
    opacity *= dashes?.solidOpacity ?? 1
    guard opacity > 0, !outer.isEmpty else { return nil }
    for pen in outer { margin = max(margin, pen.margin) }
  }
}
