import Configuration
import Displays
import EventLoop
import MapOverlays
import MapScene
import Pixels
import Words

/// The screen, its colours, and the messages on it.
extension Kiosk {
  // MARK: The screen

  /// What the configuration's `display` opened; there may be no monitor on it at the moment.
  package var screen: any Screen { power.screen }

  /// The screen's backlight; nil: it has none.
  package var backlight: Backlight? { power.backlight }

  /// Sets the backlight's brightness in percent, where there is a backlight.
  ///
  /// - Throws: `BacklightError` if the kernel refuses it.
  package func setBrightness(_ percent: Int) throws(BacklightError) {
    try backlight?.setBrightness(percent)
    outbox.tell(.display)
  }

  /// Whether the panel is dark. Nothing is drawn then.
  package var isAsleep: Bool { power.isAsleep }

  /// Draws on the screen's display, and reacts when the display changes.
  func followScreen() {
    power.follow { [weak self] in
      self?.rebuildPipeline()
      self?.screenChanged()
    }
  }

  /// Replaces the screen by the one that the configuration asks for.
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

  /// Darkens the panel. No frame is drawn until it wakes.
  public func sleep() {
    guard power.sleep() else { return }
    pipeline.isDark = true
    endHolds()
    // Buttons that are down now are ignored until they are released, including the one that caused
    // this.
    inputs.ignoreWhatIsDown()
    outbox.tell(.display)
  }

  /// Lights the panel with the view as it is now.
  public func wake() {
    guard power.wake() else { return }
    // No tour begins or goes on in the dark.
    tour.wake()
    pipeline.isDark = false
    frames.endFreeze()
    // Frames planned while the screen slept are not on the panel.
    pipeline.scene.invalidate()
    changed()
    outbox.tell(.display)
  }

  /// Closes inputs, position and layers, and restores the console, the brightness and the mode.
  /// Nothing is drawn afterwards.
  public func close() {
    closeInputs()
    closePosition()
    book.close()
    power.close()
  }

  // MARK: The theme

  /// The theme that was asked for last, by the configuration, a button or the socket.
  public var themeMode: Configuration.Theme.Mode { theme.mode }

  /// Whether the night's colours are shown: chosen, or after sunset where the mode is `auto`.
  public var isNight: Bool { theme.isNight }

  /// Sets the theme's mode and saves it for the next start.
  package func setTheme(_ mode: Configuration.Theme.Mode) {
    let isNews = theme.choose(mode)
    updateTheme()
    if isNews {
      outbox.add(.state)
      outbox.tell(.display)
    }
  }

  /// Decides between day and night. If that changes the colours, the map and everything over it are
  /// redrawn.
  func updateTheme() {
    let outcome = theme.update(at: view.goal.center)
    guard outcome.isRecolored || outcome.isSwitched else { return }
    overMap.setTheme(theme.picture)
    if outcome.isSwitched { showToast(overMap.words(theme.isNight ? .night : .day)) }
    outbox.tell(.display)
  }

  /// Has the layers shown in the present colours.
  func takeColors() {
    let outcome = book.recolor(
      theme: theme.filters, isNight: theme.isNight, isFrozen: frames.freeze != nil)
    let isOtherPalette = palette != pipeline.compositor.palette
    if outcome.isNews || isOtherPalette {
      endFading()
      if outcome.isSwapped || isOtherPalette {
        freeze(for: frames.freezeTime, whilePainting: book.sources.isPainted)
      }
      // The filters may leave all tiles as they are.
      if isOtherPalette { book.sources.repaintQuietCells() }
      pipeline.compositor.palette = palette
      pipeline.scene.invalidate()
      outbox.add(.layers)
    }
  }

  /// The colours where there is no map.
  var palette: Compositor.Palette {
    switch theme.picture.kind {
    case .day: .day
    case .night: .night
    case .red: .red
    }
  }

  // MARK: Messages

  /// Shows or hides parts of the HUD by their names in `[hud]`, until the configured value of a
  /// part changes.
  package func showHud(_ parts: [String: Bool]) {
    overMap.showHud(parts)
    outbox.tell(.display)
  }

  /// The HUD as it is shown: the configuration's, with what was asked for since.
  package var hud: Configuration.Hud { overMap.hudSettings }

  func showToast(_ text: String) {
    // The first picture needs no announcement.
    if frames.presented(pipeline) > 0 { overMap.showToast(text) }
  }

  /// Shows `text` over the map until the next valid configuration; empty: nothing.
  public func setNotice(_ text: String) { overMap.setNotice(text) }

  /// Tells people a problem of the device, until the next valid configuration; nil: none.
  package func tell(_ problem: Word?) { overMap.setProblem(problem) }

  /// Checks whether any of the active map is on the screen, and shows or hides the card for that
  /// and the map's attribution.
  func updateNoMapCard() {
    let plan = pipeline.scene.plan
    let isVoid = plan.visible > 0 && plan.quiet == plan.visible
    book.see(base: !isVoid)
    let isNowhere = plan.layers.isEmpty || isVoid
    overMap.setNowhere(isNowhere) {
      let map = activeEntry.map { entry in
        if case .failed = entry.state { return (name: entry.name, isFailed: true) }
        // Unreadable tiles inside the map's bounds are a failure, not the edge of the map.
        let isInside = entry.info?.bounds?.contains(shownView.center) ?? true
        return (name: entry.name, isFailed: entry.tileError != nil && isInside)
      }
      return NowhereCard.make(for: map, configuration, hasKeyboard: hasKeyboard, overMap.words)
    }
  }

  // MARK: Health

  /// The current problems, one per matter.
  public var health: Health {
    takeNotes()
    return board.current
  }

  /// Reports a problem to the health board; `detail` nil: it has ended.
  public func reportHealth(_ what: String, _ state: Health.State, _ detail: String?) {
    outbox.note(what, state, detail)
  }

  /// Passes the owners' notes to the health board, and announces what is new.
  func takeNotes() {
    if outbox.take(.health), board.take(outbox.takeNotes()) { outbox.tell(.health) }
  }
}
