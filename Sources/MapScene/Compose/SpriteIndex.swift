import MapGeometry
import Pixels

/// Finds what lies over a part of the screen, so that a frame with hundreds of sprites costs their
/// pixels and not their number times that of the screen's parts.
///
/// The screen is divided into strips of 128 x 16 pixels; each knows its sprites, bottom first.
package final class SpriteIndex {
  /// A strip's size in pixels.
  static let stripWidth = 128
  static let stripHeight = 16

  /// A sprite without a reference to count.
  struct Placed {
    var pixels: UnsafePointer<UInt32>
    var rect: PixelRect
  }

  /// Keeps the pictures while they are drawn.
  private var owners: [Sprite] = []
  private var placed: [Placed] = []
  /// Where the strips' parts of `items` begin; one more than there are strips.
  private var starts: [Int32] = []
  /// Numbers of `placed`.
  private var items: [Int32] = []
  private var columns = 0
  private var rows = 0

  /// Bytes that the index takes.
  var bytes: Int {
    placed.capacity * MemoryLayout<Placed>.stride + (starts.capacity + items.capacity) * 4
  }

  /// Takes the sprites of a frame, and keeps their pictures until the next ones are placed.
  func place(_ sprites: [Sprite], width: Int, height: Int) {
    owners = sprites
    placed.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    columns = (width + SpriteIndex.stripWidth - 1) / SpriteIndex.stripWidth
    rows = (height + SpriteIndex.stripHeight - 1) / SpriteIndex.stripHeight
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    for sprite in sprites where sprite.rect.intersects(screen) {
      placed.append(Placed(pixels: UnsafePointer(sprite.image.pixels), rect: sprite.rect))
    }
    if placed.isEmpty { return }
    // Worked on in local variables: each access to a member would be checked.
    let placed = placed
    var starts: [Int32] = []
    var items: [Int32] = []
    swap(&starts, &self.starts)
    swap(&items, &self.items)
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: columns * rows + 1))
    // Count, sum up, put in: in the order of the sprites.
    for sprite in placed { forEachStrip(sprite.rect) { starts[$0 + 1] += 1 } }
    for i in 1..<starts.count { starts[i] += starts[i - 1] }
    items.append(contentsOf: repeatElement(0, count: Int(starts[starts.count - 1])))
    for i in placed.indices.reversed() {
      // From behind, with each strip's end moving to its beginning.
      forEachStrip(placed[i].rect) {
        starts[$0 + 1] -= 1
        items[Int(starts[$0 + 1])] = Int32(i)
      }
    }
    // Now every beginning stands one too far.
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

  /// Puts the sprites that lie on `rect` into `found`, bottom first; how many, nil if more than
  /// `most`.
  func find(_ rect: PixelRect, _ found: UnsafeMutablePointer<Placed>, most: Int) -> Int? {
    if placed.isEmpty { return 0 }
    let (placed, starts, items) = (placed, starts, items)
    var count = 0
    var isTooMany = false
    // A sprite lies on several strips: its number tells it and its place.
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

  /// Blends what lies on `chunk` into its words, rows `chunk.width` apart.
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
          blendOver(
            sprite.pixels + (y - sprite.rect.y) * sprite.rect.width + part.x - sprite.rect.x,
            into: band + (y - chunk.y) * chunk.width + part.x - chunk.x, part.width, opacity: 256)
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
