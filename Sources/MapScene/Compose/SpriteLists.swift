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

  /// Writes the numbers of the sprites that lie on `band`, which is in one row of strips, to
  /// `numbers`, by their left sides. Returns how many, or nil if there are more than `most` or one
  /// of them is turned.
  func find(_ band: PixelRect, _ numbers: UnsafeMutablePointer<Int32>, most: Int) -> Int? {
    let left = max(0, band.x / Self.stripWidth)
    let right = min(columns - 1, (band.maxX - 1) / Self.stripWidth)
    let row = band.y / Self.stripHeight
    if count == 0 || band.isEmpty || left > right || row < 0 || row >= rows { return 0 }
    var found = 0
    for column in left...right {
      let strip = row &* columns &+ column
      for at in Int(starts[strip])..<Int(starts[strip &+ 1]) {
        let number = items[at]
        let sprite = placed + Int(number)
        // A sprite on several strips is taken on the first one.
        if column > left, sprite.pointee.rect.x < column &* Self.stripWidth { continue }
        guard sprite.pointee.rect.intersects(band) else { continue }
        if sprite.pointee.turned != nil || found == most { return nil }
        let x = sprite.pointee.rect.x
        var place = found
        while place > 0, placed[Int(numbers[place &- 1])].rect.x > x {
          numbers[place] = numbers[place &- 1]
          place &-= 1
        }
        numbers[place] = number
        found &+= 1
      }
    }
    return found
  }

  /// Whether no two of `count` sprites overlap. The sprites are sorted by their left sides. Few
  /// labels overlap.
  func areApart(_ numbers: UnsafePointer<Int32>, _ count: Int) -> Bool {
    for n in 0..<count {
      let rect = placed[Int(numbers[n])].rect
      for other in n &+ 1..<max(count, n &+ 1) {
        let next = placed[Int(numbers[other])].rect
        if next.x >= rect.maxX { break }
        if next.intersects(rect) { return false }
      }
    }
    return true
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
