import MapGeometry
import Platform

/// A line layer's candidates of one text in one tile of 512 points.
///
/// Styles are made for tiles of 512 points, in which MapLibre joins the lines of a text and places
/// labels along each. A vector tile of that size comes with its lines joined. Where deeper vector
/// tiles are shown, their lines are joined here first. Lines that are too short for a label are
/// then joined across all tiles.
struct LineGroup {
  /// A line with its candidate.
  struct Part {
    var tile: Int
    var record: Int
    /// The place in the order of labels.
    var rank: Int64
    var sortKey: Float
    var points: [LabelPath.Point]

    static func isBefore(_ a: Part, _ b: Part) -> Bool {
      a.sortKey != b.sortKey ? a.sortKey < b.sortKey : a.rank < b.rank
    }
  }

  var parts: [Part] = []
  /// Ends at the edge of the tile of 512 points, where lines go on in the next one.
  var edges: [LabelPath.Point] = []
  /// How many times larger than 512 points its tile is drawn, beyond the deepest level.
  var overscale: Float = 1
  /// Whether the lines are joined already.
  var isJoined = true
  /// Whether the group has the lines of all tiles, which are joined in either direction.
  var isWhole = false
}

/// The tile in which MapLibre would lay out a label: that of the whole zoom below the view's, but
/// no deeper than the vector tile that the label was read from.
struct LabelHome: Equatable {
  var tile: TileID
  var world: Int
  /// How many times larger than 512 points it is drawn at a whole zoom.
  var overscale: Float

  init(_ tile: LabelTile, zoom: Double) {
    // Waypost's zoom is one more than that of styles.
    let wanted = Int(min(max(zoom.rounded(.down) - 1, 0), Double(TileID.maxLevel)))
    let source = tile.labels.part == nil ? max(0, tile.tile.z - 1) : tile.whole.tile.z
    let level = min(wanted, source)
    self.tile = tile.tile.ancestor(atLevel: level) ?? tile.tile
    world = tile.world
    overscale = tile.labels.part == nil ? 1 : Float(1 << min(max(0, wanted - level), 16))
  }

  /// From the north to the south, and in a row from the west to the east.
  static func < (a: LabelHome, b: LabelHome) -> Bool {
    if a.tile.z != b.tile.z { return a.tile.z < b.tile.z }
    if a.tile.y != b.tile.y { return a.tile.y < b.tile.y }
    if a.world != b.world { return a.world < b.world }
    return a.tile.x < b.tile.x
  }
}

extension LabelTile {
  /// The vector tile that it is a part of, with the same labels.
  var whole: LabelTile {
    guard let part = labels.part, let tile = tile.ancestor(part.levels) else { return self }
    return LabelTile(tile, world: world, labels: labels, group: group)
  }
}

/// Collects lines by text, layer and tile.
struct LineCollector {
  struct Key: Hashable {
    var label: LabelKey
    var level: Int
    /// The tile of 512 points; nil: all of the level.
    var parent: UInt64?
    var world: Int
  }

  /// What tells a line from others.
  private struct Line: Hashable {
    var source: UInt64
    var world: Int
    var layer: UInt16
    var order: UInt32
    var count: UInt16
    var start: TilePoint
    var end: TilePoint
  }

  private(set) var groups: [LineGroup] = []
  private var lines: Set<Line> = []
  private var numbers: [Key: Int] = [:]
  /// Whether lines were left out because the system had no memory for them.
  private(set) var lacksMemory = false

  mutating func add(
    _ tile: LabelTile, _ source: TileID, _ record: TileLabels.Record, _ number: Int, _ index: Int,
    _ home: LabelHome, _ rank: Int64, _ convert: (TilePoint) -> LabelPath.Point
  ) {
    let first = Int(record.firstPoint)
    let count = Int(record.pointCount)
    let line = Line(
      source: source.packed, world: tile.world, layer: record.layer, order: record.order,
      count: record.pointCount, start: tile.labels.point(first),
      end: tile.labels.point(first + count - 1))
    guard hasMemory, lines.hasMemory(), SpareMemory.has(count, of: LabelPath.pointBytes) else {
      lacksMemory = true
      return
    }
    // Every part of a vector tile that a line touches contains the line.
    guard lines.insert(line).inserted else { return }
    let points = (first..<first + count).map { convert(tile.labels.point($0)) }
    // The name of a line over the map does not depend on tiles.
    let isWhole = tile.labels.looks[Int(record.look)].settings.naming == .beside
    let place = self.number(
      Key(
        label: tile.labels.lineKey(record), level: tile.tile.z,
        parent: isWhole ? nil : home.tile.packed, world: isWhole ? 0 : tile.world),
      overscale: home.overscale)
    if isWhole { (groups[place].isWhole, groups[place].isJoined) = (true, false) }
    groups[place].parts.append(
      LineGroup.Part(
        tile: number, record: index, rank: rank, sortKey: record.sortKey, points: points))
    if tile.labels.part == nil || source.z != home.tile.z { groups[place].isJoined = false }
    // Which edges of the tile are edges of its home.
    let last = 1 << max(0, source.z - home.tile.z) - 1
    let (column, row) = (source.x & last, source.y & last)
    for (end, point) in [(first, points.first), (first + count - 1, points.last)] {
      let at = tile.labels.point(end)
      let isOuter =
        (at.x == 0 && column == 0) || (at.x == 1 && column == last)
        || (at.y == 0 && row == 0) || (at.y == 1 && row == last)
      if let point, isOuter { groups[place].edges.append(point) }
    }
  }

  /// Adds a line that had no room in its tile.
  mutating func add(_ part: LineGroup.Part, of group: LineGroup, _ label: LabelKey, level: Int) {
    guard hasMemory else {
      lacksMemory = true
      return
    }
    let place = number(
      Key(label: label, level: level, parent: nil, world: 0), overscale: group.overscale)
    groups[place].parts.append(part)
  }

  /// Whether there is memory for one more group.
  private var hasMemory: Bool { groups.hasMemory() && numbers.hasMemory() }

  private mutating func number(_ key: Key, overscale: Float) -> Int {
    if let number = numbers[key] { return number }
    numbers[key] = groups.count
    groups.append(LineGroup(overscale: overscale))
    return groups.count - 1
  }
}
