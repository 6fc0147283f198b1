import MapGeometry

/// The HUD's plates, which a callout keeps clear of, and those that make way for it if there is no
/// other room.
public struct CalloutPlates: Equatable {
  /// All plates, in view pixels.
  public var all: [PixelRect]
  /// Those that say something that just happened: a callout is not made smaller for them.
  public var brief: [PixelRect]
  /// Those that make way at once: the coordinates.
  public var numbers: [PixelRect]
  /// Those that make way before the callout becomes smaller: the compass.
  public var compass: [PixelRect]
  /// Those that make way where a callout has no room in its smallest size either: the notices.
  public var notices: [PixelRect]

  /// Creates plates that never make way.
  ///
  /// - Parameter all: The plates in view pixels.
  public init(all: [PixelRect]) {
    self.all = all
    (brief, numbers, compass, notices) = ([], [], [], [])
  }

  /// Those of `plates` that do not just say something that happened, and go on their own.
  func lasting(of plates: [PixelRect]) -> [PixelRect] {
    brief.isEmpty ? plates : plates.filter { !brief.contains($0) }
  }

  /// The same kinds among other plates.
  func among(_ all: [PixelRect]) -> CalloutPlates {
    var plates = self
    plates.all = all
    return plates
  }

  /// How many of the kinds of plates make way.
  enum Level: Int, CaseIterable { case none, brief, numbers, compass, notices }

  /// The plates that do not make way.
  func plates(at level: Level) -> [PixelRect] {
    let kinds = [brief, numbers, compass, notices].prefix(level.rawValue)
    return all.filter { plate in !kinds.contains { $0.contains(plate) } }
  }
}

/// The rooms beside the plates of the last frame, which are found again only when those change.
struct CalloutRooms {
  private let screen: PixelRect
  private let margin: Int
  private let gap: Int
  private var plates = CalloutPlates(all: [])
  private var rooms: [CalloutRoom?]

  init(width: Int, height: Int, _ painter: SpritePainter) {
    screen = PixelRect(x: 0, y: 0, width: width, height: height)
    (margin, gap) = (painter.px(HudStyle.margin), painter.px(HudStyle.gap))
    rooms = Array(repeating: nil, count: CalloutPlates.Level.allCases.count)
  }

  /// Whether the rooms beside these plates were asked for last.
  func isKnown(_ plates: CalloutPlates) -> Bool {
    plates == self.plates && rooms.contains { $0 != nil }
  }

  /// The room beside plates of which some make way.
  mutating func room(_ level: CalloutPlates.Level, _ plates: CalloutPlates) -> CalloutRoom {
    if plates != self.plates {
      self.plates = plates
      for n in rooms.indices { rooms[n] = nil }
    }
    if let room = rooms[level.rawValue] { return room }
    let room = CalloutRoom(screen, clearOf: plates.plates(at: level), margin: margin, gap: gap)
    rooms[level.rawValue] = room
    return room
  }
}
