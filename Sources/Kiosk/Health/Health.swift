/// The current problems, and when they began. Bounded: one entry per matter, at most 64.
public struct Health: Sendable {
  /// A warning: something is worse than configured. An error: something does not work.
  public enum State: String, Sendable { case warning, error }

  /// A current problem with one matter.
  public struct Entry: Sendable, Equatable {
    /// The matter: "configuration", "cache", "source osm".
    public var what: String
    /// How bad it is now; that may change while it lasts.
    public var state: State
    /// When it began: seconds since 1970, or on the board itself of the monotonic clock.
    public var since: Double
    /// What is wrong, and what would be right.
    public var detail: String

    /// Whether it is a matter of a source or an overlay, of which there may be many.
    var isOfLayer: Bool { what.hasPrefix("source ") || what.hasPrefix("overlay ") }
  }

  /// The most problems to list.
  public static let capacity = 64
  /// The matter of the entry that says how many are not listed.
  public static let more = "more"
  /// The most that are known.
  static let mostKnown = 4096

  /// All of them, in the order in which they began.
  private var known: [Entry] = []

  /// Those too that are not listed for want of room, in the order in which they began; at most
  /// 4096.
  package var all: [Entry] { known }

  /// In the order in which they began. Where there are too many to be listed, layers make room for
  /// everything else, and the last entry says how many are left out.
  public var entries: [Entry] {
    if known.count <= Health.capacity { return known }
    var room = Health.capacity - 1 - known.filter { !$0.isOfLayer }.count
    var listed: [Entry] = []
    for entry in known where listed.count < Health.capacity - 1 {
      if entry.isOfLayer {
        guard room > 0 else { continue }
        room -= 1
      }
      listed.append(entry)
    }
    let left = known.count - listed.count
    listed.append(
      Entry(
        what: Health.more, state: .warning, since: known[known.count - 1].since,
        detail: "\(left) more problems of sources and overlays are not listed; the log has them"))
    return listed
  }

  /// Creates a list without problems.
  public init() {}

  /// Reports a problem; a known one keeps its start time. Returns whether it is new or has changed.
  public mutating func report(_ what: String, _ state: State, _ detail: String, at time: Double)
    -> Bool
  {
    if let i = known.firstIndex(where: { $0.what == what }) {
      guard known[i].detail != detail || known[i].state != state else { return false }
      known[i].state = state
      known[i].detail = detail
      return true
    }
    guard known.count < Health.mostKnown else { return false }
    known.append(Entry(what: what, state: state, since: time, detail: detail))
    return true
  }

  /// A copy with all start times `seconds` later.
  func shifted(by seconds: Double) -> Health {
    var shifted = self
    for i in shifted.known.indices { shifted.known[i].since += seconds }
    return shifted
  }

  /// Ends a problem. Returns whether there was one.
  public mutating func clear(_ what: String) -> Bool {
    let before = known.count
    known.removeAll { $0.what == what }
    return known.count != before
  }
}
