import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// A line layer's candidates of one text.
///
/// Styles are made for tiles of 512 points, in which MapLibre joins the lines of a text and places
/// labels along each. So lines of such a tile (`LabelHome`) are joined first. Those that are too
/// short for a label are then joined across all tiles.
struct LineGroup {
  /// The candidate that stands for all.
  var tile: Int
  var record: Int
  var parts: [[LabelPath.Point]] = []
  /// Ends at the edge of the tile of 512 points, where lines go on in the next one.
  var edges: [LabelPath.Point] = []
  /// How many times larger than 512 points its tile is drawn, beyond the deepest level.
  var overscale: Float = 1
  /// The place of its first line in the order of labels.
  var rank: Int64 = 0
}

/// The tile in which MapLibre would lay a label out: of the whole zoom below the view's, but no
/// deeper than the vector tile that it was read from.
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
    return LabelTile(tile, world: world, labels: labels)
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
    // All parts of a vector tile that a line touches have it.
    guard lines.insert(line).inserted else { return }
    let points = (first..<first + count).map { convert(tile.labels.point($0)) }
    let key = Key(
      label: tile.labels.key(record), level: tile.tile.z, parent: home.tile.packed,
      world: tile.world)
    let order = rank << 32 | Int64(record.order)
    let place = self.number(
      key, LineGroup(tile: number, record: index, overscale: home.overscale, rank: order))
    groups[place].rank = min(groups[place].rank, order)
    groups[place].parts.append(points)
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
  mutating func add(_ points: [LabelPath.Point], of group: LineGroup, _ label: LabelKey, level: Int)
  {
    let key = Key(label: label, level: level, parent: nil, world: 0)
    let place = number(
      key,
      LineGroup(
        tile: group.tile, record: group.record, overscale: group.overscale, rank: group.rank))
    groups[place].parts.append(points)
  }

  private mutating func number(_ key: Key, _ group: @autoclosure () -> LineGroup) -> Int {
    if let number = numbers[key] { return number }
    numbers[key] = groups.count
    groups.append(group())
    return groups.count - 1
  }
}

/// What all lines of a group have in common.
private struct LineLayout {
  let record: TileLabels.Record
  let level: Int
  let settings: LabelSettings
  let key: LabelKey
  /// The label's length, the distance between labels and before the first one, in pixels.
  var length: Float = 0
  let spacing: Float
  let margin: Float
  /// How many times farther the first label stands from the line's start.
  let overscale: Float
  /// How far the line may turn in `window` pixels, in radians; negative: as far as it wants.
  let limit: Float
  let window: Float
}

extension LabelPlacer {
  /// Finds the places along lines.
  func gatherLines(_ lines: LineCollector, _ coverage: inout TileCoverage, _ run: inout LabelRun) {
    var short = LineCollector()
    for group in lines.groups {
      guard let layout = lineLayout(group, run) else { continue }
      let joined =
        layout.key.text.isEmpty ? group.parts : LabelPathJoiner.join(group.parts, turning: false)
      var stands: [LabelPath.Point] = []
      for points in joined {
        let continues = points.first.map { first in
          group.edges.contains { LabelPathJoiner.meet($0, first) }
        }
        let path = LabelPath(points)
        let found = offer(
          path, group, layout, continues: continues ?? false, coverage, &stands, &run)
        if !found, !layout.key.text.isEmpty {
          short.add(points, of: group, layout.key, level: layout.level)
        }
      }
    }
    for group in short.groups where group.parts.count > 1 {
      guard let layout = lineLayout(group, run) else { continue }
      let joined = LabelPathJoiner.join(group.parts, turning: true)
      var stands: [LabelPath.Point] = []
      if joined.count == group.parts.count { continue }
      for points in joined {
        _ = offer(LabelPath(points), group, layout, continues: false, coverage, &stands, &run)
      }
    }
  }

