/// What the views request of the loader, and which holes it retries.
struct LoaderWants {
  private var wanted: [[TileLoader.Request]] = Array(repeating: [], count: ViewID.limit)
  /// Holes to request again now.
  private var retries: [TileLoader.Request] = []

  /// Whether nothing is requested.
  var isEmpty: Bool { retries.isEmpty && wanted.allSatisfy(\.isEmpty) }

  /// The most urgent request of `view`.
  func first(of view: ViewID) -> TileLoader.Request? { wanted[view.index].first }

  /// Replaces the requests of `view` with those of `requests` that are possible, most urgent first.
  /// Requests painted from one payload are placed next to each other.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - view: The view that wants them.
  ///   - begun: The tiles of the level above whose payloads are being read or at hand. Requests
  ///     that share such a payload come first, because it would otherwise be read again.
  ///   - shares: Whether tiles of the source with this number share payloads in this way.
  mutating func set(
    _ requests: [TileLoader.Request], for view: ViewID, begun: Set<TileKey> = [],
    where shares: (Int) -> Bool
  ) {
    wanted[view.index].removeAll(keepingCapacity: true)
    wanted[view.index].append(contentsOf: requests.lazy.filter(\.isPossible))
    if !begun.isEmpty { advance(view, begun) }
    group(view, where: shares)
  }

  /// Moves the requests of `view` that share a payload that is at hand to the front, as far as
  /// they have the same standing as the first request.
  private mutating func advance(_ view: ViewID, _ begun: Set<TileKey>) {
    guard let standing = wanted[view.index].first?.standing else { return }
    var front = 0
    for at in wanted[view.index].indices {
      let request = wanted[view.index][at]
      if request.standing != standing { break }
      guard let above = request.key.above, begun.contains(above) else { continue }
      if at > front {
        wanted[view.index].remove(at: at)
        wanted[view.index].insert(request, at: front)
      }
      front += 1
    }
  }

  /// Groups the requests of `view` that are drawn from one tile of the level above, behind the
  /// first of them. Requests of another standing keep their places.
  private mutating func group(_ view: ViewID, where shares: (Int) -> Bool) {
    let count = wanted[view.index].count
    var first = 0
    while first < count {
      let request = wanted[view.index][first]
      first += 1
      guard request.tile.z > 0, shares(request.key.source) else { continue }
      let above = request.tile.ancestor(1)
      for at in first..<max(first, count) {
        let other = wanted[view.index][at]
        if other.standing != request.standing { break }
        guard other.key.source == request.key.source, other.levels == request.levels,
          other.tile.z == request.tile.z, other.tile.ancestor(1) == above
        else { continue }
        if at > first {
          wanted[view.index].remove(at: at)
          wanted[view.index].insert(other, at: first)
        }
        first += 1
      }
    }
  }

  /// Adds a hole to retry, unless it is there already.
  mutating func add(hole request: TileLoader.Request) {
    if !retries.contains(where: { $0.key == request.key }) { retries.append(request) }
  }

  /// Drops all requests and retries of a source.
  mutating func remove(source: Int) {
    for view in wanted.indices { wanted[view].removeAll { $0.key.source == source } }
    retries.removeAll { $0.key.source == source }
  }

  /// The first view that requests `key`, and its standing there; nil: none does.
  func find(_ key: TileKey) -> (view: ViewID, standing: TileStanding)? {
    for index in wanted.indices {
      guard let request = wanted[index].first(where: { $0.key == key }),
        let view = ViewID(index)
      else { continue }
      return (view, request.standing)
    }
    return nil
  }

  /// Whether the main view asks for `job`, which must have a shared payload, at least as urgently
  /// as for anything that is not under way.
  func staysQueued(_ job: PaintJob, where isUnderWay: (TileKey) -> Bool) -> Bool {
    guard job.origin != nil else { return false }
    let wanted = wanted[ViewID.main.index]
    let standing = wanted.first { !isUnderWay($0.key) }?.standing
    let mine = wanted.first { request in
      request.key == job.key && request.edge == job.edge && request.levels == job.levels
    }
    guard let mine else { return false }
    return standing.map { mine.standing >= $0 } ?? true
  }

  /// Visits all requests, the main view's first, then all retries.
  ///
  /// - Parameters:
  ///   - ask: Called with each request; returns whether to keep it.
  ///   - askAgain: Called with each retry; returns whether to keep it.
  mutating func forEach(
    ask: (TileLoader.Request) -> Bool, askAgain: (TileLoader.Request) -> Bool
  ) {
    for view in wanted.indices {
      var left = 0
      for i in wanted[view].indices {
        let request = wanted[view][i]
        guard ask(request) else { continue }
        wanted[view][left] = request
        left += 1
      }
      wanted[view].removeLast(wanted[view].count - left)
    }
    if !retries.isEmpty { retries.removeAll { !askAgain($0) } }
  }
}

extension TileKey {
  /// The tile of the level above, of the same source; nil: there is none.
  var above: TileKey? {
    tile?.ancestor(1).map { TileKey(source: source, tile: $0) }
  }
}
