import Glibc
import MapGeometry

/// The markers of one whole zoom, those that would cover each other put together.
///
/// It follows from the markers and the zoom alone and not from the view: nothing comes or goes while
/// the map is panned. Markers are taken in their order; each takes in those near it that none before
/// it took.
struct MarkerClusters {
  /// One marker, or several as one.
  struct Item {
    /// On the unit square: the first marker's.
    var place: WorldPoint
    /// The first marker, an index into the store.
    var first: Int32
    /// How many markers it stands for.
    var count: Int32
    /// Where the others' indices begin in `members`.
    var members: Int32
  }

  /// Sorted by cell, row by row.
  private(set) var items: [Item] = []
  private var keys: [UInt64] = []
  private(set) var members: [Int32] = []
  /// The zoom's level.
  let level: Int

  /// Cells of the index are as large as tiles.
  private static func key(_ place: WorldPoint, _ level: Int) -> UInt64 {
    let side = Double(1 << level)
    let column = UInt64(min(max(place.x * side, 0), side - 1))
    let row = UInt64(min(max(place.y * side, 0), side - 1))
    return row << 32 | column
  }

  /// Distances in points within which markers become one: the first with which no screen of
  /// `area` square points can show more than `most` of them.
  static let radii = [44.0, 60, 76, 96]

  init(_ store: MarkerStore, level: Int, area: Double, most: Int) {
    self.level = level
    for radius in MarkerClusters.radii {
      gather(store, radius: radius)
      if items.count <= most { break }
      // As densely as anywhere, all over the screen: the fullest tile and its neighbours.
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

  /// Bytes that it takes.
  var bytes: Int {
    items.capacity * MemoryLayout<Item>.stride + keys.capacity * 8 + members.capacity * 4
  }

  private mutating func gather(_ store: MarkerStore, radius: Double) {
    items.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    let world = 256 * exp2(Double(level))
    let reach = radius / world
    // Cells as wide as the reach: what is near lies in a cell or beside it.
    let side = Int(min(max((1 / reach).rounded(.down), 1), Double(1 << 28)))
    func cell(_ place: WorldPoint) -> (x: Int, y: Int) {
      (
        min(Int(place.x * Double(side)), side - 1),
        min(max(Int(place.y * Double(side)), 0), side - 1)
      )
    }
    var heads: [UInt64: Int32] = [:]
    heads.reserveCapacity(store.all.count)
    var next = [Int32](repeating: -1, count: store.all.count)
    // Chains in the markers' order: put in from the last to the first.
    for i in store.all.indices.reversed() where !store.all[i].isHere {
      let at = cell(store.places[i])
      let key = UInt64(at.y) << 32 | UInt64(at.x)
      next[i] = heads[key] ?? -1
      heads[key] = Int32(i)
    }
    var taken = [Bool](repeating: false, count: store.all.count)
    for i in store.all.indices where !taken[i] {
      let place = store.places[i]
      let first = Int32(members.count)
      taken[i] = true
      if store.all[i].isHere {
        items.append(Item(place: place, first: Int32(i), count: 1, members: first))
        continue
      }
      var count = 1
      let at = cell(place)
      for row in max(0, at.y - 1)...min(side - 1, at.y + 1) {
        for column in at.x - 1...at.x + 1 {
          // The world goes on beyond its edges.
          let wrapped = (column + side) % side
          if side < 3, column != wrapped { continue }
          var other = heads[UInt64(row) << 32 | UInt64(wrapped)] ?? -1
          while other >= 0 {
            let j = Int(other)
            other = next[j]
            if taken[j] { continue }
            var dx = store.places[j].x - place.x
            dx -= dx.rounded()
            let dy = store.places[j].y - place.y
            if dx * dx + dy * dy > reach * reach { continue }
            taken[j] = true
            members.append(Int32(j))
            count += 1
          }
        }
      }
      // At the first one's place: two items are never nearer to each other than the radius.
      items.append(Item(place: place, first: Int32(i), count: Int32(count), members: first))
    }
  }

  /// The most items that a tile and its eight neighbours hold, a tile.
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

  /// The indices of the markers that `item` stands for.
  func markers(of item: Item) -> [Int] {
    let first = Int(item.members)
    return [Int(item.first)] + members[first..<first + Int(item.count) - 1].map { Int($0) }
  }

  /// Calls `body` with every item in a box of the unit square, which may lie beyond its left and
  /// right edges; `shift` is by how many worlds the item is to be moved to the right.
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
      // Many rows and few items: one look at each item is less work.
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
