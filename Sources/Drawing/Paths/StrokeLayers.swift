/// The solid strokes of which a style consists.
///
/// A plain line is one. A gap is a stroke that is taken from another one. A blur is the mean of
/// strokes of falling radii.
struct StrokeLayers {
  /// A solid stroke.
  struct Layer {
    var radius: Double
    /// How far square ends go.
    var capReach: Double
  }

  /// The strokes that are added.
  private(set) var outer: [Layer] = []
  /// The strokes of the gap.
  private(set) var inner: [Layer] = []
  /// How many strokes count as one at full coverage.
  private(set) var steps = 1
  /// By what the colour's opacity is multiplied.
  private(set) var opacity = 1.0
  /// Pixels to the right.
  let offset: Double
  let dashes: StrokeDashes?
  /// Points nearer to the last one than this are skipped, in pixels.
  let tolerance: Double

  /// The widest stroke: it covers any canvas that it is near.
  private static let widest = 65_536.0
  /// The most strokes of a blur.
  private static let mostSteps = 32
  /// A path with more points than this is drawn with less detail: among so many points, nothing
  /// below a quarter of the line's radius is visible.
  private static let crowd = 1 << 16

  /// Whether the style is one solid stroke.
  var isPlain: Bool { steps == 1 && inner.isEmpty }

  /// How far from its line the stroke draws at most.
  private(set) var margin = 0.0

  /// Returns nil if nothing is to be drawn.
  init?(_ style: StrokeStyle, points: Int) {
    guard style.width > 0 else { return nil }
    func length(_ value: Double) -> Double { value > 0 ? min(value, Self.widest / 4) : 0 }
    let width = min(style.width, Self.widest)
    let gap = length(style.gapWidth) / 2
    let blur = length(style.blur)
    offset = style.offset.isFinite ? min(max(style.offset, -Self.widest), Self.widest) : 0
    let dashes = StrokeDashes(style)
    self.dashes = dashes?.solidOpacity == nil ? dashes : nil
    let edge = gap > 0 ? min(gap + width, Self.widest / 2) : width / 2
    tolerance = points > Self.crowd ? max(0.5, min(edge / 4, 8)) : 1.0 / 64
    if gap == 0, blur == 0 {
      // A thin line is fainter instead of narrower.
      outer = [Layer(radius: max(edge, 0.5), capReach: max(edge, 0.5))]
      opacity = min(width, 1)
    } else {
      steps = blur > 0 ? min(max(2, Int((blur * 1.5).rounded(.up))), Self.mostSteps) : 1
      for step in 0..<steps {
        let less = blur * (Double(step) + 0.5) / Double(steps)
        if edge > less { outer.append(Layer(radius: edge - less, capReach: edge)) }
        if gap > less { inner.append(Layer(radius: gap - less, capReach: edge)) }
      }
    }
    opacity *= dashes?.solidOpacity ?? 1
    guard opacity > 0, !outer.isEmpty else { return nil }
    for layer in outer {
      let pen = StrokePen(style, radius: layer.radius, capReach: layer.capReach, near: 0)
      margin = max(margin, pen.margin)
    }
  }
}
