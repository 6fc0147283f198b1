import MapGeometry

/// A held picture: the old one stays on the screen although a newer one is planned. The map changes
/// its colours or its source, and should change all at once.
struct FrameHold {
  /// The view that is held; a view that moves ends the hold.
  var view: Viewport
  /// When the hold ends at the latest, on the loop's clock.
  var deadline: UInt64
  /// How many of the display's buffers were drawn completely, if that takes several frames.
  var passes = 0
}

/// The properties of the view that decide when a frame is due.
struct FrameMoment {
  var view: Viewport
  /// Whether the view is moving.
  var isMoving: Bool
  /// Whether the position's dot is moving.
  var dotMoves: Bool
}
