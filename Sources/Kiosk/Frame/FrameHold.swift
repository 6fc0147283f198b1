import MapGeometry

/// Why what is on the screen stays there although something newer is planned: the map comes in
/// other colours, or is another one, and is to change as a whole.
struct FrameHold {
  /// A view that moves on does not wait.
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
