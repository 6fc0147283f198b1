import Features
import MapGeometry

/// A packed R-tree of the features' boxes, 16 to a node, in the order of a Hilbert curve.
///
/// It takes 4 bytes per feature and 16 per node, and is deterministic.
struct FeatureIndex: Sendable {
  private static let fanOut = 16
  /// Features in the order of the curve.
  private let order: [Int32]
  /// Boxes around `fanOut` features each, then around `fanOut` of those, up to a single box.
  private let levels: [[FeatureBox]]
  /// Boxes around each 64 consecutive points and the point after them. Drawing skips blocks outside
  /// its tile.
  let blocks: [FeatureBox]
  static let blockBits = 6

  /// A part's points by blocks, with the blocks' numbers.
  static func stretches(
    of part: Range<Int>
  ) -> some Sequence<(block: Int, points: Range<Int>)> {
    let first = part.lowerBound >> blockBits
    let end = part.isEmpty ? first : (part.upperBound - 1) >> blockBits + 1
    return (first..<end).lazy.map {
      ($0, max(part.lowerBound, $0 << blockBits)..<min(part.upperBound, ($0 + 1) << blockBits))
    }
  }

  init(_ set: FeatureSet) {
    let features = set.features
    // The centre of each box in 16 bits per coordinate. The sum of two 32-bit numbers has 33 bits.
    let keys = features.map { feature -> UInt32 in
      let x = (UInt64(feature.box.minX) + UInt64(feature.box.maxX)) >> 17
      let y = (UInt64(feature.box.minY) + UInt64(feature.box.maxY)) >> 17
      return UInt32(truncatingIfNeeded: HilbertCurve.position(x: x, y: y, level: 16))
    }
    let order = (0..<Int32(truncatingIfNeeded: features.count)).sorted {
      let (a, b) = (keys[Int($0)], keys[Int($1)])
      return a == b ? $0 < $1 : a < b
    }
    self.order = order
    func packed(_ count: Int, _ box: (Int) -> FeatureBox) -> [FeatureBox] {
      stride(from: 0, to: count, by: FeatureIndex.fanOut).map { start in
        var whole = FeatureBox.empty
        for index in start..<min(start + FeatureIndex.fanOut, count) { whole.include(box(index)) }
        return whole
      }
    }
    var levels: [[FeatureBox]] = []
    var level = packed(order.count) { features[Int(order[$0])].box }
    while !level.isEmpty {
      levels.append(level)
      if level.count == 1 { break }
      let below = level
      level = packed(below.count) { below[$0] }
    }
    self.levels = levels
    let points = set.points
    let size = 1 << FeatureIndex.blockBits
    blocks = stride(from: 0, to: points.count, by: size).map { start in
      var box = FeatureBox.empty
      for index in start..<min(start + size + 1, points.count) { box.include(points[index]) }
      return box
    }
  }

  var bytes: Int {
    order.capacity * 4 + (levels.reduce(0) { $0 + $1.capacity } + blocks.capacity) * 16
  }

  /// Calls `body` with every feature whose box meets `box`, in no particular order, until it
  /// returns false.
  func visit(_ box: FeatureBox, _ features: [Feature], _ body: (Int32) -> Bool) {
    guard !levels.isEmpty else { return }
    _ = visit(level: levels.count - 1, node: 0, box, features, body)
  }

  private func visit(
    level: Int, node: Int, _ box: FeatureBox, _ features: [Feature], _ body: (Int32) -> Bool
  ) -> Bool {
    guard levels[level][node].overlaps(box) else { return true }
    let start = node * FeatureIndex.fanOut
    if level == 0 {
      for index in start..<min(start + FeatureIndex.fanOut, order.count)
      where features[Int(order[index])].box.overlaps(box) {
        if !body(order[index]) { return false }
      }
      return true
    }
    for child in start..<min(start + FeatureIndex.fanOut, levels[level - 1].count) {
      if !visit(level: level - 1, node: child, box, features, body) { return false }
    }
    return true
  }
}
