import Drawing
import MapGeometry
import MapStyle
import Platform

/// Decides which labels of a view are shown, and where.
///
/// Labels are placed one after the other: those of upper layers first, as in MapLibre; within a
/// layer by sort key, then in the order of the tiles. A label whose place is taken is left out.
/// Labels of the previous placement come first, so that they stay where they are while the view
/// moves a little.
///
/// `symbol-avoid-edges` needs no rule: labels of all tiles are placed together, so none is cut at a
/// tile's edge.
///
/// An instance belongs to one thread at a time.
public final class LabelPlacer {
  /// The most labels of a placement.
  public static let maxLabels = 2048
  /// The most places that are considered. Further ones are left out.
  static let maxItems = 65_536
  /// The most lines along which labels may stand.
  static let maxPaths = 16_384
  /// The most pixels of a label's picture.
  static let maxPixels = 1 << 18
  /// The most labels that fade out at once.
  static let maxLeaving = 64
  /// A label keeps its precedence until the zoom differs by this much from where it appeared.
  static let loyalZoom = 0.5

  /// The limits; tests lower them.
  var itemLimit = LabelPlacer.maxItems
  var pathLimit = LabelPlacer.maxPaths

  let type: LabelType
  var icons: LabelIcons
  var cache = LabelLayoutCache()
  var grid = LabelGrid()
  var items: [LabelItem] = []
  var paths: [LabelPath] = []
  /// Whether a label of this placement was left out on its side, and may use no other because the
  /// map turned.
  var hasLostSides = false
  private var nextID: UInt64 = 1

  /// Creates a placer.
  ///
  /// - Parameters:
  ///   - type: The fonts; shared with the artist of the same thread.
  ///   - icons: The style's icons.
  public init(type: LabelType, icons: LabelIcons = .none) {
    self.type = type
    self.icons = icons
  }

  /// Bytes of the memory that it keeps from one placement to the next.
  public var bytes: Int {
    cache.bytes + grid.bytes + items.capacity * MemoryLayout<LabelItem>.stride
  }

  /// Uses other icons from now on.
  public func use(_ icons: LabelIcons) {
    self.icons = icons
    cache.removeShapes()
  }

  /// Forgets all shapes but these, and the memory of lists. Measured texts stay: the next placement
  /// needs nearly all of them.
  package func keep(_ shapes: Set<ObjectIdentifier>) {
    cache.keep(shapes)
    (items, paths, grid) = ([], [], LabelGrid())
  }

  /// Places the labels of a view.
  ///
  /// If the system lacks memory for all labels, some are left out. If it lacks memory even for the
  /// labels already shown, these stay as they are.
  ///
  /// - Parameters:
  ///   - request: The tiles, the view and what is in the way.
  ///   - previous: The placement that is shown now; nil: none.
  /// - Returns: The labels, where they stand in the request's view.
  public func place(_ request: LabelRequest, after previous: LabelPlacement?) -> LabelPlacement {
    var placement = LabelPlacement(view: request.view, isComplete: request.isComplete)
    if let previous, !SpareMemory.has(previous.labels.count, of: LabelRun.labelBytes) {
      placement = previous
      placement.lacksMemory = true
      return placement
    }
    var run = LabelRun(request, previous)
    hasLostSides = false
    defer {
      items.removeAll(keepingCapacity: items.capacity <= 8192)
      paths.removeAll(keepingCapacity: paths.capacity <= 2048)
    }
    guard run.isValid else { return placement }
    gather(&run)
    placement.candidates = items.count
    let most = min(items.count, Self.maxLabels)
    guard SpareMemory.has(items.count, of: MemoryLayout<LabelItem>.stride),
      SpareMemory.has(most, of: LabelRun.labelBytes), grid.reset(run.region)
    else {
      if let previous { placement = previous }
      placement.lacksMemory = true
      return placement
    }
    items.sort(by: LabelItem.isBefore)
    for obstacle in request.obstacles where !obstacle.isEmpty {
      grid.insert(
        LabelBox(
          left: Float(obstacle.x), top: Float(obstacle.y), right: Float(obstacle.maxX),
          bottom: Float(obstacle.maxY)), shared: false)
    }
    for item in items where run.placed.count < Self.maxLabels && !grid.isFull {
      place(item, &run)
    }
    finish(&placement, &run)
    placement.hasLostSides = hasLostSides
    placement.lacksMemory = request.lacksMemory || run.lacksMemory || grid.lacksMemory
    return placement
  }

