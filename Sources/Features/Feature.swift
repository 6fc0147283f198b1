/// One feature of an overlay, drawn in one style. Its geometry is in its `FeatureSet`.
public struct Feature: Equatable, Sendable {
  /// The feature's bounding box.
  public var box: FeatureBox
  /// The index of its first part in `FeatureSet.parts`.
  public var firstPart: Int32
  /// The number of its parts, at least 1.
  public var partCount: Int32
  /// The index of its style in `FeatureSet.styles`.
  public var style: Int32
  /// Where its label begins in `FeatureSet.labelText`. A label of 0 bytes is none.
  var labelStart: UInt32
  var labelLength: UInt16

  /// Whether it has a label.
  public var hasLabel: Bool { labelLength > 0 }

  /// The indices of its parts in `FeatureSet.parts`.
  public var partRange: Range<Int> { Int(firstPart)..<Int(firstPart) + Int(partCount) }
}

/// One part of a feature's geometry: consecutive points.
public struct FeaturePart: Equatable, Sendable {
  /// What the points of a part are.
  public enum Kind: UInt8, Sendable {
    /// One point, drawn as a disc.
    case point
    /// A line. It has a single point only if a track was recorded at one position.
    case line
    /// A closed ring, the first point not repeated. All rings of a feature are one area, even-odd.
    case ring
    /// Two points: a circle's centre, and the easternmost point of its outline. Filled like a ring.
    /// A circle that crosses the antimeridian is stored as rings instead.
    case circle
  }

  /// The index in `FeatureSet.points` after the part's last point. Its first point follows the
  /// previous part's last one.
  public var end: Int32
  /// What the points are.
  public var kind: Kind
}

/// The style that a feature has in its file. Nil: the file does not say, so the overlay's style
/// applies.
///
/// The keys of GeoJSON properties are those of simplestyle-spec 1.1.0. Styles of GPX and KML are
/// converted to them.
public struct FeatureStyle: Hashable, Sendable {
  /// The colour of lines, 0xRRGGBB.
  public var stroke: UInt32?
  /// The opacity of lines, 0 to 1.
  public var strokeOpacity: Float?
  /// The width of lines in points, 0 to 100.
  public var strokeWidth: Float?
  /// The colour of areas, 0xRRGGBB.
  public var fill: UInt32?
  /// The opacity of areas, 0 to 1.
  public var fillOpacity: Float?
  /// The colour of a point's disc, 0xRRGGBB.
  public var markerColor: UInt32?
  /// The relative size of a point's disc; 1 is medium.
  public var markerScale: Float?
  /// Whether people may not go there now: it is drawn as closed, whatever its colours are.
  public var isClosed = false
  /// Which parts of its lines are drawn.
  public var lines = Lines.all
  /// The end of a coloured track that its point marks; nil: none.
  public var trackEnd: TrackEnd?

  /// The ends of a track.
  public enum TrackEnd: UInt8, Sendable { case start, finish }

  /// The parts of a line. A track in several colours is drawn as one casing, and over it a line for
  /// each stretch of one colour.
  public enum Lines: UInt8, Sendable {
    /// The line and its casing.
    case all
    /// The casing alone.
    case casing
    /// The line without a casing.
    case ink
  }

  /// Creates a style that sets nothing.
  public init() {}
}
