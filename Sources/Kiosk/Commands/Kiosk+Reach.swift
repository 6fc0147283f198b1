import Configuration

/// What three buttons need to reach everything: one that goes on, one that opens, one that closes.
extension Kiosk {
  /// Opens what the focus is on, else the next marker around the centre. Returns why it cannot.
  func selectFocused() -> String? {
    selectNextThing() ? nil : "no marker and no line is on the screen"
  }

  /// Selects the next marker around the centre; after the last one, the next line. Returns whether
  /// there was anything to select or to close.
  private func selectNextThing() -> Bool {
    if selection.line == nil {
      let hadCallout = overMap.isCalloutOpen
      let isHit = take(overMap.selectNext(in: shownView), .selected)
      if isHit, overMap.isCalloutOpen || !hadCallout { return true }
      return selectNextLine() || isHit
    }
    return selectNextLine()
  }

  /// Moves the focus to the next thing on the screen that can be opened. Returns why it cannot.
  func focusNext() -> String? { selectFocused() }

  /// Closes what was opened last; with nothing open, returns home.
  func goBack() {
    if overMap.closeCallout() || deselectLine() || overMap.showMapKey(false) { return }
    home(animate: true)
  }

  /// Shows or hides the map key. Returns why it cannot.
  func toggleMapKey() -> String? {
    deselectLine()
    _ = overMap.showMapKey(!overMap.isKeyAsked)
    return nil
  }

  /// Goes on to the next of the configured languages. Returns why it cannot.
  func nextLanguage() -> String? { "hud.languages names no other language" }
}
