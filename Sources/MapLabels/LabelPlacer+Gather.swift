import MapGeometry
import MapStyle

#if canImport(Glibc)
  import Glibc
#endif

/// From a tile's fractions to pixels of the view.
struct TileFrame {
  let tile: TileID
  let west: Double
  let size: Double
  let x: Double
  let y: Double
  let across: (x: Double, y: Double)
  let down: (x: Double, y: Double)

  init(_ tile: LabelTile, _ map: LabelMap) {
    self.tile = tile.tile
    size = 1 / Double(1 << tile.tile.z)
    let world = min(max(tile.world, -4), 4)
    west = Double(tile.tile.x) * size + Double(world)
    (x, y) = map.position(WorldPoint(x: west, y: Double(tile.tile.y) * size))
    let edge = size * map.world
    across = (edge * map.cosine, -edge * map.sine)
    down = (edge * map.sine, edge * map.cosine)
  }

  func position(_ point: TilePoint) -> (x: Float, y: Float) {
    let (u, v) = (Double(point.x), Double(point.y))
    return (
      Float(x + u * across.x + v * down.x), Float(y + u * across.y + v * down.y)
    )
  }

  func place(_ point: TilePoint) -> WorldPoint {
    WorldPoint(
      x: west + Double(point.x) * size, y: (Double(tile.y) + Double(point.y)) * size)
  }
}

extension LabelPlacer {
  /// How far beyond the region an anchor may lie, in points.
  private static let reach: Float = 64
  /// A previous label within this distance of a point counts as the same label, in points. The
  /// distance is larger for a label of another level, where tiles place it differently.
  private static let sameLevel: Float = 4
  private static let otherLevel: Float = 32

  /// Collects the places that candidates may take.
  func gather(_ run: inout LabelRun) {
    var coverage = TileCoverage(run.request.tiles)
    var lines = LineCollector()
    // Take the tiles in MapLibre's order, which does not depend on the caller's.
    let tiles = run.request.tiles
    let homes = tiles.map { LabelHome($0, zoom: run.request.view.zoom) }
    let order = tiles.indices.sorted {
      if homes[$0] != homes[$1] { return homes[$0] < homes[$1] }
      // The deepest tile claims a line. Shallower tiles offer no places that deeper tiles cover.
      if tiles[$0].tile.z != tiles[$1].tile.z { return tiles[$0].tile.z > tiles[$1].tile.z }
      return tiles[$0].tile.packed < tiles[$1].tile.packed
    }
    var rank: Int64 = 0
    var last: LabelHome?
    for number in order {
      if homes[number] != last {
        rank += 1
        last = homes[number]
      }
      let tile = tiles[number]
      if tile.labels.count == 0 { continue }
      let frame = TileFrame(tile, run.map)
      let (whole, source) = (TileFrame(tile.whole, run.map), tile.whole.tile)
      for (index, record) in tile.labels.records.enumerated() where items.count < itemLimit {
        let look = tile.labels.looks[Int(record.look)]
        let place = rank << 32 | look.settings.rank(Int64(record.order))
        if record.pointCount > 1, look.settings.placement != .point {
          lines.add(tile, source, record, number, index, homes[number], place) {
            let (x, y) = whole.position($0)
            return LabelPath.Point(x: x, y: y)
          }
          continue
        }
        let point = tile.labels.point(Int(record.firstPoint))
        let (x, y) = frame.position(point)
        guard isNear(x, y, run) else { continue }
        let anchor = frame.place(point)
        if coverage.isCovered(anchor, below: tile) { continue }
        var item = LabelItem(
          layer: Int32(record.layer), tile: Int32(number), record: Int32(index),
          rank: place, order: Int32(clamping: items.count),
          sortKey: record.sortKey, x: x, y: y, anchor: anchor)
        recognise(&item, tile, record, &run)
        offer(item, &run)
      }
    }
    gatherLines(lines, &coverage, &run)
  }

  func isNear(_ x: Float, _ y: Float, _ run: LabelRun) -> Bool {
    let reach = Self.reach * run.scale
    let region = run.region
    return x >= Float(region.x) - reach && x <= Float(region.maxX) + reach
      && y >= Float(region.y) - reach && y <= Float(region.maxY) + reach
  }

