import MapGeometry

/// The position as it is drawn at a given time.
struct PositionShown: Equatable {
  var pose: PositionState.Pose
  /// The place of the fix itself.
  var place: GeoPoint
  /// The accuracy in metres; nil: unknown.
  var accuracy: Double?
  /// Whether fixes have stopped coming.
  var isLost: Bool
  /// The age of a lost fix in seconds, in steps of the unit that it is told in; else 0.
  var age: Int
  /// Whether breadcrumbs are drawn.
  var showsTrack: Bool
  /// Whether the view follows it.
  var isFollowed: Bool
}
