import Drawing
import MapGeometry
import MapLabels
import MapScene
import TileLoading

/// The tools with which the labels of one map are placed and drawn.
///
/// Unchecked: the worker's thread alone uses the placer and the artist, whatever a tile or a style
/// holds; `icons` are immutable.
final class LabelDesk: @unchecked Sendable {
  let icons: LabelIcons
  fileprivate let placer: LabelPlacer
  fileprivate let artist: LabelArtist

  /// Nil if the fonts cannot be used.
  init?(icons: LabelIcons, fonts: LabelFonts) {
    guard let type = try? LabelType(fonts) else { return nil }
    self.icons = icons
    placer = LabelPlacer(type: type, icons: icons)
    artist = LabelArtist(type: type)
  }
}

/// One placement, on the worker's thread.
///
/// Unchecked: the request and the former placement are values of immutable objects. What a tile
/// holds is in the immutable `TileLabels`.
struct LabelJob: @unchecked Sendable {
  let desk: LabelDesk
  let request: LabelRequest
  let former: LabelPlacement?

  /// A placement with its pictures on their way to the loop.
  ///
  /// Unchecked: pictures do not change once they are drawn.
  struct Result: @unchecked Sendable {
    let placement: LabelPlacement
    let pictures: LabelPictures
    /// Bytes that the placer and the artist keep.
    let bytes: Int
  }

  func run() -> Result {
    let placement = desk.placer.place(request, after: former)
    var pictures = LabelPictures()
    for label in placement.labels {
      pictures.add(desk.artist.picture(of: label.shape), of: label.shape)
    }
    return Result(
      placement: placement, pictures: pictures, bytes: desk.placer.bytes + desk.artist.bytes)
  }
}

/// The pictures of a placement's labels by their shapes.
struct LabelPictures {
  /// The shapes stay alive as long as the placement, and so keep their addresses.
  private var pictures: [ObjectIdentifier: LabelPicture] = [:]
  /// Bytes of the pictures.
  private(set) var bytes = 0

  mutating func add(_ picture: LabelPicture, of shape: LabelShape) {
    if pictures.updateValue(picture, forKey: ObjectIdentifier(shape)) == nil {
      bytes += picture.bytes
    }
  }

  /// The label as a sprite where it is now; nil if it is off the screen. Only a label that fades or
  /// is turned costs a picture of its own.
  func sprite(of label: PlacedLabel, on screen: PixelRect) -> Sprite? {
    guard let picture = pictures[ObjectIdentifier(label.shape)] else { return nil }
    let rect = picture.rect(x: label.x, y: label.y, angle: label.angle)
    guard rect.intersects(screen), !rect.isEmpty, label.opacity > 0 else { return nil }
    if label.angle == 0, label.opacity == 255 {
      return Sprite(picture.image, x: rect.x, y: rect.y)
    }
    let image = SpriteImage(width: rect.width, height: rect.height) { pixels, stride in
      picture.blend(
        on: PixelCanvas(pixels, stride: stride, width: rect.width, height: rect.height),
        x: label.x - rect.x, y: label.y - rect.y, angle: label.angle, opacity: label.opacity)
    }
    return Sprite(image, x: rect.x, y: rect.y)
  }
}
