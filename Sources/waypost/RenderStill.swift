// SEAM: the scene's module draws the picture here, and `OutputFile` writes it. Everything in the
// request has been checked; what cannot be opened or drawn is a `Failure` with `badData`.

func renderStill(_ request: StillRequest) throws {
  throw Failure(Failure.badData, "\(request.source): drawing is not connected yet")
}
