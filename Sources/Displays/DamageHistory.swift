import MapGeometry

/// What changed in each of the last few frames: what must be redrawn in a buffer that was presented
/// some frames ago (EGL_EXT_buffer_age has the same rule).
///
/// The loop of a frame is `record` with what changed since the last frame, then `redraw` with the
/// age of the current buffer.
public struct DamageHistory: Sendable {
  /// Ages from 1 to this are known.
  public static let capacity = 4
  /// The most rectangles kept of a frame; more become the one around them all.
  public static let maxRects = 64

  /// The damage of the frames, newest first in order of age: `frames[(newest + n) % capacity]` is
  /// the one n frames before the newest. The arrays keep their room, so that a frame allocates
  /// nothing once they have grown.
  private var frames: [[PixelRect]] = Array(repeating: [], count: DamageHistory.capacity)
  private var newest = 0
  private var known = 0
  private var union: [PixelRect] = []

  /// A history of no frames: the first one is drawn whole.
  public init() {}

  /// Notes what the frame about to be drawn changes against the one presented last.
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

  /// What to draw into a buffer that was presented `age` frames ago, the damage recorded last
  /// included; nil: everything, since what the buffer holds is not known or too old.
  ///
  /// No rectangle lies inside another; they may overlap. At most 4 * 64.
  public mutating func redraw(age: Int) -> [PixelRect]? {
    guard age >= 1, age <= known else { return nil }
    if age == 1 { return frames[newest] }
    union.removeAll(keepingCapacity: true)
    for n in 0..<age {
      for rect in frames[(newest + n) % Self.capacity] { add(rect) }
    }
    return union
  }

  /// Forgets everything: the next buffer is drawn in full.
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
