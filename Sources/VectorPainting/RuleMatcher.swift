import MapStyle
import Platform
import VectorTiles

/// A feature to draw, and the number of its look.
struct FeatureDraw: Sendable {
  var feature: UInt32
  var look: UInt32
}

/// Finds out which rules draw which features of a layer, and how.
///
/// Rules are evaluated once for each tuple of the values of all keys that they read: many features
/// share one.
struct RuleMatcher {
  /// A rule with the looks found so far.
  struct MatchedRule {
    let rule: CompiledStyle.Rule
    var fills: [FillLook] = []
    var lines: [LineLook] = []
    var circles: [CircleLook] = []
    var draws: [FeatureDraw] = []
    /// The look of all features, if it does not depend on them; nil: not found yet.
    var common: UInt32?

    init(_ rule: CompiledStyle.Rule) { self.rule = rule }

    var looks: RuleLooks {
      switch rule.layer.kind {
      case .fill: .fills(fills)
      case .line: .lines(lines)
      case .circle: .circles(circles)
      default: .symbols
      }
    }
  }

  /// A rule that draws the features of a tuple.
  private struct Match {
    var rule: UInt16
    var look: UInt32
  }
  private static let nothing = UInt32.max

  /// What all layers of a tile may have together.
  struct Budget {
    /// How often a rule may draw a feature.
    static let mostDraws = 1 << 20
    /// How many different looks there may be.
    static let mostLooks = 1 << 16

    var draws = 0
    var looks = 0
  }

  private var budget: Budget

  private let layer: VectorLayer
  private let maker: LookMaker
  private let memoises: Bool
  private(set) var rules: [MatchedRule]

  private var keys: [String] = []
  private var slots: [Int16] = []
  private var readsID = false
  private var readsAllKeys = false
  private let values: LayerValues
  /// The rules' filters.
  private let filters: FilterProgram
  /// Of each rule, where its filter begins.
  private var firstSteps: [FilterProgram.Step] = []
  /// Of each rule, a bit for each kind of geometry that it draws.
  private var kinds: [UInt8] = []
  private var matches: [Match] = []
  private var entries: [Range<Int>] = []

  /// Prepares to match a layer's features with the rules.
  init(
    _ layer: VectorLayer, _ rules: [CompiledStyle.Rule], _ maker: LookMaker,
    _ budget: Budget = Budget(), memoises: Bool = true
  ) {
    self.budget = budget
    self.layer = layer
    self.maker = maker
    self.memoises = memoises
    self.rules = rules.map(MatchedRule.init)
    values = LayerValues(layer)
    var reads = StyleReads()
    for rule in rules { reads.formUnion(rule.matchReads) }
    readsID = reads.id
    readsAllKeys = reads.allKeys
    // Keys that the layer does not have need no place.
    var numbers: [String: Int] = [:]
    for key in layer.keys {
      guard reads.keys.contains(key), keys.count < 0x7FFF else {
        slots.append(-1)
        continue
      }
      if let number = numbers[key] {
        slots.append(Int16(number))
      } else {
        numbers[key] = keys.count
        slots.append(Int16(keys.count))
        keys.append(key)
      }
    }
    let filters = FilterProgram(values, slots: numbers)
    self.filters = filters
    for rule in rules {
      firstSteps.append(rule.layer.filter.map { filters.add($0) } ?? FilterProgram.isTrue)
      var bits: UInt8 = 0
      for kind: VectorGeometryKind in [.point, .line, .polygon] where rule.draws(kind) {
        bits |= 1 << kind.rawValue
      }
      kinds.append(bits)
    }
    filters.finish()
  }

