import Configuration
import Drawing
import MapGeometry
import MapOverlays
import Pixels

/// What lies where, for taps and the map key.
extension OverMap {
  /// The distance in points that names of the map keep, at their sides, to what is over it: beside
  /// an icon or other words they would be read as a part of them, and beside a plate as cut off.
  static let nameGap = 6.0

  /// Whether a callout is open.
  var isCalloutOpen: Bool { markers.selected != nil }

  /// Where the panel is, in view pixels; nil: none is shown.
  var panelRect: PixelRect? { hud.panelRect }

  /// The number of the sign with which the next page of the map key begins; nil: there is none.
  var nextKeyPage: Int? { hud.nextKeyPage }

  /// What the HUD covers for longer than a toast, in view pixels.
  var plates: [PixelRect] { hud.rects.filter { $0 != hud.toastRect } }

  /// The part of the screen above the buttons' legend in `view`, in view pixels.
  private func seenArea(in view: Viewport) -> PixelRect {
    PixelRect(x: 0, y: 0, width: view.width, height: max(1, hud.legendRect?.y ?? view.height))
  }

  /// The parts of the map above the buttons' legend in `view`, above, below and at both sides of
  /// `panel`, in view pixels; nil: all as one part.
  func seenPatches(in view: Viewport, beside panel: PixelRect?) -> [MapPatch] {
    let area = seenArea(in: view)
    let parts = panel.map { area.parts(outside: $0) } ?? [area]
    return parts.map { MapPatch($0, in: view) }
  }

  /// How many cells the screen's longer side has where a key's place is chosen, and how many pieces
  /// of lines are looked at for it.
  private static let (keyCells, mostKeyPieces) = (64, 262_144)
  /// How many markers count there.
  private static let mostKeyMarkers = 256

  /// What the lines of `drawings` and single markers cover in `view`, in view pixels.
  func keyObstacles(of drawings: [FeatureDrawing], in view: Viewport) -> [PixelRect] {
    let area = seenArea(in: view)
    let edge = max(1, max(area.width, area.height) / OverMap.keyCells)
    var cells = MapCells(
      MapPatch(area, in: view), columns: area.width / edge, rows: area.height / edge)
    var budget = OverMap.mostKeyPieces
    for drawing in drawings where budget > 0 { drawing.cover(&cells, budget: &budget) }
    scalePainter(view)
    let icons = markers.iconBoxes(in: view, under: fixedPlates)
    return cells.rects(over: area) + icons.prefix(OverMap.mostKeyMarkers)
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
    let pins = markers.hereBoxes(in: view)
    return PlateSides.Obstacles(
      plates: hud.rects + (markers.calloutRect.map { [$0] } ?? []),
      heres: pins + markers.hereLabels, markers: markers.markerSprites.map(\.rect), pins: pins)
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

  /// The plates that do not make way for the key.
  private var fixedPlates: [PixelRect] { [hud.legendRect, hud.attributionRect].compactMap { $0 } }

  /// How the markers on the screen of `view` look, without those that a key at `panel` hides, and
  /// the number in the smallest cluster, for the map key.
  func looks(
    in view: Viewport, beside panel: PixelRect?
  ) -> (markers: [MarkerLayer.ShownLook], cluster: Int?) {
    scalePainter(view)
    return markers.looks(in: view, under: fixedPlates, panel: panel)
  }

  /// What the configuration calls an icon in the present language; nil: nothing.
  func name(of icon: MarkerIcon) -> String? { hudSettings.icons[icon]?.text(in: languages.ofTexts) }
}

extension PixelRect {
  /// It with `gap` more at both sides.
  func widenedAside(by gap: Int) -> PixelRect {
    PixelRect(x: x - gap, y: y, width: width + 2 * gap, height: height)
  }

  /// The parts of it above, below, left and right of another one, as far as there are such.
  func parts(outside other: PixelRect) -> [PixelRect] {
    let hole = intersection(other)
    if hole.isEmpty { return [self] }
    return [
      PixelRect(x: x, y: y, width: width, height: hole.y - y),
      PixelRect(x: x, y: hole.maxY, width: width, height: maxY - hole.maxY),
      PixelRect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
      PixelRect(x: hole.maxX, y: hole.y, width: maxX - hole.maxX, height: hole.height),
    ].filter { !$0.isEmpty }
  }
}

extension MapPatch {
  /// The part of the map under a part of the screen, in view pixels.
  fileprivate init(_ rect: PixelRect, in view: Viewport) {
    let (scale, size) = (Double(view.scale), WebMercator.worldSize(zoom: view.zoom))
    let (width, height) = (Double(rect.width) / scale, Double(rect.height) / scale)
    self.init(
      middle: view.world(
        x: Double(rect.x) / scale + width / 2, y: Double(rect.y) / scale + height / 2),
      along: view.worldVector(dx: 1, dy: 0), halfWidth: width / 2 / size,
      halfHeight: height / 2 / size)
  }
}
