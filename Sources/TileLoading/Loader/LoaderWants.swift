/// What the views want of the loader, and the holes that are asked for again.
struct LoaderWants {
  private var wanted: [[TileLoader.Request]] = Array(repeating: [], count: ViewID.limit)
  /// Holes that are asked for again now.
  private var retries: [TileLoader.Request] = []

  /// Whether nothing is wanted.
  var isEmpty: Bool { retries.isEmpty && wanted.allSatisfy(\.isEmpty) }

  /// The most urgent request of `view`.
  func first(of view: ViewID) -> TileLoader.Request? { wanted[view.index].first }

  /// Replaces what `view` wants by those of `requests` that can be made.
  mutating func set(_ requests: [TileLoader.Request], for view: ViewID) {
    wanted[view.index].removeAll(keepingCapacity: true)
    wanted[view.index].append(contentsOf: requests.lazy.filter(\.isPossible))
  }

  /// Adds a hole, unless it is asked for already.
  mutating func add(hole request: TileLoader.Request) {
    if !retries.contains(where: { $0.key == request.key }) { retries.append(request) }
  }

  /// Drops everything of a source.
  mutating func remove(source: Int) {
    for view in wanted.indices { wanted[view].removeAll { $0.key.source == source } }
    retries.removeAll { $0.key.source == source }
  }

  /// Who wants `key` and how much; nil: nobody.
  func find(_ key: TileKey) -> (view: ViewID, standing: TileStanding)? {
    for index in wanted.indices {
      guard let request = wanted[index].first(where: { $0.key == key }),
        let view = ViewID(index)
      else { continue }
      return (view, request.standing)
    }
    return nil
  }

  /// Goes through what is wanted, the main view first, holes last.
  ///
  /// - Parameters:
  ///   - ask: gets each request; false: it is not to be kept.
  ///   - askAgain: gets each hole; false: it is not to be kept.
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
