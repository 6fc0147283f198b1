import MapGeometry
import MapScene
import Pixels

/// Positions the labels of a layout for one frame: none is cut by the screen's edge, and none is
/// under a plate.
struct LabelFrame {
  /// The labels of overlays, those of markers, and those of "here".
  private(set) var overlays: [Sprite] = []
  private(set) var markers: [Sprite] = []
  private(set) var here: [Sprite] = []
  private var atEdge: [Int] = []

  /// A marker on one copy of the world.
  struct Owner {
    var marker: MarkerStore.Number
    /// Its column in grid pixels.
    var gridX: Double
  }

  /// What the ring of the buttons' focus is around.
  struct Focus {
    /// The marker, or the first one of a cluster.
    var marker: MarkerStore.Number
    /// What the ring covers, in view pixels.
    var ring: PixelRect
    /// How far that reaches beyond the marker.
    var reach: Int
  }

  /// What the label of "here" stands among.
  struct Bystanders {
    /// What other markers cover, in view pixels.
    var markers: [PixelRect] = []
    /// The lines that are shown.
    var lines: [OverlayLines] = []
    /// How far from a marker a label is not read as its name, in pixels.
    var gap = 0
    /// The size of a point of the lines' drawing in pixels.
    var point = 1.0

    init() {}

    init(_ markers: [PixelRect], _ lines: [OverlayLines], _ painter: SpritePainter) {
      (self.markers, self.lines) = (markers, lines)
      (gap, point) = (painter.px(LabelSite.apart), painter.leastUnit)
    }
  }

  /// Positions the labels.
  ///
  /// - Parameters:
  ///   - labels: The labels of the layout.
  ///   - icons: The icons on the screen.
  ///   - t: The view.
  ///   - avoiding: Parts of the screen without labels, in view pixels.
  ///   - dot: The part around the position; nil: it is unknown, or nothing keeps clear of it.
  ///   - margin: The distance to keep to the screen's edge, in pixels.
  ///   - hidden: The marker whose label is not shown.
  ///   - cut: Other markers whose labels are not shown.
  ///   - focus: The ring of the focus, which labels keep clear of where they can; nil: none.
  ///   - selected: The selected line, which the label of "here" keeps clear of where it can, and
  ///     the size of a point of its drawing in pixels; nil: none is selected.
  ///   - bystanders: What the label of "here" stands among.
  ///   - isOverLine: Whether a label that covers a part of the view would lie over a line.
  ///   - smaller: Draws a label of "here" as one that needs less room.
  mutating func update(
    _ labels: [OverlayLabelPlacer.Label], icons: [Sprite], _ t: ViewTransform,
    avoiding: [PixelRect],
    dot: PixelRect?, margin: Int, hidden: MarkerStore.Number?, cut: [Owner] = [],
    focus: Focus? = nil, selected: (line: SelectedLine, point: Double)?,
    among bystanders: Bystanders = Bystanders(),
    isOverLine: (PixelRect) -> Bool,
    smaller: (OverlayLabelPlacer.Label, MarkerArt.Style) -> SpriteImage?
  ) {
    overlays.removeAll(keepingCapacity: true)
    markers.removeAll(keepingCapacity: true)
    here.removeAll(keepingCapacity: true)
    atEdge.removeAll(keepingCapacity: true)
    let around = Surroundings(
      t: t,
      room: PixelRect(
        x: margin, y: margin, width: t.width - 2 * margin, height: t.height - 2 * margin),
      plates: avoiding, icons: icons, hidden: hidden, cut: cut, focus: focus)
    let hereMoved = placeHere(labels, around, dot, selected, bystanders, smaller)
    placeInside(labels, around, keepingClearOfHere: hereMoved)
    placeAtEdge(labels, around, isOverLine)
  }

  /// What the labels of a frame are placed among.
  private struct Surroundings {
    let t: ViewTransform
    /// The part of the screen in which labels are.
    let room: PixelRect
    let plates: [PixelRect]
    let icons: [Sprite]
    let hidden: MarkerStore.Number?
    let cut: [Owner]
    let focus: Focus?

