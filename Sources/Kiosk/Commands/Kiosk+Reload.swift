import Configuration

/// Taking over a new configuration while running.
extension Kiosk {
  /// Applies `new`, which was checked. Unchanged parts go on as they are; the view stays, within
  /// the new limits. What was added over the socket stays, unless the configuration now has a
  /// source of that name.
  public func apply(_ new: Configuration) {
    let old = configuration
    overMap.configure(new)
    setConfiguration(new)
    theme.configure(new.theme)
    states.configure(new.state)
    book.apply(new, before: old)
    overMap.applyMarkers(new.markers, before: old.markers)
    view.configure(new.view)
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

  /// Whether another screen is asked for, or the same one in another way.
  private func isOtherScreen(
    _ new: Configuration.Display, _ old: Configuration.Display
  ) -> Bool {
    var same = new
    (same.scale, same.sleepAfter, same.backlight) = (old.scale, old.sleepAfter, old.backlight)
    return same != old
  }
}
