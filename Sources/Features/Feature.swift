/// One feature of an overlay, drawn in one style. Its geometry lies in its `FeatureSet`.
public struct Feature: Equatable, Sendable {
  /// Its bounding box.
  public var box: FeatureBox
  /// The index of its first part in `FeatureSet.parts`.
  public var firstPart: Int32
  /// The number of its parts, at least 1.
  public var partCount: Int32
  /// The index of its style in `FeatureSet.styles`.
  public var style: Int32
  /// Where its label's text is, in `FeatureSet.labelText`; no label where it is 0 bytes long.
  var labelStart: UInt32
  var labelLength: UInt16

  /// Whether it has a label.
  public var hasLabel: Bool { labelLength > 0 }

  /// The indices of its parts in `FeatureSet.parts`.
  public var partRange: Range<Int> { Int(firstPart)..<Int(firstPart) + Int(partCount) }
}

/// A piece of a feature's geometry: consecutive points.
public struct FeaturePart: Equatable, Sendable {
  /// What the points mean.
  public enum Kind: UInt8, Sendable {
    /// One point: a place.
    case point
    /// A line; of one point only where a track was recorded at one place.
    case line
    /// A closed ring, the first point not repeated. All rings of a feature are one area, even-odd.
    case ring
    /// Two points: a circle's centre and its easternmost point. An area like a ring; one that
    /// crosses the antimeridian is rings instead.
    case circle
  }

  /// The index in `FeatureSet.points` after its last point; it begins where the part before ends.
  public var end: Int32
  /// What its points mean.
  public var kind: Kind
}

/// The style that a feature brings along; nil where it has none of its own.
///
/// Keys of GeoJSON's properties are those of simplestyle-spec 1.1.0; the styles of GPX and KML are
/// translated to them.
public struct FeatureStyle: Hashable, Sendable {
  /// 0xRRGGBB.
  public var stroke: UInt32?
  /// 0 ... 1.
  public var strokeOpacity: Float?
  /// Points, 0 ... 100.
  public var strokeWidth: Float?
  /// 0xRRGGBB.
  public var fill: UInt32?
  /// 0 ... 1.
  public var fillOpacity: Float?
  /// Of a place's disc, 0xRRGGBB.
  public var markerColor: UInt32?
  /// Of a place's disc: 1 is medium.
  public var markerScale: Float?

  /// A style that leaves everything open.
  public init() {}
}