    /// The label on the same side of the ring of the focus, if it belongs to what that is around.
    func beside(_ label: OverlayLabelPlacer.Label) -> OverlayLabelPlacer.Label {
      guard let focus, label.marker == focus.marker, let site = label.site,
        let slot = site.slot((label.dx, label.dy), label.image.width, label.image.height)
      else { return label }
      var label = label
      let wide = site.widened(by: focus.reach)
      label.site = wide
      (label.dx, label.dy) = wide.offset(slot, label.image.width, label.image.height)
      return label
    }

    func hides(_ label: OverlayLabelPlacer.Label) -> Bool {
      guard let marker = label.marker else { return false }
      return marker == hidden
        || cut.contains { $0.marker == marker && abs($0.gridX - label.gridX) < 1 }
    }

    /// The pixel that a label belongs to.
    func pixel(_ label: OverlayLabelPlacer.Label) -> (x: Int, y: Int) {
      t.pixel(gridX: label.gridX, gridY: label.gridY)
    }

    func isOnScreen(_ at: (x: Int, y: Int)) -> Bool {
      at.x >= 0 && at.y >= 0 && at.x < t.width && at.y < t.height
    }
  }

  /// Places the labels of "here". Returns whether any is not where the layout has it.
  private mutating func placeHere(
    _ labels: [OverlayLabelPlacer.Label], _ around: Surroundings, _ dot: PixelRect?,
    _ selected: (line: SelectedLine, point: Double)?, _ bystanders: Bystanders,
    _ smaller: (OverlayLabelPlacer.Label, MarkerArt.Style) -> SpriteImage?
  ) -> Bool {
    var hasMoved = false
    for label in labels where label.rank == .here && !around.hides(label) {
      let at = around.pixel(label)
      guard around.isOnScreen(at) else { continue }
      let planned = sprite(label, around.t)
      let wanted = around.beside(label)
      var beside = HereRoom(
        room: around.room, plates: around.plates, icons: around.icons, ring: around.focus?.ring,
        dot: dot, bystanders: bystanders, view: around.t)
      if let selected { beside.line = (selected.line, selected.point) }
      let found = LabelFrame.here(wanted, sprite(wanted, around.t), at, beside, smaller)
      guard let sprite = found else { continue }
      if sprite != planned { hasMoved = true }
      here.append(sprite)
    }
    return hasMoved
  }

  /// Places the label of what the ring of the focus is around beside the ring, if possible on the
  /// side that the layout has it on. Returns its index and what it covers; nil: there is none, or
  /// no room for it.
  private mutating func placeBesideRing(
    _ labels: [OverlayLabelPlacer.Label], _ around: Surroundings
  ) -> (index: Int, rect: PixelRect)? {
    guard let focus = around.focus,
      let i = labels.firstIndex(where: { $0.rank == .marker && $0.marker == focus.marker }),
      !around.hides(labels[i]), around.isOnScreen(around.pixel(labels[i]))
    else { return nil }
    let label = around.beside(labels[i])
    let planned = [sprite(label, around.t)]
    let places = planned + LabelFrame.sides(of: label, around.pixel(label))
    guard let free = places.first(where: { isFree($0.rect, around) }) else { return nil }
    append(free, .marker)
    return (i, free.rect)
  }

