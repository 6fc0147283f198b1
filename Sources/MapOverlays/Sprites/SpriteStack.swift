import MapGeometry
import MapScene

/// All sprites over the map, bottom first, and the parts of the screen that they changed.
///
/// Each part of the kiosk may replace the sprites of its level at any time. Only the parts of the
/// screen where they differ are drawn again.
public final class SpriteStack {
  /// The levels, bottom first.
  public enum Level: Int, CaseIterable, Sendable {
    /// Pictures of the map that fade out over new tiles.
    case fading
    /// The labels of a painted base map.
    case mapLabels
    /// The track so far.
    case track
    /// The accuracy circle of the position.
    case accuracy
    /// The labels of overlays.
    case labels
    /// The markers and their labels.
    case markers
    /// The ring of the buttons' focus.
    case focus
    /// The position and its arrow.
    case position
    /// The plates of the HUD.
    case hud
    /// The position and its arrow where the buttons' legend would cut them.
    case positionInFront
    /// The callout of the selected marker.
    case callout
  }

  private var levels: [[Sprite]] = Array(repeating: [], count: Level.allCases.count)
  private var flat: [Sprite] = []
  private var isFlat = true
  private var pending: [PixelRect] = []

  /// Creates an empty stack.
  public init() {}

  /// Replaces the sprites of a level.
  ///
  /// - Parameters:
  ///   - level: The level.
  ///   - new: The sprites, bottom first.
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
      // The sprites that both share at the start and at the end stay as they are.
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

  /// Replaces the sprites of a level for a view that is drawn anew in any case, so that no part of
  /// the screen counts as changed. Nothing is copied: `new` has the former sprites then.
  ///
  /// - Parameters:
  ///   - level: The level.
  ///   - new: The sprites, bottom first.
  public func exchange(_ level: Level, with new: inout [Sprite]) {
    swap(&levels[level.rawValue], &new)
    isFlat = false
  }

  /// All sprites, bottom first.
  public var sprites: [Sprite] {
    if !isFlat {
      flat.removeAll(keepingCapacity: true)
      for level in levels { flat.append(contentsOf: level) }
      isFlat = true
    }
    return flat
  }

  /// The sprites of one level, bottom first.
  ///
  /// - Parameter level: The level.
  /// - Returns: The sprites.
  public func sprites(on level: Level) -> [Sprite] { levels[level.rawValue] }

  /// Calls `body` with every part of the screen that changed since the last call.
  ///
  /// - Parameter body: Called with each part, in view pixels.
  public func takeDamage(_ body: (PixelRect) -> Void) {
    for rect in pending where !rect.isEmpty { body(rect) }
    pending.removeAll(keepingCapacity: true)
  }
}
