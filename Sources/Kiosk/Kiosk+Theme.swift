import Configuration
import EventLoop
import MapGeometry
import Pixels

/// The theme as it is.
struct ThemeState {
  /// What was asked for since the configuration was read; nil: what that says.
  var chosen: Configuration.Theme.Mode?
  /// Whether the night's colours are shown.
  var isNight = false
  var transform = ColorTransform.identity
  /// The time of day.
  var clock = WallClock.system
  /// For which place the next change was worked out.
  var place: GeoPoint?
  var timer: LoopTimer?
  var clockWatch: ClockWatch?
  /// GPS time: what it was at which moment of the monotonic clock.
  var gps: (time: Double, at: UInt64)?
}

/// Day and night.
extension Kiosk {
  /// The theme that was asked for.
  public var themeMode: Configuration.Theme.Mode { theme.chosen ?? configuration.theme.mode }

  /// Whether the night's colours are shown.
  public var isNight: Bool { theme.isNight }

  /// What the theme does to every tile.
  var themeFilters: [Filter] { theme.isNight ? configuration.theme.night : [] }

  /// What the theme does to every colour that is drawn; a mosaic, which is of tiles, is left out.
  public var themeTransform: ColorTransform { theme.transform }

  /// Called after `themeTransform` changed: all that has colours of its own takes them from there. The
  /// map follows by itself, and what is drawn now is seen together with it.
  ///
  /// - Parameter isSwitched: it is night where it was day, or the other way round.
  func themeChanged(isSwitched: Bool) {
    painter.transform = theme.transform
    position.recolor(theme.transform)
    if isSwitched { showToast(theme.isNight ? "Night" : "Day") }
    onEvent?(.display)
  }

  /// Takes `mode` from now on, over a restart too.
  package func setTheme(_ mode: Configuration.Theme.Mode) {
    let isNews = mode != themeMode
    theme.chosen = mode == configuration.theme.mode ? nil : mode
    updateTheme()
    if isNews {
      stateChanged()
      onEvent?(.display)
    }
  }

  /// Day where it is night now, night where it is day.
  func toggleTheme() { setTheme(theme.isNight ? .day : .night) }

  /// Looks whether it is day or night, and when that changes next.
  func updateTheme() {
    let wasNight = theme.isNight
    switch themeMode {
    case .day: theme.isNight = false
    case .night: theme.isNight = true
    case .auto: theme.isNight = isNightOutside()
    }
    if themeMode != .auto {
      theme.timer?.cancel()
      (theme.place, theme.clockWatch) = (nil, nil)
    }
    let transform = ColorTransform(themeFilters.compactMap(\.colors))
    let isNews = transform != theme.transform
    theme.transform = transform
    // Its mosaic may be another all the same.
    recolor()
    let isSwitched = theme.isNight != wasNight
    if isNews || isSwitched { themeChanged(isSwitched: isSwitched) }
  }

  /// Seconds since 1970 as far as anything here knows them: GPS time first.
  private var wallTime: Double? {
    if let gps = theme.gps { return gps.time + Double(EventLoop.now() &- gps.at) / 1e9 }
    return theme.clock.time()
  }

  private func isNightOutside() -> Bool {
    let place = view.goal.center
    theme.place = place
    if theme.timer == nil { theme.timer = loop.timer { [unowned self] in updateTheme() } }
    if theme.clockWatch == nil {
      theme.clockWatch = ClockWatch(loop: loop) { [unowned self] in updateTheme() }
    }
    guard let time = wallTime else {
      // The clock may come to be right without being set.
      theme.timer?.arm(after: 600 * 1_000_000_000)
      return false
    }
    let isNight = Sun.isNight(
      Sun.elevation(at: place, time: time), wasNight: theme.isNight)
    let next = Sun.nextChange(after: time, at: place, isNight: isNight) ?? time + 86400
    theme.timer?.arm(after: UInt64(max(1, next - time + 1) * 1e9))
    return isNight
  }

  /// The view moved: the sun stands elsewhere from half a degree on.
  func themeFollowsView() {
    guard let place = theme.place, !view.isMoving else { return }
    let center = view.goal.center
    if abs(center.lat - place.lat) < 0.5,
      abs(WebMercator.wrapLongitude(center.lon - place.lon)) < 0.5
    {
      return
    }
    updateTheme()
  }

  /// A fix said what time it is.
  func noteGPSTime(_ time: Double?) {
    guard let time, WallClock.isPlausible(time) else { return }
    let before = wallTime
    theme.gps = (time, EventLoop.now())
    // Fixes come every second; what they say matters when it is news.
    if themeMode == .auto, before.map({ abs($0 - time) > 60 }) ?? true { updateTheme() }
  }
}
