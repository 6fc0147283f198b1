import MapGeometry

/// Why the old picture stays on the screen although a newer one is planned: the map changes its
/// colours or its source, and should change all at once.
struct FrameHold {
  /// A moving view does not wait.
  var view: Viewport
  /// On the loop's clock.
  var deadline: UInt64
  /// How many of the display's memories were drawn in full, where that takes several frames.
  var passes = 0
}

/// What of the view decides when a frame is due.
struct FrameMoment {
  var view: Viewport
  /// The view moves.
  var isMoving: Bool
  /// The position's dot moves.
  var dotMoves: Bool
}
