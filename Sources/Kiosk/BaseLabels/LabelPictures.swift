import Drawing
import MapGeometry
import MapLabels
import MapScene
import Platform

/// The pictures of a placement's labels by their shapes, limited in bytes.
///
/// Labels that are turned or fade are sprites of the same pictures.
struct LabelPictures {
  /// The most bytes of all pictures.
  static let limit = 4 << 20
  /// The most bytes of one.
  static let limitOfOne = 1 << 20
  /// How far the end of a turned label may lie from where it should be, in pixels.
  private static let slack: Float = 0.35

  /// The shapes stay alive as long as the placement, and so keep their addresses.
  private var pictures: [ObjectIdentifier: LabelPicture] = [:]
  /// The pictures in the order of a placement's labels, so that a frame need not look for them.
  private var ordered: [LabelPicture?] = []
  /// Bytes of all pictures.
  private(set) var bytes = 0

  /// Keeps a picture, unless it or all of them take too much memory.
  mutating func add(_ picture: LabelPicture, of shape: LabelShape) {
    let id = ObjectIdentifier(shape)
    guard pictures[id] == nil, picture.bytes <= Self.limitOfOne,
      bytes + picture.bytes <= Self.limit, pictures.hasMemory()
    else { return }
    pictures[id] = picture
    bytes += picture.bytes
  }

  /// Makes the sprites of a placement's labels, the lowest first. Labels that the screen's edge
  /// would cut have none.
  mutating func draw(
    _ placement: LabelPlacement, on screen: PixelRect, into sprites: inout [Sprite]
  ) {
    // A placement only ever loses labels, once they have faded out.
    if ordered.count != placement.labels.count {
      ordered = placement.labels.map { pictures[ObjectIdentifier($0.shape)] }
    }
    // By index: copying a label would retain everything that it holds.
    for index in placement.labels.indices {
      if let sprite = sprite(of: placement.labels, index, on: screen) { sprites.append(sprite) }
    }
  }

  /// A label as a sprite where it is now; nil if it is not whole on the screen.
  private func sprite(of labels: [PlacedLabel], _ index: Int, on screen: PixelRect) -> Sprite? {
    guard labels[index].opacity > 0, let picture = ordered[index] else { return nil }
    let sprite = picture.sprite(
      x: labels[index].x, y: labels[index].y,
      angle: Self.rounded(labels[index].angle, picture), opacity: labels[index].opacity)
    let rect = sprite.rect
    return !rect.isEmpty && rect.intersection(screen) == rect ? sprite : nil
  }

  /// The angle in steps that are too small to be seen at the picture's size, so that a label looks
  /// the same until it has turned visibly.
  private static func rounded(_ angle: Float, _ picture: LabelPicture) -> Float {
    if angle == 0 { return 0 }
    let (x, y) = (picture.originX, picture.originY)
    let wide = max(abs(x), abs(picture.image.width - x))
    let high = max(abs(y), abs(picture.image.height - y))
    let step = 2 * slack / Float(max(1, wide + high))
    return (angle / step).rounded() * step
  }
}
