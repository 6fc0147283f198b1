import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// A line layer's candidates of one text.
///
/// Styles are made for tiles of 512 points, in which MapLibre joins the lines of a text and places
/// labels along each. So lines of the four tiles of such a tile are joined first. Those that are
/// too short for a label are then joined across all tiles.
struct LineGroup {
  /// The candidate that stands for all.
  var tile: Int
  var record: Int
  var parts: [[LabelPath.Point]] = []
  /// Ends at the edge of the tile of 512 points, where lines go on in the next one.
  var edges: [LabelPath.Point] = []
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

  private(set) var groups: [LineGroup] = []
  private var numbers: [Key: Int] = [:]

  mutating func add(
    _ tile: LabelTile, _ record: TileLabels.Record, _ number: Int, _ index: Int,
    _ convert: (TilePoint) -> LabelPath.Point
  ) {
    let first = Int(record.firstPoint)
    let count = Int(record.pointCount)
    let points = (first..<first + count).map { convert(tile.labels.point($0)) }
    let parent = tile.tile.ancestor(1)
    let key = Key(
      label: tile.labels.key(record), level: tile.tile.z, parent: parent?.packed ?? 0,
      world: tile.world)
    let place = self.number(key, LineGroup(tile: number, record: index))
    groups[place].parts.append(points)
    for (end, point) in [(first, points.first), (first + count - 1, points.last)] {
      let at = tile.labels.point(end)
      let outerX: Float = tile.tile.x % 2 == 0 ? 0 : 1
      let outerY: Float = tile.tile.y % 2 == 0 ? 0 : 1
      if let point, at.x == outerX || at.y == outerY { groups[place].edges.append(point) }
    }
  }

  /// Adds a line that had no room in its tile.
  mutating func add(_ points: [LabelPath.Point], of group: LineGroup, _ label: LabelKey, level: Int)
  {
    let key = Key(label: label, level: level, parent: nil, world: 0)
    let place = number(key, LineGroup(tile: group.tile, record: group.record))
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
}

extension LabelPlacer {
  /// Finds the places along lines.
  func gatherLines(_ lines: LineCollector, _ coverage: inout TileCoverage, _ run: inout LabelRun) {
    var short = LineCollector()
    for group in lines.groups {
      guard let layout = lineLayout(group, run) else { continue }
      let joined = layout.key.text.isEmpty ? group.parts : LabelPathJoiner.join(group.parts)
      for points in joined {
        let continues = points.first.map { first in
          group.edges.contains { LabelPathJoiner.meet($0, first) }
        }
        let path = LabelPath(points)
        let found = offer(
          path, group, layout, continues: continues ?? false, coverage, &run)
        if !found, !layout.key.text.isEmpty {
          short.add(points, of: group, layout.key, level: layout.level)
        }
      }
    }
    for group in short.groups where group.parts.count > 1 {
      guard let layout = lineLayout(group, run) else { continue }
      let joined = LabelPathJoiner.join(group.parts)
      if joined.count == group.parts.count { continue }
      for points in joined {
        _ = offer(LabelPath(points), group, layout, continues: false, coverage, &run)
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
    var result = LineLayout(
      record: record, level: tile.tile.z, settings: settings, key: tile.labels.key(record),
      spacing: LabelType.limited(settings.spacing, 1...4096) * run.scale * growth,
      margin: block == nil ? 0 : 2 * layout.em)
    if let block { result.length = block.width * layout.em }
    if let icon {
      let box = layout.iconBox(icon, text: nil)
      result.length = max(result.length, box.right - box.left)
    }
    return result
  }

  /// Offers the places along a line. Returns whether it has any.
  private func offer(
    _ path: LabelPath, _ group: LineGroup, _ layout: LineLayout, continues: Bool,
    _ coverage: TileCoverage, _ run: inout LabelRun
  ) -> Bool {
    guard path.points.count > 1 else { return false }
    let number = Int32(paths.count)
    paths.append(path)
    // First the labels that stand on it now.
    var taken: [Float] = []
    for index in run.known[layout.key] ?? [] where !run.claimed[index] {
      guard let old = run.previous?.labels[index] else { continue }
      let (x, y) = run.map.position(old.anchor)
      let (along, away) = path.nearest(LabelPath.Point(x: Float(x), y: Float(y)))
      guard away < 4 * run.scale else { continue }
      offer(along, of: path, number, group, layout, Int32(index), coverage, &run)
      taken.append(along)
    }
    if layout.settings.placement == .lineCenter {
      if taken.isEmpty {
        offer(path.length / 2, of: path, number, group, layout, -1, coverage, &run)
      }
      return true
    }
    let anchors = path.anchors(
      label: layout.length, spacing: layout.spacing, margin: layout.margin, continues: continues)
    for along in anchors where !taken.contains(where: { abs($0 - along) < layout.spacing / 2 }) {
      offer(along, of: path, number, group, layout, -1, coverage, &run)
    }
    return !anchors.isEmpty || !taken.isEmpty
  }

  private func offer(
    _ along: Float, of path: LabelPath, _ number: Int32, _ group: LineGroup,
    _ layout: LineLayout, _ previous: Int32, _ coverage: TileCoverage, _ run: inout LabelRun
  ) {
    let point = path.point(at: along)
    guard isNear(point.x, point.y, run) else { return }
    let place = run.map.place(Double(point.x), Double(point.y))
    if coverage.isCovered(place, below: layout.level) { return }
    var item = LabelItem(
      layer: Int32(layout.record.layer), tile: Int32(group.tile), record: Int32(group.record),
      order: Int32(clamping: items.count), sortKey: layout.record.sortKey, x: point.x, y: point.y,
      anchor: place)
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
