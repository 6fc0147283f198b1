import MapGeometry

/// What changed in each of the last few frames, which tells what to redraw in a buffer that was
/// presented some frames ago (the rule of EGL_EXT_buffer_age).
///
/// For each frame, call `record` with what changed since the last frame, then `redraw` with the age
/// of the current buffer.
public struct DamageHistory: Sendable {
  /// The greatest buffer age for which `redraw` knows the damage.
  public static let capacity = 4
  /// The most rectangles kept of a frame. More are replaced by their bounding box.
  public static let maxRects = 64

  /// The damage of the frames: `frames[(newest + n) % capacity]` is that of the frame n frames
  /// before the newest. The arrays keep their capacity, so that a frame allocates nothing once they
  /// have grown.
  private var frames: [[PixelRect]] = Array(repeating: [], count: DamageHistory.capacity)
  private var newest = 0
  private var known = 0
  private var union: [PixelRect] = []

  /// Creates a history without frames, so the first frame is drawn in full.
  public init() {}

  /// Records what the frame about to be drawn changes against the one presented last.
  public mutating func record(_ damage: [PixelRect]) {
    newest = (newest + Self.capacity - 1) % Self.capacity
    known = min(known + 1, Self.capacity)
    frames[newest].removeAll(keepingCapacity: true)
    if damage.count <= Self.maxRects {
      for rect in damage where !rect.isEmpty { frames[newest].append(rect) }
    } else {
      var whole = PixelRect(x: 0, y: 0, width: 0, height: 0)
      for rect in damage { whole = whole.union(rect) }
      if !whole.isEmpty { frames[newest].append(whole) }
    }
  }

  /// What to draw into a buffer that was presented `age` frames ago, including the damage recorded
  /// last. Nil: everything, because the buffer's contents are unknown (age 0) or too old.
  ///
  /// At most `capacity * maxRects` rectangles, which may overlap.
  public mutating func redraw(age: Int) -> [PixelRect]? {
    guard age >= 1, age <= known else { return nil }
    if age == 1 { return frames[newest] }
    union.removeAll(keepingCapacity: true)
    for n in 0..<age {
      for rect in frames[(newest + n) % Self.capacity] { add(rect) }
    }
    return union
  }

  /// Forgets everything, so that the next buffers are drawn in full.
  public mutating func reset() { known = 0 }

  private mutating func add(_ rect: PixelRect) {
    for other in union where Self.covers(other, rect) { return }
    var index = 0
    while index < union.count {
      if Self.covers(rect, union[index]) {
        union.swapAt(index, union.count - 1)
        union.removeLast()
      } else {
        index += 1
      }
    }
    union.append(rect)
  }

  private static func covers(_ outer: PixelRect, _ inner: PixelRect) -> Bool {
    outer.x <= inner.x && outer.y <= inner.y && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY
  }
}
