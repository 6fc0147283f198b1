import Configuration
import Drawing
import MapGeometry
import MapOverlays
import Pixels

/// What lies where, for taps and the map key.
extension OverMap {
  /// Whether a callout is open.
  var isCalloutOpen: Bool { markers.selected != nil }

  /// Where the panel is, in view pixels; nil: none is shown.
  var panelRect: PixelRect? { hud.panelRect }

  /// What the HUD covers for longer than a toast, in view pixels.
  var plates: [PixelRect] { hud.rects.filter { $0 != hud.toastRect } }

  /// The part of the map above the buttons' legend in `view`.
  func seenPatch(in view: Viewport) -> MapPatch {
    let scale = Double(view.scale)
    let width = Double(view.width) / scale
    let height = Double(max(1, hud.legendRect?.y ?? view.height)) / scale
    let size = WebMercator.worldSize(zoom: view.zoom)
    return MapPatch(
      middle: view.world(x: width / 2, y: height / 2), along: view.worldVector(dx: 1, dy: 0),
      halfWidth: width / 2 / size, halfHeight: height / 2 / size)
  }

  /// Whether `place` is on the screen in `view`, above the buttons' legend.
  func isSeen(_ place: GeoPoint, in view: Viewport) -> Bool {
    let (at, scale) = (view.screen(place), Double(view.scale))
    let (x, y) = (at.x * scale, at.y * scale)
    return x >= 0 && y >= 0 && x < Double(view.width)
      && y < Double(hud.legendRect?.y ?? view.height)
  }

  /// What the age of a lost fix keeps clear of in `view`.
  func ageObstacles(in view: Viewport) -> PlateSides.Obstacles {
    PlateSides.Obstacles(
      plates: hud.rects + (markers.calloutRect.map { [$0] } ?? []),
      heres: markers.hereBoxes(in: view) + markers.hereLabels,
      markers: markers.markerSprites.map(\.rect))
  }

  /// Whether the point (x, y) of `view`, in points, is on the panel.
  func isOnPanel(x: Double, y: Double, in view: Viewport) -> Bool {
    OverMap.isOn(panelRect, x: x, y: y, view)
  }

  /// Shows the next page of the notices if the point (x, y) of `view`, in points, is on them, or so
  /// near to a low banner that a finger means it, and they have one. Returns whether they have.
  func turnNotices(x: Double, y: Double, in view: Viewport) -> Bool {
    guard hud.noticePages > 1, let rect = hud.noticeRect, !markers.isCallout(x: x, y: y) else {
      return false
    }
    let least = Int((touchSize(in: view) * Double(view.scale)).rounded(.up))
    let (aside, above) = (
      max(0, least - rect.width + 1) / 2, max(0, least - rect.height + 1) / 2
    )
    let target = PixelRect(
      x: rect.x - aside, y: rect.y - above, width: rect.width + 2 * aside,
      height: rect.height + 2 * above)
    guard OverMap.isOn(target, x: x, y: y, view) else { return false }
    noticeTurn.turn()
    return true
  }

  private static func isOn(_ rect: PixelRect?, x: Double, y: Double, _ view: Viewport) -> Bool {
    guard let rect else { return false }
    let (px, py) = (x * Double(view.scale), y * Double(view.scale))
    return px >= Double(rect.x) && px < Double(rect.maxX) && py >= Double(rect.y)
      && py < Double(rect.maxY)
  }

  /// How the markers on the screen of `view` look, and the number in the smallest cluster, for the
  /// map key.
  func looks(in view: Viewport) -> (markers: [MarkerLayer.ShownLook], cluster: Int?) {
    scalePainter(view)
    // Not under those that make way for the key.
    let plates = [hud.legendRect, hud.attributionRect].compactMap { $0 }
    return markers.looks(in: view, under: plates)
  }

  /// What the configuration calls an icon in the present language; nil: nothing.
  func name(of icon: MarkerIcon) -> String? { hudSettings.icons[icon]?.text(in: languages.ofTexts) }
}
