import MapGeometry
import MapScene
import Pixels

/// Places the label of "here". It never covers its own pin. It covers other icons and the position
/// only if there is no other room.
extension LabelFrame {
  /// What is in the way of the label of "here".
  struct HereRoom {
    /// The part of the screen in which the label may be.
    var room: PixelRect
    /// Plates, under which nothing is seen.
    var plates: [PixelRect]
    /// The icons on the screen.
    var icons: [Sprite]
    /// The part around the position; nil: none.
    var dot: PixelRect?
    /// The selected line, the view, and the size of a point in pixels; nil: none is selected.
    var line: (selected: SelectedLine, view: ViewTransform, point: Double)?

    /// How many pieces of the selected line one label looks at.
    private static let mostPieces = 16_384

    /// Whether a label there would lie across the selected line.
    func isCrossed(_ rect: PixelRect) -> Bool {
      guard let line else { return false }
      var budget = HereRoom.mostPieces
      return line.selected.isUnder(rect, line.view, point: line.point, budget: &budget)
    }

    /// What the label must keep clear of, the strictest level first. The part around the position
    /// shrinks before icons may be covered; the position itself may be covered only at the last
    /// level.
    var levels: [[PixelRect]] {
      let icons = icons.map(\.rect)
      guard let dot else { return [plates + icons, plates] }
      func inner(_ share: Int) -> PixelRect {
        PixelRect(
          x: dot.x + dot.width / share, y: dot.y + dot.height / share,
          width: dot.width - 2 * (dot.width / share), height: dot.height - 2 * (dot.height / share))
      }
      // The part without its slack, and the dot without its chevron.
      let (tight, core) = (inner(7), inner(4))
      return [
        plates + icons + [dot], plates + icons + [tight], plates + icons + [core],
        plates + [core], plates,
      ]
    }

    /// Whether a label there is whole and covers nothing.
    func isFree(_ rect: PixelRect) -> Bool {
      LabelFrame.isFree(rect, room, plates) && dot?.intersects(rect) != true
        && !icons.contains { $0.rect.intersects(rect) }
    }
  }

  /// The label as planned, otherwise on another side, otherwise moved a little, otherwise on more
  /// lines or smaller. Nil if there is no room beside the pin.
  static func here(
    _ label: LabelPlacer.Label, _ planned: Sprite, _ at: (x: Int, y: Int), _ here: HereRoom,
    _ smaller: (LabelPlacer.Label, MarkerArt.Style) -> SpriteImage?
  ) -> Sprite? {
    let isAcross = here.isCrossed(planned.rect)
    if !isAcross, here.isFree(planned.rect) { return planned }
    // A place under a plate needs no name beside it.
    if here.plates.contains(where: {
      at.x >= $0.x && at.x < $0.maxX && at.y >= $0.y && at.y < $0.maxY
    }) {
      return nil
    }
    let own = named(by: label, at)
    if here.line != nil, let clear = clear(label, planned, at, here) { return clear }
    if here.isFree(planned.rect) { return planned }
    for obstructions in here.levels {
      for style in MarkerArt.Style.heres {
        guard let image = style == .here ? label.image : smaller(label, style) else { continue }
        // Nothing further away matters.
        let (width, height) = (image.width, image.height)
        let near = PixelRect(
          x: own.x - 2 * width, y: own.y - 2 * height, width: own.width + 4 * width,
          height: own.height + 4 * height)
        let obstacles = obstructions.filter { near.intersects($0) }
        let sides = sides(of: label, at, image)
        if style == .here, isFree(planned.rect, here.room, obstacles) { return planned }
        if let side = sides.first(where: { isFree($0.rect, here.room, obstacles) }) { return side }
        var best: (sprite: Sprite, distance: Int)?
        for side in sides {
          guard let found = nearest(side, here.room, obstacles + [own], within: height),
            found.distance < best?.distance ?? .max
          else { continue }
          best = found
        }
        if let best { return best.sprite }
      }
    }
    return nil
  }

  /// The label where it covers nothing and is not across the selected line: on one of its sides, or
  /// moved a little; nil: there is no such place.
  private static func clear(
    _ label: LabelPlacer.Label, _ planned: Sprite, _ at: (x: Int, y: Int), _ here: HereRoom
  ) -> Sprite? {
    let sides = [planned] + sides(of: label, at)
    if let side = sides.first(where: { here.isFree($0.rect) && !here.isCrossed($0.rect) }) {
      return side
    }
    let obstacles = (here.levels.first ?? here.plates) + [named(by: label, at)]
    var best: (sprite: Sprite, distance: Int)?
    for side in sides {
      guard let found = nearest(side, here.room, obstacles, within: label.image.height),
        found.distance < best?.distance ?? .max, !here.isCrossed(found.sprite.rect)
      else { continue }
      best = found
    }
    return best?.sprite
  }

  fileprivate static func isFree(
    _ rect: PixelRect, _ room: PixelRect, _ others: [PixelRect]
  ) -> Bool {
    rect.intersection(room) == rect && !others.contains { $0.intersects(rect) }
  }

  /// The label, moved as little as possible into `room` and beside its obstacles, and how far it
  /// was moved. Nil if that is further than `most`.
  private static func nearest(
    _ sprite: Sprite, _ room: PixelRect, _ obstacles: [PixelRect], within most: Int
  ) -> (sprite: Sprite, distance: Int)? {
    let inside = moved(sprite, into: room)
    let start = inside.rect
    if start.width > room.width || start.height > room.height { return nil }
    var (columns, rows) = ([start.x], [start.y])
    for other in obstacles where other.intersects(start) {
      columns += [other.x - start.width, other.maxX]
      rows += [other.y - start.height, other.maxY]
    }
    var best: (sprite: Sprite, distance: Int)?
    for x in columns {
      for y in rows {
        let other = Sprite(sprite.image, x: x, y: y)
        let distance = abs(x - sprite.x) + abs(y - sprite.y)
        if distance <= most, distance < best?.distance ?? .max,
          isFree(other.rect, room, obstacles)
        {
          best = (other, distance)
        }
      }
    }
    return best
  }
}
