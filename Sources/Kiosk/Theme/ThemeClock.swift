import Configuration
import EventLoop
import MapGeometry
import MapOverlays
import Pixels

/// Owns day and night on the screen, and the timer for the next change.
final class ThemeClock {
  /// The name of the matter in the health.
  private static let matter = "clock"

  private let loop: EventLoop
  private let outbox: Outbox
  private var configured: Configuration.Theme
  /// The mode requested since the configuration was read; nil: the configuration's.
  private(set) var chosen: Configuration.Theme.Mode?
  /// Whether the night's colours are shown.
  private(set) var isNight = false
  /// The theme's colour transform for everything that is drawn. A mosaic applies to tiles only, so
  /// it is left out.
  private(set) var transform = ColorTransform.identity
  /// The colours of everything over the map.
  var picture: PictureTheme {
    isNight ? PictureTheme.of(configured.isRed ? .red : .night) : .day
  }
  private var pictured = PictureTheme.Kind.day
  private var clock: WallClock
  /// The place for which the next change was calculated.
  private var place: GeoPoint?
  private(set) var timer: LoopTimer?
  private(set) var clockWatch: ClockWatch?
  /// Since when the mode is `auto` without a clock to trust, on the monotonic clock.
  private var lostAt: UInt64?
  /// How long that lasts before the health says so, and until the clock is looked at again, in
  /// nanoseconds.
  private let patience: UInt64
  /// A fix's time in seconds since 1970, and when it arrived on the monotonic clock.
  private var gps: (time: Double, at: UInt64)?

  init(
    _ configured: Configuration.Theme, loop: EventLoop, outbox: Outbox,
    clock: WallClock = .system, patience: UInt64 = 600_000_000_000
  ) {
    self.configured = configured
    self.loop = loop
    self.outbox = outbox
    self.clock = clock
    self.patience = patience
  }

  /// The requested theme.
  var mode: Configuration.Theme.Mode { chosen ?? configured.mode }

  /// The theme's filters for every tile.
  var filters: [Filter] { isNight ? configured.night : [] }

  /// Takes a new configuration. Its mode replaces a requested one if it differs from the last
  /// configuration's.
  func configure(_ new: Configuration.Theme) {
    if new.mode != configured.mode { chosen = nil }
    configured = new
  }

  /// Requests `mode`. Returns whether that is a change.
  func choose(_ new: Configuration.Theme.Mode) -> Bool {
    let isNews = new != mode
    chosen = new == configured.mode ? nil : new
    return isNews
  }

  /// Replaces the clock that gives the time of day.
  func setClock(_ new: WallClock) { clock = new }

  /// The result of `update`.
  struct Outcome {
    /// Whether `transform` or `picture` changed.
    var isRecolored: Bool
    /// Whether day became night or night day.
    var isSwitched: Bool
  }

  /// Decides whether it is day or night at `center`, and when that changes next.
  func update(at center: GeoPoint) -> Outcome {
    let wasNight = isNight
    switch mode {
    case .day: isNight = false
    case .night: isNight = true
    case .auto: isNight = isNightOutside(center)
    }
    if mode != .auto {
      timer?.cancel()
      (place, clockWatch) = (nil, nil)
      clockIsKnown()
    }
    let new = ColorTransform(filters.compactMap(\.colors))
    let kind = picture.kind
    defer { (transform, pictured) = (new, kind) }
    // Even with the same transform, a mosaic may have changed.
    outbox.add(.colors)
    return Outcome(
      isRecolored: new != transform || kind != pictured, isSwitched: isNight != wasNight)
  }

  /// Whether `center` is at least half a degree from the place of the last calculation.
  func isElsewhere(_ center: GeoPoint) -> Bool {
    guard let place else { return false }
    return abs(center.lat - place.lat) >= 0.5
      || abs(WebMercator.wrapLongitude(center.lon - place.lon)) >= 0.5
  }

  /// Takes the time of a fix, in seconds since 1970. True when the theme must be checked again.
  func note(gps time: Double?) -> Bool {
    guard let time, WallClock.isPlausible(time) else { return false }
    let before = wallTime
    gps = (time, EventLoop.now())
    // Fixes come every second; only a time that differs from the known one matters.
    return mode == .auto && (before.map { abs($0 - time) > 60 } ?? true)
  }

  /// Seconds since 1970, preferably from a fix; nil: unknown.
  var wallTime: Double? {
    if let gps { return gps.time + Double(EventLoop.now() &- gps.at) / 1e9 }
    return clock.time()
  }

  private func isNightOutside(_ center: GeoPoint) -> Bool {
    place = center
    if timer == nil { timer = loop.timer { [outbox] in outbox.add(.themeDue) } }
    if clockWatch == nil {
      clockWatch = ClockWatch(loop: loop) { [outbox] in outbox.add(.themeDue) }
    }
    guard let time = wallTime else {
      clockIsUnknown(at: EventLoop.now())
      return false
    }
    clockIsKnown()
    let isNight = Sun.isNight(Sun.elevation(at: center, time: time), wasNight: self.isNight)
    let next = Sun.nextChange(after: time, at: center, isNight: isNight) ?? time + 86400
    timer?.arm(after: UInt64(max(1, next - time + 1) * 1e9))
    return isNight
  }

  private func clockIsUnknown(at now: UInt64) {
    // It may become right without being set.
    timer?.arm(after: patience)
    guard let lostAt else {
      lostAt = now
      return
    }
    if now &- lostAt >= patience {
      outbox.note(
        ThemeClock.matter, .warning,
        "the clock cannot be trusted: with theme.mode = \"auto\" it is day until it can be")
    }
  }

  private func clockIsKnown() {
    guard lostAt != nil else { return }
    lostAt = nil
    outbox.note(ThemeClock.matter, .warning, nil)
  }
}
