import Features
import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// A line that is selected comes into view, also while the position is followed.
@Suite struct SelectedLineViewTests: FollowCase {
  /// A kiosk at the first place with a line from `west` to `east` through the latitude of that.
  private func bench(
    _ west: Double, _ east: Double, lat: Double = 46.02,
    _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    let json = "{\"type\":\"LineString\",\"coordinates\":[[\(west),\(lat)],[\(east),\(lat)]]}"
    let bench = try Bench([], width: 800, height: 480) {
      $0.view.zoom = 15
      $0.view.center = places[0]
      $0.overlays = [
        Configuration.Overlay(name: "way", content: .geoJSON(json), level: .aboveRoads)
      ]
      set(&$0)
    }
    try bench.settle()
    return bench
  }

  /// Whether any of the line is beside its card.
  private func isSeen(_ bench: Bench) throws -> Bool {
    let line = try #require(bench.kiosk.selection.line)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let view = bench.kiosk.shownView
    let room = LineRoom(view, panel: panel, plates: bench.kiosk.overMap.plates)
    return room.shows(line.features, of: line.drawing.features, in: view)
  }

  private func select(_ bench: Bench) throws {
    #expect(bench.kiosk.selectLine(of: "way", feature: 0) == nil)
    try bench.settle()
    try rest(bench)
  }

  @Test func aFollowedPositionKeepsTheViewWhileAnyOfTheLineIsSeen() throws {
    // It leaves the view on the right.
    let bench = try bench(7.755, 7.9)
    try take(fix(0), bench)
    try select(bench)
    #expect(try isSeen(bench))
    #expect(bench.kiosk.view.position.isFollowing)
    #expect(bench.kiosk.goal.zoom == 15)
  }

  @Test(arguments: [(480, 800), (320, 480)])
  func theCardOfALineDoesNotHideThePositionThatTheViewFollows(
    _ width: Int, _ height: Int
  ) throws {
    let bench = try bench(7.741, 7.759) {
      $0.display.size = DisplaySize(width: width, height: height)
      let json =
        "{\"type\":\"LineString\",\"coordinates\":[[7.741,46.02,900],[7.75,46.02,990],"
        + "[7.759,46.02,950]]}"
      $0.overlays[0].content = .geoJSON(json)
      $0.overlays[0].travel = .hiking
    }
    try take(fix(0), bench)
    try select(bench)
    #expect(bench.kiosk.view.position.isFollowing)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let at = bench.kiosk.shownView.screen(places[0])
    #expect(abs(at.x - Double(width) / 2) < 1 && abs(at.y - Double(height) / 2) < 1)
    let dot = PixelRect(x: Int(at.x) - 29, y: Int(at.y) - 29, width: 59, height: 59)
    #expect(!dot.intersects(panel))
    #expect(try isSeen(bench))
  }

  @Test func aLineOutOfViewPausesFollowingAsAPanDoes() throws {
    let bench = try bench(8.1, 8.12)
    try take(fix(0), bench)
    #expect(bench.kiosk.view.position.isFollowing)
    try select(bench)
    #expect(try isSeen(bench))
    #expect(!bench.kiosk.view.position.isFollowing)
    // Closing the card leaves the view; home goes back to the position.
    bench.kiosk.clearSelection()
    #expect(!bench.kiosk.view.position.isFollowing)
    bench.kiosk.home(animate: false)
    try rest(bench)
    #expect(bench.kiosk.view.position.isFollowing)
    #expect(abs(bench.kiosk.goal.center.lon - places[0].lon) < 1e-6)
  }

  @Test func aLineUnderItsCardIsNotSeen() throws {
    // Left of the middle, where the card lies.
    let bench = try bench(7.741, 7.742)
    try take(fix(0), bench)
    try select(bench)
    #expect(try isSeen(bench))
    #expect(!bench.kiosk.view.position.isFollowing)
  }

