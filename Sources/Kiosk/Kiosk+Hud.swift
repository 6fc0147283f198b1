import Configuration
import Displays
import EventLoop
import MapGeometry
import MapOverlays
import MapScene
import TileSources

/// What lies over the map: plates at the screen's edges, markers.
extension Kiosk {
  /// How long a toast stands, in nanoseconds.
  static let toastTime: UInt64 = 2_500_000_000

  /// Brings what lies over the map up to date; what changed of it is drawn again.
  func updateOverMap() {
    let v = view.current
    let c = configuration.hud
    hudContent.attribution = c.attribution ? attribution : ""
    hudContent.notice = notice
    hudContent.toast = c.toasts ? toast : ""
    hudContent.card = c.toasts && isNowhere ? nowhereCard : nil
    hudContent.legend = c.buttons ? legend : []
    hudContent.follow(
      v, scaleBar: c.scaleBar ? c.units.scaleBar : nil, north: c.north, zoom: c.zoom,
      coordinates: c.coordinates)
    if hud.show(hudContent, width: v.width, height: v.height, scale: v.scale) {
      overMap.replace(.hud, with: hud.sprites)
    }
    if markers.update(v, avoiding: hud.rects) {
      overMap.replace(.labels, with: markers.labelSprites)
      overMap.replace(.markers, with: markers.markerSprites)
      overMap.replace(.callout, with: markers.calloutSprites)
      if position.placedLost {
        // The lost position's age gives way to the markers where they are now.
        position.placedView = nil
        placePosition(EventLoop.now())
      }
    }
    overMap.takeDamage { pipeline.scene.invalidate($0) }
    if !fontsWereChecked, painter.hasText { checkFonts() }
  }

  /// Takes the words of the overlays that are shown, those of the topmost first.
  func updateLabels() {
    labelVersion += 1
    let version = labelVersion
    let shown = overlaysInOrder.reversed().compactMap { entry -> FeatureLabelAnchors? in
      guard entry.isShown, entry.spec.label != nil, let drawing = featureDrawing(of: entry),
        drawing.hasLabels
      else { return nil }
      return FeatureLabelAnchors(drawing, version: version, minZoom: entry.spec.minZoom)
    }
    if !shown.isEmpty || !markers.labelSources.isEmpty { markers.labelSources = shown }
  }

  /// Tells of font files that cannot be used.
  private func checkFonts() {
    fontsWereChecked = true
    let problems = painter.text?.problems ?? []
    let detail = problems.map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
    if !detail.isEmpty { onLog?(.warning, "hud.font: \(detail)") }
    reportHealth("hud.font", .warning, detail.isEmpty ? nil : detail)
  }

  /// Shows a few words for a short time, in the place of those that stand there.
  func showToast(_ words: String) {
    // Nobody has to be told what the first picture is.
    guard configuration.hud.toasts, presentedFrames > 0 else { return }
    toast = words
    if toastTimer == nil {
      toastTimer = loop.timer { [unowned self] in
        toast = ""
        changed()
      }
    }
    toastTimer?.arm(after: Kiosk.toastTime)
    changed()
  }

  /// Notes whether any of the active map is on the screen.
  func judgeWhere() {
    let plan = pipeline.scene.plan
    let now = plan.layers.isEmpty || (plan.visible > 0 && plan.quiet == plan.visible)
    if now == isNowhere { return }
    isNowhere = now
    nowhereCard = now ? makeNowhereCard() : nil
    needsFrame = true
  }

  private func makeNowhereCard() -> HudContent.Card {
    guard let active = activeEntry else {
      return HudContent.Card(title: "There is no map yet", text: "")
    }
    if case .failed = active.state {
      return HudContent.Card(
        title: "The map “\(active.spec.name)” cannot be read", text: wayBack)
    }
    return HudContent.Card(title: "No map here", text: wayBack)
  }

  /// How to get back to where there is a map, by what is configured.
  private var wayBack: String {
    for button in configuration.gpio.buttons {
      if button.action == .home { return "Home (button \(button.line.shown)) brings you back." }
      if button.hold == .action(.home) {
        return "Hold button \(button.line.shown) to go back."
      }
    }
    for key in configuration.input.keys where key.action == .home {
      return "\(ButtonLegend.name(ofKey: key.key)) brings you back."
    }
    if configuration.input.evdev ?? !(screen is FixedScreen),
      !configuration.input.keys.contains(where: { $0.key == "KEY_HOME" })
    {
      return "The Home key brings you back."
    }
    if configuration.view.homeAfter != nil { return "The map will return by itself." }
    return ""
  }
}

extension Configuration.Hud.Units {
  var scaleBar: ScaleBar.Units {
    switch self {
    case .metric: .metric
    case .imperial: .imperial
    case .nautical: .nautical
    }
  }
}

extension Configuration.Gpio.Line {
  /// "17", "GPIO17".
  var shown: String {
    switch self {
    case .offset(let offset): String(offset)
    case .named(let name): name
    }
  }
}
