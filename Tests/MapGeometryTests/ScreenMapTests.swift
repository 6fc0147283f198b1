import MapGeometry
import Testing

@Suite struct ScreenMapTests {
  @Test(arguments: [0.0, 30, 217.5])
  func aPlaceIsWhereTheViewShowsIt(_ bearing: Double) {
    let view = Viewport(
      center: GeoPoint(lat: -17, lon: 179.9), zoom: 9.3, bearing: bearing, width: 801, height: 480,
      scale: 2)
    let map = ScreenMap(view)
    for (x, y) in [(0.3, 0.3), (200.1, 120.4), (399.9, 3.1), (17.2, 239.6)] {
      let at = map.pixel(view.world(x: x, y: y))
      // The map itself is snapped to whole pixels at bearing 0.
      #expect(abs(Double(at.x) - x * 2) <= 1)
      #expect(abs(Double(at.y) - y * 2) <= 1)
    }
  }

  @Test(arguments: [0.0, 123])
  func whatIsInTheMiddleStaysThereWhileTheMapMoves(_ bearing: Double) {
    var view = Viewport(
      center: GeoPoint(lat: 46.02, lon: 7.75), zoom: 15, bearing: bearing, width: 800, height: 480)
    for _ in 0..<200 {
      view.center.lat += 0.000_000_7
      view.center.lon += 0.000_001_1
      let at = ScreenMap(view).pixel(WebMercator.project(view.center))
      #expect(at == (400, 240))
    }
  }
}
