import Foundation
import MapGeometry
import TestSupport
import Testing

/// Views and boxes: bounds, fitting, staying inside.
@Suite struct ViewportBoxTests {
  @Test func theBoundsEncloseEveryPixelOfTheScreen() {
    var numbers = SeededNumbers(41)
    for _ in 0..<5000 {
      let view = anyView(&numbers, zoom: 0...20)
      let box = view.bounds
      #expect(box.west >= -180 && box.west < 180 && box.east >= -180 && box.east <= 180)
      #expect(box.south <= box.north)
      #expect(box.north <= WebMercator.maxLatitude && box.south >= -WebMercator.maxLatitude)
      let (w, h) = (
        Double(view.width) / Double(view.scale), Double(view.height) / Double(view.scale)
      )
      let slack = 1e-9
      let wide = GeoBounds(
        west: box.west, south: box.south - slack, east: box.east, north: box.north + slack)
      for (x, y) in [(0.0, 0.0), (w, 0), (0, h), (w, h), (w / 2, h / 2), (w / 3, 0)] {
        let place = WebMercator.unproject(view.world(x: x, y: y))
        let east = wrapped((place.lon - box.east) / 360) * 360
        let west = wrapped((place.lon - box.west) / 360) * 360
        #expect(wide.contains(place) || (abs(place.lat) <= 90 && min(abs(east), abs(west)) < slack))
      }
    }
  }

