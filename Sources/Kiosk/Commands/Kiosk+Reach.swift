import Configuration

/// What three buttons need to reach everything: one that goes on, one that opens, one that closes.
extension Kiosk {
  /// Opens what the focus is on, else the next marker around the centre. Returns why it cannot.
  func selectFocused() -> String? {
    take(overMap.selectNext(in: shownView), .selected) ? nil : "no marker is on the screen"
  }

  /// Moves the focus to the next thing on the screen that can be opened. Returns why it cannot.
  func focusNext() -> String? { selectFocused() }

  /// Closes what was opened last; with nothing open, returns home.
  func goBack() {
    if !overMap.closeCallout() { home(animate: true) }
  }

  /// Shows or hides the map key. Returns why it cannot.
  func toggleMapKey() -> String? { "there is no map key yet" }

  /// Goes on to the next of the configured languages. Returns why it cannot.
  func nextLanguage() -> String? { "hud.languages names no other language" }
}
