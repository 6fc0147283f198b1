import MapGeometry
import MapScene

/// All that lies over the map, from the bottom up, and which parts of the screen it changed.
///
/// Each part of the kiosk puts its sprites on a level of its own, as often as it likes: what is the
/// same as before costs no pixel.
public final class SpriteStack {
  /// From the bottom up.
  public enum Level: Int, CaseIterable, Sendable {
    /// The way that was gone.
    case track
    /// How certain the position is.
    case accuracy
    /// The words of overlays.
    case labels
    case markers
    /// Where the kiosk is, and which way it looks.
    case position
    /// The plates at the screen's edges.
    case hud
    /// What a marker says.
    case callout
  }

  private var levels: [[Sprite]] = Array(repeating: [], count: Level.allCases.count)
  private var flat: [Sprite] = []
  private var isFlat = true
  private var pending: [PixelRect] = []

  public init() {}

  /// Puts `new`, bottom first, in the place of what was on `level`.
  public func replace(_ level: Level, with new: [Sprite]) {
    let n = level.rawValue
    if levels[n].count == new.count {
      var differs = false
      for i in new.indices where levels[n][i] != new[i] {
        differs = true
        pending.append(levels[n][i].rect)
        pending.append(new[i].rect)
      }
      if !differs { return }
    } else {
      // What both begin and end with stays as it is.
      let old = levels[n]
      let shorter = min(old.count, new.count)
      var head = 0
      while head < shorter, old[head] == new[head] { head += 1 }
      var tail = 0
      while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
        tail += 1
      }
      for sprite in old[head..<old.count - tail] { pending.append(sprite.rect) }
      for sprite in new[head..<new.count - tail] { pending.append(sprite.rect) }
    }
    levels[n].removeAll(keepingCapacity: true)
    levels[n].append(contentsOf: new)
    isFlat = false
  }

  /// All of them, bottom first.
  public var sprites: [Sprite] {
    if !isFlat {
      flat.removeAll(keepingCapacity: true)
      for level in levels { flat.append(contentsOf: level) }
      isFlat = true
    }
    return flat
  }

  /// The sprites of one level.
  public func sprites(on level: Level) -> [Sprite] { levels[level.rawValue] }

  /// Calls `body` with every part of the screen that changed since the last time.
  public func takeDamage(_ body: (PixelRect) -> Void) {
    for rect in pending where !rect.isEmpty { body(rect) }
    pending.removeAll(keepingCapacity: true)
  }
}
