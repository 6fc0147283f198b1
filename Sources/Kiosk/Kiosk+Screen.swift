import Configuration
import Displays
import EventLoop

/// The panel's brightness.
public protocol BacklightControl: AnyObject {
  /// 0...100; nil where it cannot be read.
  var percent: Int? { get }
  /// Sets it, 0...100. Gives why it could not be set, nil when it was.
  func set(percent: Int) -> String?
  func sleep()
  /// Back to what it was before `sleep`.
  func wake()
  /// Leaves it as it was found where it was put out.
  func close()
}

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
    backlight = makeBacklight(configuration)
    followScreen()
    rebuildPipeline()
    if isAsleep {
      screen.setPower(false)
      backlight?.sleep()
    }
    screenChanged()
  }

  private func screenChanged() {
    evdev?.space = touchSpace
    changed()
    onEvent?(.display)
  }

  /// Shows or hides parts of the HUD, by their names in `[hud]`, until the configuration is read again.
  func showHud(_ parts: [String: Bool]) {
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
    sleepTimer?.cancel()
    endHolds()
    backlight?.sleep()
    screen.setPower(false)
    onEvent?(.display)
  }

  /// Lights the panel with the view as it is now.
  public func wake() {
    guard isAsleep else { return }
    isAsleep = false
    screen.setPower(true)
    backlight?.wake()
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
    backlight?.close()
    screen.close()
  }
}
