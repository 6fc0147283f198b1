import MapLabels
import VectorTiles

/// Labels along lines.
extension LabelCollector {
  /// A feature whose lines may be joined with others.
  struct Member {
    var candidate: LabelCandidate
    var text: String
    var lines: [[VectorPoint]]
  }

  /// The most features of a layer whose lines are joined, and the most that are evaluated for that.
  private static let mostMembers = 16_384
  /// The most points of their lines.
  private static let mostPoints = 1 << 18

  /// Adds the lines that this part of the tile shows, joined with others of the same text. Label
  /// positions along a line therefore do not depend on the part.
  func addLines(
    _ maker: inout CandidateMaker, _ boxes: [VectorBox], _ view: TileProjection,
    _ builder: inout TileLabelsBuilder, _ work: PaintWork
  ) throws(VectorTileError) {
    if builder.leftOut > Self.mostLeftOut { return }
    let layer = maker.layer
    func hasLines(_ index: Int) -> Bool {
      let kind = layer.features[index].kind
      return kind == .line || kind == .polygon
    }
    var queue: [Int] = []
    for draw in maker.step.draws {
      let index = Int(draw.feature)
      if hasLines(index), boxes.isEmpty || view.sees(boxes[index], reach: 0) { queue.append(index) }
    }
    guard !queue.isEmpty else { return }
    var network = LineNetwork()
    // Only lines with a text are joined.
    for (count, draw) in maker.step.draws.enumerated() where maker.style.textField.isSet {
      if count & 63 == 63, isCancelled() { return }
      let index = Int(draw.feature)
      guard hasLines(index) else { continue }
      try layer.read(index, into: work.geometry)
      guard let end = work.geometry.ends.first, end > 0 else { continue }
      let first = work.geometry.points[0]
      let isArea = layer.features[index].kind == .polygon
      network.add(index, first, isArea ? first : work.geometry.points[end - 1])
    }
    // Start from the visible features, and follow all lines of the same text.
    var members: [Int: Member] = [:]
    var candidates: [Int: LabelCandidate?] = [:]
    var next = 0
    var points = 0
    // Only a hostile tile reaches these limits; its remaining lines get no labels.
    while next < queue.count, points < Self.mostPoints, candidates.count < Self.mostMembers {
      if next & 63 == 63, isCancelled() { return }
      let index = queue[next]
      next += 1
      if members[index] != nil { continue }
      guard let candidate = try find(index, &maker, &candidates) else { continue }
      try read(index, of: layer, into: work.geometry)
      let member = Member(
        candidate: candidate, text: candidate.text.plain,
        lines: Self.lines(work.geometry, layer.features[index].kind))
      members[index] = member
      points += work.geometry.points.count
      guard !member.text.isEmpty, let line = member.lines.first, let first = line.first,
        let last = line.last
      else { continue }
      for point in first == last ? [first] : [first, last] {
        for neighbour in network.neighbours(point)
        where members[Int(neighbour)] == nil && candidates.count < Self.mostMembers {
          let other = try find(Int(neighbour), &maker, &candidates)
          if other?.text.plain == member.text { queue.append(Int(neighbour)) }
        }
      }
    }
    add(members, maker.isSorted(request), layer.extent, &builder)
  }

  /// The candidate of a feature, evaluated once.
  private func find(
    _ index: Int, _ maker: inout CandidateMaker, _ known: inout [Int: LabelCandidate?]
  ) throws(VectorTileError) -> LabelCandidate? {
    if let candidate = known[index] { return candidate }
    let candidate = try maker.candidate(index, request, images)
    known.updateValue(candidate, forKey: index)
    return candidate
  }

  private func add(
    _ members: [Int: Member], _ isSorted: Bool, _ extent: Int,
    _ builder: inout TileLabelsBuilder
  ) {
    let sorted = members.values.sorted { first, second in
      let a = first.candidate
      let b = second.candidate
      if !isSorted { return a.order < b.order }
      return a.sortKey != b.sortKey ? a.sortKey < b.sortKey : a.order > b.order
    }
    var numbers: [String: Int] = [:]
    var features: [LineMerger.Feature] = []
    for (index, member) in sorted.enumerated() {
      // Lines without text stay for themselves.
      var text = -1 - index
      if !member.text.isEmpty {
        text = numbers[member.text] ?? numbers.count
        numbers[member.text] = text
      }
      features.append(LineMerger.Feature(text: text, lines: member.lines))
    }
    LineMerger.merge(&features)
    for (member, feature) in zip(sorted, features) {
      if builder.leftOut > Self.mostLeftOut { return }
      for line in feature.lines { add(member.candidate, line, extent, &builder) }
    }
  }
}
