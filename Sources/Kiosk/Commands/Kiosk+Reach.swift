import Configuration

/// The actions that let three buttons reach everything: next, select and back.
extension Kiosk {
  /// Opens what the focus is on, else the next marker around the centre. Returns why it cannot.
  func selectFocused() -> String? {
    followRound()
    if let hit = overMap.selectFocused(in: viewAtRest) {
      deselectLine()
      take(hit, .selected)
      return nil
    }
    return selectNextThing() ? nil : "no marker and no line is on the screen"
  }

  /// Ends the round of the focus if the view was moved since the last press, but not for the focus.
  private func followRound() {
    overMap.round.follow(view.position.isFollowing ? nil : view.goal)
  }

  /// Selects the next marker around the centre; after the last one, the next line. Returns whether
  /// there was anything to select or to close.
  private func selectNextThing() -> Bool {
    if selection.line == nil {
      let hadCallout = overMap.isCalloutOpen
      let isHit = take(overMap.selectNext(in: viewAtRest), .selected)
      if isHit, overMap.isCalloutOpen || !hadCallout { return true }
      return selectNextLine() || isHit
    }
    return selectNextLine()
  }

  /// Moves the focus to the next marker or cluster on the screen; after the last one, selects the
  /// lines one after another. The map moves so that the ring is seen. Returns why it cannot.
  func focusNext() -> String? {
    followRound()
    let wasLine = selection.line != nil
    if wasLine || overMap.isFocusLast(in: viewAtRest), selectNextLine(), selection.line != nil {
      overMap.closeCallout()
      overMap.dropFocus()
      return nil
    }
    if overMap.focusNext(in: viewAtRest) {
      reveal { overMap.shiftForFocus($0) }
      return nil
    }
    return selectNextLine() ? nil : "there is nothing to select on the screen"
  }

  /// Closes what was opened last; with nothing open, returns home.
  func goBack() {
    if overMap.closeCallout() {
      followRound()
      // The map key, which the callout hid, may lie over the focus.
      return reveal { overMap.shiftForFocus($0) }
    }
    if deselectLine() { return }
    // A key without a sign is not on the screen.
    if overMap.showMapKey(false), shownKey.key?.items.isEmpty != true { return }
    if turnKeyBack() { return }
    if overMap.dropFocus() { return }
    home(animate: true)
  }

  /// Shows the map key, its next page, or after the last one hides it; or says that it has nothing
  /// to explain here. A key that is always shown returns to its first page. Returns why it cannot.
  func toggleMapKey() -> String? {
    if turnKey() || overMap.hudSettings.mapKey && turnKeyBack() { return nil }
    deselectLine()
    // Signs may still come with the tiles.
    if !overMap.isKeyAsked, isMapWhole, makeKey().items.isEmpty {
      showToast(overMap.words(.keyEmpty))
      return nil
    }
    _ = overMap.showMapKey(!overMap.isKeyAsked)
    return nil
  }

  /// Goes on to the next of the configured languages. Returns why it cannot.
  func nextLanguage() -> String? {
    guard overMap.languages.next() else { return "hud.languages names no other language" }
    languageChanged()
    return nil
  }

  /// The present language of texts, a BCP 47 tag.
  public var language: String { overMap.languages.tag }

  /// Shows words, names and texts in a language of `hud.languages`. False if it is none of them.
  public func setLanguage(_ tag: String) -> Bool {
    if overMap.languages.choose(tag) { languageChanged() }
    return overMap.languages.tag == tag
  }

  /// Tells the present language.
  func languageChanged() {
    showToast(overMap.words.name)
    outbox.tell(.display)
  }

  /// Nobody used the kiosk for a while: goes home, for those who come next.
  func returnHome() {
    // The tour goes on.
    if tour.isRunning { return }
    if overMap.languages.first() { languageChanged() }
    closeAll()
    home(animate: true, isUse: false)
  }

  /// Closes whatever somebody opened: callout, card, map key and focus.
  func closeAll() {
    overMap.closeCallout()
    deselectLine()
    _ = overMap.showMapKey(false)
    _ = turnKeyBack()
    overMap.dropFocus()
  }
}
