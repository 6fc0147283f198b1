import MapGeometry
import MapScene
import Pixels

/// Moves clusters out from under the HUD's plates and the pin of "here", where nobody could see or
/// touch them.
enum ClusterFrame {
  /// The cluster, moved as little as possible out of `plates` and not onto `others`, to where
  /// `isClear`. Nil if it would have to leave the screen or move further than `reach` (its own
  /// width if nil).
  static func clear(
    _ sprite: Sprite, of plates: [PixelRect], _ screen: PixelRect, reach: Int? = nil,
    others: [PixelRect] = [], isClear: (PixelRect) -> Bool = { _ in true }
  ) -> Sprite? {
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
        guard distance <= reach ?? rect.width, distance < best?.distance ?? .max,
          other.rect.intersection(screen) == other.rect,
          !plates.contains(where: { $0.intersects(other.rect) }),
          !others.contains(where: { $0.intersects(other.rect) }), isClear(other.rect)
        else { continue }
        best = (distance, other)
      }
    }
    return best?.sprite
  }

  /// The cluster, moved beside the pins of "here" that would hide it, to a place where it hides
  /// nothing itself, nor the selected line. Nil if no pin hides it, or if there is no such place.
  static func clear(
    _ sprite: Sprite, ofHere pins: [PixelRect], _ plates: [PixelRect],
    _ placed: [MarkerLayout.Placed], _ labels: [OverlayLabelPlacer.Label],
    _ selected: (line: SelectedLine, point: Double)?, _ t: ViewTransform
  ) -> Sprite? {
    let rect = sprite.rect
    guard let pin = pins.first(where: { $0.intersects(rect) }) else { return nil }
    var others = plates
    for p in placed where !p.isHere {
      let other = p.rect(t)
      if other != rect { others.append(other) }
    }
    for label in labels {
      let at = t.pixel(gridX: label.gridX, gridY: label.gridY)
      others.append(Sprite(label.image, x: at.x + label.dx, y: at.y + label.dy).rect)
    }
    var budget = LabelFrame.HereRoom.mostPieces
    return clear(
      sprite, of: pins, PixelRect(x: 0, y: 0, width: t.width, height: t.height),
      reach: (rect.width + max(pin.width, pin.height)) / 2, others: others
    ) { selected?.line.isUnder($0, t, point: selected?.point ?? 1, budget: &budget) != true }
  }
}