  /// Finds the previous label of a point.
  private func recognise(
    _ item: inout LabelItem, _ tile: LabelTile, _ record: TileLabels.Record, _ run: inout LabelRun
  ) {
    guard let previous = run.previous, !run.known.isEmpty,
      let candidates = run.known[tile.labels.key(record)]
    else { return }
    for index in candidates where !run.claimed[index] {
      guard run.mayCompare() else { return }
      let old = previous.labels[index]
      let limit = (old.level == tile.tile.z ? Self.sameLevel : Self.otherLevel) * run.scale
      let dx = Float((old.anchor.x - item.anchor.x) * run.map.world)
      let dy = Float((old.anchor.y - item.anchor.y) * run.map.world)
      if abs(dx) < limit, abs(dy) < limit {
        item.previous = Int32(index)
        let settings = tile.labels.looks[Int(record.look)].settings
        item.isLoyal = settings.naming != .upright && run.isLoyal(index)
        run.claimed[index] = true
        return
      }
    }
  }
}

extension LabelMap {
  /// The place under a position of the view.
  func place(_ x: Double, _ y: Double) -> WorldPoint {
    if let origin { return WorldPoint(x: (x + origin.x) / world, y: (y + origin.y) / world) }
    let (right, down) = (x - half.x, y - half.y)
    return WorldPoint(
      x: middle.x + (right * cosine - down * sine) / world,
      y: middle.y + (right * sine + down * cosine) / world)
  }
}

extension LabelSettings {
  /// The rank among the features of a tile with the same sort key. Of features with sort keys,
  /// MapLibre takes the last one first.
  func rank(_ order: Int64) -> Int64 {
    hasSortKey && zOrder != .viewportY ? Int64(UInt32.max) - order : order
  }
}

extension TileLabels {
  func text(_ record: Record) -> LabelText {
    record.text == Record.none ? .none : texts[Int(record.text)]
  }

  func textHash(_ record: Record) -> Int {
    record.text == Record.none ? 0 : textHashes[Int(record.text)]
  }

  func icon(_ record: Record) -> String? {
    record.icon == Record.none ? nil : icons[Int(record.icon)]
  }

  func key(_ record: Record) -> LabelKey {
    LabelKey(
      text: text(record), textHash: textHash(record), icon: icon(record),
      layer: Int(record.layer))
  }

  /// Which lines belong together: MapLibre does not look at their icons.
  func lineKey(_ record: Record) -> LabelKey {
    LabelKey(
      text: text(record), textHash: textHash(record),
      icon: record.text == Record.none ? icon(record) : nil, layer: Int(record.layer))
  }

  func blockKey(_ record: Record) -> LabelLayoutCache.BlockKey {
    LabelLayoutCache.BlockKey(
      text: text(record), textHash: textHash(record), look: looks[Int(record.look)])
  }
}

/// Which places deeper tiles cover.
struct TileCoverage {
  /// A level of a map.
  private struct Level: Equatable {
    var group: Int
    var z: Int
  }

  private struct Tile: Hashable {
    var group: Int
    var packed: UInt64
  }

  private var tiles: Set<Tile> = []
  private var levels: [Level] = []

  init(_ list: [LabelTile]) {
    for tile in list {
      tiles.insert(Tile(group: tile.group, packed: tile.tile.packed))
      let level = Level(group: tile.group, z: tile.tile.z)
      if !levels.contains(level) { levels.append(level) }
    }
  }

  /// Whether a deeper tile of the same map has the place.
  func isCovered(_ place: WorldPoint, below other: LabelTile) -> Bool {
    if levels.count < 2 { return false }
    for level in levels where level.group == other.group && level.z > other.tile.z {
      let deeper = level.z
      let count = Double(1 << deeper)
      let x = place.x - place.x.rounded(.down)
      guard place.y >= 0, place.y < 1,
        let tile = TileID(z: deeper, x: Int(x * count), y: Int(place.y * count))
      else { continue }
      if tiles.contains(Tile(group: other.group, packed: tile.packed)) { return true }
    }
    return false
  }
}
