import MapStyle
import Platform
import VectorTiles

/// A parsed tile with the features that a style draws of it at one zoom, in the style's order.
/// Immutable, so threads share it.
final class PreparedTile: Sendable {
  /// A rule with what it draws of one layer of the tile.
  struct Step: Sendable {
    let rule: CompiledStyle.Rule
    /// The layer's number in the tile.
    let layer: Int
    let looks: RuleLooks
    let draws: [FeatureDraw]
    /// The layer's number in the style.
    var order: Int { rule.order }
  }

  let tile: VectorTile
  let key: Key
  let steps: [Step]
  /// The boxes of the features of each layer; empty for layers that no rule draws, and for those
  /// of a very fine extent.
  let boxes: [[VectorBox]]
  let memoryBytes: Int

  /// What the steps depend on beside the tile.
  struct Key: Hashable, Sendable {
    var zoom: Double
    var pixelsPerPoint: Double
    var hasLabels: Bool
  }

  /// About the most bytes kept for a feature that one rule draws, or for a value, while working on
  /// it.
  private static let entryBytes = 128

  /// Matches a tile's features with a style's rules. Returns nil if it was cancelled.
  ///
  /// - Throws: `VectorTileError` if a feature that is drawn is broken.
  static func prepare(
    _ tile: VectorTile, _ style: CompiledStyle, _ key: Key, _ images: any VectorImages,
    _ geometry: VectorGeometry, memoises: Bool = true, isCancelled: () -> Bool
  ) throws(VectorTileError) -> PreparedTile? {
    let maker = LookMaker(zoom: key.zoom, pixelsPerPoint: key.pixelsPerPoint, images: images)
    var steps: [Step] = []
    var boxes: [[VectorBox]] = []
    var budget = RuleMatcher.Budget()
    for (number, layer) in tile.layers.enumerated() {
      boxes.append([])
      guard let group = style.groups.first(where: { $0.sourceLayer == layer.name }) else {
        continue
      }
      let rules = group.rules.filter { rule in
        guard rule.layer.isDrawn(at: key.zoom) else { return false }
        if case .symbol = rule.layer.kind { return key.hasLabels }
        return true
      }
      if rules.isEmpty || layer.featureCount == 0 { continue }
      guard SpareMemory.has(layer.featureCount + layer.valueCount, of: Self.entryBytes) else {
        throw VectorTileError.noMemory(layer: layer.name)
      }
      var matcher = RuleMatcher(layer, rules, maker, budget, memoises: memoises)
      guard let used = try matcher.run(isCancelled: isCancelled) else { return nil }
      budget = used
      var isDrawn = [Bool](repeating: false, count: layer.featureCount)
      for rule in matcher.rules where !rule.draws.isEmpty {
        for draw in rule.draws { isDrawn[Int(draw.feature)] = true }
        steps.append(
          Step(
            rule: rule.rule, layer: number, looks: rule.looks,
            draws: rule.rule.isSorted ? Self.sorted(rule) : rule.draws))
      }
      // Boxes have 16 bits.
      if layer.extent <= 1 << 14 { boxes[number] = try Self.boxes(layer, isDrawn, geometry) }
      if isCancelled() { return nil }
    }
    // Layers of one rule keep the tile's order.
    steps.sort { ($0.order, $0.layer) < ($1.order, $1.layer) }
    return PreparedTile(tile, key, steps, boxes)
  }

  private init(_ tile: VectorTile, _ key: Key, _ steps: [Step], _ boxes: [[VectorBox]]) {
    self.tile = tile
    self.key = key
    self.steps = steps
    self.boxes = boxes
    var bytes = tile.memoryBytes
    for step in steps {
      bytes += step.draws.count * MemoryLayout<FeatureDraw>.stride + step.looks.bytes + 128
    }
    for list in boxes { bytes += list.count * MemoryLayout<VectorBox>.stride }
    memoryBytes = bytes
  }

  private static func boxes(
    _ layer: VectorLayer, _ isDrawn: [Bool], _ geometry: VectorGeometry
  ) throws(VectorTileError) -> [VectorBox] {
    var boxes = [VectorBox](repeating: .none, count: layer.featureCount)
    for index in 0..<layer.featureCount where isDrawn[index] {
      try layer.read(index, into: geometry)
      if !geometry.ends.isEmpty { boxes[index] = VectorBox(geometry.least, geometry.greatest) }
    }
    return boxes
  }

  /// The draws by rising sort keys; equal ones in the tile's order.
  private static func sorted(_ rule: RuleMatcher.MatchedRule) -> [FeatureDraw] {
    func key(_ draw: FeatureDraw) -> Double {
      let look = Int(draw.look)
      switch rule.rule.layer.kind {
      case .fill: return rule.fills[look].sortKey
      case .line: return rule.lines[look].sortKey
      case .circle: return rule.circles[look].sortKey
      default: return 0
      }
    }
    return rule.draws.sorted { a, b in
      let (keyA, keyB) = (key(a), key(b))
      return keyA != keyB ? keyA < keyB : a.feature < b.feature
    }
  }
}

/// The box of a feature in units of its layer, cut off at 16 bits.
struct VectorBox: Sendable, Equatable {
  var left: Int16
  var top: Int16
  var right: Int16
  var bottom: Int16

  /// No point.
  static let none = VectorBox(left: .max, top: .max, right: .min, bottom: .min)

  private init(left: Int16, top: Int16, right: Int16, bottom: Int16) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  init(_ least: VectorPoint, _ greatest: VectorPoint) {
    left = Int16(clamping: least.x)
    top = Int16(clamping: least.y)
    right = Int16(clamping: greatest.x)
    bottom = Int16(clamping: greatest.y)
  }
}
