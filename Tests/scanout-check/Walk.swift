import Configuration
import Displays
import EventLoop
import Kiosk
import MapGeometry
import TileSources

/// A kiosk that is led through views of every kind, each of them another way to the display's
/// memory.
struct Walk {
  /// Zoom, bearing, and the place: tiles' own pixels and pans of them, between the levels, turned,
  /// larger than the finest tiles, the world's edge with nothing beyond.
  private static let views: [(zoom: Double, bearing: Double, lat: Double, lon: Double)] = [
    (3, 0, 45, 10), (3, 0, 44.5, 10.5), (2, 0, 0, 0), (3, 0, 1, -179.5), (2.6, 0, 30, 20),
    (3, 33, 45, 10), (3.4, 0, 30, 20), (2.5, 200, 40, -70), (5, 0, 45, 10), (4.7, 90, 45, 10),
    (0, 0, 0, 0), (1.3, 0, 84, 0), (1, 45, -84, 170), (3, 180, 20, 80),
  ]
  private static let notices = ["", "a notice", "", "a longer notice, of more than one line"]

  let display: WatchedDisplay
  private let kiosk: Kiosk

  /// - Parameter overlay: a folder of tiles that one can see through, over the map; nil: none.
  init(_ display: WatchedDisplay, map: SourceSpec, overlay: String?) throws {
    self.display = display
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.view.center = GeoPoint(lat: 0, lon: 0)
    configuration.view.zoom = 2
    configuration.state.path = nil
    // One line of the HUD; all of it covers so small a picture that nothing is sampled straight to
    // it.
    configuration.hud.attribution = true
    configuration.hud.scaleBar = false
    configuration.hud.north = false
    configuration.hud.toasts = false
    var map = map
    map.attribution = "Attribution"
    configuration.sources = [map]
    if let overlay {
      var spec = SourceSpec(name: "overlay", location: .path(overlay))
      spec.role = .overlay
      spec.opacity = 0.6
      configuration.sources.append(spec)
    }
    kiosk = try Kiosk(
      configuration: configuration, loop: EventLoop(), makeScreen: { _, _ in FixedScreen(display) },
      font: { Bundled.text($0) })
  }

  /// Draws at least `count` frames.
  ///
  /// - Parameter first: where in the list of views it begins.
  func draw(_ count: Int, first: Int) {
    var n = first
    while display.frame < count {
      let place = Walk.views[n % Walk.views.count]
      var view = kiosk.goal
      view.center = GeoPoint(lat: place.lat, lon: place.lon)
      view.zoom = place.zoom
      view.bearing = place.bearing
      kiosk.go(to: view, animate: false)
      settle()
      // A part of the picture alone.
      kiosk.setNotice(Walk.notices[n % Walk.notices.count])
      settle()
      n += 1
    }
  }

  private func settle() {
    var outcome: SettleOutcome?
    kiosk.settle(timeout: 600) { outcome = $0 }
    kiosk.loop.runOnce(timeout: 0)
    while outcome == nil { kiosk.loop.runOnce(timeout: 1_000_000_000) }
    if outcome?.complete != true { stop("the view does not get whole") }
  }
}
