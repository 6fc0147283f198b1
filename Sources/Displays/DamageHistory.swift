import MapGeometry

/// What the last frames changed, so that a buffer which still shows an older frame can be brought up
/// to date by what changed since. Bounded; a steady frame allocates nothing.
public struct DamageHistory {
  /// How many frames are remembered; an older buffer is drawn anew.
  public static let depth = 4

  private var lists = [[PixelRect]](repeating: [], count: depth)
  private var count = 0

  public init() {}

  /// Notes what a presented frame changed.
  public mutating func add(_ damage: [PixelRect]) {
    let at = count % DamageHistory.depth
    lists[at].removeAll(keepingCapacity: true)
    lists[at].append(contentsOf: damage)
    count += 1
  }

  /// Nothing is known of earlier frames from now on.
  public mutating func forget() { count = 0 }

  /// Whether it is known what changed since a buffer of that age (as `Display.begin` gives it) was
  /// presented.
  public func covers(age: Int) -> Bool {
    age >= 1 && age - 1 <= min(count, DamageHistory.depth)
  }

  /// What changed since a buffer of `age` was presented, without what `damage` covers anyway.
  ///
  /// - Parameter age: one that `covers(age:)` says yes to; 1: nothing changed since.
  public func forEach(since age: Int, outside damage: [PixelRect], _ body: (PixelRect) -> Void) {
    for back in stride(from: age - 1, to: 0, by: -1) {
      for rect in lists[(count - back) % DamageHistory.depth]
      where !damage.contains(where: { $0.intersection(rect) == rect }) {
        body(rect)
      }
    }
  }
}
