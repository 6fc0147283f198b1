import Control
import EventLoop
import Inputs
import MapGeometry
import MapScene
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Markers in a running kiosk.
@Suite struct MarkerKioskTests: MarkerCase {
  @Test func aMarkerThatComesMovesAndGoesCostsItsBlocksAndNoMore() throws {
    let bench = try bench(width: 1024, height: 768)
    try bench.settle()
    let plain = bench.panel()
    bench.display.damage = []
    _ = try bench.kiosk.setMarker(["id": "a", "lat": 40.98, "lon": 5])
    try bench.settle()
    let rect = try #require(bench.kiosk.overMap.sprites.first).rect
    #expect(bench.display.damage.count == 1)
    for part in bench.display.damage[0] { #expect(part.intersects(rect)) }
    #expect(bench.display.damage[0].count <= 4)
    #expect(bench.panel() != plain)
    // The same again changes nothing and costs no frame.
    let frames = bench.kiosk.presentedFrames
    _ = try bench.kiosk.setMarker(["id": "a", "lat": 40.98, "lon": 5])
    try bench.settle()
    #expect(bench.kiosk.presentedFrames == frames)
    _ = try bench.kiosk.setMarker(["id": "a", "lat": 41, "lon": 16])
    try bench.settle()
    #expect(bench.kiosk.removeMarker("a"))
    try bench.settle()
    #expect(bench.panel() == plain)
    #expect(!bench.kiosk.removeMarker("a"))
  }

  @Test func aTapOpensTheCalloutAndAnotherOneClosesIt() throws {
    let bench = try bench { $0.markers = [marker("hut", 40.98, 11.25, "Hut", "Open in summer")] }
    let told = events(bench)
    try bench.settle()
    let plain = bench.panel()
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    frame(bench)
    #expect(bench.kiosk.overMap.sprites(on: .callout).count == 2)
    #expect(bench.panel() != plain)
    bench.kiosk.handle(TouchEvent.tapped(x: 30, y: 30))
    try bench.settle()
    #expect(bench.panel() == plain)
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    try bench.settle()
    #expect(bench.panel() == plain)
    #expect(told() == ["tapped hut", "closed hut", "tapped hut", "closed hut"])
  }

  @Test func whatNamesOfTheMapKeepClearOfDoesNotDependOnTheTheme() throws {
    let bench = try bench {
      $0.markers = [marker("hut", 40.98, 11.25, "Hut", "Open in summer")]
      $0.position.follow = false
    }
    let kiosk = bench.kiosk
    try bench.settle()
    kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    // A lost fix, whose age is on a plate.
    let fix = Fix(place: kiosk.goal.panned(dx: -120, dy: 60).center)
    kiosk.view.takeFix(fix, from: .socket, now: EventLoop.now() - 65_000_000_000)
    func obstacles(_ mode: Configuration.Theme.Mode) throws -> [PixelRect] {
      kiosk.setTheme(mode)
      // The toast that tells of the change would be one of them.
      kiosk.showToast("")
      kiosk.changed()
      try bench.settle()
      #expect(kiosk.overMap.sprites(on: .callout).count == 2)
      #expect(kiosk.overMap.sprites(on: .position).count == 2)
      var rects: [PixelRect] = []
      kiosk.overMap.addObstacles(to: &rects)
      return rects
    }
    let day = try obstacles(.day)
    let night = try obstacles(.night)
    #expect(kiosk.isNight && day == night)
  }

  /// One batch of a client removes a marker and selects: no frame comes between the two.
  @Test func aMarkerRemovedSinceTheFrameIsNotSelected() throws {
    let bench = try bench { $0.markers = [self.marker("v", 40.98, 11.25, "V")] }
    try bench.settle()
    #expect(bench.kiosk.removeMarker("v"))
    #expect(bench.kiosk.press(.select) == "no marker and no line is on the screen")
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .callout).isEmpty)
  }

  @Test func theSelectButtonGoesThroughTheMarkersFromTheMiddleOut() throws {
    let bench = try bench {
      $0.markers = [
        marker("far", 40.98, 15, "Far"), marker("near", 40.98, 11.4, "Near"),
        marker("away", 40.98, 60),
      ]
    }
    let told = events(bench)
    try bench.settle()
    for _ in 0..<4 {
      #expect(bench.kiosk.press(.select) == nil)
      frame(bench)
    }
    #expect(
      told() == ["selected near", "closed near", "selected far", "closed far", "selected near"]
        || told() == ["selected near", "selected far", "closed far", "selected near"])
    // Home puts it away.
    _ = bench.kiosk.press(.home)
    frame(bench)
    #expect(bench.kiosk.overMap.sprites(on: .callout).isEmpty)
    var view = bench.kiosk.goal
    view.center = GeoPoint(lat: 0, lon: 0)
    bench.kiosk.go(to: view, animate: false)
    frame(bench)
    #expect(bench.kiosk.press(.select) == "no marker and no line is on the screen")
  }

  @Test func aTapOnAClusterGoesCloserUntilItsMarkersStandApart() throws {
    let bench = try bench {
      $0.markers = [marker("a", 40.98, 11.25), marker("b", 41.2, 11.5), marker("c", 40.9, 11)]
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .markers).count == 1)
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 150))
    #expect(bench.kiosk.goal.zoom > 6)
    while bench.kiosk.view.isMoving { bench.loop.runOnce(timeout: 1_000_000) }
    frame(bench)
    #expect(bench.kiosk.overMap.sprites(on: .markers).count == 3)
  }

  @Test func aClusterThatOnlyMuchCloserSeparatesIsOpenedAtOnceAndBesideThePlates() throws {
    let bench = try bench {
      $0.markers = [marker("a", 40.98, 11.25), marker("b", 40.98, 11.252)]
      $0.hud.buttons = true
      $0.gpio.buttons = [.init(line: .offset(0), action: .select, hold: .nothing)]
    }
    let flood = String(repeating: "Flooded between the jetty and the bird hide. ", count: 4)
    _ = try bench.kiosk.setNotice(["id": "flood", "text": .string(flood)])
    try bench.settle()
    #expect(bench.kiosk.press(.selectNext) == nil)
    #expect(bench.kiosk.press(.select) == nil)
    try bench.settle()
    // 93 points between the two, and 47 a level further out.
    #expect(bench.kiosk.goal.zoom == 16)
    let icons = bench.kiosk.overMap.sprites(on: .markers).map(\.rect)
    #expect(icons.count == 2)
    let screen = PixelRect(x: 0, y: 0, width: 400, height: 300)
    for icon in icons {
      #expect(icon.intersection(screen) == icon)
      #expect(!bench.kiosk.overMap.plates.contains { $0.intersects(icon) })
    }
  }

  @Test func markersAtOnePlaceShowWhatTheFirstSays() throws {
    let bench = try bench {
      $0.markers = [marker("a", 40.98, 11.25, "A"), marker("b", 40.98, 11.25, "B")]
      $0.view.zoom = 20
      $0.view.maxZoom = 20
    }
    let told = events(bench)
    frame(bench)
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 150))
    frame(bench)
    #expect(told() == ["tapped a"])
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 150))
    #expect(told() == ["tapped a", "closed a"])
  }

  @Test func theWordsOfAnOverlayStandUprightOnTheScreen() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Hut"},
      "geometry":{"type":"Point","coordinates":[11.25,40.98]}}]}
      """, to: "places.geojson")
    let bench = try bench {
      var overlay = Configuration.Overlay(
        name: "places", content: .file(folder["places.geojson"]), level: .aboveRoads)
      overlay.label = "name"
      $0.overlays = [overlay]
      $0.view.bearing = 40
    }
    try bench.settle()
    let words = bench.kiosk.overMap.sprites(on: .labels)
    #expect(words.count == 1)
    let rect = try #require(words.first).rect
    // Right of the place in the middle of the screen.
    #expect(rect.x > 200 && rect.x < 215 && rect.y < 150 && rect.maxY > 150)
    #expect(bench.kiosk.showOverlay("places", false))
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .labels).isEmpty)
  }

  @Test func aReloadKeepsWhatWasSetOverTheSocket() throws {
    let bench = try bench { $0.markers = [marker("a", 1, 1), marker("b", 2, 2)] }
    _ = try bench.kiosk.setMarker(["id": "own", "lat": 3, "lon": 3])
    _ = try bench.kiosk.setMarker(["id": "b", "lat": 9, "lon": 9])
    var new = bench.kiosk.configuration
    new.markers = [marker("c", 4, 4), marker("a", 5, 5)]
    bench.kiosk.apply(new)
    let all = bench.kiosk.markers.all
    #expect(all.map(\.id) == ["c", "a", "own"] || all.map(\.id) == ["c", "a", "b", "own"])
    #expect(all.first { $0.id == "a" }?.place.lat == 5)
    #expect(bench.kiosk.isAddedMarker("own"))
    // One that the configuration now has is the configuration's.
    new.markers = [marker("own", 7, 7)]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.markers["own"]?.place.lat == 7)
    #expect(!bench.kiosk.isAddedMarker("own"))
  }

  @Test func aReloadBringsBackWhatWasRemovedAndKeepsWhatReplacedAnUnchangedMarker() throws {
    let bench = try bench { $0.markers = [marker("a", 1, 1), marker("b", 2, 2)] }
    _ = try bench.kiosk.setMarker(["id": "own", "lat": 3, "lon": 3])
    _ = try bench.kiosk.setMarker(["id": "b", "lat": 9, "lon": 9])
    #expect(bench.kiosk.removeMarker("a"))
    let told = events(bench)
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.kiosk.markers.all.map(\.id) == ["a", "b", "own"])
    #expect(bench.kiosk.markers["b"]?.place.lat == 9)
    #expect(bench.kiosk.isAddedMarker("b"))
    #expect(told() == ["set a"])
    var new = bench.kiosk.configuration
    new.markers = [marker("b", 2, 2.5)]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.markers["b"]?.place.lon == 2.5)
    #expect(!bench.kiosk.isAddedMarker("b"))
    #expect(told() == ["set a", "removed a", "set b"])
  }

  @Test func theWordsOfHereStandOnTheSideThatTheScreenHasRoomFor() throws {
    let bench = try bench { $0.markers = [marker("here", 40.98, 11.25, "You are here")] }
    try bench.settle()
    func words() throws -> PixelRect {
      try #require(bench.kiosk.overMap.sprites(on: .markers).last).rect
    }
    // Whole, on one side or the other.
    let first = try words()
    #expect(first.x >= 0 && first.maxX <= bench.kiosk.goal.width)
    let start = bench.kiosk.goal
    // Further right on the screen, where the words would be cut.
    try bench.show(start.panned(dx: -170, dy: 0).center, 5)
    #expect(try words().maxX <= 370)
    try bench.show(start.panned(dx: 170, dy: 0).center, 5)
    #expect(try words().x > 30)
  }

  @Test func whatIsWrongWithAMarkerIsSaidWithItsName() throws {
    let bench = try bench()
    let cases: [(JSON, Int, String, String)] = [
      (["id": "a", "lat": 91, "lon": 0], -32602, "lat", "marker.lat = 91"),
      (["id": "a", "lat": 1], -32602, "lon", "lon is missing"),
      (["lat": 1, "lon": 1], -32602, "id", "id is missing"),
      (["id": "a", "lat": 1, "lon": 1, "icon": "parkin"], -32602, "icon", "perhaps \"parking\""),
      (["id": "a", "lat": 1, "lon": 1, "colour": "#fff"], -32602, "colour", "marker.color"),
      (["id": "a", "lat": 1, "lon": 1, "color": "red"], -32602, "color", "#"),
      (["id": "", "lat": 1, "lon": 1], -32602, "id", "name"),
    ]
    for (table, code, parameter, message) in cases {
      do {
        _ = try bench.kiosk.setMarker(table)
        Issue.record("\(table.text) was taken")
      } catch {
        #expect(error.code == code)
        #expect(error.data?["parameter"]?.string == parameter)
        #expect(error.message.contains(message), "\(error.message)")
      }
    }
    #expect(bench.kiosk.markers.all.isEmpty)
  }
}
