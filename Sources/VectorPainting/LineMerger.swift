import VectorTiles

/// Joins the lines of one text before labels are placed along them, as MapLibre does.
///
/// Only the first line of each feature is joined, where its end is another one's start. Each
/// feature in turn is added to an earlier one, or connects two of them. If there are several, the
/// features' order decides.
struct LineMerger {
  /// The lines of a feature. Those that were added to another feature are empty.
  struct Feature {
    /// The number of the text; the same text has the same number.
    var text: Int
    var lines: [[VectorPoint]]
  }

  struct End: Hashable {
    var text: Int
    var point: VectorPoint
  }

  /// The most points that are moved. Of a tile that needs more, some lines are not joined.
  static let mostMoves = 1 << 22

  /// Joins lines in place.
  static func merge(_ features: inout [Feature]) {
    var starts: [End: Int] = [:]
    var ends: [End: Int] = [:]
    var moves = 0
    for index in features.indices where moves < mostMoves {
      let text = features[index].text
      guard let first = features[index].lines.first?.first,
        let last = features[index].lines.first?.last
      else { continue }
      let (start, end) = (End(text: text, point: first), End(text: text, point: last))
      moves += features[index].lines[0].count
      let before = ends[start]
      let after = starts[end]
      if let after { moves += features[after].lines[0].count }
      if let before, let after, before != after {
        prepend(index, to: after, &features)
        starts[end] = nil
        append(after, to: before, &features)
        starts[start] = nil
        ends[start] = nil
        ends[end] = nil
        if let far = features[before].lines[0].last { ends[End(text: text, point: far)] = before }
      } else if let before {
        append(index, to: before, &features)
        ends[start] = nil
        ends[end] = before
      } else if let after {
        prepend(index, to: after, &features)
        starts[end] = nil
        starts[start] = after
      } else {
        starts[start] = index
        ends[end] = index
      }
    }
  }

  private static func append(_ source: Int, to target: Int, _ features: inout [Feature]) {
    let line = features[source].lines[0]
    features[source].lines[0] = []
    features[target].lines[0] += line.dropFirst()
  }

  private static func prepend(_ source: Int, to target: Int, _ features: inout [Feature]) {
    let line = features[source].lines[0]
    features[source].lines[0] = []
    features[target].lines[0].insert(contentsOf: line.dropLast(), at: 0)
  }
}

/// Finds which features of a layer are joined with those that a part of the tile shows.
struct LineNetwork {
  /// Comparisons of texts. A tile that needs more has some lines that are not joined.
  static let mostComparisons = 1 << 18

  private var ends: [VectorPoint: [Int32]] = [:]
  private var comparisons = 0

  /// Adds a feature by both ends of its first line.
  mutating func add(_ index: Int, _ first: VectorPoint, _ last: VectorPoint) {
    ends[first, default: []].append(Int32(truncatingIfNeeded: index))
    if last != first { ends[last, default: []].append(Int32(truncatingIfNeeded: index)) }
  }

  /// The features with an end at a point.
  mutating func neighbours(_ point: VectorPoint) -> [Int32] {
    guard let found = ends[point], comparisons + found.count <= Self.mostComparisons else {
      return []
    }
    comparisons += found.count
    return found
  }
}
