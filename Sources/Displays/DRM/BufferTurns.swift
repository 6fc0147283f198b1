/// Which of a display's buffers is on the screen, on its way there, waiting, and being drawn.
/// Buffers are given by index; nil means none.
struct BufferTurns: Equatable {
  /// The buffer on the screen.
  private(set) var front: Int?
  /// The buffer that is committed but not flipped to yet.
  private(set) var pending: Int?
  /// The buffer that is presented but not committed yet.
  private(set) var queued: Int?
  /// The buffer that is being drawn.
  private(set) var drawing: Int?

  /// Begins a frame, or continues the one that was begun.
  ///
  /// - Parameter count: how many buffers there are, at least one.
  /// - Returns: the buffer to draw into, which is neither shown nor about to be.
  mutating func draw(of count: Int) -> Int {
    func isFree(_ i: Int) -> Bool { i != front && i != pending && i != queued }
    // A frame that was begun keeps its buffer, even if another one becomes free.
    let begun = drawing.flatMap { $0 < count && isFree($0) ? $0 : nil }
    let free = begun ?? (0..<count).first(where: isFree) ?? 0
    drawing = free
    return free
  }

  /// Ends the drawing of a frame and returns its buffer; nil if none was begun.
  mutating func endDrawing() -> Int? {
    defer { drawing = nil }
    return drawing
  }

  /// Queues the drawn buffer, to be committed next.
  mutating func queue(_ buffer: Int) { queued = buffer }

  /// Marks the queued buffer as committed; a flip event will tell when it is shown.
  mutating func commit() { (pending, queued) = (queued, nil) }

  /// Marks the queued buffer as shown; no flip event will come.
  mutating func show() { (front, queued) = (queued, nil) }

  /// Marks the committed buffer as shown.
  mutating func flip() { (front, pending) = (pending, nil) }

  /// Counts pending and queued buffers as shown, because no event will tell whether they were.
  mutating func settle() { (front, pending, queued) = (queued ?? pending ?? front, nil, nil) }

  /// Whether no further frame can be begun, because every buffer but the shown one is in use.
  ///
  /// - Parameter ahead: whether there is a third buffer, so that one can wait while another is
  ///   pending.
  /// - Returns: false if another frame can be begun.
  func isFull(ahead: Bool) -> Bool {
    ahead ? pending != nil && queued != nil : pending != nil || queued != nil
  }
}
