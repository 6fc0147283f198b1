import Configuration
import Displays
import EventLoop

/// Owns the screen: which one it is, whether it is lit, and when it sleeps.
final class ScreenPower {
  private let loop: EventLoop
  private let outbox: Outbox
  private let make: (Configuration, EventLoop) -> any Screen
  private let backlightFolder: String
  private(set) var screen: any Screen
  private(set) var backlight: Backlight?
  /// Whether the panel is dark. Nothing is drawn then.
  private(set) var isAsleep = false
  private var sleepAfter: Double?
  private var sleepTimer: LoopTimer?
  private var wanted: Configuration.Display

  /// Opens the screen that `configuration` requests, using `make`. `backlightFolder` is the folder
  /// of the backlights; nil: the kernel's.
  init(
    _ configuration: Configuration, loop: EventLoop, outbox: Outbox,
    backlightFolder: String?, make: @escaping (Configuration, EventLoop) -> any Screen
  ) {
    self.loop = loop
    self.outbox = outbox
    self.make = make
    self.backlightFolder = backlightFolder ?? Backlight.folder
    wanted = configuration.display
    sleepAfter = configuration.display.sleepAfter
    screen = make(configuration, loop)
    sleepTimer = loop.timer { [outbox] in outbox.add(.sleepDue) }
  }

  /// Reports the screen's changes and problems, and opens the backlight.
  ///
  /// - Parameter displayChanged: Called after the screen's display was replaced. The old display
  ///   must not be used any more.
  func follow(_ displayChanged: @escaping () -> Void) {
    screen.onDisplayChange = displayChanged
    screen.onHealth = { [outbox] in outbox.note($0, .error, $1) }
    openBacklight()
  }

  /// Replaces the screen by the one that `configuration` requests. Call `follow` afterwards.
  func reopen(_ configuration: Configuration) {
    wanted = configuration.display
    screen.onDisplayChange = nil
    screen.onHealth = nil
    for what in ["display", "console"] { outbox.note(what, .error, nil) }
    backlight?.close()
    backlight = nil
    screen.close()
    screen = make(configuration, loop)
  }

  /// Takes `display.sleep_after` and `display.backlight` from `new`.
  func configure(_ new: Configuration.Display) {
    let isOther = new.backlight != wanted.backlight
    wanted = new
    sleepAfter = new.sleepAfter
    if isOther {
      backlight?.close()
      openBacklight()
      if isAsleep { lightOff() }
    }
    arm()
  }

  /// Keeps the panel dark after a new display appeared.
  func stayDark() {
    if backlight == nil { openBacklight() }
    guard isAsleep else { return }
    screen.setPower(false)
    lightOff()
  }

  /// Opens a backlight that the panel's driver may have added.
  func lookForBacklight() {
    guard backlight == nil else { return }
    openBacklight()
    if isAsleep { lightOff() }
  }

  /// Darkens the panel. False if it is dark already.
  func sleep() -> Bool {
    guard !isAsleep else { return false }
    isAsleep = true
    sleepTimer?.cancel()
    lightOff()
    screen.setPower(false)
    return true
  }

  /// Lights the panel. False if it is lit already.
  func wake() -> Bool {
    guard isAsleep else { return false }
    isAsleep = false
    screen.setPower(true)
    if let backlight {
      do throws(BacklightError) {
        try backlight.wake()
        note(nil)
      } catch {
        note("\(error)")
      }
    }
    arm()
    return true
  }

  /// Restarts the timer until the screen sleeps.
  func arm() {
    guard let sleepAfter, !isAsleep else {
      sleepTimer?.cancel()
      return
    }
    sleepTimer?.arm(after: UInt64(sleepAfter * 1e9))
  }

  /// Restores the brightness, the console and the mode.
  func close() {
    sleepTimer?.cancel()
    backlight?.close()
    screen.close()
  }

  private func lightOff() {
    // That a configured one is missing stays known.
    guard let backlight else { return }
    do throws(BacklightError) {
      try backlight.sleep()
      note(nil)
    } catch {
      note("\(error)")
    }
  }

  private func note(_ detail: String?) { outbox.note("backlight", .warning, detail) }

  /// Opens the configured backlight, or else any. Only a configured one that is missing is a
  /// problem.
  private func openBacklight() {
    backlight = nil
    guard wanted.backend != .headless else { return note(nil) }
    do throws(BacklightError) {
      let found = try Backlight(name: wanted.backlight, folder: backlightFolder)
      backlight = found
      // A daemon that was killed may have left it off.
      try found.wake()
      note(nil)
    } catch {
      note(wanted.backlight == nil ? nil : "\(error)")
    }
  }
}
