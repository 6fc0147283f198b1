/// Which of a display's buffers is on the screen, on its way there, waiting, and being drawn; each
/// by its place among the buffers.
struct BufferTurns: Equatable {
  /// On the screen.
  private(set) var front: Int?
  /// Committed, and not flipped to yet.
  private(set) var pending: Int?
  /// Presented, and not committed yet.
  private(set) var queued: Int?
  /// Being drawn.
  private(set) var drawing: Int?

  /// Begins a frame, or goes on with the one that was begun.
  ///
  /// - Parameter count: how many buffers there are, at least one.
  /// - Returns: the buffer to draw into: one that is neither shown nor about to be.
  mutating func draw(of count: Int) -> Int {
    func isFree(_ i: Int) -> Bool { i != front && i != pending && i != queued }
    // One that was begun stays the one, whichever becomes free meanwhile.
    let begun = drawing.flatMap { $0 < count && isFree($0) ? $0 : nil }
    let free = begun ?? (0..<count).first(where: isFree) ?? 0
    drawing = free
    return free
  }

  /// Ends the drawing of a frame; nil: none was begun.
  mutating func endDrawing() -> Int? {
    defer { drawing = nil }
    return drawing
  }

  /// The drawn buffer is to be shown.
  mutating func queue(_ buffer: Int) { queued = buffer }

  /// The queued buffer is on its way; a flip event will say when it is shown.
  mutating func commit() { (pending, queued) = (queued, nil) }

  /// The queued buffer is on the screen, and no flip event will come.
  mutating func show() { (front, queued) = (queued, nil) }

  /// The committed buffer is on the screen.
  mutating func flip() { (front, pending) = (pending, nil) }

  /// What was under way counts as shown: no event will say whether it was.
  mutating func settle() { (front, pending, queued) = (queued ?? pending ?? front, nil, nil) }

  /// Whether every buffer but the one on the screen is under way.
  ///
  /// - Parameter ahead: there is a third buffer, so that one may wait while another is pending.
  /// - Returns: false where another frame can be begun.
  func isFull(ahead: Bool) -> Bool {
    ahead ? pending != nil && queued != nil : pending != nil || queued != nil
  }
}
