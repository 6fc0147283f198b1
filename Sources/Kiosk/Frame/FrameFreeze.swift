import MapGeometry

/// A frozen picture: it stays on the screen although a newer one is planned. The map changes its
/// colours or its source, and should change all at once.
struct FrameFreeze {
  /// The view that is frozen; a view that moves ends the freeze.
  var view: Viewport
  /// When the freeze ends at the latest, on the loop's clock.
  var deadline: UInt64
  /// Until when it is prolonged as long as tiles are being painted; nil: not at all.
  var limit: UInt64?
  /// How many tiles were decoded or painted when it was last prolonged.
  var decoded = 0
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
