import MapGeometry

/// The tiles that a server refused lately: they are not requested again for a while.
struct RefusedTiles {
  /// A tile for a display.
  struct Key: Hashable {
    var tile: TileID
    var scale: Int
  }

  /// How many seconds a tile is not requested again, and how many are remembered.
  private static let seconds: UInt64 = 60
  private static let most = 4096

  private var answers: [Key: (answer: ProviderAnswer, end: UInt64)] = [:]

  /// Notes the answer that the tile gets from `now` on, in nanoseconds of the monotonic clock.
  mutating func add(_ key: Key, _ answer: ProviderAnswer, at now: UInt64) {
    if answers.count >= RefusedTiles.most { answers.removeAll() }
    answers[key] = (answer, now + RefusedTiles.seconds * 1_000_000_000)
  }

  /// The answer that the tile gets at `now`; nil: its server may be asked.
  mutating func answer(for key: Key, at now: UInt64) -> ProviderAnswer? {
    guard let refusal = answers[key] else { return nil }
    if refusal.end > now { return refusal.answer }
    answers[key] = nil
    return nil
  }

  /// Forgets them all, because the server's trouble may be over.
  mutating func removeAll() { answers.removeAll() }
}
