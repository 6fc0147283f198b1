import Drawing
import MapGeometry
import MapScene
import Pixels

/// Where the pins of "here" are, for what keeps clear of them.
extension MarkerLayer {
  /// The part of the height of such a pin that is above its place.
  public static var hereHead: Double {
    MarkerArt.hereReach.up / (MarkerArt.hereReach.up + MarkerArt.hereReach.down)
  }

  /// The part of the map that `positionRoom` is.
  var room: OverlayLabelPlacer.DotRoom? { MarkerLayer.room(positionRoom) }

  static func room(_ part: (place: WorldPoint, half: Int)?) -> OverlayLabelPlacer.DotRoom? {
    part.map { OverlayLabelPlacer.DotRoom(place: $0.place, half: $0.half) }
  }

  /// Whether there is a marker of "here".
  public var hasHere: Bool {
    findHeres()
    return !heres.places.isEmpty
  }

  private func findHeres() {
    if heres.version == store.version { return }
    heres = (store.version, [])
    store.forEachEntry { if $0.marker.isHere { heres.places.append($0.marker.place) } }
  }

  /// What the pins of "here" cover, also beyond the screen.
  ///
  /// - Parameter view: The view.
  /// - Returns: One part for each pin, in view pixels.
  public func hereBoxes(in view: Viewport) -> [PixelRect] {
    findHeres()
    let (reach, scale) = (MarkerArt.hereReach, Double(view.scale))
    return heres.places.map { place in
      let at = view.screen(place)
      return PixelRect(
        x: wholePixel(at.x * scale) - painter.px(reach.side),
        y: wholePixel(at.y * scale) - painter.px(reach.up), width: painter.px(2 * reach.side),
        height: painter.px(reach.up + reach.down))
    }
  }

  /// What the labels of "here" cover in the view shown last, in view pixels.
  public var hereLabels: [PixelRect] { labelFrame.here.map(\.rect) }

  /// A marker is hidden of which no more than this share is seen.
  private static let hiddenShare = 1.0 / 3
  /// How far icons of other markers reach from their place at most, in points.
  private static let iconReach = 48.0

  /// Whether the pin of "here", which is in front of all other markers, hides one of them.
  ///
  /// - Parameters:
  ///   - marker: The marker.
  ///   - view: The view.
  /// - Returns: Whether less than a third of its icon is seen.
  public func isBehindHere(_ marker: Marker, in view: Viewport) -> Bool {
    if marker.isHere || !hasHere { return false }
    let scale = Double(view.scale)
    func pixel(_ place: GeoPoint) -> (x: Int, y: Int) {
      let at = view.screen(place)
      return (wholePixel(at.x * scale), wholePixel(at.y * scale))
    }
    let (at, reach) = (pixel(marker.place), painter.px(MarkerLayer.iconReach))
    let around = PixelRect(x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach)
    let near = zip(heres.places, hereBoxes(in: view)).filter { $0.1.intersects(around) }
    if near.isEmpty { return false }
    let art = MarkerArt(painter: painter)
    let color = marker.color ?? marker.icon.color
    let icon = pictures.picture(.icon(marker.icon, color, isHere: false)) {
      art.icon(marker.icon, color: color, isHere: false)
    }
    let pinColor = MarkerIcon.here.color
    let pin = pictures.picture(.herePin(.here, pinColor)) { art.here(.here, pinColor, .pin) }
    guard let icon, let pin else { return false }
    let pins = near.map { place, _ in
      let foot = pixel(place)
      return Sprite(pin.image, x: foot.x - pin.anchorX, y: foot.y - pin.anchorY)
    }
    let sprite = Sprite(icon.image, x: at.x - icon.anchorX, y: at.y - icon.anchorY)
    return MarkerLayer.seen(of: sprite, behind: pins) < MarkerLayer.hiddenShare
  }

  /// The share of a picture's solid pixels that those of others do not cover.
  private static func seen(of sprite: Sprite, behind others: [Sprite]) -> Double {
    func isSolid(_ sprite: Sprite, _ x: Int, _ y: Int) -> Bool {
      let (column, row) = (x - sprite.x, y - sprite.y)
      guard column >= 0, row >= 0, column < sprite.image.width, row < sprite.image.height else {
        return false
      }
      return sprite.image.pixels[row * sprite.image.width + column] >> 24 > 128
    }
    let rect = sprite.rect
    var (all, seen) = (0, 0)
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX where isSolid(sprite, x, y) {
        all += 1
        if !others.contains(where: { isSolid($0, x, y) }) { seen += 1 }
      }
    }
    return all == 0 ? 1 : Double(seen) / Double(all)
  }
}
