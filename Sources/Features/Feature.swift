/// One thing of an overlay: what is drawn in one style. Its geometry lies in its `FeatureSet`.
public struct Feature: Equatable, Sendable {
  /// All of it.
  public var box: FeatureBox
  /// Its parts, as places in `FeatureSet.parts`.
  public var firstPart: Int32
  public var partCount: Int32
  /// A place in `FeatureSet.styles`.
  public var style: Int32
  /// Where its label's text is, in `FeatureSet.labelText`; no label where it is 0 bytes long.
  var labelStart: UInt32
  var labelLength: UInt16

  public var hasLabel: Bool { labelLength > 0 }

  public var partRange: Range<Int> { Int(firstPart)..<Int(firstPart) + Int(partCount) }
}

/// A piece of a feature's geometry: points that follow each other.
public struct FeaturePart: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// One point: a place.
    case point
    /// A line; of one point only where a track was recorded at one place.
    case line
    /// A closed ring, the first point not repeated. All rings of a feature are one area, even-odd.
    case ring
    /// Two points: a circle's centre and its easternmost point. An area like a ring; one that crosses
    /// the antimeridian is rings instead.
    case circle
  }

  /// Where its points end in `FeatureSet.points`; they begin where the part before ends.
  public var end: Int32
  public var kind: Kind
}

/// What a feature says of its own looks: nil where it says nothing.
///
/// Keys of GeoJSON's properties are those of simplestyle-spec 1.1.0; GPX's and KML's styles are
/// turned into them.
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

  public init() {}
}
