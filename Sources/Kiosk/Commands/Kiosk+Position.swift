import Configuration
import Control
import EventLoop
import Inputs
import MapGeometry

/// The unit's position.
extension Kiosk {
  /// Connects to the gpsd that the configuration names, if it differs from the present one.
  public func openPosition() {
    view.openPosition { [weak self] in self?.take($0, from: .gpsd) }
  }

  func closePosition() {
    view.close()
    frames.cancelSteps()
  }

  /// Takes a fix. It does not wake the screen and does not count as use of the kiosk.
  public func take(_ fix: Fix, from source: PositionState.Source) {
    let now = EventLoop.now()
    view.takeFix(fix, from: source, now: now)
    if theme.note(gps: fix.time) { updateTheme() }
    if isSeen {
      changed()
    } else {
      view.finishSlide()
      view.follow(now)
      view.finish()
      if frames.isAwaited { changed() }
    }
    outbox.tell(.position)
  }

  /// The last fix became old, or its displayed age changed.
  func fixAged() {
    let now = EventLoop.now()
    guard view.position.state.isLost(at: now) else { return }
    if view.isFixNewlyLost(at: now) { outbox.tell(.position) }
    // While nothing is visible the age is not counted; the next frame resumes that.
    if isSeen { changed() } else { overMap.replacePosition() }
  }

  /// Whether the view follows the position.
  public var isFollowing: Bool { view.position.isFollowing }

  /// Takes the configuration's `[position]`.
  func applyPosition(_ new: Configuration.Position) {
    view.configure(new)
    openPosition()
    overMap.replacePosition()
  }

  // MARK: Over the socket

  /// Whether there is anything to report: a gpsd is configured, or a position was set.
  package var hasPosition: Bool { view.position.isKnown }

  package var positionInfo: PositionInfo {
    let now = EventLoop.now()
    let position = view.position
    var info = PositionInfo(following: position.isFollowing, headingUp: position.headingIsUp)
    guard let fix = position.state.fix else { return info }
    info.state = position.state.isLost(at: now) ? "lost" : "fix"
    info.lat = fix.place.lat
    info.lon = fix.place.lon
    info.heading = fix.heading
    info.speed = fix.speed
    info.accuracy = fix.accuracy
    info.altitude = fix.altitude
    info.mode = fix.mode.rawValue
    info.time = fix.time
    info.age = (position.state.age(at: now) * 1000).rounded() / 1000
    info.source = position.state.source?.rawValue
    return info
  }

  /// Takes a position from the socket.
  package func setPosition(_ p: PositionSetParams) {
    let fix = Fix(
      place: GeoPoint(lat: p.lat, lon: WebMercator.wrapLongitude(p.lon)),
      accuracy: p.accuracy.flatMap { $0 > 0 ? $0 : nil },
      heading: p.heading.map { Viewport.wrapBearing($0) }, speed: p.speed,
      mode: .flat)
    take(fix, from: .socket)
  }
}