  @Test func theBoundsOfKnownViews() {
    var view = Viewport(center: GeoPoint(lat: 0, lon: 180), zoom: 2, width: 256, height: 256)
    #expect(view.bounds.west == 135 && view.bounds.east == -135)
    view.center.lon = -180
    #expect(view.bounds.west == 135 && view.bounds.east == -135)
    view.center.lon = 0
    #expect(view.bounds.west == -45 && view.bounds.east == 45)
    #expect(abs(view.bounds.north - atan(sinh(.pi / 4)) * 180 / .pi) < 1e-12)
    #expect(abs(view.bounds.south + view.bounds.north) < 1e-12)
    // Two pixels a point: half of that.
    view.scale = 2
    #expect(view.bounds.west == -22.5 && view.bounds.east == 22.5)
    // East on top: the box stands on its side.
    view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: 2, bearing: 90, width: 512, height: 256)
    #expect(abs(view.bounds.east - 45) < 1e-9)
    #expect(abs(view.bounds.north - atan(sinh(.pi / 2)) * 180 / .pi) < 1e-9)
    view.bearing = 45
    #expect(abs(view.bounds.east - 768 * 0.5.squareRoot() / 2 / 1024 * 360) < 1e-9)
  }

  @Test func aViewAsWideAsTheWorldShowsAllOfIt() {
    var numbers = SeededNumbers(43)
    for _ in 0..<2000 {
      var view = anyView(&numbers, zoom: 0...6)
      view.bearing = 0
      // Exactly as wide as the world, and wider.
      view.zoom = log2(Double(view.width) / Double(view.scale) / 256)
      #expect(view.bounds.west == -180 && view.bounds.east == 180)
      view.zoom -= numbers.number(0...3)
      #expect(view.bounds.west == -180 && view.bounds.east == 180)
      view.zoom += 3.5
      #expect(view.bounds.longitudeSpan < 360 * 0.9)
    }
    let whole = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: 0, width: 256, height: 256)
    #expect(whole.bounds == .world)
  }

  /// How far `box` reaches on the screen of `view` (points), its middle in the view's own copy.
  private func extent(_ box: GeoBounds, _ view: Viewport) -> (
    left: Double, right: Double, top: Double, bottom: Double
  ) {
    let size = 256 * exp2(view.zoom)
    let middle = textbook(lat: view.center.lat, lon: view.center.lon)
    let (top, bottom) = (
      textbook(lat: box.north, lon: 0).y - middle.y, textbook(lat: box.south, lon: 0).y - middle.y
    )
    let boxMiddle = wrapped((box.center.lon - view.center.lon) / 360)
    let half = box.longitudeSpan / 720
    let b = view.bearing * .pi / 180
    var xs: [Double] = []
    var ys: [Double] = []
    for (x, y) in [
      (boxMiddle - half, top), (boxMiddle + half, top), (boxMiddle - half, bottom),
      (boxMiddle + half, bottom),
    ] {
      xs.append((x * cos(b) + y * sin(b)) * size + Double(view.width) / Double(2 * view.scale))
      ys.append((-x * sin(b) + y * cos(b)) * size + Double(view.height) / Double(2 * view.scale))
    }
    return (xs.min()!, xs.max()!, ys.min()!, ys.max()!)
  }

  private func anyBox(_ numbers: inout SeededNumbers) -> GeoBounds {
    let (a, b) = (numbers.number(-85...85), numbers.number(-85...85))
    return GeoBounds(
      west: numbers.number(-180...180), south: min(a, b), east: numbers.number(-180...180),
      north: max(a, b))
  }

  @Test func aFittedBoxIsWholeOnTheScreenAndTouchesItsMargin() {
    var numbers = SeededNumbers(47)
    for _ in 0..<10_000 {
      var view = anyView(&numbers)
      (view.width, view.height) = (view.width + 200, view.height + 200)
      let box = anyBox(&numbers)
      let padding = numbers.number(0...30)
      let fitted = view.fitting(box, padding: padding, minZoom: -20, maxZoom: 40)
      let seen = extent(box, fitted)
      let (w, h) = (
        Double(view.width) / Double(view.scale), Double(view.height) / Double(view.scale)
      )
      let slack = 1e-5
      #expect(seen.left > padding - slack && seen.right < w - padding + slack)
      #expect(seen.top > padding - slack && seen.bottom < h - padding + slack)
      let fillsAcross = abs(seen.right - seen.left - (w - 2 * padding)) < slack
      let fillsDown = abs(seen.bottom - seen.top - (h - 2 * padding)) < slack
      #expect(fillsAcross || fillsDown)
      #expect(fitted.bearing == view.bearing && fitted.width == view.width)
    }
  }

  @Test func fittingKnownBoxes() {
    let view = Viewport(center: GeoPoint(lat: 1, lon: 2), zoom: 9, width: 1024, height: 512)
    let world = view.fitting(.world, padding: 0, minZoom: 0, maxZoom: 20)
    #expect(world.zoom == 1)
    #expect(abs(world.center.lat) < 1e-12 && abs(world.center.lon) < 1e-12)
    let dateline = GeoBounds(west: 170, south: -1, east: -170, north: 1)
    let across = view.fitting(dateline, padding: 0, minZoom: 0, maxZoom: 20)
    #expect(abs(across.center.lon) == 180)
    #expect(abs(across.zoom - log2(1024.0 / 256 * 18)) < 1e-12)
    // A point has no extent; margins wider than the screen leave one point.
    let point = GeoBounds(west: 7, south: 46, east: 7, north: 46)
    #expect(view.fitting(point, padding: 10, minZoom: 0, maxZoom: 17).zoom == 17)
    #expect(view.fitting(.world, padding: 5000, minZoom: 2, maxZoom: 17).zoom == 2)
  }

  @Test func aKeptViewStaysInsideItsBoxOrIsCentredOnIt() {
    var numbers = SeededNumbers(53)
    for _ in 0..<20_000 {
      let view = anyView(&numbers, zoom: 1...16)
      let box = anyBox(&numbers)
      let kept = view.kept(inside: box)
      var rest = kept
      rest.center = view.center
      #expect(rest == view)
      let size = WebMercator.worldSize(zoom: view.zoom)
      let half = view.enclosingHalfSize
      let (c, m) = (WebMercator.project(kept.center), WebMercator.project(box.center))
      let (top, bottom) = (
        textbook(lat: box.north, lon: 0).y, textbook(lat: box.south, lon: 0).y
      )
      let slack = 1e-5
      let off = abs(wrapped(c.x - m.x)) * size
      let room = box.longitudeSpan / 720 * size - half.x
      #expect(off <= max(room, 0) + slack)
      let roomDown = (bottom - top) / 2 * size - half.y
      #expect(abs(c.y - (top + bottom) / 2) * size <= max(roomDown, 0) + slack)
      // What fits already does not move, and it never takes two steps.
      let again = WebMercator.project(kept.kept(inside: box).center)
      #expect(abs(wrapped(again.x - c.x)) * size < slack && abs(again.y - c.y) * size < slack)
      let own = WebMercator.project(view.center)
      if abs(wrapped(own.x - m.x)) * size < room - slack {
        #expect(kept.center.lon == view.center.lon)
      }
      if abs(own.y - (top + bottom) / 2) * size < roomDown - slack {
        #expect(kept.center.lat == view.center.lat)
      }
    }
  }

  @Test func aKeptViewStopsAtTheNearerEdgeAcrossTheDateline() {
    // 16 points a degree.
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 150), zoom: log2(360.0 * 16 / 256), width: 160, height: 160)
    let box = GeoBounds(west: 160, south: -40, east: -160, north: 40)
    #expect(abs(view.kept(inside: box).center.lon - 165) < 1e-9)
    var other = view
    other.center.lon = -150
    #expect(abs(other.kept(inside: box).center.lon - -165) < 1e-9)
    other.center.lon = 179
    #expect(other.kept(inside: box) == other)
    other.center.lon = -179
    #expect(other.kept(inside: box) == other)
    // Narrower than the view: its middle.
    let narrow = GeoBounds(west: 179, south: -40, east: -179, north: 40)
    #expect(abs(abs(view.kept(inside: narrow).center.lon) - 180) < 1e-9)
    #expect(view.kept(inside: .world).center.lon == 150)
  }
}