  /// The measured text; nil if there is none.
  func block(_ key: LabelLayoutCache.BlockKey) -> TextBlock? {
    if key.text.isEmpty { return nil }
    if let block = cache[key] { return block.isEmpty ? nil : block }
    let block = type.block(key.text.formatted, key.look.settings)
    cache.insert(block, for: key)
    return block.isEmpty ? nil : block
  }

  /// How large a text is; nil if there is none.
  func extent(_ key: LabelLayoutCache.BlockKey) -> TextBlock.Extent? {
    if key.text.isEmpty { return nil }
    if let known = cache.extent(of: key) { return known.isEmpty ? nil : known }
    let extent = type.block(key.text.formatted, key.look.settings).extent
    cache.insert(extent, for: key)
    return extent.isEmpty ? nil : extent
  }

  /// Takes a place that a candidate may take, if there is memory for it.
  func offer(_ item: LabelItem, _ run: inout LabelRun) {
    if items.hasMemory() { items.append(item) } else { run.lacksMemory = true }
  }

  /// The number of a new label.
  func makeID() -> UInt64 {
    defer { nextID &+= 1 }
    return nextID
  }

  /// Sorts the labels as they are drawn and begins to fade those that came and went.
  private func finish(_ placement: inout LabelPlacement, _ run: inout LabelRun) {
    var order = Array(run.placed.indices)
    let placed = run.placed
    let ranks = run.ranks
    order.sort { a, b in
      if placed[a].layer != placed[b].layer { return placed[a].layer < placed[b].layer }
      if ranks[a].key != ranks[b].key { return ranks[a].key < ranks[b].key }
      return ranks[a].order < ranks[b].order
    }
    var labels: [PlacedLabel] = []
    labels.reserveCapacity(order.count)
    if let time = run.request.time, let previous = run.previous {
      leave(previous, time, &run, &labels)
    }
    for index in order {
      var label = run.placed[index]
      fade(&label, run.sources[index], run)
      labels.append(label)
    }
    placement.labels = labels
    placement.isFading = labels.contains { $0.isLeaving || $0.opacity != 255 }
  }

  private func fade(_ label: inout PlacedLabel, _ source: Int, _ run: LabelRun) {
    guard let time = run.request.time, let previous = run.previous else { return }
    let old = source >= 0 ? previous.labels[source] : nil
    label.opacity = old?.opacity ?? 0
    if let old, !old.isLeaving {
      label.fadeStart = old.fadeStart
      label.fadeFrom = old.fadeFrom
    } else {
      label.fadeStart = time
      label.fadeFrom = label.opacity
    }
  }

  /// Keeps labels that are no longer placed until they have faded out.
  private func leave(
    _ previous: LabelPlacement, _ time: UInt64, _ run: inout LabelRun,
    _ labels: inout [PlacedLabel]
  ) {
    var count = 0
    for (index, old) in previous.labels.enumerated()
    where !run.claimed[index] && old.opacity > 0 && count < Self.maxLeaving {
      var label = old
      let (x, y) = run.map.pixel(old.anchor)
      guard run.region.intersects(PixelRect(x: x, y: y, width: 1, height: 1)) else { continue }
      label.x = x
      label.y = y
      if !label.isLeaving {
        label.isLeaving = true
        label.fadeStart = time
        label.fadeFrom = label.opacity
      }
      if time >= label.fadeStart &+ LabelPlacement.fadeTime { continue }
      labels.append(label)
      count += 1
    }
  }
}

/// One place that a candidate may take.
struct LabelItem {
  var layer: Int32
  var tile: Int32
  var record: Int32
  /// The order of the tiles that MapLibre would have, and in each that of its features.
  var rank: Int64
  /// The order in which they were found.
  var order: Int32
  /// The line; -1: a point.
  var path: Int32 = -1
  /// The label of the previous placement; -1: none.
  var previous: Int32 = -1
  /// Whether it comes before others.
  var isLoyal = false
  /// Whether it comes after all others that are not loyal.
  var isExtra = false
  var sortKey: Float
  /// The anchor in pixels of the view.
  var x: Float
  var y: Float
  /// The distance of the anchor from the line's start, in pixels.
  var along: Float = 0
  var anchor: WorldPoint

