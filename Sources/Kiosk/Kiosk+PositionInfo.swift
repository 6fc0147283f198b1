import Control
import EventLoop
import Inputs
import MapGeometry

/// The position as the socket tells and takes it.
extension Kiosk {
  /// Whether there is something to tell: a gpsd to ask, or a position that was set.
  package var hasPosition: Bool { configuration.position.gpsd != nil || position.state.fix != nil }

  package var positionInfo: PositionInfo {
    let now = EventLoop.now()
    var info = PositionInfo(following: isFollowing, headingUp: headingIsUp)
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
