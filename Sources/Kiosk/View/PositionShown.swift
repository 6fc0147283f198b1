import MapGeometry

/// The position as it is to be drawn at a moment.
struct PositionShown: Equatable {
  var pose: PositionState.Pose
  /// The fix's own place.
  var place: GeoPoint
  /// Metres; nil: not known.
  var accuracy: Double?
  /// No fix came for a while.
  var isLost: Bool
  /// The age of a lost fix in a few letters; else empty.
  var age: String
  /// Whether breadcrumbs are drawn.
  var showsTrack: Bool
}