  /// Matches all features. Returns what the layers have so far together; nil if it was cancelled.
  ///
  /// - Throws: `VectorTileError` if a feature's tags are broken, or if the style draws more of the
  ///   tile than `Budget` allows.
  mutating func run(isCancelled: () -> Bool) throws(VectorTileError) -> Budget? {
    // The values, the kind of the geometry, and the id's two halves.
    let width = keys.count + 1 + (readsID ? 2 : 0)
    let tuple = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: width)
    defer { tuple.deallocate() }
    var table = TupleTable(width: width)
    let isTabled = memoises && !readsAllKeys
    let slots = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(self.slots.count, 1))
    defer { slots.deallocate() }
    _ = slots.initialize(from: self.slots)
    for index in 0..<layer.featureCount {
      if index & 255 == 0, isCancelled() { return nil }
      let feature = layer.features[index]
      if feature.kind == .unknown || feature.geometryBytes == 0 { continue }
      tuple.update(repeating: 0)
      try layer.readTuple(of: index, slots: UnsafeBufferPointer(slots), into: tuple)
      tuple[keys.count] = UInt32(feature.kind.rawValue) | (feature.hasID && readsID ? 16 : 0)
      if readsID {
        let id = layer.id(of: index)
        tuple[keys.count + 1] = UInt32(truncatingIfNeeded: id)
        tuple[keys.count + 2] = UInt32(truncatingIfNeeded: id >> 32)
      }
      let entry: Int
      if isTabled, let known = table.find(tuple) {
        entry = Int(known)
      } else {
        try evaluate(index, feature, tuple)
        entry = entries.count - 1
        if isTabled { table.insert(tuple, number: UInt32(truncatingIfNeeded: entry)) }
      }
      for match in entries[entry] {
        let match = matches[match]
        let draws = rules[Int(match.rule)].draws.count
        if draws == rules[Int(match.rule)].draws.capacity,
          !rules[Int(match.rule)].draws.hasMemory()
        {
          throw VectorTileError.noMemory(layer: layer.name)
        }
        rules[Int(match.rule)].draws.append(
          FeatureDraw(feature: UInt32(truncatingIfNeeded: index), look: match.look))
      }
      budget.draws += entries[entry].count
      guard budget.draws <= Budget.mostDraws, budget.looks <= Budget.mostLooks else {
        throw VectorTileError(
          layer: layer.name, feature: index, "the style draws too much of the tile")
      }
    }
    return budget
  }

  /// Evaluates all rules for a feature.
  private mutating func evaluate(
    _ index: Int, _ feature: VectorFeature, _ tuple: UnsafeMutableBufferPointer<UInt32>
  ) throws(VectorTileError) {
    let bare = StyleContext(
      zoom: maker.zoom.rounded(.down),
      feature: StyleFeature(geometry: StyleGeometry(feature.kind)), images: maker.images.names)
    // Most features are told apart by single properties.
    var known: StyleContext?
    if readsAllKeys { known = try allProperties(index, feature, tuple) }
    let start = matches.count
    for number in rules.indices where kinds[number] >> feature.kind.rawValue & 1 != 0 {
      func full() -> StyleContext {
        var context = known ?? properties(feature, tuple)
        known = context
        context.zoom = bare.zoom
        return context
      }
      if memoises {
        let first = firstSteps[number]
        if !filters.matches(first, tuple, feature.kind, bare, full) { continue }
      } else if let filter = rules[number].rule.layer.filter, !filter.matches(full()) {
        continue
      }
      let look: UInt32
      if let common = rules[number].common {
        look = common
      } else {
        let context = known ?? properties(feature, tuple)
        known = context
        look = self.look(number, context)
      }
      if look != Self.nothing {
        matches.append(Match(rule: UInt16(truncatingIfNeeded: number), look: look))
      }
    }
    guard entries.hasMemory(), matches.hasMemory(forMore: rules.count) else {
      throw VectorTileError.noMemory(layer: layer.name)
    }
    entries.append(start..<matches.count)
  }

  /// A feature with all properties.
  private func allProperties(
    _ index: Int, _ feature: VectorFeature, _ tuple: UnsafeMutableBufferPointer<UInt32>
  ) throws(VectorTileError) -> StyleContext {
    var context = properties(feature, tuple)
    for tag in try layer.tags(of: index) {
      context.feature?.properties[layer.keys[tag.key]] = values[tag.value]
    }
    return context
  }

  /// A feature with the properties of its tuple.
  private func properties(
    _ feature: VectorFeature, _ tuple: UnsafeMutableBufferPointer<UInt32>
  ) -> StyleContext {
    var properties: [String: StyleValue] = [:]
    for slot in 0..<keys.count where tuple[slot] != 0 {
      properties[keys[slot]] = values[Int(tuple[slot] - 1)]
    }
    var id = StyleValue.null
    if feature.hasID, readsID {
      id = .number(Double(UInt64(tuple[keys.count + 2]) << 32 | UInt64(tuple[keys.count + 1])))
    }
    return StyleContext(
      zoom: maker.zoom,
      feature: StyleFeature(
        geometry: StyleGeometry(feature.kind), id: id, properties: properties),
      images: maker.images.names)
  }

  private mutating func look(_ number: Int, _ context: StyleContext) -> UInt32 {
    var look = Self.nothing
    switch rules[number].rule.layer.kind {
    case .fill(let style):
      if let found = maker.fill(style, context) {
        look = UInt32(rules[number].fills.count)
        rules[number].fills.append(found)
      }
    case .line(let style):
      if let found = maker.line(style, context) {
        look = UInt32(rules[number].lines.count)
        rules[number].lines.append(found)
      }
    case .circle(let style):
      if let found = maker.circle(style, context) {
        look = UInt32(rules[number].circles.count)
        rules[number].circles.append(found)
      }
    case .symbol: look = 0
    case .background, .raster: break
    }
    if look != Self.nothing { budget.looks += 1 }
    if !rules[number].rule.reads.feature { rules[number].common = look }
    return look
  }
}

extension CompiledStyle.Rule {
  /// Whether it draws geometries of this kind.
  func draws(_ kind: VectorGeometryKind) -> Bool {
    switch layer.kind {
    case .fill: kind == .polygon
    case .line: kind == .line || kind == .polygon
    case .circle, .symbol: true
    case .background, .raster: false
    }
  }
}

extension StyleGeometry {
  init(_ kind: VectorGeometryKind) {
    switch kind {
    case .unknown: self = .unknown
    case .point: self = .point
    case .line: self = .line
    case .polygon: self = .polygon
    }
  }
}

extension StyleValue {
  init(_ value: VectorValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .number(let number): self = .number(number)
    case .bool(let flag): self = .bool(flag)
    }
  }
}
