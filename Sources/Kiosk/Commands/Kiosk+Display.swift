import Configuration
import Displays
import EventLoop
import MapOverlays
import MapScene
import Pixels

/// The screen, its colours, and what is said on it.
extension Kiosk {
  // MARK: The screen

  /// The screen that is drawn on.
  package var screen: any Screen { power.screen }

  /// The screen's backlight; nil: it has none.
  package var backlight: Backlight? { power.backlight }

  /// The panel is dark, and nothing is drawn.
  package var isAsleep: Bool { power.isAsleep }

  /// Draws on the screen's display from now on, and follows what becomes of it.
  func followScreen() {
    power.follow { [weak self] in
      self?.rebuildPipeline()
      self?.screenChanged()
    }
  }

  /// Opens the screen that the configuration asks for in the place of the present one.
  func reopenScreen() {
    power.reopen(configuration)
    followScreen()
    rebuildPipeline()
    power.stayDark()
    screenChanged()
  }

  private func screenChanged() {
    power.lookForBacklight()
    inputs.setSpace(touchSpace)
    changed()
    outbox.tell(.display)
  }

  // MARK: Sleep

  /// Darkens the panel; until it wakes no frame is drawn.
  public func sleep() {
    guard power.sleep() else { return }
    pipeline.isDark = true
    endHolds()
    // What is down now means nothing until it was up, the button that asked for this among them.
    inputs.ignoreWhatIsDown()
    outbox.tell(.display)
  }

  /// Lights the panel with the view as it is now.
  public func wake() {
    guard power.wake() else { return }
    pipeline.isDark = false
    frames.release()
    // What was planned meanwhile is not on the panel.
    pipeline.scene.invalidate()
    changed()
    outbox.tell(.display)
  }

  /// Gives back the console, the brightness and the mode. Nothing is drawn afterwards.
  public func close() {
    closeInputs()
    closePosition()
    book.close()
    power.close()
  }

  // MARK: The theme

  /// The theme that was asked for.
  public var themeMode: Configuration.Theme.Mode { theme.mode }

  /// Whether the night's colours are shown.
  public var isNight: Bool { theme.isNight }

  /// What the theme does to every colour that is drawn; a mosaic, which is of tiles, is left out.
  public var themeTransform: ColorTransform { theme.transform }

  /// Takes `mode` from now on, over a restart too.
  package func setTheme(_ mode: Configuration.Theme.Mode) {
    let isNews = theme.choose(mode)
    updateTheme()
    if isNews {
      outbox.add(.state)
      outbox.tell(.display)
    }
  }

  /// Looks whether it is day or night. The map follows by itself, and what is drawn now is seen
  /// together with it.
  func updateTheme() {
    let outcome = theme.update(at: view.goal.center)
    guard outcome.isRecolored || outcome.isSwitched else { return }
    overMap.recolor(theme.transform)
    if outcome.isSwitched { showToast(theme.isNight ? "Night" : "Day") }
    outbox.tell(.display)
  }

  /// The colours where there is no map.
  var palette: Compositor.Palette {
    var palette = Compositor.Palette()
    palette.outside = theme.transform.apply(palette.outside)
    palette.waiting = theme.transform.apply(palette.waiting)
    return palette
  }

  // MARK: What is said

  /// Shows or hides parts of the HUD, by their names in `[hud]`, until the configuration says
  /// otherwise.
  package func showHud(_ parts: [String: Bool]) {
    overMap.showHud(parts)
    setConfiguration(configuration)
  }

  func showToast(_ words: String) {
    // Nobody has to be told what the first picture is.
    if frames.presented(pipeline) > 0 { overMap.showToast(words) }
  }

  /// Shows `text` over the map until the next good configuration; empty: nothing.
  public func setNotice(_ text: String) { overMap.setNotice(text) }

  /// Notes whether any of the active map is on the screen.
  func judgeWhere() {
    let plan = pipeline.scene.plan
    let isNowhere = plan.layers.isEmpty || (plan.visible > 0 && plan.quiet == plan.visible)
    overMap.setNowhere(isNowhere) {
      let map = book.activeEntry.map { entry in
        if case .failed = entry.state { return (name: entry.name, isFailed: true) }
        return (name: entry.name, isFailed: false)
      }
      return NowhereCard.make(for: map, configuration, hasKeyboard: hasKeyboard)
    }
  }

  // MARK: Health

  /// What is wrong at the moment.
  public var health: Health {
    takeNotes()
    return board.current
  }

  /// Notes a matter of the kiosk's health, or that it is well again (`detail` nil).
  public func reportHealth(_ what: String, _ state: Health.State, _ detail: String?) {
    outbox.note(what, state, detail)
  }

  /// Puts what owners noted on the board, and tells of it where it is news.
  func takeNotes() {
    if outbox.take(.health), board.take(outbox.takeNotes()) { outbox.tell(.health) }
  }
}
