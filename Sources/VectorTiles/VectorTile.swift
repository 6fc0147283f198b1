/// A value of a feature's property (Vector Tile Specification 2.1, 4.4). Numbers of all seven wire
/// types become doubles, as in the style language.
public enum VectorValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A number.
  case number(Double)
  /// True or false.
  case bool(Bool)
}

/// What a feature's geometry consists of (Vector Tile Specification 2.1, 4.3.4).
public enum VectorGeometryKind: UInt8, Sendable {
  /// Not stated; such a feature is not drawn.
  case unknown
  /// Points.
  case point
  /// Lines.
  case line
  /// Rings of polygons.
  case polygon
}
