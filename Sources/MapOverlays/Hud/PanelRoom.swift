import MapGeometry

/// Chooses the width and the size of a panel, and remembers the choice: measuring the panel's text
/// is slow, and the rest of the HUD changes in each frame of a movement.
struct PanelRoom {
  /// Where a panel may be.
  struct Room: Equatable {
    /// Its width in pixels.
    var width: Int
    /// The rows that it may take.
    var rows: Range<Int>
    /// Whether the scale bar keeps its place.
    var hasBar: Bool
    /// Whether it is at the right edge of the screen.
    var isRight = false
    /// Whether the panel is at the upper end of its rows.
    var isTop = false
    /// Whether it leaves a part of the screen to the map that is large enough for a line.
    var showsMap = true
    /// Whether a card in it may hide the position that the view follows.
    var hidesDot = false

    /// How much a card in it costs the map, the least first.
    fileprivate var cost: Int { (hidesDot ? 2 : 0) + (showsMap ? 0 : 1) }
  }

  /// A room with the pixels per point of the panel in it.
  struct Choice: Equatable {
    var room: Room
    var unit: Double
    /// How many rows of a card's figures have no room in it.
    var lostRows = 0

    /// How many signs of a key there is room for.
    func signs(of key: MapKey, _ painter: SpritePainter) -> Int {
      painter.with(unit: unit) {
        PanelArt(painter: painter).signs(of: key, width: room.width, height: room.rows.count)
      }
    }
  }

  /// The ratio of each size tried to the previous one, and the smallest size as a share of the
  /// HUD's own.
  private static let smaller = 0.9
  private static let least = 0.5

  private var panel: Panel?
  private var rooms: [Room] = []
  private var choice: Choice?
  private var keyWidth: (key: MapKey, width: Int)?

  /// A map key may become smaller until this many signs fit, and no further.
  private static let enoughSigns = 6

  /// The room and the size in which the panel loses least. Among equals the largest size wins, then
  /// the first room. A card rather loses its profile than take the map's part, and rather a row of
  /// figures, too, than hide the position. For a map key only the first few signs count. Nil if
  /// there is no font.
  mutating func best(_ panel: Panel, _ rooms: [Room], _ painter: SpritePainter) -> Choice? {
    if panel == self.panel, rooms == self.rooms { return choice }
    (self.panel, self.rooms) = (panel, rooms)
    choice = PanelRoom.found(panel, rooms, painter)
    return choice
  }

  /// The width in pixels that a key needs at the HUD's size.
  mutating func width(of key: MapKey, _ painter: SpritePainter) -> Int {
    if let keyWidth, keyWidth.key == key { return keyWidth.width }
    let width = PanelArt(painter: painter).width(of: key)
    keyWidth = (key, width)
    return width
  }

  private static func found(
    _ panel: Panel, _ rooms: [Room], _ painter: SpritePainter
  ) -> Choice? {
    let card: TrailCard
    switch panel {
    case .trail(let trail): card = trail
    case .key(let key): return found(key, rooms, painter)
    }
    var best: (choice: Choice, lost: Int)?
    for cost in 0...3 where rooms.contains(where: { $0.cost == cost }) {
      // The profile counts 1, a row of figures 2.
      if let best, best.lost <= (best.choice.room.hidesDot || cost < 2 ? 1 : 3) { break }
      for unit in units(painter) {
        for room in rooms where room.cost == cost {
          let lost = painter.with(unit: unit) {
            PanelArt(painter: painter).lost(card, width: room.width, height: room.rows.count)
          }
          if lost < best?.lost ?? .max {
            best = (Choice(room: room, unit: unit, lostRows: lost / 2), lost)
          }
          if lost == 0 { return best?.choice }
        }
      }
    }
    return best?.choice
  }

  /// The largest size, and then the first room, in which enough signs of a key fit; if there is
  /// none, those with the most. It takes the scale bar's place before it becomes smaller.
  private static func found(
    _ key: MapKey, _ rooms: [Room], _ painter: SpritePainter
  ) -> Choice? {
    guard let first = rooms.first else { return nil }
    var best = (choice: Choice(room: first, unit: painter.unit), signs: 0)
    let enough = min(key.listed.count, enoughSigns)
    // A key is as wide as a card at its narrowest.
    for unit in units(painter) where best.signs < enough {
      for room in rooms where room.width == first.width && best.signs < enough {
        let choice = Choice(room: room, unit: unit)
        let signs = choice.signs(of: key, painter)
        if signs > best.signs { best = (choice, signs) }
      }
    }
    return best.choice
  }

  /// The sizes of a panel or a callout in pixels per point, the best first: that of the HUD, and,
  /// if that is larger than the display's own, smaller ones.
  static func units(_ painter: SpritePainter) -> [Double] {
    let least = max(min(painter.leastUnit, painter.unit), painter.unit * PanelRoom.least)
    var units = [painter.unit]
    while let last = units.last, last > least { units.append(max(last * smaller, least)) }
    return units
  }

  /// The corner in which to place a panel: `usual`, unless it would hide anything there. Then it is
  /// that corner in which it hides no pin, covers no plate and hides least of lines and markers,
  /// and among equals the first; nil if there is none.
  ///
  /// All lengths are pixels. The panel keeps `gap` away from the rectangles in `taken`.
  static func corner(
    of size: (width: Int, height: Int), usual: (x: Int, y: Int), on screen: PixelRect,
    margin: Int, gap: Int, taken: [PixelRect], hidesPin: (PixelRect) -> Bool,
    hidden: (PixelRect) -> Int = { _ in 0 }
  ) -> (x: Int, y: Int)? {
    var best: (at: (x: Int, y: Int), hidden: Int)?
    func isPerfect(_ at: (x: Int, y: Int)) -> Bool {
      let rect = PixelRect(x: at.x, y: at.y, width: size.width, height: size.height)
      if hidesPin(rect) { return false }
      let loss = hidden(rect)
      if loss < best?.hidden ?? .max { best = (at, loss) }
      return loss == 0
    }
    if isPerfect(usual) { return usual }
    let right = screen.width - margin - size.width
    for x in [margin, right] {
      var (top, bottom) = (margin, screen.height - margin)
      for other in taken where other.x < x + size.width && other.maxX > x {
        if other.y < screen.height / 2 {
          top = max(top, other.maxY + gap)
        } else {
          bottom = min(bottom, other.y - gap)
        }
      }
      guard x >= margin, bottom - top >= size.height else { continue }
      for y in [top, bottom - size.height] where isPerfect((x, y)) { return (x, y) }
    }
    return best?.at
  }
}
