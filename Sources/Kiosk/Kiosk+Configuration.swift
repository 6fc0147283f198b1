import Configuration
import EventLoop
import MapGeometry
import MapScene
import TileSources

/// Taking over a new configuration while running.
extension Kiosk {
  /// Runs on with `new`, which was checked. What did not change goes on as it is; the view stays,
  /// within the new limits. What was added over the socket stays, unless the configuration now has a
  /// source of that name.
  public func apply(_ new: Configuration) {
    let old = configuration
    configuration = new
    applySources(new.sources)
    applyMarkers(new.markers, before: old.markers)
    legend = ButtonLegend.items(new)
    if new.hud.fonts != old.hud.fonts {
      painter.forgetText()
      fontsWereChecked = false
      reportHealth("hud.font", .warning, nil)
    }
    isNowhere = false
    applyOverlays(new.overlays, before: old.overlays)
    if new.theme.mode != old.theme.mode { theme.chosen = nil }
    view.limits = Kiosk.limits(new)
    if Kiosk.isOtherScreen(new.display, old.display) {
      reopenScreen()
    } else if new.display.scale != old.display.scale {
      rebuildPipeline()
      evdev?.space = touchSpace
    } else if new.cache.memory != old.cache.memory {
      pipeline.cache.resize(to: new.cache.memory)
      reportFloor()
    }
    // What is known to be missing may be there now.
    pipeline.missing.forget()
    pipeline.scene.invalidate()
    if activeSource == nil || !sources.contains(where: { $0.spec.name == activeSource }) {
      activeSource = sources.first { $0.spec.role == .base }?.spec.name
      onEvent?(.source)
    }
    updateTheme()
    sourcesChanged()
    view.go(to: view.goal, animate: false, now: EventLoop.now())
    if new.view.homeAfter == nil { homeTimer?.cancel() }
    if new.display.backlight != old.display.backlight {
      backlight?.close()
      openBacklight()
    }
    armSleep()
    applyInputs()
    applyPosition(old.position)
    notice = ""
    changed()
  }

  /// Whether another screen is asked for, or the same one in another way.
  private static func isOtherScreen(
    _ new: Configuration.Display, _ old: Configuration.Display
  ) -> Bool {
    var same = new
    (same.scale, same.sleepAfter, same.backlight) = (old.scale, old.sleepAfter, old.backlight)
    return same != old
  }

  /// Makes the configured sources those of `specs`, in their order, added ones behind.
  private func applySources(_ specs: [SourceSpec]) {
    let names = Set(specs.map(\.name))
    for entry in sources where !entry.added && !names.contains(entry.spec.name) {
      remove(entry.spec.name)
    }
    for spec in specs {
      if let entry = sources.first(where: { $0.spec.name == spec.name }), entry.spec == spec {
        // Its files may be others all the same.
        if let i = sources.firstIndex(where: { $0.index == entry.index }) { reopenIfNeeded(i) }
        continue
      }
      _ = insert(spec, added: false)
    }
    let order = Dictionary(
      specs.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { a, _ in a })
    sources = sources.enumerated().sorted {
      (order[$0.element.spec.name] ?? specs.count, $0.offset)
        < (order[$1.element.spec.name] ?? specs.count, $1.offset)
    }.map(\.element)
  }

  /// Whether what is read and decoded is the same, before filters.
  static func isSameMap(_ a: SourceSpec, _ b: SourceSpec) -> Bool {
    var other = b
    (other.role, other.level, other.opacity) = (a.role, a.level, a.opacity)
    (other.filters, other.fallback) = (a.filters, a.fallback)
    return other == a
  }

  /// Makes the configured overlays those of `specs`; what was shown, hidden and moved stays so. Where the
  /// configuration's own order changed, that holds.
  private func applyOverlays(
    _ specs: [Configuration.Overlay], before: [Configuration.Overlay]
  ) {
    let names = Set(specs.map(\.name))
    for entry in overlays where !entry.added && !names.contains(entry.name) {
      removeOverlay(entry.name)
    }
    for spec in specs {
      if let i = overlayIndex(spec.name), overlays[i].original == spec {
        overlays[i].added = false
        reopenOverlayIfChanged(i)
        continue
      }
      _ = insertOverlay(spec, added: false)
    }
    guard specs.map(\.name) != before.map(\.name) else { return }
    let order = Dictionary(
      specs.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { a, _ in a })
    overlays = overlays.enumerated().sorted {
      (order[$0.element.name] ?? specs.count, $0.offset)
        < (order[$1.element.name] ?? specs.count, $1.offset)
    }.map(\.element)
  }

  /// Shows `text` over the map until the next good configuration; empty: nothing.
  public func setNotice(_ text: String) {
    if notice == text { return }
    notice = text
    changed()
  }

  /// Notes a matter of the kiosk's health, or that it is well again (`detail` nil).
  public func reportHealth(_ what: String, _ state: Health.State, _ detail: String?) {
    let news =
      detail.map { health.report(what, state, $0, at: time) } ?? health.clear(what)
    if news { onEvent?(.health) }
  }
}
