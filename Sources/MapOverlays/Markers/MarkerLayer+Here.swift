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
}
