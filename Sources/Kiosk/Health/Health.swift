/// The current problems, and when they began. Bounded: one entry per matter, at most 64.
public struct Health: Sendable {
  /// The severity.
  public enum State: String, Sendable { case warning, error }

  /// A problem.
  public struct Entry: Sendable, Equatable {
    /// The matter: "configuration", "cache", "source osm".
    public var what: String
    /// The severity.
    public var state: State
    /// When it began: seconds since 1970, or on the board itself of the monotonic clock.
    public var since: Double
    /// What is wrong, and what would be right.
    public var detail: String
  }

  /// The most problems to list.
  public static let capacity = 64

  /// The problems, in the order in which they began.
  public private(set) var entries: [Entry] = []

  /// Creates a list without problems.
  public init() {}

  /// Reports a problem; a known one keeps its start time. Returns whether it is new or has changed.
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

  /// A copy with all start times `seconds` later.
  func shifted(by seconds: Double) -> Health {
    var shifted = self
    for i in shifted.entries.indices { shifted.entries[i].since += seconds }
    return shifted
  }

  /// Ends a problem. Returns whether there was one.
  public mutating func clear(_ what: String) -> Bool {
    let before = entries.count
    entries.removeAll { $0.what == what }
    return entries.count != before
  }
}
