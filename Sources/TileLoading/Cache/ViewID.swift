/// Identifies one view of the map. Wants and standings are kept per view, so that two views can
/// share a cache and a loader.
public struct ViewID: Hashable, Sendable {
  /// How many views can share a cache.
  public static let limit = 4
  /// The view of the display.
  public static let main = ViewID(unchecked: 0)
  /// The display's view with the map that is to replace the one on the screen.
  public static let next = ViewID(unchecked: 1)

  /// 0 ..< `limit`.
  public let index: Int

  /// A view's identifier, or nil where `index` is not in 0 ..< `limit`.
  public init?(_ index: Int) {
    guard (0..<ViewID.limit).contains(index) else { return nil }
    self.index = index
  }

  private init(unchecked index: Int) { self.index = index }
}

/// How strongly a view holds on to a tile. A request may only displace tiles of a lower standing.
public enum TileStanding: UInt8, Comparable, Sendable {
  /// Not part of what the view wants.
  case unwanted
  /// Loaded ahead: the ring around the view, the level above.
  case ahead
  /// On the screen, and drawn there with all its neighbours.
  case shown
  /// On the screen and still to be drawn.
  case needed

  /// Whether `a` gives way to `b`.
  @inlinable
  public static func < (a: TileStanding, b: TileStanding) -> Bool { a.rawValue < b.rawValue }
}

/// The rounds of all views: a standing counts only in the round of its view in which it was given.
struct ViewRounds {
  /// One word a view: 30 bits of the round, 2 of the standing.
  typealias Standings = SIMD4<UInt32>

  /// 0 of a view that never began.
  private var rounds = SIMD4<UInt32>(4, 0, 0, 0)
  /// The view that began last.
  private(set) var current = 0

  /// Begins a new round of `view`: what it wanted before counts no more.
  mutating func begin(_ view: ViewID) {
    current = view.index
    rounds[current] &+= 4
    // Words of tiles that no view has raised are 0.
    if rounds[current] == 0 { rounds[current] = 4 }
  }

  /// `standing` in the present round of `view`.
  func raised(
    _ standings: Standings, to standing: TileStanding, for view: ViewID
  ) -> Standings {
    var standings = standings
    let word = rounds[view.index] | UInt32(standing.rawValue)
    // Of one round the larger word is the higher standing.
    if standings[view.index] & ~3 != rounds[view.index] || standings[view.index] < word {
      standings[view.index] = word
    }
    return standings
  }

  /// The highest standing that any view gives.
  func highest(_ standings: Standings) -> UInt8 {
    var highest: UInt32 = 0
    for view in 0..<ViewID.limit where standings[view] & ~3 == rounds[view] {
      highest = max(highest, standings[view] & 3)
    }
    return UInt8(highest)
  }

  /// Marks for the present round of the view that began last.
  func mark(_ marks: inout Standings) { marks[current] = rounds[current] }

  /// Marks for the present rounds of all views.
  var all: Standings { rounds }

  /// Whether any view marked it in its present round.
  func isMarked(_ marks: Standings) -> Bool {
    for view in 0..<ViewID.limit where marks[view] == rounds[view] && rounds[view] != 0 {
      return true
    }
    return false
  }
}
