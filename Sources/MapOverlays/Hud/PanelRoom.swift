/// Decides how wide and how large a panel is, and remembers it, since measuring its texts takes
/// long and the rest of the HUD changes in each frame of a movement.
struct PanelRoom {
  /// Where a panel may be.
  struct Room: Equatable {
    /// Its width in pixels.
    var width: Int
    /// The rows that it may take.
    var rows: Range<Int>
    /// Whether the scale bar keeps its place.
    var hasBar: Bool
  }

  /// A room with the pixels per point of the panel in it.
  struct Choice: Equatable {
    var room: Room
    var unit: Double
  }

  /// How much smaller each size is that is tried, and the smallest part of the HUD's own size.
  private static let smaller = 0.9
  private static let least = 0.5

  private var panel: Panel?
  private var rooms: [Room] = []
  private var choice: Choice?

  /// The room and the size in which the least of a panel is lost, of equals the largest size, then
  /// the first room; nil: there is no font. A map key is as large as the HUD.
  mutating func best(_ panel: Panel, _ rooms: [Room], _ painter: SpritePainter) -> Choice? {
    if panel == self.panel, rooms == self.rooms { return choice }
    (self.panel, self.rooms) = (panel, rooms)
    choice = PanelRoom.found(panel, rooms, painter)
    return choice
  }

  private static func found(
    _ panel: Panel, _ rooms: [Room], _ painter: SpritePainter
  ) -> Choice? {
    guard case .trail(let card) = panel else {
      return rooms.first.map { Choice(room: $0, unit: painter.unit) }
    }
    var best: (choice: Choice, lost: Int)?
    for unit in units(painter) {
      for room in rooms {
        let lost = painter.with(unit: unit) {
          PanelArt(painter: painter).lost(card, width: room.width, height: room.rows.count)
        }
        if lost < best?.lost ?? .max { best = (Choice(room: room, unit: unit), lost) }
        if lost == 0 { return best?.choice }
      }
    }
    return best?.choice
  }

  /// The sizes of a card in pixels per point, the best first: that of the HUD, and, if that is
  /// larger than the display's own, smaller ones.
  private static func units(_ painter: SpritePainter) -> [Double] {
    let least = max(min(painter.leastUnit, painter.unit), painter.unit * PanelRoom.least)
    var units = [painter.unit]
    while let last = units.last, last > least { units.append(max(last * smaller, least)) }
    return units
  }
}