  /// Nil if there is nothing to show.
  private func lineLayout(_ group: LineGroup, _ run: LabelRun) -> LineLayout? {
    let tile = run.request.tiles[group.tile]
    let record = tile.labels.records[group.record]
    let settings = tile.labels.looks[Int(record.look)].settings
    let layout = LabelLayout(settings, scale: run.scale, mapAngle: run.mapAngle)
    let block = block(tile.labels.blockKey(record))
    let icon = tile.labels.icon(record).flatMap { icons.icon($0) }
    if block == nil, icon == nil { return nil }
    // Distances grow between two whole zooms, so that labels keep their places on the map.
    let zoom = run.request.view.zoom
    let growth = Float(exp2(zoom - zoom.rounded(.down)))
    let largest = max(
      layout.em, LabelType.limited(settings.textLargestSize, 0...256) * run.scale)
    var result = LineLayout(
      record: record, level: tile.tile.z, settings: settings, key: tile.labels.key(record),
      spacing: LabelType.limited(settings.spacing, 1...4096) * run.scale * growth,
      margin: 2 * largest * growth, overscale: group.overscale,
      limit: block == nil ? -1 : LabelType.limited(settings.textMaxAngle, 0...360) * .pi / 180,
      window: largest * 0.6 * growth)
    // MapLibre measures both in 24ths of an em.
    if let block { result.length = block.roomWidth * largest * growth }
    if let icon {
      result.length = max(
        result.length, Float(icon.width) / icon.pixelRatio * largest / 24 * growth)
    }
    return result
  }

  /// Offers the places along a line, and adds them to `stands`, where labels of the group stand.
  /// Returns whether it has any.
  private func offer(
    _ path: LabelPath, _ group: LineGroup, _ layout: LineLayout, continues: Bool,
    _ coverage: TileCoverage, _ stands: inout [LabelPath.Point], _ run: inout LabelRun
  ) -> Bool {
    guard path.points.count > 1, paths.count < pathLimit else { return false }
    let number = Int32(paths.count)
    paths.append(path)
    // First the labels that stand on it now.
    var taken: [Float] = []
    for index in run.known[layout.key] ?? [] where !run.claimed[index] {
      guard let old = run.previous?.labels[index] else { continue }
      guard run.mayCompare(path.points.count) else { break }
      let (x, y) = run.map.position(old.anchor)
      let (along, away) = path.nearest(LabelPath.Point(x: Float(x), y: Float(y)))
      guard away < 4 * run.scale else { continue }
      offer(along, of: path, number, group, layout, Int32(index), coverage, &run)
      taken.append(along)
      stands.append(path.point(at: along))
    }
    if layout.settings.placement == .lineCenter {
      if taken.isEmpty {
        offer(path.length / 2, of: path, number, group, layout, -1, coverage, &run)
      }
      return true
    }
    let anchors = path.anchors(
      label: layout.length, spacing: layout.spacing, margin: layout.margin,
      overscale: layout.overscale, continues: continues
    ) { along in
      layout.limit < 0
        || path.isStraight(
          from: along - layout.length / 2, to: along + layout.length / 2, limit: layout.limit,
          window: layout.window)
    }
    for along in anchors where !taken.contains(where: { abs($0 - along) < layout.spacing / 2 }) {
      let point = path.point(at: along)
      if !layout.key.text.isEmpty, isNear(point, stands, layout.spacing / 2, &run) { continue }
      stands.append(point)
      offer(along, of: path, number, group, layout, -1, coverage, &run)
    }
    return !anchors.isEmpty || !taken.isEmpty
  }

  /// Whether a label of the same group stands too near, whether it finds room there or not.
  private func isNear(
    _ point: LabelPath.Point, _ stands: [LabelPath.Point], _ reach: Float, _ run: inout LabelRun
  ) -> Bool {
    for other in stands.reversed() {
      guard run.mayCompare() else { return true }
      let (dx, dy) = (other.x - point.x, other.y - point.y)
      if dx * dx + dy * dy < reach * reach { return true }
    }
    return false
  }

  private func offer(
    _ along: Float, of path: LabelPath, _ number: Int32, _ group: LineGroup,
    _ layout: LineLayout, _ previous: Int32, _ coverage: TileCoverage, _ run: inout LabelRun
  ) {
    let point = path.point(at: along)
    guard isNear(point.x, point.y, run), items.count < itemLimit else { return }
    let place = run.map.place(Double(point.x), Double(point.y))
    if coverage.isCovered(place, below: layout.level) { return }
    var item = LabelItem(
      layer: Int32(layout.record.layer), tile: Int32(group.tile), record: Int32(group.record),
      rank: group.rank, order: Int32(clamping: items.count), sortKey: layout.record.sortKey,
      x: point.x, y: point.y, anchor: place)
    item.path = number
    item.along = along
    item.previous = previous
    if previous >= 0 {
      run.claimed[Int(previous)] = true
      item.isLoyal = run.isLoyal(Int(previous))
      if let old = run.previous?.labels[Int(previous)] { item.anchor = old.anchor }
    }
    items.append(item)
  }
}
