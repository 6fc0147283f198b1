import Configuration
import Displays
import EventLoop

/// The screen: what it is, whether it is lit.
extension Kiosk {
  /// Draws on the screen's display from now on, and follows what becomes of it.
  func followScreen() {
    screen.onDisplayChange = { [unowned self] in
      rebuildPipeline()
      screenChanged()
    }
    screen.onHealth = { [unowned self] what, detail in reportHealth(what, .error, detail) }
  }

  /// Opens the screen that the configuration asks for in the place of the present one.
  func reopenScreen() {
    screen.onDisplayChange = nil
    screen.onHealth = nil
    for what in ["display", "console"] { reportHealth(what, .error, nil) }
    backlight?.close()
    screen.close()
    screen = makeScreen(configuration, loop)
    openBacklight()
    followScreen()
    rebuildPipeline()
    if isAsleep {
      screen.setPower(false)
      lightOff()
    }
    screenChanged()
  }

  private func screenChanged() {
    if backlight == nil {
      // A panel's driver may have brought one.
      openBacklight()
      if isAsleep { lightOff() }
    }
    evdev?.space = touchSpace
    changed()
    onEvent?(.display)
  }

  /// Shows or hides parts of the HUD, by their names in `[hud]`, until the configuration is read again.
  package func showHud(_ parts: [String: Bool]) {
    for (part, isShown) in parts {
      switch part {
      case "attribution": configuration.hud.attribution = isShown
      case "scale_bar": configuration.hud.scaleBar = isShown
      case "north": configuration.hud.north = isShown
      case "zoom": configuration.hud.zoom = isShown
      case "coordinates": configuration.hud.coordinates = isShown
      case "buttons": configuration.hud.buttons = isShown
      case "toasts": configuration.hud.toasts = isShown
      default: break
      }
    }
    changed()
  }

  // MARK: Sleep

  /// Darkens the panel; until it wakes no frame is drawn.
  public func sleep() {
    guard !isAsleep else { return }
    isAsleep = true
    pipeline.isDark = true
    sleepTimer?.cancel()
    endHolds()
    // What is down now means nothing until it was up, the button that asked for this among them.
    wakingOrigins.formUnion(downOrigins)
    isWakingTouch = touch.isDown
    lightOff()
    screen.setPower(false)
    onEvent?(.display)
  }

  private func lightOff() {
    do throws(BacklightError) {
      try backlight?.sleep()
      backlightHealth(nil)
    } catch {
      backlightHealth("\(error)")
    }
  }

  private func backlightHealth(_ detail: String?) { reportHealth("backlight", .warning, detail) }

  /// The backlight that the configuration names; one that is named and not there is told.
  func openBacklight() {
    backlight = nil
    guard configuration.display.backend != .headless else { return backlightHealth(nil) }
    do throws(BacklightError) {
      let found = try Backlight(name: configuration.display.backlight, folder: backlightFolder)
      backlight = found
      // One that was killed may have left it off.
      try found.wake()
      backlightHealth(nil)
    } catch {
      backlightHealth(configuration.display.backlight == nil ? nil : "\(error)")
    }
  }

  /// Lights the panel with the view as it is now.
  public func wake() {
    guard isAsleep else { return }
    isAsleep = false
    pipeline.isDark = false
    releaseFrame()
    // What was planned meanwhile is not on the panel.
    pipeline.scene.invalidate()
    screen.setPower(true)
    do throws(BacklightError) { try backlight?.wake() } catch { backlightHealth("\(error)") }
    armSleep()
    changed()
    onEvent?(.display)
  }

  /// The time until the screen sleeps begins anew.
  func armSleep() {
    guard let after = configuration.display.sleepAfter, !isAsleep else {
      sleepTimer?.cancel()
      return
    }
    sleepTimer?.arm(after: UInt64(after * 1e9))
  }

  /// Gives back the console, the brightness and the mode. Nothing is drawn afterwards.
  public func close() {
    closeInputs()
    closePosition()
    backlight?.close()
    screen.close()
  }
}
