/// Identifies one view of the map. Requests and standings are kept per view, so that several views
/// can share a cache and a loader.
public struct ViewID: Hashable, Sendable {
  /// How many views can share a cache.
  public static let limit = 4
  /// The view of the display.
  public static let main = ViewID(unchecked: 0)
  /// The display's view with the map that will replace the one on the screen.
  public static let next = ViewID(unchecked: 1)

  /// The view's number, 0 ..< `limit`.
  public let index: Int

  /// Creates the identifier of a view; nil unless `index` is in 0 ..< `limit`.
  public init?(_ index: Int) {
    guard (0..<ViewID.limit).contains(index) else { return nil }
    self.index = index
  }

  private init(unchecked index: Int) { self.index = index }
}

/// How strongly a view holds on to a tile. A request may evict only tiles of a lower standing.
public enum TileStanding: UInt8, Comparable, Sendable {
  /// Not wanted by the view.
  case unwanted
  /// Loaded ahead: the ring around the view, the level above.
  case ahead
  /// On the screen and already drawn, with all that its blocks need.
  case shown
  /// On the screen and not fully drawn yet.
  case needed

  /// Whether a tile of standing `a` may be evicted for one of standing `b`.
  @inlinable
  public static func < (a: TileStanding, b: TileStanding) -> Bool { a.rawValue < b.rawValue }
}

/// Counts the plans (rounds) of each view. A standing is valid only in the round in which it was
/// given.
struct ViewRounds {
  /// One 32-bit number per view: 30 bits for the round, 2 for the standing.
  typealias Standings = SIMD4<UInt32>

  /// Each view's round; 0 for a view that never began.
  private var rounds = SIMD4<UInt32>(4, 0, 0, 0)
  /// The view that began last.
  private(set) var current = 0
  /// Whether the view has ended, so that it marks nothing.
  private var hasEnded = SIMDMask<SIMD4<Int32>>(repeating: false)

  /// Begins a new round of `view`, which invalidates its earlier standings and marks.
  mutating func begin(_ view: ViewID) {
    current = view.index
    hasEnded[current] = false
    advance(view)
  }

  /// Ends `view` until it begins again. The main view is then the one that began last.
  mutating func end(_ view: ViewID) {
    hasEnded[view.index] = true
    if current == view.index { current = ViewID.main.index }
    advance(view)
  }

  private mutating func advance(_ view: ViewID) {
    rounds[view.index] &+= 4
    // 0 is reserved for tiles that no view has raised.
    if rounds[view.index] == 0 { rounds[view.index] = 4 }
  }

  /// Raises `standings` to `standing` in the present round of `view`.
  func raised(
    _ standings: Standings, to standing: TileStanding, for view: ViewID
  ) -> Standings {
    var standings = standings
    let word = rounds[view.index] | UInt32(standing.rawValue)
    // Within a round, the larger number is the higher standing.
    if standings[view.index] & ~3 != rounds[view.index] || standings[view.index] < word {
      standings[view.index] = word
    }
    return standings
  }

  /// The highest standing that any view gives in its present round.
  func highest(_ standings: Standings) -> UInt8 {
    var highest: UInt32 = 0
    for view in 0..<ViewID.limit where standings[view] & ~3 == rounds[view] {
      highest = max(highest, standings[view] & 3)
    }
    return UInt8(highest)
  }

  /// Sets a mark for the present round of the view that began last.
  func mark(_ marks: inout Standings) { marks[current] = rounds[current] }

  /// Marks for the present rounds of all views.
  var all: Standings { rounds }

  /// Whether any view's mark is from its present round.
  func isMarked(_ marks: Standings) -> Bool {
    for view in 0..<ViewID.limit where marks[view] == rounds[view] && rounds[view] != 0 {
      if !hasEnded[view] { return true }
    }
    return false
  }
}
