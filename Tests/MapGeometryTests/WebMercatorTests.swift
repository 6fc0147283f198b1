import Foundation
import MapGeometry
import TestSupport
import Testing

@Suite struct WebMercatorTests {
  /// Whole levels and fractions between them.
  static let zooms = (0...24).map(Double.init) + stride(from: 0.1, to: 24, by: 1.37)

  @Test func theSquareEndsWhereTheNorthernEdgeIsAsFarAsTheDateline() {
    #expect(abs(WebMercator.maxLatitude - atan(sinh(.pi)) * 180 / .pi) < 1e-13)
    #expect(WebMercator.project(GeoPoint(lat: 0, lon: 0)) == WorldPoint(x: 0.5, y: 0.5))
    #expect(
      WebMercator.project(GeoPoint(lat: WebMercator.maxLatitude, lon: -180))
        == WorldPoint(x: 0, y: 0))
    #expect(
      WebMercator.project(GeoPoint(lat: -WebMercator.maxLatitude, lon: 180))
        == WorldPoint(x: 1, y: 1))
  }

  @Test(arguments: [90.0, 89.9, 86, 85.06, 85.051_128_779_806_6, 1000, .infinity])
  func latitudesBeyondTheEdgeAreClampedToIt(lat: Double) {
    #expect(WebMercator.project(GeoPoint(lat: lat, lon: 0)).y == 0)
    #expect(WebMercator.project(GeoPoint(lat: -lat, lon: 0)).y == 1)
  }

  @Test(arguments: [-540.0, -360, -180, 0, 180, 190, 360, 540])
  func longitudesAreProjectedAsTheyAre(lon: Double) {
    #expect(WebMercator.project(GeoPoint(lat: 0, lon: lon)).x == (lon + 180) / 360)
  }

  @Test func besideTheEdgesTheSquareIsNotLeft() {
    var lat = WebMercator.maxLatitude
    for _ in 0..<1000 {
      let north = WebMercator.project(GeoPoint(lat: lat, lon: 0)).y
      let south = WebMercator.project(GeoPoint(lat: -lat, lon: 0)).y
      #expect(north >= 0 && north < 1e-9 && south <= 1 && south > 1 - 1e-9)
      lat = lat.nextDown
    }
    var y = 0.0
    for _ in 0..<1000 {
      let lat = WebMercator.unproject(WorldPoint(x: 0.5, y: y)).lat
      #expect(abs(lat) <= WebMercator.maxLatitude)
      #expect(
        abs(WebMercator.unproject(WorldPoint(x: 0.5, y: 1 - y)).lat) <= WebMercator.maxLatitude)
      y = y.nextUp
    }
    #expect(WebMercator.unproject(WorldPoint(x: 0.5, y: -3)).lat == WebMercator.maxLatitude)
    #expect(WebMercator.unproject(WorldPoint(x: 0.5, y: 3)).lat == -WebMercator.maxLatitude)
  }

  @Test func aDenseGridOfTheWorldComesBackFromTheSquare() {
    var worst = 0.0
    for i in stride(from: -8500, through: 8500, by: 17) {
      for j in stride(from: -18000, to: 18000, by: 271) {
        let place = GeoPoint(lat: Double(i) / 100, lon: Double(j) / 100)
        let back = WebMercator.unproject(WebMercator.project(place))
        worst = max(worst, abs(back.lat - place.lat), abs(back.lon - place.lon))
      }
    }
    // 1e-12 degrees are a ten-thousandth of a millimetre.
    #expect(worst < 1e-12)
  }

  @Test func aDenseGridOfTheWorldLiesWhereTheTextbookFormulaSays() {
    var worst = 0.0
    for i in stride(from: -8505, through: 8505, by: 9) {
      for j in stride(from: -18000, through: 18000, by: 711) {
        let (lat, lon) = (Double(i) / 100, Double(j) / 100)
        let (own, other) = (
          WebMercator.project(GeoPoint(lat: lat, lon: lon)), textbook(lat: lat, lon: lon)
        )
        worst = max(worst, abs(own.x - other.x), abs(own.y - other.y))
      }
    }
    // A thousandth of a pixel at zoom 24.
    #expect(worst * WebMercator.worldSize(zoom: 24) < 1e-3)
  }

  @Test(arguments: zooms)
  func everyPixelIsFoundAgain(zoom: Double) {
    let size = WebMercator.worldSize(zoom: zoom)
    var numbers = SeededNumbers(UInt64(zoom * 100))
    let last = Int(size.rounded(.down)) - 1
    // The first and last ones, and many between.
    var pixels = [0, 1, 2, last - 2, last - 1, last].map { ($0, $0) }
    for _ in 0..<4000 { pixels.append((numbers.integer(0...last), numbers.integer(0...last))) }
    for (x, y) in pixels {
      let place = WebMercator.unproject(
        WorldPoint(x: (Double(x) + 0.5) / size, y: (Double(y) + 0.5) / size))
      let world = WebMercator.project(place)
      #expect(Int(world.x * size) == x && Int(world.y * size) == y)
      let other = textbook(lat: place.lat, lon: place.lon)
      #expect(Int(other.x * size) == x && Int(other.y * size) == y)
    }
  }

  @Test func theWorldIs256PointsWideAndDoublesWithEachZoom() {
    for level in 0...24 {
      #expect(WebMercator.worldSize(zoom: Double(level)) == Double(256 << level))
    }
    #expect(abs(WebMercator.worldSize(zoom: 0.5) - 256 * 2.0.squareRoot()) < 1e-10)
  }

  @Test(arguments: [
    (0.0, 0.0), (179.999, 179.999), (180.0, -180.0), (-180.0, -180.0), (180.5, -179.5),
    (190.0, -170.0), (-190.0, 170.0), (360.0, 0.0), (-360.0, 0.0), (540.0, -180.0),
    (-540.0, -180.0), (539.0, 179.0), (-539.0, -179.0), (720.0, 0.0), (3780.0, -180.0),
    (1e15, -80.0),
  ])
  func longitudesWrapByWholeTurns(lon: Double, wrapped: Double) {
    #expect(WebMercator.wrapLongitude(lon) == wrapped)
  }

  @Test func wrappedLongitudesNeverLeaveTheirRange() {
    var numbers = SeededNumbers(3)
    for exponent in -300...300 {
      for _ in 0..<20 {
        let lon = numbers.number(-10...10) * pow(10, Double(exponent))
        let wrapped = WebMercator.wrapLongitude(lon)
        #expect(wrapped >= -180 && wrapped < 180)
      }
    }
    var lon = -180.0
    for _ in 0..<100 {
      lon = lon.nextDown
      #expect(WebMercator.wrapLongitude(lon) < 180 && WebMercator.wrapLongitude(lon) > 179)
      #expect(WebMercator.wrapLongitude(-lon) >= -180 && WebMercator.wrapLongitude(-lon) < -179)
    }
    #expect(WebMercator.wrapLongitude(.nan).isNaN)
    #expect(WebMercator.wrapLongitude(.infinity).isNaN)
  }

  @Test func aPointOfZoomZeroIs156KilometresAtTheEquator() {
    // 2π · 6,378,137 m / 256.
    #expect(abs(WebMercator.metersPerPoint(lat: 0, zoom: 0) - 156_543.033_928_041) < 1e-6)
    #expect(abs(WebMercator.metersPerPoint(lat: 60, zoom: 1) - 156_543.033_928_041 / 4) < 1e-6)
  }
}
