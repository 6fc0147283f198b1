import Drawing
import MapGeometry
import MapLabels
import MapScene

/// The pictures of a placement's labels by their shapes, limited in bytes.
///
/// Labels that are turned or fade need pictures of their own. These are drawn again only when the
/// angle or the opacity has changed visibly, into memory of such pictures that are no longer shown.
struct LabelPictures {
  /// The most bytes of all pictures, and of those that are turned or fade.
  static let limit = 4 << 20
  /// The most bytes of one.
  static let limitOfOne = 1 << 20
  /// How far the end of a turned label may lie from where it should be, in pixels.
  private static let slack: Float = 0.35

  /// The shapes stay alive as long as the placement, and so keep their addresses.
  private var pictures: [ObjectIdentifier: LabelPicture] = [:]
  /// Bytes of the upright pictures.
  private var uprightBytes = 0
  private var changed: [UInt64: Changed] = [:]
  private var changedBytes = 0
  /// Images that may be drawn anew once nothing else refers to them.
  private var spare: [SpriteImage] = []
  private var frame = 0
  /// What a frame no longer shows. Kept, so that a frame allocates nothing for it.
  private var gone: [UInt64] = []

  /// A picture that is turned or fades.
  private struct Changed {
    var image: SpriteImage
    /// From the anchor to the upper left corner.
    var x: Int
    var y: Int
    var angle: Float
    var opacity: UInt8
    var shape: LabelShape
    var frame: Int
  }

  /// Bytes of all pictures.
  var bytes: Int { uprightBytes + changedBytes + spare.reduce(0) { $0 + $1.bytes } }

  /// Keeps a picture, unless it or all of them take too much memory.
  mutating func add(_ picture: LabelPicture, of shape: LabelShape) {
    let id = ObjectIdentifier(shape)
    guard pictures[id] == nil, picture.bytes <= Self.limitOfOne,
      uprightBytes + picture.bytes <= Self.limit
    else { return }
    pictures[id] = picture
    uprightBytes += picture.bytes
  }

  /// Frees the memory that is kept for labels that will turn or fade.
  mutating func freeSpare() { spare = [] }

  /// Takes over what `former` has drawn of turned and fading labels.
  mutating func inherit(_ former: LabelPictures) {
    (changed, changedBytes) = (former.changed, former.changedBytes)
    (spare, frame) = (former.spare, former.frame)
  }

  /// Makes the sprites of a placement's labels, the lowest first. Labels that the screen's edge
  /// would cut have none.
  mutating func draw(
    _ placement: LabelPlacement, on screen: PixelRect, into sprites: inout [Sprite]
  ) {
    frame &+= 1
    // By index: a label that is copied counts references of all that it holds.
    for index in placement.labels.indices {
      if let sprite = sprite(of: placement.labels, index, on: screen) { sprites.append(sprite) }
    }
    for (id, old) in changed where old.frame != frame { gone.append(id) }
    for id in gone {
      if let old = changed[id] { drop(id, old) }
    }
    gone.removeAll(keepingCapacity: true)
  }

  /// A label as a sprite where it is now; nil if it is not whole on the screen.
  private mutating func sprite(
    of labels: [PlacedLabel], _ index: Int, on screen: PixelRect
  ) -> Sprite? {
    guard labels[index].opacity > 0,
      let picture = pictures[ObjectIdentifier(labels[index].shape)]
    else { return nil }
    let angle = Self.rounded(labels[index].angle, picture)
    let rect = picture.rect(x: labels[index].x, y: labels[index].y, angle: angle)
    guard !rect.isEmpty, rect.intersection(screen) == rect else { return nil }
    if angle == 0, labels[index].opacity == 255 {
      return Sprite(picture.image, x: rect.x, y: rect.y)
    }
    let label = labels[index]
    if let old = changed[label.id] {
      if old.angle == angle, old.opacity == label.opacity, old.shape === label.shape {
        changed[label.id]?.frame = frame
        return Sprite(old.image, x: label.x &+ old.x, y: label.y &+ old.y)
      }
      drop(label.id, old)
    }
    guard changedBytes + rect.width * rect.height * 4 <= Self.limit else { return nil }
    let image = image(rect.width, rect.height) { pixels, stride in
      picture.blend(
        on: PixelCanvas(pixels, stride: stride, width: rect.width, height: rect.height),
        x: label.x - rect.x, y: label.y - rect.y, angle: angle, opacity: label.opacity)
    }
    changedBytes += image.bytes
    changed[label.id] = Changed(
      image: image, x: rect.x - label.x, y: rect.y - label.y, angle: angle,
      opacity: label.opacity, shape: label.shape, frame: frame)
    return Sprite(image, x: rect.x, y: rect.y)
  }

  /// The angle in steps that are too small to be seen at the picture's size.
  private static func rounded(_ angle: Float, _ picture: LabelPicture) -> Float {
    if angle == 0 { return 0 }
    let (x, y) = (picture.originX, picture.originY)
    let wide = max(abs(x), abs(picture.image.width - x))
    let high = max(abs(y), abs(picture.image.height - y))
    let step = 2 * slack / Float(max(1, wide + high))
    return (angle / step).rounded() * step
  }

  private mutating func drop(_ id: UInt64, _ old: Changed) {
    changed[id] = nil
    changedBytes -= old.image.bytes
    let kept = spare.reduce(0) { $0 + $1.bytes }
    if kept + old.image.bytes <= Self.limit / 4 { spare.append(old.image) }
  }

  /// An image of this size: one that nobody shows any more, or a new one.
  private mutating func image(
    _ width: Int, _ height: Int, draw: (UnsafeMutablePointer<UInt32>, Int) -> Void
  ) -> SpriteImage {
    for index in spare.indices
    where spare[index].capacity >= width * height
      && spare[index].capacity <= 4 * width * height + 64
      && isKnownUniquelyReferenced(&spare[index])
    {
      let image = spare[index]
      spare.swapAt(index, spare.count - 1)
      spare.removeLast()
      image.redraw(width: width, height: height, draw: draw)
      return image
    }
    return SpriteImage(width: width, height: height, draw: draw)
  }
}
