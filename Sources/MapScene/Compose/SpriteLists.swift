import MapGeometry
import Pixels

/// The sprites of a frame, by the strips of the screen that they lie on.
///
/// Points into the memory of a `SpriteIndex`, and is valid until its next `place`: asking it counts
/// no references.
struct SpriteLists {
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
    /// Set for a picture that is turned, which has no `columns` of the screen.
    var turned: UnsafePointer<TurnedPicture>?

    /// The columns of the screen from `left` to `right` in which row `y`, one of `rect`, is not
    /// transparent; none: the second is not above the first.
    @inline(__always)
    func columns(_ y: Int, from left: Int, to right: Int) -> (left: Int, right: Int) {
      let own = columns[y &- rect.y]
      return (max(rect.x &+ Int(own.left), left), min(rect.x &+ Int(own.right), right))
    }
  }

  var placed: UnsafeMutablePointer<Placed>
  /// How many of `placed` there are.
  var count = 0
  /// Where each strip's range of `items` begins, then the end of the last one.
  var starts: UnsafeMutablePointer<Int32>
  /// Indices into `placed`, for each strip bottom first.
  var items: UnsafeMutablePointer<Int32>
  var columns = 0
  var rows = 0

  /// Whether a sprite lies on `rect`.
  func meets(_ rect: PixelRect) -> Bool {
    if count == 0 { return false }
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
  /// there are more than `most` or one of them is turned.
  func find(_ rect: PixelRect, _ found: UnsafeMutablePointer<Placed>, most: Int) -> Int? {
    if count == 0 { return 0 }
    var count = 0
    var isTooMany = false
    // A sprite can lie on several strips. Sorting by number keeps the order and finds duplicates.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: most) { numbers in
      forEachStrip(rect) { strip in
        for at in starts[strip]..<starts[strip + 1] {
          let number = items[Int(at)]
          guard placed[Int(number)].rect.intersects(rect) else { continue }
          if placed[Int(number)].turned != nil {
            isTooMany = true
            return
          }
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
    if count == 0 { return }
    forEachStrip(chunk) { strip in
      let area = PixelRect(
        x: strip % columns * Self.stripWidth, y: strip / columns * Self.stripHeight,
        width: Self.stripWidth, height: Self.stripHeight
      ).intersection(chunk)
      for at in starts[strip]..<starts[strip + 1] {
        let sprite = placed[Int(items[Int(at)])]
        let part = sprite.rect.intersection(area)
        if part.isEmpty { continue }
        if let turned = sprite.turned {
          turned.pointee.blend(
            PixelRect(
              x: part.x - sprite.rect.x, y: part.y - sprite.rect.y, width: part.width,
              height: part.height),
            into: band + (part.y - chunk.y) * chunk.width + part.x - chunk.x,
            stride: chunk.width, opacity: sprite.opacity)
          continue
        }
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
  func forEachStrip(_ rect: PixelRect, _ body: (Int) -> Void) {
    let (w, h) = (Self.stripWidth, Self.stripHeight)
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
