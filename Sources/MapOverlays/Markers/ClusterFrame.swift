import MapGeometry
import MapScene
import Pixels

/// Keeps clusters clear of the plates of the HUD, under which nobody would see or touch them.
enum ClusterFrame {
  /// The cluster moved as little as possible out of `plates`, or nil if it would have to leave the
  /// screen or go further than its own width.
  static func clear(_ sprite: Sprite, of plates: [PixelRect], _ screen: PixelRect) -> Sprite? {
    let rect = sprite.rect
    guard rect.intersects(screen), plates.contains(where: { $0.intersects(rect) }) else {
      return sprite
    }
    var best: (distance: Int, sprite: Sprite)?
    for plate in plates where plate.intersects(rect) {
      for (x, y) in [
        (plate.x - rect.width, rect.y), (plate.maxX, rect.y), (rect.x, plate.y - rect.height),
        (rect.x, plate.maxY),
      ] {
        let other = Sprite(sprite.image, x: x, y: y)
        let distance = abs(x - rect.x) + abs(y - rect.y)
        guard distance <= rect.width, distance < best?.distance ?? .max,
          other.rect.intersection(screen) == other.rect,
          !plates.contains(where: { $0.intersects(other.rect) })
        else { continue }
        best = (distance, other)
      }
    }
    return best?.sprite
  }
}
