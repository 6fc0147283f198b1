import MapGeometry
import Pixels

/// Finds the sprites over a part of the screen without testing all of them, so that hundreds of
/// sprites cost little more than their pixels.
///
/// The screen is divided into strips of 128 x 16 pixels. Each lists its sprites, bottom first.
package final class SpriteIndex {
  /// A strip's size in pixels.
  static let stripWidth = 128
  static let stripHeight = 16

  /// A sprite without a reference count.
  struct Placed {
    var pixels: UnsafePointer<UInt32>
    var columns: UnsafePointer<SpriteImage.Columns>
    var rect: PixelRect
    /// 0 ... 256.
    var opacity: Int

    /// The columns of the screen from `left` to `right` in which row `y`, one of `rect`, is not
    /// transparent; none: the second is not above the first.
    @inline(__always)
    func columns(_ y: Int, from left: Int, to right: Int) -> (left: Int, right: Int) {
      let own = columns[y &- rect.y]
      return (max(rect.x &+ Int(own.left), left), min(rect.x &+ Int(own.right), right))
    }
  }

  /// Keeps the pictures alive while `placed` points at them.
  private var owners: [Sprite] = []
  private var placed: [Placed] = []
  /// Where each strip's range of `items` begins, then `items.count`.
  private var starts: [Int32] = []
  /// Indices into `placed`.
  private var items: [Int32] = []
  private var columns = 0
  private var rows = 0

  /// Bytes of the index.
  var bytes: Int {
    placed.capacity * MemoryLayout<Placed>.stride + (starts.capacity + items.capacity) * 4
  }

  /// Takes the sprites of a frame, bottom first. Keeps their pictures until the next call.
  /// `range`: which of them; nil: all.
  func place(_ sprites: [Sprite], in range: Range<Int>? = nil, width: Int, height: Int) {
    owners = sprites
    placed.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    columns = (width + SpriteIndex.stripWidth - 1) / SpriteIndex.stripWidth
    rows = (height + SpriteIndex.stripHeight - 1) / SpriteIndex.stripHeight
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    for i in range ?? sprites.indices where sprites[i].rect.intersects(screen) {
      let sprite = sprites[i]
      placed.append(
        Placed(
          pixels: UnsafePointer(sprite.image.pixels),
          columns: UnsafePointer(sprite.image.columns), rect: sprite.rect,
          opacity: min(max(sprite.opacity, 0), 256)))
    }
    if placed.isEmpty { return }
    // Local variables: accesses to members of a class are checked each time.
    let placed = placed
    var starts: [Int32] = []
    var items: [Int32] = []
    swap(&starts, &self.starts)
    swap(&items, &self.items)
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: columns * rows + 1))
    // A counting sort by strip that keeps the sprites' order.
    for sprite in placed { forEachStrip(sprite.rect) { starts[$0 + 1] += 1 } }
    for i in 1..<starts.count { starts[i] += starts[i - 1] }
    items.append(contentsOf: repeatElement(0, count: Int(starts[starts.count - 1])))
    for i in placed.indices.reversed() {
      // From the end, moving each strip's end down to its start.
      forEachStrip(placed[i].rect) {
        starts[$0 + 1] -= 1
        items[Int(starts[$0 + 1])] = Int32(i)
      }
    }
    // Each strip's start is now one entry too far right.
    for i in 0..<starts.count - 1 { starts[i] = starts[i + 1] }
    starts[starts.count - 1] = Int32(items.count)
    swap(&starts, &self.starts)
    swap(&items, &self.items)
  }

  /// Whether a sprite lies on `rect`.
  func meets(_ rect: PixelRect) -> Bool {
    if placed.isEmpty { return false }
    let (placed, starts, items) = (placed, starts, items)
    var found = false
    forEachStrip(rect) { strip in
      if found { return }
      for at in starts[strip]..<starts[strip + 1]
      where placed[Int(items[Int(at)])].rect.intersects(rect) {
        found = true
        return
      }
    }
    return found
  }

  /// Writes the sprites that lie on `rect` to `found`, bottom first. Returns how many, or nil if
  /// there are more than `most`.
  func find(_ rect: PixelRect, _ found: UnsafeMutablePointer<Placed>, most: Int) -> Int? {
    if placed.isEmpty { return 0 }
    let (placed, starts, items) = (placed, starts, items)
    var count = 0
    var isTooMany = false
    // A sprite can lie on several strips. Sorting by number keeps the order and finds duplicates.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: most) { numbers in
      forEachStrip(rect) { strip in
        for at in starts[strip]..<starts[strip + 1] {
          let number = items[Int(at)]
          guard placed[Int(number)].rect.intersects(rect) else { continue }
          var place = count
          while place > 0, numbers[place - 1] > number { place -= 1 }
          if place > 0, numbers[place - 1] == number { continue }
          if count == most {
            isTooMany = true
            return
          }
          for i in stride(from: count, to: place, by: -1) { numbers[i] = numbers[i - 1] }
          numbers[place] = number
          count += 1
        }
      }
      for i in 0..<count { (found + i).initialize(to: placed[Int(numbers[i])]) }
    }
    return isTooMany ? nil : count
  }

  /// Blends the sprites that lie on `chunk` into `band`, whose rows are `chunk.width` pixels apart.
  func blend(into band: UnsafeMutablePointer<UInt32>, _ chunk: PixelRect) {
    if placed.isEmpty { return }
    let (placed, starts, items, columns) = (placed, starts, items, columns)
    forEachStrip(chunk) { strip in
      let area = PixelRect(
        x: strip % columns * SpriteIndex.stripWidth, y: strip / columns * SpriteIndex.stripHeight,
        width: SpriteIndex.stripWidth, height: SpriteIndex.stripHeight
      ).intersection(chunk)
      for at in starts[strip]..<starts[strip + 1] {
        let sprite = placed[Int(items[Int(at)])]
        let part = sprite.rect.intersection(area)
        if part.isEmpty { continue }
        for y in part.y..<part.maxY {
          let (left, right) = sprite.columns(y, from: part.x, to: part.maxX)
          if left >= right { continue }
          blendOver(
            sprite.pixels + (y - sprite.rect.y) * sprite.rect.width + left - sprite.rect.x,
            into: band + (y - chunk.y) * chunk.width + left - chunk.x, right - left,
            opacity: sprite.opacity)
        }
      }
    }
  }

  @inline(__always)
  private func forEachStrip(_ rect: PixelRect, _ body: (Int) -> Void) {
    let (w, h) = (SpriteIndex.stripWidth, SpriteIndex.stripHeight)
    let left = max(0, rect.x / w)
    let right = min(columns - 1, (rect.maxX - 1) / w)
    let top = max(0, rect.y / h)
    let bottom = min(rows - 1, (rect.maxY - 1) / h)
    if rect.isEmpty || rect.maxX <= 0 || rect.maxY <= 0 || left > right || top > bottom { return }
    for row in top...bottom {
      for column in left...right { body(row * columns + column) }
    }
  }
}