  @Test func withoutAPositionALineOutOfViewComesIntoView() throws {
    let bench = try bench(8.1, 8.12)
    try select(bench)
    #expect(try isSeen(bench))
    // Once more, after somebody moved the map.
    bench.kiosk.pan(dx: 3000, dy: 0, animate: false)
    try bench.settle()
    #expect(try !isSeen(bench))
    try select(bench)
    #expect(try isSeen(bench))
  }

  @Test func aLineThatIsSelectedWhileTheMapMovesComesIntoView() throws {
    let bench = try bench(8.1, 8.12)
    bench.kiosk.pan(dx: 0, dy: 2000, animate: true)
    #expect(bench.kiosk.view.isMoving)
    try select(bench)
    #expect(try isSeen(bench))
  }

  @Test(arguments: [0.0, 215])
  func theWayAcrossTheDatelineIsTheShortOne(_ bearing: Double) throws {
    let bench = try bench(-179.9, -179.7, lat: 10) {
      $0.view.center = GeoPoint(lat: 10, lon: 0.15)
      ($0.view.zoom, $0.view.bearing) = (10, bearing)
    }
    // Its ends are nearest on different copies of the world.
    try select(bench)
    #expect(try isSeen(bench))
    #expect(bench.kiosk.goal.zoom == 10)
  }

  @Test func aLineAcrossTheDatelineComesIntoView() throws {
    let bench = try bench(179.6, -179.7, lat: 10) {
      $0.view.center = GeoPoint(lat: 10, lon: 120)
      $0.view.zoom = 8
    }
    try select(bench)
    #expect(try isSeen(bench))
    #expect(bench.kiosk.goal.zoom == 8)
    #expect(abs(bench.kiosk.goal.center.lon) > 178)
    // Without need the map stays.
    let before = bench.kiosk.goal
    try select(bench)
    #expect(bench.kiosk.goal == before)
  }

  @Test func whatEndsInTheRoomOrPassesThroughItIsSeen() throws {
    let bench = try bench(7.75, 7.76)
    try select(bench)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let view = bench.kiosk.shownView
    let room = LineRoom(view, panel: panel, plates: [])
    func isSeen(_ a: (Double, Double), _ b: (Double, Double)) throws -> Bool {
      let ends = [a, b].map { WebMercator.unproject(view.world(x: $0.0, y: $0.1)) }
      let json = ends.map { "[\($0.lon),\($0.lat)]" }.joined(separator: ",")
      let text = "{\"type\":\"LineString\",\"coordinates\":[\(json)]}"
      let set = try FeatureSet(
        bytes: Array(text.utf8), name: "line", options: FeatureOptions())
      return room.shows(0..<1, of: set, in: view)
    }
    #expect(try isSeen((-500, 240), (1500, 240)))
    #expect(try isSeen((600, -90), (600, 900)))
    #expect(try isSeen((600, 200), (610, 210)))
    #expect(try isSeen((600, 200), (5000, 5000)))
    #expect(try !isSeen((700, -300), (1200, 200)))
    #expect(try !isSeen((-500, -10), (1500, -10)))
    #expect(try !isSeen((10, 20), (20, 300)))
  }

  @Test(
    arguments: [
      // A tall screen: notice, coordinates above the card, scale bar, attribution, legend.
      (
        480, 800, PixelRect(x: 13, y: 448, width: 454, height: 233),
        [
          PixelRect(x: 13, y: 13, width: 420, height: 60),
          PixelRect(x: 13, y: 402, width: 261, height: 36),
          PixelRect(x: 13, y: 691, width: 127, height: 40),
          PixelRect(x: 160, y: 705, width: 320, height: 39),
          PixelRect(x: 0, y: 744, width: 480, height: 56),
        ], (24.0, 97.0, 456.0, 378.0)
      ),
      (
        800, 480, PixelRect(x: 20, y: 29, width: 318, height: 262),
        [
          PixelRect(x: 433, y: 20, width: 347, height: 93),
          PixelRect(x: 258, y: 305, width: 542, height: 63),
          PixelRect(x: 0, y: 368, width: 800, height: 112),
        ], (362, 137, 776, 281)
      ),
      // A card above the position that the view follows.
      (
        320, 480, PixelRect(x: 12, y: 12, width: 296, height: 156),
        [
          PixelRect(x: 12, y: 347, width: 82, height: 45),
          PixelRect(x: 114, y: 357, width: 206, height: 47),
          PixelRect(x: 0, y: 404, width: 320, height: 76),
        ], (24, 192, 296, 323)
      ),
    ] as [(Int, Int, PixelRect, [PixelRect], (Double, Double, Double, Double))])
  func theRoomOfALineIsClearOfEverythingOverTheMap(
    _ width: Int, _ height: Int, _ panel: PixelRect, _ plates: [PixelRect],
    _ wanted: (Double, Double, Double, Double)
  ) {
    let view = Viewport(
      center: places[0], zoom: 15, width: width, height: height, scale: 1)
    let room = LineRoom(view, panel: panel, plates: [panel] + plates)
    #expect((room.left, room.top, room.right, room.bottom) == wanted)
  }

