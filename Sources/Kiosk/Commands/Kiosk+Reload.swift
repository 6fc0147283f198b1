import Configuration

/// Applies a new configuration while running.
extension Kiosk {
  /// Applies `new`, which must be checked. Unchanged parts continue as they are, and the view
  /// stays, within the new limits. What was added over the socket stays, unless what the
  /// configuration has with that name is new or differs from before.
  public func apply(_ new: Configuration) {
    let old = configuration
    overMap.configure(new)
    configuration = new
    theme.configure(new.theme)
    states.configure(new.state)
    book.apply(new, before: old)
    media.configure(new.media.watch)
    // Names that the configuration took or gave back.
    outbox.add(.media)
    overMap.applyMarkers(new.markers, before: old.markers)
    noticeBoard.configure(new.notices, before: old.notices)
    let hadTour = tour.differs(new) && endTour()
    tour.configure(new)
    outbox.add(.language)
    view.configure(new.view)
    // During a tour the view does not return home; now that it ended, restart the timer.
    if hadTour { view.touched() }
    fade.setTime(new.view.fade)
    if isOtherScreen(new.display, old.display) {
      reopenScreen()
    } else if new.display.scale != old.display.scale {
      rebuildPipeline()
      inputs.setSpace(touchSpace)
    } else if new.cache.memory != old.cache.memory {
      pipeline.cache.resize(to: new.cache.memory)
      noteFloor()
    }
    power.configure(new.display)
    // Tiles that were missing may exist now.
    pipeline.missing.forget()
    pipeline.scene.invalidate()
    updateTheme()
    if inputs.isOpen { openInputs() }
    applyPosition(new.position)
    outbox.add([.layers, .picture])
  }

  /// Whether `new` requests another screen, or the same one in a different way.
  private func isOtherScreen(
    _ new: Configuration.Display, _ old: Configuration.Display
  ) -> Bool {
    var same = new
    (same.scale, same.sleepAfter, same.backlight) = (old.scale, old.sleepAfter, old.backlight)
    same.language = old.language
    return same != old
  }
}
