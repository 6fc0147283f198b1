/// The current problems, and since when. Bounded: one entry for each, 64 at most.
public struct Health: Sendable {
  /// How bad it is.
  public enum State: String, Sendable { case warning, error }

  /// One matter.
  public struct Entry: Sendable, Equatable {
    /// The matter: "configuration", "cache", "source osm".
    public var what: String
    /// How bad it is.
    public var state: State
    /// Seconds since 1970; on the board itself, of the monotonic clock.
    public var since: Double
    /// What is wrong, and what would be right.
    public var detail: String
  }

  /// The most problems that are listed.
  public static let capacity = 64

  /// In the order in which they began.
  public private(set) var entries: [Entry] = []

  /// Nothing is wrong.
  public init() {}

  /// Notes a problem; one that is known keeps its start time. True when it is new.
  public mutating func report(_ what: String, _ state: State, _ detail: String, at time: Double)
    -> Bool
  {
    if let i = entries.firstIndex(where: { $0.what == what }) {
      guard entries[i].detail != detail || entries[i].state != state else { return false }
      entries[i].state = state
      entries[i].detail = detail
      return true
    }
    guard entries.count < Health.capacity else { return false }
    entries.append(Entry(what: what, state: state, since: time, detail: detail))
    return true
  }

  /// The same with every beginning `seconds` later.
  func shifted(by seconds: Double) -> Health {
    var shifted = self
    for i in shifted.entries.indices { shifted.entries[i].since += seconds }
    return shifted
  }

  /// Notes that a problem ended. True when there was one.
  public mutating func clear(_ what: String) -> Bool {
    let before = entries.count
    entries.removeAll { $0.what == what }
    return entries.count != before
  }
}
