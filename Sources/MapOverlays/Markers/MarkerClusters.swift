import Glibc
import MapGeometry

/// The markers at one whole zoom, with those that would overlap merged into clusters.
///
/// Clusters depend only on the markers and the zoom, not on the view, so that nothing appears or
/// disappears while the map is panned. In the order of the store, each marker merges the nearby
/// markers that no earlier one has merged.
struct MarkerClusters {
  /// One marker, or a cluster of several.
  struct Item {
    /// The position of the first marker, on the unit square.
    var place: WorldPoint
    /// The first marker.
    var first: MarkerStore.Number
    /// How many markers the item stands for.
    var count: Int
    /// The index in `members` of the second marker.
    var members: Int
  }

  /// The items, sorted by cell, row by row.
  private(set) var items: [Item] = []
  private var keys: [UInt64] = []
  private(set) var members: [MarkerStore.Number] = []
  /// The zoom.
  let level: Int
  /// The size of icons, as a multiple of the normal one.
  let size: Double

  /// The properties of a marker that decide its cluster.
  private struct Candidate {
    var number: MarkerStore.Number
    var place: WorldPoint
    var isHere: Bool
  }

  /// The index has cells as large as tiles.
  private static func key(_ place: WorldPoint, _ level: Int) -> UInt64 {
    let side = Double(1 << level)
    let column = UInt64(min(max(place.x * side, 0), side - 1))
    let row = UInt64(min(max(place.y * side, 0), side - 1))
    return row << 32 | column
  }

  /// The merging distances in points to try. The first one is used with which no screen of `area`
  /// square points can show more than `most` items.
  static let radii = [64.0, 76, 96, 120]

  /// The least merging distance in points of icons of a size.
  static func radius(_ size: Double) -> Double { radii[0] * max(size, 0.5) }

  /// `size`: the size of icons, as a multiple of the normal one; they are as many times farther
  /// apart.
  init(_ store: MarkerStore, level: Int, area: Double, most: Int, size: Double = 1) {
    self.level = level
    self.size = size
    var candidates: [Candidate] = []
    candidates.reserveCapacity(store.count)
    store.forEachEntry {
      candidates.append(
        Candidate(number: $0.number, place: $0.place, isHere: $0.marker.isHere))
    }
    for radius in MarkerClusters.radii {
      gather(candidates, radius: radius * max(size, 0.5))
      if items.count <= most { break }
      // Assume the density of the fullest tile and its neighbours over the whole screen.
      if densest() * area / (256 * 256) <= Double(most) { break }
    }
    let order = items.indices.sorted {
      let (a, b) = (
        MarkerClusters.key(items[$0].place, level), MarkerClusters.key(items[$1].place, level)
      )
      return (a, items[$0].first) < (b, items[$1].first)
    }
    items = order.map { items[$0] }
    keys = items.map { MarkerClusters.key($0.place, level) }
  }

  /// Bytes of the clusters.
  var bytes: Int {
    items.capacity * MemoryLayout<Item>.stride + (keys.capacity + members.capacity) * 8
  }

