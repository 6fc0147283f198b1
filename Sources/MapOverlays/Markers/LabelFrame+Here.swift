import MapGeometry
import MapScene
import Pixels

/// Places the label of "here". It never covers its own pin. It covers other icons, as little as
/// possible, and the position only if there is no other room, and the selected line never: without
/// room beside it, the pin alone says where one is. It is not so near to another marker that it
/// would be read as the name of that, unless there is no other room, and of free sides it takes one
/// without lines.
extension LabelFrame {
  /// What is in the way of the label of "here".
  struct HereRoom {
    /// The part of the screen in which the label may be.
    var room: PixelRect
    /// Plates, under which nothing is seen.
    var plates: [PixelRect]
    /// The icons on the screen.
    var icons: [Sprite]
    /// The ring of the focus; nil: none.
    var ring: PixelRect?
    /// The part around the position; nil: none.
    var dot: PixelRect?
    /// What it stands among, and the view.
    var bystanders = Bystanders()
    var view: ViewTransform
    /// The selected line, and the size of a point in pixels; nil: none is selected.
    var line: (selected: SelectedLine, point: Double)?

    /// How many pieces of lines one label looks at. Beyond that, it may lie over them.
    static let mostPieces = 65_536

    /// Whether a label there would lie across the selected line.
    func isCrossed(_ rect: PixelRect, budget: inout Int) -> Bool {
      guard let line else { return false }
      return line.selected.isUnder(rect, view, point: line.point, budget: &budget)
    }

    /// Whether a label there would lie over a line of an overlay.
    func isOverLine(_ rect: PixelRect, budget: inout Int) -> Bool {
      for lines in bystanders.lines
      where lines.features.isUnder(rect, view, point: bystanders.point, budget: &budget) {
        return true
      }
      return false
    }

    /// Whether a label of what covers `own` would be read as another marker's name there.
    func namesOther(_ rect: PixelRect, of own: PixelRect) -> Bool {
      LabelSite.isRead(rect, of: own, asNameOf: bystanders.markers, gap: bystanders.gap)
    }

    /// What the label must keep clear of, the strictest level first, and whether by so much that it
    /// is not read as another marker's name, or may cover icons. The part around the position
    /// shrinks before icons may be covered; the position itself may be covered only at the last
    /// level.
    var levels: [(obstacles: [PixelRect], isApart: Bool, mayCover: Bool)] {
      let icons = icons.map(\.rect) + [ring].compactMap { $0 }
      let clear = self.clear(of: icons)
      let last = dot == nil ? [plates] : [plates + [inner(4)], plates]
      var levels =
        clear.map { (obstacles: $0, isApart: false, mayCover: false) }
        + last.map { (obstacles: $0, isApart: false, mayCover: true) }
      if bystanders.markers.isEmpty { return levels }
      let wide = bystanders.markers.map { $0.widened(by: bystanders.gap) }
      levels.insert(contentsOf: clear.map { ($0 + wide, true, false) }, at: 0)
      return levels
    }

    /// The part around the position without a share of its width on each side.
    private func inner(_ share: Int) -> PixelRect {
      guard let dot else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
      return PixelRect(
        x: dot.x + dot.width / share, y: dot.y + dot.height / share,
        width: dot.width - 2 * (dot.width / share), height: dot.height - 2 * (dot.height / share))
    }

    /// The levels at which it keeps clear of icons and of the position.
    private func clear(of icons: [PixelRect]) -> [[PixelRect]] {
      guard let dot else { return [plates + icons] }
      // The part without its slack, and the dot without its chevron.
      let (tight, core) = (inner(7), inner(4))
      return [plates + icons + [dot], plates + icons + [tight], plates + icons + [core]]
    }

    /// Whether a label there is whole and covers nothing.
    func isFree(_ rect: PixelRect) -> Bool {
      LabelFrame.isFree(rect, room, plates) && dot?.intersects(rect) != true
        && ring?.intersects(rect) != true
        && !icons.contains { $0.rect.intersects(rect) }
    }
  }

