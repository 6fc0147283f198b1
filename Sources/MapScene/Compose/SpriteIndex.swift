import MapGeometry
import Pixels

/// Finds the sprites over a part of the screen without testing all of them, so that hundreds of
/// sprites cost little more than their pixels.
///
/// The screen is divided into strips of 128 x 16 pixels. Each lists its sprites, bottom first.
package final class SpriteIndex {
  /// The sprites placed last.
  private(set) var lists = SpriteLists(
    placed: .allocate(capacity: 1), starts: .allocate(capacity: 1), items: .allocate(capacity: 1))
  /// The turned ones of them.
  private var turned = UnsafeMutablePointer<TurnedPicture>.allocate(capacity: 1)
  private var capacity = (placed: 1, turned: 1, starts: 1, items: 1)
  /// Keeps the pictures alive while `lists` points at them.
  private(set) var owners: [Sprite] = []

  deinit {
    lists.placed.deallocate()
    turned.deallocate()
    lists.starts.deallocate()
    lists.items.deallocate()
  }

  /// Bytes of the index.
  var bytes: Int {
    capacity.placed * MemoryLayout<SpriteLists.Placed>.stride
      + capacity.turned * MemoryLayout<TurnedPicture>.stride
      + (capacity.starts + capacity.items) * 4
  }

  /// Takes the sprites of a frame, bottom first. Keeps their pictures until the next call.
  /// `range`: which of them; nil: all. Of these, those for whose index `takes` returns true.
  func place(
    _ sprites: [Sprite], in range: Range<Int>? = nil, where takes: (Int) -> Bool = { _ in true },
    width: Int, height: Int
  ) {
    owners = sprites
    lists.columns = (width + SpriteLists.stripWidth - 1) / SpriteLists.stripWidth
    lists.rows = (height + SpriteLists.stripHeight - 1) / SpriteLists.stripHeight
    let range = range ?? sprites.indices
    SpriteIndex.reserve(&lists.placed, &capacity.placed, range.count)
    let strips = lists.columns * lists.rows
    SpriteIndex.reserve(&lists.starts, &capacity.starts, strips + 1)
    var lists = lists
    lists.count = 0
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    var turned = 0
    for i in range where sprites[i].turn != nil && takes(i) { turned += 1 }
    SpriteIndex.reserve(&self.turned, &capacity.turned, turned)
    turned = 0
    // By index: a sprite that is copied counts a reference of its picture.
    for i in range where takes(i) {
      let rect = sprites[i].rect
      guard rect.intersects(screen) else { continue }
      var picture: UnsafePointer<TurnedPicture>?
      if let turn = sprites[i].turn {
        (self.turned + turned).initialize(to: TurnedPicture(sprites[i].image, turn))
        picture = UnsafePointer(self.turned + turned)
        turned += 1
      }
      (lists.placed + lists.count).initialize(
        to: SpriteLists.Placed(
          pixels: UnsafePointer(sprites[i].image.pixels),
          columns: UnsafePointer(sprites[i].image.columns), rect: rect,
          opacity: min(max(sprites[i].opacity, 0), 256), turned: picture))
      lists.count += 1
    }
    self.lists = lists
    if lists.count == 0 { return }
    // A counting sort by strip that keeps the sprites' order.
    let starts = lists.starts
    starts.initialize(repeating: 0, count: strips + 1)
    for i in 0..<lists.count { lists.forEachStrip(lists.placed[i].rect) { starts[$0 + 1] += 1 } }
    for i in 0..<strips { starts[i + 1] += starts[i] }
    let total = Int(starts[strips])
    SpriteIndex.reserve(&lists.items, &capacity.items, total)
    let items = lists.items
    for i in (0..<lists.count).reversed() {
      // From the end, moving each strip's end down to its start.
      lists.forEachStrip(lists.placed[i].rect) {
        starts[$0 + 1] -= 1
        (items + Int(starts[$0 + 1])).initialize(to: Int32(truncatingIfNeeded: i))
      }
    }
    // Each strip's start is now one entry too far right.
    for i in 0..<strips { starts[i] = starts[i + 1] }
    starts[strips] = Int32(truncatingIfNeeded: total)
    self.lists = lists
  }

  /// Forgets the sprites, so that the array they came in can be filled again without a copy.
  func removeAll() {
    owners = []
    lists.count = 0
  }

  /// Makes room for `count` values; what was there is lost if there was less.
  private static func reserve<Value>(
    _ memory: inout UnsafeMutablePointer<Value>, _ capacity: inout Int, _ count: Int
  ) {
    if count <= capacity { return }
    memory.deallocate()
    capacity = max(count, capacity * 2)
    memory = .allocate(capacity: capacity)
  }
}
