import EventLoop
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Testing

@testable import Configuration
@testable import Kiosk

/// What is drawn of the position: dot, arrow, accuracy, age and track.
@Suite struct PositionDrawingTests: FollowCase {
  @Test func theDotIsLargeAndStandsInTheMiddleWithARing() throws {
    let bench = try bench()
    try take(fix(0), bench)
    try bench.settle()
    let picture = try bench.picture()
    #expect(picture[200, 150] == 0xFF1A_73E8)
    let ring = (0..<400).filter { picture[$0, 150] == 0xFFFF_FFFF }
    let dot = (0..<400).filter { picture[$0, 150] == 0xFF1A_73E8 }
    #expect((ring.last ?? 0) - (ring.first ?? 0) >= 22)
    #expect(dot.count >= 16)
    #expect(ring.contains { $0 < dot[0] } && ring.contains { $0 > dot[dot.count - 1] })
  }

  @Test func aLostFixIsGreyWithItsAgeBesideIt() throws {
    let bench = try bench()
    try take(fix(0), bench)
    try bench.settle()
    #expect(bench.kiosk.positionInfo.state == "fix")
    bench.kiosk.view.takeFix(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    bench.kiosk.changed()
    try bench.settle()
    #expect(bench.kiosk.positionInfo.state == "lost")
    #expect(bench.kiosk.view.position.picture(at: EventLoop.now())?.age == 60)
    #expect(bench.kiosk.overMap.sprites(on: .position).count == 2)
    let picture = try bench.picture()
    // A hollow ring: the map in the middle, grey around it.
    #expect(picture[200, 150] != PictureTheme.day.secondInk)
    #expect((200...216).contains { picture[$0, 150] == PictureTheme.day.secondInk })
    // Counted on each minute.
    #expect(bench.kiosk.view.position.lostTimer?.isArmed == true)
    try take(fix(0), bench)
    #expect(bench.kiosk.overMap.sprites(on: .position).count == 1)
  }

  @Test func aLostFixHasNoChevron() throws {
    let bench = try bench()
    /// The width of the dot's picture once a fix is `age` seconds old.
    func width(age: UInt64, heading: Double?) throws -> Int {
      bench.kiosk.view.takeFix(
        fix(0, heading: heading, speed: 9), from: .socket,
        now: EventLoop.now() - age * 1_000_000_000)
      bench.kiosk.changed()
      try bench.settle()
      return try #require(bench.kiosk.overMap.sprites(on: .position).first).image.width
    }
    let plain = try width(age: 65, heading: nil)
    #expect(try width(age: 65, heading: 90) == plain)
    #expect(try width(age: 0, heading: 90) > plain)
  }

  @Test(arguments: [(480, 800), (320, 240), (800, 480)])
  func theAgeOfALostFixIsWholeOnTheScreenAndClearOfThePlates(_ width: Int, _ height: Int) throws {
    let bench = try bench {
      $0.display.size = DisplaySize(width: width, height: height)
      $0.hud.size = 3
      $0.hud.scaleBar = true
      $0.hud.languages = ["de"]
    }
    bench.kiosk.view.takeFix(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    try bench.settle()
    let sprites = bench.kiosk.overMap.sprites(on: .position)
    #expect(sprites.count == 2)
    let age = try #require(sprites.last).rect
    // With its shadow, which may lie beyond the edge.
    let screen = PixelRect(x: -24, y: -24, width: width + 48, height: height + 48)
    #expect(age.intersection(screen) == age)
    for plate in bench.kiosk.overMap.plates {
      let inner = PixelRect(
        x: plate.x + 24, y: plate.y + 24, width: plate.width - 48, height: plate.height - 48)
      #expect(!inner.intersects(age))
    }
  }

  @Test func theAgeOfALostFixGivesWayToAMarker() throws {
    let bench = try bench { $0.display.size = DisplaySize(width: 800, height: 300) }
    bench.kiosk.view.takeFix(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    try bench.settle()
    func age() throws -> PixelRect {
      try #require(bench.kiosk.overMap.sprites(on: .position).last).rect
    }
    let right = try age()
    #expect(right.x > 400)
    let place = bench.kiosk.goal.panned(dx: 40, dy: 0).center
    _ = try bench.kiosk.setMarker(
      ["id": "a", "lat": .double(place.lat), "lon": .double(place.lon)])
    try bench.settle()
    #expect(try age().maxX < 400)
    #expect(bench.kiosk.removeMarker("a"))
    try bench.settle()
    #expect(try age() == right)
  }

  @Test func theAgeOfALostFixIsLeftOutWhereAPlateWouldHideIt() throws {
    let bench = try bench()
    bench.kiosk.view.takeFix(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    try bench.settle()
    let (position, stack) = (PositionSprites(bench.kiosk.overMap.painter), SpriteStack())
    let shown = try #require(bench.kiosk.view.position.picture(at: EventLoop.now()))
    func isCounted(under plates: [PixelRect]) -> Bool {
      position.replace()
      return position.layOut(
        shown, bench.kiosk.view.position.track, in: bench.kiosk.shownView, on: stack,
        clearOf: PlateSides.Obstacles(plates: plates), under: plates, edge: nil)
    }
    #expect(isCounted(under: []))
    #expect(stack.sprites(on: .position).count == 2)
    #expect(!isCounted(under: [PixelRect(x: 0, y: 0, width: 400, height: 300)]))
    #expect(stack.sprites(on: .position).count == 1)
  }

  @Test func theAgeOfALostFixKeepsClearOfHereAndOfTheCallout() throws {
    let bench = try bench { $0.display.size = DisplaySize(width: 800, height: 480) }
    try take(fix(0), bench)
    _ = try bench.kiosk.setMarker(
      ["id": "here", "lat": 46.02, "lon": 7.75, "label": "You are here", "text": "A hut"])
    try bench.settle()
    let over = bench.kiosk.overMap
    #expect(over.ageObstacles(in: bench.kiosk.shownView).heres.count == 2)
    over.markers.select("here")
    bench.kiosk.changed()
    try bench.settle()
    let callout = try #require(over.markers.calloutRect)
    #expect(over.ageObstacles(in: bench.kiosk.shownView).plates.contains(callout))
  }

  /// A map with the legend of a button, which does not follow the position.
  private func benchWithLegend() throws -> Bench {
    let bench = try bench {
      $0.position.follow = false
      $0.view.center = places[0]
      $0.hud.buttons = true
      $0.gpio.buttons = [.init(line: .offset(17), action: .zoomIn, hold: .nothing)]
    }
    try bench.settle()
    return bench
  }

  @Test(arguments: [nil, 0.0, 180])
  func aDotAtTheUpperEdgeOfTheLegendIsWhole(_ heading: Double?) throws {
    let bench = try benchWithLegend()
    let over = bench.kiosk.overMap
    let legend = try #require(over.hud.legendRect)
    // Without a heading it is lost, with its age beside it; a lost one has no arrow.
    let isLost = heading == nil
    let ink = isLost ? PictureTheme.day.secondInk : PictureTheme.day.position
    func show(_ x: Int, _ y: Int) throws {
      let place = WebMercator.unproject(bench.kiosk.shownView.world(x: Double(x), y: Double(y)))
      bench.kiosk.view.takeFix(
        Fix(place: place, heading: heading, speed: 5), from: .socket,
        now: EventLoop.now() - (isLost ? 65_000_000_000 : 1_500_000_000))
      bench.kiosk.changed()
      try bench.settle()
    }
    try show(120, legend.y - 6)
    let dot = try #require(over.sprites(on: .positionInFront).first)
    // The age is below the plates, as usual.
    #expect(over.sprites(on: .position).count == (isLost ? 1 : 0))
    let picture = try bench.picture()
    #expect((legend.y...legend.y + 4).contains { picture[120, $0] == ink })
    // An arrow that would cover the legend is left out.
    #expect((dot.image.height > 50) == (heading == 0))
    // One whose place is under the legend is not seen.
    try show(120, legend.y + 4)
    #expect(over.sprites(on: .positionInFront).isEmpty)
    #expect(over.sprites(on: .position).count == (isLost ? 2 : 1))
    try show(120, legend.y - 40)
    #expect(over.sprites(on: .positionInFront).isEmpty)
  }

  @Test func aLegendThatComesDoesNotCutADotThatRests() throws {
    let bench = try benchWithLegend()
    let over = bench.kiosk.overMap
    let edge = try #require(over.hud.legendRect).y
    over.showHud(["buttons": false])
    let place = WebMercator.unproject(bench.kiosk.shownView.world(x: 120, y: Double(edge - 6)))
    bench.kiosk.view.takeFix(Fix(place: place), from: .socket, now: EventLoop.now())
    bench.kiosk.changed()
    try bench.settle()
    #expect(over.sprites(on: .positionInFront).isEmpty)
    over.showHud(["buttons": true])
    bench.loop.runOnce(timeout: 0)
    #expect(over.hud.legendRect != nil)
    #expect(over.sprites(on: .positionInFront).count == 1)
    #expect(over.sprites(on: .position).isEmpty)
  }

  @Test func theArrowPointsWhereTheHeadingIsOnTheScreen() throws {
    let bench = try bench()
    try take(fix(0, heading: 90, speed: 9), bench)
    try bench.settle()
    let picture = try bench.picture()
    let blue = { (x: Int, y: Int) in picture[x, y] == 0xFF1A_73E8 }
    #expect(blue(224, 150))
    #expect(!blue(184, 150) && !blue(200, 134) && !blue(200, 166))
  }

  @Test func theCircleIsAsLargeAsTheAccuracy() throws {
    let bench = try bench()
    var certain = fix(0)
    let metres = WebMercator.metersPerPoint(lat: places[0].lat, zoom: 15)
    certain.accuracy = 100 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).map(\.image.width) == [205])
    // A larger one is a dotted line, one that reaches beyond the screen nothing.
    certain.accuracy = 180 * metres
    try take(certain, bench)
    let dots = bench.kiosk.overMap.sprites(on: .accuracy)
    #expect(dots.count > 20 && dots.count < 90)
    for dot in dots {
      let (dx, dy) = (Double(dot.x + 3 - 200), Double(dot.y + 3 - 150))
      #expect(abs((dx * dx + dy * dy).squareRoot() - 180) < 2)
    }
    certain.accuracy = 5000 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).isEmpty)
    certain.accuracy = 3 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).isEmpty)
  }

  @Test func theTrackIsDotsThatStandApart() throws {
    let bench = try bench()
    let start = bench.kiosk.goal
    for n in 0..<400 {
      let place = start.panned(dx: Double(n) * 3, dy: Double(n % 7)).center
      bench.kiosk.take(Fix(place: place), from: .socket)
    }
    try rest(bench)
    let dots = bench.kiosk.overMap.sprites(on: .track)
    #expect(dots.count > 10 && dots.count <= CrumbChoice.most)
    for (a, b) in zip(dots, dots.dropFirst()) {
      let (dx, dy) = (Double(a.x - b.x), Double(a.y - b.y))
      #expect((dx * dx + dy * dy).squareRoot() > 6.5)
    }
    var without = bench.kiosk.configuration
    without.position.track = false
    bench.kiosk.apply(without)
    try rest(bench)
    #expect(bench.kiosk.overMap.sprites(on: .track).isEmpty)
    #expect(bench.kiosk.view.position.track.count == 0)
  }

  @Test func aTrackIsDrawnFromTwoDotsBesideThePositionOn() throws {
    let bench = try bench {
      $0.position.follow = false
      $0.view.center = places[1]
    }
    // The last fix is lost: its ring hides the end of the track.
    for (n, count) in [0, 0, 2].enumerated() {
      bench.kiosk.view.takeFix(
        fix(n), from: .socket, now: EventLoop.now() - 65_000_000_000)
      bench.kiosk.changed()
      try bench.settle()
      #expect(bench.kiosk.view.position.track.count == n + 1)
      #expect(bench.kiosk.overMap.sprites(on: .track).count == count, "\(n)")
    }
  }

  @Test func aMovedDotLeavesNothingBehind() throws {
    let bench = try bench {
      $0.position.follow = false
      $0.position.track = false
      $0.view.center = GeoPoint(lat: 46.0205, lon: 7.7507)
    }
    try bench.settle()
    for n in [0, 1, 2, 1] { try take(fix(n, heading: Double(n) * 100, speed: 9), bench) }
    try bench.settle()
    let moved = try bench.picture()
    bench.kiosk.pipeline.scene.invalidate()
    bench.kiosk.changed()
    try bench.settle()
    #expect(try bench.picture() == moved)
  }
}