  /// Places the labels that are whole where the layout has them, and notes the others.
  private mutating func placeInside(
    _ labels: [OverlayLabelPlacer.Label], _ around: Surroundings, keepingClearOfHere: Bool
  ) {
    let own = placeBesideRing(labels, around)
    for i in labels.indices where labels[i].rank != .here && !around.hides(labels[i]) {
      if i == own?.index { continue }
      let sprite = sprite(labels[i], around.t)
      let rect = sprite.rect
      if rect.intersection(around.room) != rect {
        // What is beyond the edge has no label on the screen.
        if around.isOnScreen(around.pixel(labels[i])) { atEdge.append(i) }
        continue
      }
      if around.plates.contains(where: { $0.intersects(rect) }) { continue }
      let isUnderHere = keepingClearOfHere && here.contains { $0.rect.intersects(rect) }
      let isCrossed =
        labels[i].marker != around.focus?.marker
        && (around.focus?.ring.intersects(rect) == true || own?.rect.intersects(rect) == true)
      if isUnderHere || isCrossed {
        if around.isOnScreen(around.pixel(labels[i])) { atEdge.append(i) }
        continue
      }
      append(sprite, labels[i].rank)
    }
  }

  /// Moves the labels that the screen's edge would cut inside, where there is room, and those that
  /// the ring of the focus would cross, or the label of "here" cover, to another side, if possible
  /// over no line.
  private mutating func placeAtEdge(
    _ labels: [OverlayLabelPlacer.Label], _ around: Surroundings,
    _ isOverLine: (PixelRect) -> Bool
  ) {
    for i in atEdge {
      let label = labels[i]
      let at = around.pixel(label)
      // What it names stays visible.
      let moved = LabelFrame.moved(sprite(label, around.t), into: around.room)
      let isApart = !LabelFrame.named(by: label, at).intersects(moved.rect)
      if isApart, isFree(moved.rect, around) {
        append(moved, label.rank)
      } else if label.rank == .marker {
        let free = LabelFrame.sides(of: label, at).filter { isFree($0.rect, around) }
        let other = free.first { !isOverLine($0.rect) } ?? free.first
        if let other { append(other, label.rank) }
      }
    }
  }

  /// Whether a label there is whole and covers nothing that is there yet.
  private func isFree(_ rect: PixelRect, _ around: Surroundings) -> Bool {
    func hits(_ sprites: [Sprite]) -> Bool { sprites.contains { $0.rect.intersects(rect) } }
    return rect.intersection(around.room) == rect
      && !around.plates.contains { $0.intersects(rect) }
      && around.focus?.ring.intersects(rect) != true
      && !hits(here) && !hits(markers) && !hits(overlays) && !hits(around.icons)
  }

  /// The rectangle of what a label names; empty if nothing is drawn there, as for an area.
  static func named(
    by label: OverlayLabelPlacer.Label, _ at: (x: Int, y: Int)
  ) -> PixelRect {
    guard let site = label.site else { return PixelRect(x: at.x, y: at.y, width: 0, height: 0) }
    return PixelRect(
      x: at.x + site.left, y: at.y + site.top, width: site.right - site.left,
      height: site.bottom - site.top)
  }

  /// The label on each of its sides, in the order of preference.
  static func sides(
    of label: OverlayLabelPlacer.Label, _ at: (x: Int, y: Int), _ image: SpriteImage? = nil
  ) -> [Sprite] {
    guard let site = label.site else { return [] }
    let image = image ?? label.image
    return LabelSlot.allCases.map { slot in
      let offset = site.offset(slot, image.width, image.height)
      return Sprite(image, x: at.x + offset.x, y: at.y + offset.y)
    }
  }

  private mutating func append(_ sprite: Sprite, _ rank: OverlayLabelPlacer.Label.Rank) {
    if rank == .overlay { overlays.append(sprite) } else { markers.append(sprite) }
  }

  private func sprite(_ label: OverlayLabelPlacer.Label, _ t: ViewTransform) -> Sprite {
    let at = t.pixel(gridX: label.gridX, gridY: label.gridY)
    return Sprite(label.image, x: at.x + label.dx, y: at.y + label.dy)
  }

  static func moved(_ sprite: Sprite, into room: PixelRect) -> Sprite {
    var sprite = sprite
    sprite.x = max(room.x, min(sprite.x, room.maxX - sprite.image.width))
    sprite.y = max(room.y, min(sprite.y, room.maxY - sprite.image.height))
    return sprite
  }
}