  /// The label as planned, otherwise on another side, otherwise moved a little, otherwise on more
  /// lines or smaller; never across the selected line, beside which it may also stand further along
  /// its sides. Of sides that are as good it takes one without other lines. Nil if there is no room
  /// beside the pin.
  static func here(
    _ label: OverlayLabelPlacer.Label, _ planned: Sprite, _ at: (x: Int, y: Int), _ here: HereRoom,
    _ smaller: (OverlayLabelPlacer.Label, MarkerArt.Style) -> SpriteImage?
  ) -> Sprite? {
    var (budget, budgetOfLines) = (HereRoom.mostPieces, HereRoom.mostPieces)
    func isClear(_ rect: PixelRect) -> Bool { !here.isCrossed(rect, budget: &budget) }
    let own = named(by: label, at)
    if here.isFree(planned.rect), isClear(planned.rect), !here.namesOther(planned.rect, of: own) {
      return planned
    }
    // A place under a plate needs no name beside it.
    if here.plates.contains(where: {
      at.x >= $0.x && at.x < $0.maxX && at.y >= $0.y && at.y < $0.maxY
    }) {
      return nil
    }
    for (obstructions, isApart, mayCover) in here.levels {
      if mayCover,
        let least = least(label, planned, at, here, obstructions, isClear, smaller)
      {
        return least
      }
      for style in MarkerArt.Style.heres {
        guard let image = style == .here ? label.image : smaller(label, style) else { continue }
        // Nothing further away matters.
        let (width, height) = (image.width, image.height)
        let near = PixelRect(
          x: own.x - 2 * width, y: own.y - 2 * height, width: own.width + 4 * width,
          height: own.height + 4 * height)
        let obstacles = obstructions.filter { near.intersects($0) }
        func isAllowed(_ rect: PixelRect) -> Bool {
          isClear(rect) && !(isApart && here.namesOther(rect, of: own))
        }
        func isGood(_ sprite: Sprite) -> Bool {
          isFree(sprite.rect, here.room, obstacles) && isAllowed(sprite.rect)
        }
        let sides = sides(of: label, at, image)
        var overLine: Sprite?
        for side in (style == .here ? [planned] : []) + sides where isGood(side) {
          if !here.isOverLine(side.rect, budget: &budgetOfLines) { return side }
          overLine = overLine ?? side
        }
        if let overLine { return overLine }
        if here.line != nil, let step = steps(beside: own, image).first(where: isGood) {
          return step
        }
        var best: (sprite: Sprite, distance: Int)?
        for side in sides {
          guard let found = nearest(side, here.room, obstacles + [own], within: height),
            found.distance < best?.distance ?? .max, isAllowed(found.sprite.rect)
          else { continue }
          best = found
        }
        if let best { return best.sprite }
      }
    }
    return nil
  }

  /// The label on the side and in the style in which it covers the fewest pixels of icons, where it
  /// cannot but cover some; nil: there is no room for it on any side.
  static func least(
    _ label: OverlayLabelPlacer.Label, _ planned: Sprite, _ at: (x: Int, y: Int),
    _ here: HereRoom, _ obstacles: [PixelRect], _ isClear: (PixelRect) -> Bool,
    _ smaller: (OverlayLabelPlacer.Label, MarkerArt.Style) -> SpriteImage?
  ) -> Sprite? {
    var best: (sprite: Sprite, covered: Int)?
    for style in MarkerArt.Style.heres {
      guard let image = style == .here ? label.image : smaller(label, style) else { continue }
      for side in (style == .here ? [planned] : []) + sides(of: label, at, image)
      where isFree(side.rect, here.room, obstacles) && isClear(side.rect) {
        let covered = here.icons.reduce(0) { sum, icon in
          let part = icon.rect.intersection(side.rect)
          return part.isEmpty ? sum : sum + part.width * part.height
        }
        if covered < best?.covered ?? .max { best = (side, covered) }
      }
    }
    return best?.sprite
  }

  /// A label beside its pin, further along each side: two steps to either end.
  private static func steps(beside own: PixelRect, _ image: SpriteImage) -> [Sprite] {
    func along(_ from: Int, _ length: Int, _ size: Int) -> [Int] {
      let (end, part) = (from + length, length / 4)
      return [from, end - size, end - part, from + part - size]
    }
    let rows = along(own.y, own.height, image.height)
    let columns = along(own.x, own.width, image.width)
    return rows.flatMap { y in
      [Sprite(image, x: own.maxX, y: y), Sprite(image, x: own.x - image.width, y: y)]
    }
      + columns.flatMap { x in
        [Sprite(image, x: x, y: own.y - image.height), Sprite(image, x: x, y: own.maxY)]
      }
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
