import Platform
import TileSources

/// Checks the sources' fallbacks once all sources are known: each must exist, and none may form a
/// cycle.
struct FallbackCheck {
  private let sources: [SourceSpec]
  /// The index of each name in `sources`. If two have the same name, the later one counts.
  private let places: [String: Int]
  /// How many steps were taken from one source to another; for tests.
  private(set) var steps = 0

  init(_ sources: [SourceSpec]) {
    self.sources = sources
    places = Dictionary(
      zip(sources.map(\.name), sources.indices), uniquingKeysWith: { _, later in later })
  }

  /// Adds a finding for each fallback that does not exist or is part of a cycle.
  ///
  /// - Parameters:
  ///   - origins: Returns where each source's fallback is set, by the source's name. Called only if
  ///     there are fallbacks.
  ///   - findings: Receives the findings.
  mutating func report(_ origins: () -> [String: ConfigValue.Origin], _ findings: Findings) {
    guard sources.contains(where: { $0.fallback != nil }) else { return }
    let origins = origins()
    let circles = circles()
    for (index, source) in sources.enumerated() {
      guard let origin = origins[source.name], let fallback = source.fallback else { continue }
      if places[fallback] == nil {
        let nearest = findings.nearest(
          to: fallback, in: sources.prefix(256).map(\.name).filter { $0 != source.name })
        findings.error(
          "source.fallback = \(fallback.quoted): no source has that name"
            + (nearest.map { "; the nearest is \($0.quoted)" } ?? ""), at: origin)
      } else if circles[index] {
        findings.error(
          "source.fallback = \(fallback.quoted): goes round in a circle ("
            + shown(circleFrom: index) + "); one of them must have none", at: origin)
      }
    }
  }

  /// The sources that are part of a cycle. Each source is visited once, so a chain of thousands
  /// costs no more than its length.
  mutating func circles() -> [Bool] {
    var isOnCircle = [Bool](repeating: false, count: sources.count)
    // 0: not visited; otherwise the number of the walk that visited it.
    var walks = [Int](repeating: 0, count: sources.count)
    for start in sources.indices where walks[start] == 0 {
      var next: Int? = start
      while let at = next, walks[at] == 0 {
        walks[at] = start + 1
        next = follower(of: at)
      }
      // Back at a source of the same walk: everything from there on is a cycle.
      guard var at = next, walks[at] == start + 1 else { continue }
      while !isOnCircle[at] {
        isOnCircle[at] = true
        guard let follower = follower(of: at) else { break }
        at = follower
      }
    }
    return isOnCircle
  }

  private mutating func follower(of index: Int) -> Int? {
    steps += 1
    return sources[index].fallback.flatMap { places[$0] }
  }

  /// "a → b → a"; for long cycles only the beginning.
  private mutating func shown(circleFrom start: Int) -> String {
    var names = [sources[start].name]
    var at = start
    while let next = follower(of: at) {
      if names.count == 8, next != start {
        names.append("…")
        break
      }
      names.append(sources[next].name)
      at = next
      if next == start { break }
    }
    return names.joined(separator: " → ")
  }
}
