import Foundation
import MapGeometry
import TestSupport
import Testing

/// A view of anything, whole on the world or not.
func anyView(_ numbers: inout SeededNumbers, zoom: ClosedRange<Double> = 0...24) -> Viewport {
  Viewport(
    center: GeoPoint(lat: numbers.number(-84...84), lon: numbers.number(-180...180)),
    zoom: numbers.number(zoom),
    bearing: numbers.integer(0...3) == 0 ? 0 : numbers.number(0...359.99),
    width: numbers.integer(1...4096), height: numbers.integer(1...4096),
    scale: numbers.integer(1...3))
}

@Suite struct ViewportTests {
  @Test(arguments: [
    (0.0, 0.0), (359.5, 359.5), (360.0, 0.0), (720.0, 0.0), (-90.0, 270.0), (-360.0, 0.0),
    (450.0, 90.0), (-0.0, 0.0), (-1e-20, 0.0), (3.6e15, 0.0), (Double.nan, 0.0),
    (Double.infinity, 0.0), (-Double.infinity, 0.0), (-0.5, 359.5),
  ])
  func bearingsAreTurnedIntoOneCircle(degrees: Double, bearing: Double) {
    #expect(Viewport.wrapBearing(degrees) == bearing)
    #expect(Viewport.wrapBearing(degrees).sign == .plus)
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: 0, bearing: degrees, width: 1, height: 1)
    #expect(view.bearing == bearing)
  }

  @Test func noBearingLeavesTheCircle() {
    var numbers = SeededNumbers(17)
    for exponent in -320...300 {
      for _ in 0..<10 {
        let bearing = Viewport.wrapBearing(numbers.number(-10...10) * pow(10, Double(exponent)))
        #expect(bearing >= 0 && bearing < 360)
      }
    }
  }

  // The world pixel under the middle is (128, 128) · 2^zoom · scale.
  @Test(arguments: [
    (0.0, 1, 800, 600, -272, -172), (0, 1, 801, 601, -272, -172), (0, 1, 1, 1, 128, 128),
    (0, 1, 2, 3, 127, 127), (1, 1, 800, 600, -144, -44), (1, 2, 800, 600, 112, 212),
    (24, 1, 1280, 720, 2_147_483_648 - 640, 2_147_483_648 - 360),
    (24, 3, 1281, 721, 6_442_450_944 - 640, 6_442_450_944 - 360),
  ])
  func theOriginIsTheCentreLessHalfTheSize(
    zoom: Double, scale: Int, width: Int, height: Int, x: Int, y: Int
  ) {
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, width: width, height: height, scale: scale)
    #expect(view.origin == (x, y))
  }

  @Test func theOriginIsWhereItsFormulaSays() {
    var numbers = SeededNumbers(19)
    for _ in 0..<20_000 {
      let view = anyView(&numbers)
      let size = 256 * exp2(view.zoom) * Double(view.scale)
      let world = textbook(lat: view.center.lat, lon: view.center.lon)
      let (c, o) = (view.centerPixel, view.origin)
      #expect(abs(c.x - world.x * size) < 1e-3 && abs(c.y - world.y * size) < 1e-3)
      #expect(o.x == Int(floor(c.x - Double(view.width) / 2 + 0.5)))
      #expect(o.y == Int(floor(c.y - Double(view.height) / 2 + 0.5)))
      // Half a pixel at most is lost to the grid.
      #expect(abs(Double(o.x) + Double(view.width) / 2 - c.x) <= 0.5)
      #expect(abs(Double(o.y) + Double(view.height) / 2 - c.y) <= 0.5)
    }
  }

  private static let r = 0.5.squareRoot()

  @Test(arguments: [
    // Bearing, and where up and right lead: east, south.
    (0.0, [0.0, -1.0], [1.0, 0.0]), (90.0, [1.0, 0.0], [0.0, 1.0]),
    (180.0, [0.0, 1.0], [-1.0, 0.0]), (270.0, [-1.0, 0.0], [0.0, -1.0]),
    (45.0, [ViewportTests.r, -ViewportTests.r], [ViewportTests.r, ViewportTests.r]),
  ])
  func theBearingIsTheDirectionThatPointsUp(
    bearing: Double, up: [Double], right: [Double]
  ) {
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: 5, bearing: bearing, width: 100, height: 100)
    let ownUp = view.worldVector(dx: 0, dy: -1)
    let ownRight = view.worldVector(dx: 1, dy: 0)
    #expect(abs(ownUp.x - up[0]) < 1e-12 && abs(ownUp.y - up[1]) < 1e-12)
    #expect(abs(ownRight.x - right[0]) < 1e-12 && abs(ownRight.y - right[1]) < 1e-12)
    // And on the map: north of the centre lies down the screen as the bearing turns to the south.
    let north = view.screen(GeoPoint(lat: 0.01, lon: 0))
    let b = bearing * .pi / 180
    let distance = hypot(north.x - 50, north.y - 50)
    #expect(abs(north.x - (50 - sin(b) * distance)) < 1e-9)
    #expect(abs(north.y - (50 - cos(b) * distance)) < 1e-9)
  }

  @Test func aPlaceIsOnTheScreenWhereTheScreenSaysItIs() {
    var numbers = SeededNumbers(23)
    for _ in 0..<20_000 {
      let view = anyView(&numbers, zoom: 4...24)
      let (w, h) = (
        Double(view.width) / Double(view.scale), Double(view.height) / Double(view.scale)
      )
      let (x, y) = (numbers.number(0...w), numbers.number(0...h))
      let world = view.world(x: x, y: y)
      // Beyond the poles' edges there is no place; further than half the world is another copy.
      guard world.y > 0.001, world.y < 0.999, hypot(w, h) < WebMercator.worldSize(zoom: view.zoom)
      else { continue }
      let back = view.screen(WebMercator.unproject(view.world(x: x, y: y)))
      let tolerance = 1e-6 + 4e-15 * WebMercator.worldSize(zoom: view.zoom)
      #expect(abs(back.x - x) < tolerance && abs(back.y - y) < tolerance)
      let middle = view.screen(view.center)
      #expect(abs(middle.x - w / 2) < 1e-9 && abs(middle.y - h / 2) < 1e-9)
    }
  }

  @Test func theScreenShowsTheNearestCopyOfAPlace() {
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 179), zoom: 3, width: 400, height: 400)
    // 2° east of the centre: 2/360 of 2048 points.
    let across = view.screen(GeoPoint(lat: 0, lon: -179))
    #expect(abs(across.x - (200 + 2048.0 * 2 / 360)) < 1e-9 && abs(across.y - 200) < 1e-9)
    #expect(abs(view.screen(GeoPoint(lat: 0, lon: 541)).x - across.x) < 1e-9)
  }

  @Test func panningMovesTheCentreThatWay() {
    var numbers = SeededNumbers(29)
    for _ in 0..<20_000 {
      let view = anyView(&numbers, zoom: 3...22)
      let (dx, dy) = (numbers.number(-300...300.0), numbers.number(-300...300.0))
      let moved = view.panned(dx: dx, dy: dy)
      let target = view.world(
        x: Double(view.width) / Double(2 * view.scale) + dx,
        y: Double(view.height) / Double(2 * view.scale) + dy)
      let middle = WebMercator.project(moved.center)
      let size = WebMercator.worldSize(zoom: view.zoom)
      #expect(abs(wrapped(middle.x - target.x)) * size < 1e-5)
      #expect(abs(middle.y - min(max(target.y, 0), 1)) * size < 1e-5)
      #expect(moved.center.lon >= -180 && moved.center.lon <= 180)
      var rest = moved
      rest.center = view.center
      #expect(rest == view)
    }
  }

  @Test func panningWrapsAtTheDatelineAndStopsAtTheEdges() {
    // A quarter of the world a step.
    let view = Viewport(center: GeoPoint(lat: 10, lon: 170), zoom: 0, width: 100, height: 100)
    let east = view.panned(dx: 64, dy: 0)
    #expect(abs(east.center.lon - -100) < 1e-12)
    #expect(east.center.lat == 10)
    #expect(
      view.panned(dx: 0, dy: -1000).center == GeoPoint(lat: WebMercator.maxLatitude, lon: 170))
    #expect(
      view.panned(dx: 0, dy: 1000).center == GeoPoint(lat: -WebMercator.maxLatitude, lon: 170))
    #expect(view.panned(dx: 0, dy: 0) == view)
  }

  @Test func thePlaceUnderThePointStaysWhenZooming() {
    var numbers = SeededNumbers(31)
    var checked = 0
    for _ in 0..<40_000 {
      let view = anyView(&numbers, zoom: 2...22)
      let zoom: Double = numbers.number(2...22)
      let (w, h) = (
        Double(view.width) / Double(view.scale), Double(view.height) / Double(view.scale)
      )
      let (x, y) = (numbers.number(0...w), numbers.number(0...h))
      let before = view.world(x: x, y: y)
      let after = view.zoomed(to: zoom, keeping: x, y)
      #expect(after.zoom == zoom)
      let middle = WebMercator.project(after.center).y
      guard before.y > 0, before.y < 1, middle > 0.0001, middle < 0.9999 else { continue }
      checked += 1
      let now = after.world(x: x, y: y)
      let pixels = WebMercator.worldSize(zoom: zoom) * Double(view.scale)
      // A latitude is a number of 53 bits: at 85° and zoom 22 that alone is 5e-7 of a point.
      let tolerance = 1e-6 * max(1, Double(view.scale))
      #expect(abs(wrapped(now.x - before.x)) * pixels < tolerance)
      #expect(abs(now.y - before.y) * pixels < tolerance)
    }
    #expect(checked > 20_000)
  }

  @Test func zoomingAroundTheMiddleKeepsTheCentreAsItWasGiven() {
    let view = Viewport(
      center: GeoPoint(lat: 46.0207, lon: 7.7491), zoom: 13, bearing: 33, width: 1281, height: 721,
      scale: 2)
    let zoomed = view.zoomed(to: 4.2, keeping: 1281.0 / 4, 721.0 / 4)
    #expect(zoomed.center == view.center && zoomed.zoom == 4.2 && zoomed.bearing == 33)
  }

  @Test func theTilesOfAViewAreThoseUnderItsPixels() {
    var numbers = SeededNumbers(37)
    for _ in 0..<300 {
      var view = anyView(&numbers, zoom: 3...20)
      (view.zoom, view.bearing, view.scale) = (view.zoom.rounded(), 0, 1)
      let level = Int(view.zoom)
      let origin = view.origin
      // Each corner pixel's tile, by integers and by its place on Earth.
      for (px, py) in [
        (origin.x, origin.y), (origin.x + view.width - 1, origin.y),
        (origin.x, origin.y + view.height - 1),
        (origin.x + view.width - 1, origin.y + view.height - 1),
      ] {
        guard let tile = TileID(z: level, wrapping: px >> 8, row: py >> 8) else {
          #expect(py < 0 || py >= 256 << level)
          continue
        }
        let place = WebMercator.unproject(
          WorldPoint(
            x: (Double(px) + 0.5) / view.worldPixels, y: (Double(py) + 0.5) / view.worldPixels))
        #expect(WebMercator.tile(at: place, level: level) == tile)
      }
    }
  }
}