  static func isBefore(_ a: LabelItem, _ b: LabelItem) -> Bool {
    if a.isLoyal != b.isLoyal { return a.isLoyal }
    if a.isExtra != b.isExtra { return b.isExtra }
    if a.layer != b.layer { return a.layer > b.layer }
    if a.sortKey != b.sortKey { return a.sortKey < b.sortKey }
    if a.rank != b.rank { return a.rank < b.rank }
    return a.order < b.order
  }
}

/// What one placement works with.
struct LabelRun {
  struct Rank {
    var key: Float
    var order: Int32
  }

  /// The text of a label. The same number on two kinds of shield is not the same text.
  struct Words: Hashable {
    var text: String
    var shield: String?
  }

  let request: LabelRequest
  let previous: LabelPlacement?
  let map: LabelMap
  let region: PixelRect
  let scale: Float
  /// How far the map is turned on the screen, clockwise in radians.
  let mapAngle: Float
  /// Previous labels by what they are.
  var known: [LabelKey: [Int]] = [:]
  /// Which previous labels are placed again.
  var claimed: [Bool]
  var placed: [PlacedLabel] = []
  /// For each placed label, its place in the drawing order and the previous label that it was.
  var ranks: [Rank] = []
  var sources: [Int] = []
  /// The tile of each placed label.
  var tiles: [Int32] = []
  /// Placed labels by what they are, to find duplicates.
  var texts: [LabelKey: [Int]] = [:]
  /// Placed names of places, in lower case.
  var places: [String: [Int]] = [:]
  /// Placed labels that are not to be repeated nearby, by their words.
  var words: [Words: [Int]] = [:]

  /// Whether old labels keep their precedence.
  let isLoyal: Bool
  /// Whether the last placement was for another bearing at the same zoom.
  let isTurned: Bool
  /// How many comparisons with labels of the same text are left. Where a hostile map has used them
  /// up, labels are no longer recognised, and equal ones may stand beside each other.
  private(set) var comparisons = Self.maxComparisons
  static let maxComparisons = 1 << 20

  /// Bytes that the lists and tables of a placement take for each label, while they grow.
  static let labelBytes = 4 * MemoryLayout<PlacedLabel>.stride
  /// Whether places were left out because the system had no memory for them.
  var lacksMemory = false

  init(_ request: LabelRequest, _ previous: LabelPlacement?) {
    self.request = request
    self.previous = previous
    let view = request.view
    map = LabelMap(view)
    let margin = min(max(request.margin, 0), 4096)
    region = PixelRect(
      x: -margin, y: -margin, width: min(max(view.width, 0), 16384) + 2 * margin,
      height: min(max(view.height, 0), 16384) + 2 * margin)
    scale = Float(min(max(view.scale, 1), 8))
    mapAngle = view.bearing == 0 ? 0 : Float(-view.bearing * .pi / 180)
    claimed = [Bool](repeating: false, count: previous?.labels.count ?? 0)
    isLoyal = previous.map { $0.isComplete && $0.view.scale == view.scale } ?? false
    isTurned =
      previous.map { $0.view.bearing != view.bearing && $0.view.zoom == view.zoom } ?? false
    for (index, label) in (previous?.labels ?? []).enumerated() {
      known[label.key, default: []].append(index)
    }
  }

  /// Counts comparisons. Returns whether they may be made.
  mutating func mayCompare(_ count: Int = 1) -> Bool {
    guard comparisons >= count else { return false }
    comparisons -= count
    return true
  }

  var isValid: Bool {
    let view = request.view
    return view.zoom.isFinite && view.zoom >= -8 && view.zoom <= 32 && view.center.lat.isFinite
      && view.center.lon.isFinite && view.width > 0 && view.height > 0
  }

  /// Whether a label may stand in a place that may lie across the view's edge.
  func shows(_ box: LabelBox) -> Bool {
    if !request.keepsWhole { return true }
    return box.left >= 0 && box.top >= 0 && box.right <= Float(request.view.width)
      && box.bottom <= Float(request.view.height)
  }

  /// Whether a previous label keeps its precedence.
  func isLoyal(_ index: Int) -> Bool {
    guard isLoyal, let label = previous?.labels[index], !label.isLeaving else { return false }
    return abs(label.bornZoom - request.view.zoom) < LabelPlacer.loyalZoom
  }
}
