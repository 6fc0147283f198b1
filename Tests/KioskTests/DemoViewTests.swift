import MapGeometry
import Testing

@testable import Configuration
@testable import Kiosk

/// The first view of the demo on any screen.
@Suite struct DemoViewTests {
  @Test(arguments: [
    (480, 320, 1), (800, 480, 1), (1280, 720, 1), (1920, 1080, 1), (1920, 1080, 2), (720, 1280, 1),
    (1080, 1920, 1), (3840, 2160, 1), (320, 4000, 1),
  ])
  func theWorldCoversTheScreen(_ width: Int, _ height: Int, _ scale: Int) throws {
    let bench = try Bench([], width: width, height: height) {
      $0.view = Bundled.configuration.view
      $0.view.fade = 0
      $0.display.scale = scale
    }
    bench.kiosk.coverScreenWithWorld()
    for _ in 0..<2 {
      let view = bench.kiosk.goal
      let top = view.screen(GeoPoint(lat: WebMercator.maxLatitude, lon: view.center.lon)).y
      let foot = view.screen(GeoPoint(lat: -WebMercator.maxLatitude, lon: view.center.lon)).y
      #expect(top <= 0)
      #expect(foot >= Double(height) / Double(scale))
      // No larger than it takes.
      #expect(view.zoom == 2 || top > -24)
      bench.kiosk.pan(dx: 50, dy: 50, animate: false)
      bench.kiosk.home(animate: false)
    }
  }
}
