/// How a line is drawn. The defaults, the limits of joins and the meaning of dashes, gap, offset and
/// blur are those of the MapLibre style specification's line layers; all lengths are pixels here.
public struct StrokeStyle: Sendable, Equatable {
  /// The form of a line's ends.
  public enum Cap: Sendable {
    /// The line ends at its last point.
    case butt
    /// The line goes on for half its width.
    case square
    /// A half disc.
    case round
  }

  /// The form of a line's corners.
  public enum Join: Sendable {
    /// A point, or a cut corner where the point would be longer than the miter limit.
    case miter
    /// A cut corner; a point at slight turns.
    case bevel
    /// An arc; a point where it would be shorter than the round limit.
    case round
  }

  /// The line's width in pixels; with a gap, that of each of the two lines beside it. A width below
  /// 1 is drawn fainter instead of narrower. At 0 or less nothing is drawn.
  public var width: Double
  /// The form of the ends. Dashes have round ends with `.round`, and else butt ones.
  public var cap: Cap
  /// The form of the corners.
  public var join: Join
  /// The longest point of a corner, as a multiple of half the width.
  public var miterLimit: Double
  /// Round corners that a point of less than this multiple of half the width would fill become one.
  public var roundLimit: Double
  /// Lengths of dashes and gaps in pixels, beginning with a dash. If their number is odd, the last
  /// dash and the first of the next round are one. Empty: no dashes. Lengths below 0 count as 0; a
  /// dash of 0 is a dot with round ends, and else nothing.
  public var dashes: [Double]
  /// Where in the dashes a sub-path begins, in pixels.
  public var dashPhase: Double
  /// The gap in the middle, in pixels: above 0 a line is drawn on each side of it.
  public var gapWidth: Double
  /// Pixels by which the line is moved to the right of its direction.
  public var offset: Double
  /// Pixels over which the line's edge fades, inwards from its width.
  public var blur: Double

  /// Creates a style; all lengths are pixels.
  public init(
    width: Double, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 2,
    roundLimit: Double = 1.05, dashes: [Double] = [], dashPhase: Double = 0, gapWidth: Double = 0,
    offset: Double = 0, blur: Double = 0
  ) {
    self.width = width
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.roundLimit = roundLimit
    self.dashes = dashes
    self.dashPhase = dashPhase
    self.gapWidth = gapWidth
    self.offset = offset
    self.blur = blur
  }
}