  @Test func aRoomWithoutPlatesIsWholeAndACoveredOneIsEmpty() {
    let room = PixelRect(x: 100, y: 0, width: 300, height: 200)
    #expect(LineRoom.largest(in: room, clearOf: []) == room)
    #expect(LineRoom.largest(in: room, clearOf: [room]).isEmpty)
    let corner = PixelRect(x: 380, y: 180, width: 40, height: 40)
    #expect(
      LineRoom.largest(in: room, clearOf: [corner])
        == PixelRect(x: 100, y: 0, width: 280, height: 200))
  }

  /// Whether the point of a line is under a plate.
  private func isCovered(_ bench: Bench, _ place: GeoPoint) -> Bool {
    let at = bench.kiosk.shownView.screen(place)
    let pixel = PixelRect(x: Int(at.x), y: Int(at.y), width: 1, height: 1)
    return bench.kiosk.overMap.plates.contains { $0.intersects(pixel) }
  }

  @Test func onATallWallTheLineAndHereAreSeenBesideTheCard() throws {
    let bench = try bench(7.741, 7.759) {
      $0.display.size = DisplaySize(width: 480, height: 800)
      $0.hud.size = 3
      $0.hud.scaleBar = true
      $0.hud.coordinates = true
      $0.notices = [Configuration.Notice(id: "a", text: "Bridge closed")]
      $0.markers = [Configuration.Marker(id: "here", place: places[0])]
      // With elevations, so that the card has all figures and a profile.
      let json =
        "{\"type\":\"LineString\",\"coordinates\":[[7.741,46.02,900],[7.75,46.02,990],"
        + "[7.759,46.02,950]]}"
      $0.overlays[0].content = .geoJSON(json)
      $0.overlays[0].travel = .hiking
    }
    try select(bench)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    #expect(panel.height > 240)
    let pin = try #require(bench.kiosk.overMap.heresShown(in: bench.kiosk.shownView).first)
    #expect(!pin.intersects(panel))
    for lon in [7.741, 7.745, 7.75, 7.755, 7.759] {
      #expect(!isCovered(bench, GeoPoint(lat: 46.02, lon: lon)), "\(lon)")
    }
    // Above the card there is room for both.
    let west = bench.kiosk.shownView.screen(GeoPoint(lat: 46.02, lon: 7.741))
    #expect(west.x >= 0 && west.y < Double(panel.y))
  }

  /// Puts "here" on column `x` at the lower left, and selects the line. Returns where the card and
  /// the pin are then.
  private func selectBesideHere(
    _ bench: Bench, x: Double
  ) throws -> (panel: PixelRect, pin: PixelRect) {
    let place = WebMercator.unproject(bench.kiosk.shownView.world(x: x, y: 440))
    _ = try bench.kiosk.setMarker([
      "id": "here", "lat": .double(place.lat), "lon": .double(place.lon),
    ])
    try bench.settle()
    try select(bench)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let pin = try #require(bench.kiosk.overMap.heresShown(in: bench.kiosk.shownView).first)
    return (panel, pin)
  }

  @Test func aPinOfHereAwayFromTheLineIsNotLeftUnderTheCard() throws {
    let bench = try bench(7.753, 7.756)
    let zoom = bench.kiosk.goal.zoom
    let (panel, pin) = try selectBesideHere(bench, x: 200)
    #expect(!pin.intersects(panel))
    #expect(bench.kiosk.goal.zoom == zoom)
    for lon in [7.753, 7.756] {
      let at = bench.kiosk.shownView.screen(GeoPoint(lat: 46.02, lon: lon))
      #expect(at.x > Double(panel.maxX) && at.x < 800)
    }
  }

  @Test func whereALineIsShownDependsOnItsCardAndNotOnTheKeyThatIsStillOnTheScreen() throws {
    let (plain, keyed) = (try bench(7.741, 7.742), try bench(7.741, 7.742) { $0.hud.mapKey = true })
    let key = try #require(keyed.kiosk.overMap.panelRect)
    #expect(keyed.kiosk.selectLine(of: "way", feature: 0) == nil)
    // Before a frame was drawn.
    let goal = keyed.kiosk.goal
    try keyed.settle()
    try rest(keyed)
    #expect(keyed.kiosk.goal == goal)
    let card = try #require(keyed.kiosk.overMap.panelRect)
    #expect(key.width < card.width)
    try select(plain)
    #expect(plain.kiosk.goal == goal)
    #expect(try isSeen(keyed))
  }

  @Test func aLineComesToRestAtTheSamePlaceHoweverSoonAfterAnotherOne() throws {
    let lines = { (c: inout Configuration) in
      let ways = [(7.741, 7.742, 46.02), (7.75, 7.79, 46.03), (7.73, 7.7305, 46.01)].map {
        "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\","
          + "\"coordinates\":[[\($0.0),\($0.2)],[\($0.1),\($0.2)]]}}"
      }
      c.overlays[0].content = .geoJSON(
        "{\"type\":\"FeatureCollection\",\"features\":[\(ways.joined(separator: ","))]}")
      c.hud.mapKey = true
    }
    let (quick, slow) = (try bench(0, 0, lines), try bench(0, 0, lines))
    for feature in 0..<3 {
      #expect(quick.kiosk.selectLine(of: "way", feature: feature) == nil)
      #expect(slow.kiosk.selectLine(of: "way", feature: feature) == nil)
      try slow.settle()
      try rest(slow)
      #expect(quick.kiosk.goal == slow.kiosk.goal, "\(feature)")
    }
    try quick.settle()
    try rest(quick)
    #expect(try isSeen(quick))
  }

  @Test func thePinOfHereIsSeenBesideTheCardEvenIfTheMapMustGoFurtherOut() throws {
    let bench = try bench(7.753, 7.756)
    // At this zoom line and pin are further apart than the room beside the card is wide.
    let zoom = bench.kiosk.goal.zoom
    let (panel, pin) = try selectBesideHere(bench, x: 30)
    #expect(pin.x >= panel.maxX && pin.maxX <= 800 && pin.y >= 0 && pin.maxY <= 480)
    #expect(try isSeen(bench))
    #expect(bench.kiosk.goal.zoom < zoom && bench.kiosk.goal.zoom >= zoom - 1)
  }

  @Test func aCallThatSelectsALineEndsTheTour() throws {
    let bench = try bench(7.75, 7.76) {
      $0.view.tourAfter = 60
      // Where the line is seen, so that the map need not move.
      $0.tour = [Configuration.TourStop(center: places[0])]
    }
    bench.kiosk.continueTour()
    try bench.settle()
    #expect(bench.kiosk.tour.isRunning)
    try select(bench)
    #expect(!bench.kiosk.tour.isRunning)
    #expect(try isSeen(bench))
  }

  @Test func aCardThatACallOpenedClosesWithHomeAfter() throws {
    let bench = try bench(7.75, 7.76) { $0.view.homeAfter = 60 }
    let timer = try #require(bench.kiosk.view.homeTimer)
    timer.cancel()
    try select(bench)
    #expect(timer.isArmed)
    bench.kiosk.returnHome()
    #expect(bench.kiosk.selection.line == nil)
  }
}