  private mutating func gather(_ all: [Candidate], radius: Double) {
    items.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    let world = 256 * exp2(Double(level))
    let reach = radius / world
    // Cells as wide as the reach: anything near is in the same cell or a neighbouring one.
    let side = Int(min(max((1 / reach).rounded(.down), 1), Double(1 << 28)))
    func cell(_ place: WorldPoint) -> (x: Int, y: Int) {
      (
        min(Int(place.x * Double(side)), side - 1),
        min(max(Int(place.y * Double(side)), 0), side - 1)
      )
    }
    var heads: [UInt64: Int32] = [:]
    heads.reserveCapacity(all.count)
    var next = [Int32](repeating: -1, count: all.count)
    // Insert from the last to the first, so that chains are in the markers' order.
    for i in all.indices.reversed() where !all[i].isHere {
      let at = cell(all[i].place)
      let key = UInt64(at.y) << 32 | UInt64(at.x)
      next[i] = heads[key] ?? -1
      heads[key] = Int32(i)
    }
    var taken = [Bool](repeating: false, count: all.count)
    for i in all.indices where !taken[i] {
      let place = all[i].place
      let first = members.count
      taken[i] = true
      if all[i].isHere {
        items.append(Item(place: place, first: all[i].number, count: 1, members: first))
        continue
      }
      var count = 1
      let at = cell(place)
      for row in max(0, at.y - 1)...min(side - 1, at.y + 1) {
        for column in at.x - 1...at.x + 1 {
          // The world repeats at its eastern and western edges.
          let wrapped = (column + side) % side
          if side < 3, column != wrapped { continue }
          var other = heads[UInt64(row) << 32 | UInt64(wrapped)] ?? -1
          while other >= 0 {
            let j = Int(other)
            other = next[j]
            if taken[j] { continue }
            var dx = all[j].place.x - place.x
            dx -= dx.rounded()
            let dy = all[j].place.y - place.y
            if dx * dx + dy * dy > reach * reach { continue }
            taken[j] = true
            members.append(all[j].number)
            count += 1
          }
        }
      }
      // At the first marker's position, so that items are always farther apart than the radius.
      items.append(Item(place: place, first: all[i].number, count: count, members: first))
    }
  }

  /// The greatest density of items in a block of 3 x 3 tiles, in items per tile.
  private func densest() -> Double {
    var counts: [UInt64: Int] = [:]
    for item in items { counts[MarkerClusters.key(item.place, level), default: 0] += 1 }
    var most = 0
    for (key, _) in counts {
      let (row, column) = (Int(key >> 32), Int(key & 0xFFFF_FFFF))
      var sum = 0
      for y in row - 1...row + 1 where y >= 0 {
        for x in column - 1...column + 1 where x >= 0 {
          sum += counts[UInt64(y) << 32 | UInt64(x)] ?? 0
        }
      }
      most = max(most, sum)
    }
    return Double(most) / 9
  }

  /// The numbers of the markers that `item` stood for when the clusters were made, in store order.
  func numbers(of item: Item) -> [MarkerStore.Number] {
    [item.first] + members[item.members..<item.members + item.count - 1]
  }

  /// Calls `body` with every item in a box of the unit square, which may extend beyond its left and
  /// right edges. `shift` is the number of worlds by which to move the item to the right.
  func forEach(
    minX: Double, minY: Double, maxX: Double, maxY: Double, _ body: (Item, _ shift: Double) -> Void
  ) {
    guard !items.isEmpty, minX <= maxX, minY <= maxY, maxX - minX < 1000 else { return }
    let side = Double(1 << level)
    let rows = (
      UInt64(min(max(minY * side, 0), side - 1)), UInt64(min(max(maxY * side, 0), side - 1))
    )
    var world = minX.rounded(.down)
    while world <= maxX {
      let left = UInt64(min(max((minX - world) * side, 0), side - 1))
      let right = UInt64(min(max((maxX - world) * side, 0), side - 1))
      // With more rows than items, testing every item is less work.
      if rows.1 - rows.0 > UInt64(items.count) {
        for item in items { visit(item, world, minX, minY, maxX, maxY, body) }
      } else {
        for row in rows.0...rows.1 {
          var i = lowerBound(row << 32 | left)
          let end = row << 32 | right
          while i < keys.count, keys[i] <= end {
            visit(items[i], world, minX, minY, maxX, maxY, body)
            i += 1
          }
        }
      }
      world += 1
    }
  }

  private func visit(
    _ item: Item, _ world: Double, _ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double,
    _ body: (Item, Double) -> Void
  ) {
    let x = item.place.x + world
    if x >= minX, x <= maxX, item.place.y >= minY, item.place.y <= maxY { body(item, world) }
  }

  private func lowerBound(_ key: UInt64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
