import Control
import EventLoop
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Markers and the HUD in a running kiosk.
@Suite struct MarkerKioskTests {
  private static let tiles = TestData.fixtures + "/tiles/osm"

  private func marker(
    _ id: String, _ lat: Double, _ lon: Double, _ label: String? = nil, _ text: String? = nil
  ) -> Configuration.Marker {
    Configuration.Marker(id: id, place: GeoPoint(lat: lat, lon: lon), label: label, text: text)
  }

  /// On the corner of four tiles that are carried with the project.
  private func bench(
    width: Int = 400, height: Int = 300, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench([MosaicTests.spec(MarkerKioskTests.tiles)], width: width, height: height) {
      $0.view.center = GeoPoint(lat: 40.98, lon: 11.25)
      $0.view.zoom = 5
      set(&$0)
    }
  }

  private func events(_ bench: Bench) -> () -> [String] {
    final class Box { var all: [String] = [] }
    let box = Box()
    bench.kiosk.onEvent = {
      if case .marker(let id, let change) = $0 { box.all.append("\(change.rawValue) \(id)") }
    }
    return { box.all }
  }

  private func frame(_ bench: Bench) { bench.loop.runOnce(timeout: 0) }

  @Test func withoutHudAndMarkersThereIsNothingButTheMap() throws {
    let bench = try bench {
      for part in DisplaySetParams.hudParts { $0.hud.set(part, false) }
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites.isEmpty)
    #expect(bench.kiosk.overMap.hudBytes == 0 && bench.kiosk.overMap.markerBytes == 0)
  }

  @Test func everyPartOfTheHudComesAndGoesAndLeavesTheMapAsItWas() throws {
    let bench = try bench {
      $0.gpio.buttons = [.init(line: .offset(17), action: .home, hold: .nothing)]
      $0.sources[0].attribution = "© somebody"
      $0.view.bearing = 30
    }
    try bench.settle()
    let plain = try bench.picture()
    for part in DisplaySetParams.hudParts where part != "toasts" {
      bench.kiosk.showHud([part: true])
      try bench.settle()
      let rects = bench.kiosk.overMap.sprites.map(\.rect)
      #expect(rects.count == 1, "\(part)")
      let shown = try bench.picture()
      var (inside, outside) = (0, 0)
      for y in 0..<300 {
        for x in 0..<400 where shown[x, y] != plain[x, y] {
          let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
          if rects.contains(where: { $0.intersects(pixel) }) { inside += 1 } else { outside += 1 }
        }
      }
      #expect(inside > 100 && outside == 0, "\(part)")
      bench.kiosk.showHud([part: false])
      try bench.settle()
      #expect(try bench.picture() == plain, "\(part)")
    }
  }

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

  /// One batch of a client removes a marker and selects: no frame comes between the two.
  @Test func aMarkerRemovedSinceTheFrameIsNotSelected() throws {
    let bench = try bench { $0.markers = [self.marker("v", 40.98, 11.25, "V")] }
    try bench.settle()
    #expect(bench.kiosk.removeMarker("v"))
    #expect(bench.kiosk.press(.select) == "no marker is on the screen")
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 140))
    try bench.settle()
    #expect(bench.kiosk.overMap.selectedMarker == nil)
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
    #expect(bench.kiosk.overMap.selectedMarker == nil)
    var view = bench.kiosk.goal
    view.center = GeoPoint(lat: 0, lon: 0)
    bench.kiosk.go(to: view, animate: false)
    frame(bench)
    #expect(bench.kiosk.press(.select) == "no marker is on the screen")
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
    #expect(bench.kiosk.overMap.selectedMarker == "a")
    bench.kiosk.handle(TouchEvent.tapped(x: 200, y: 150))
    #expect(told() == ["tapped a", "closed a"])
  }

  @Test func aMovementGoesOnWhoseFirstStepIsLessThanAPixel() throws {
    let bench = try bench()
    try bench.settle()
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    let before = bench.kiosk.presentedFrames
    bench.kiosk.pan(dx: 100, dy: 0, animate: true)
    bench.loop.runOnce(timeout: 0)
    // Nothing but the kiosk itself wakes the loop.
    while bench.kiosk.view.isMoving {
      let woke = bench.loop.runOnce(timeout: 10_000_000_000)
      try #require(woke, "the movement stands still")
    }
    #expect(bench.kiosk.presentedFrames > before)
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

  // MARK: Configuration and state

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

  @Test func aReloadBringsConfiguredMarkersBackAsTheyAreConfiguredAndTellsIt() throws {
    let bench = try bench { $0.markers = [marker("a", 1, 1), marker("b", 2, 2)] }
    _ = try bench.kiosk.setMarker(["id": "own", "lat": 3, "lon": 3])
    _ = try bench.kiosk.setMarker(["id": "b", "lat": 9, "lon": 9])
    #expect(bench.kiosk.removeMarker("a"))
    let told = events(bench)
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.kiosk.markers.all.map(\.id) == ["a", "b", "own"])
    #expect(bench.kiosk.markers["b"]?.place.lat == 2)
    #expect(told() == ["set a", "set b"])
    var new = bench.kiosk.configuration
    new.markers.removeFirst()
    bench.kiosk.apply(new)
    #expect(told() == ["set a", "set b", "removed a"])
  }

  @Test func theWordsOfHereStandOnTheSideThatTheScreenHasRoomFor() throws {
    let bench = try bench { $0.markers = [marker("here", 40.98, 11.25, "You are here")] }
    try bench.settle()
    func words() throws -> PixelRect {
      try #require(bench.kiosk.overMap.sprites(on: .markers).last).rect
    }
    #expect(try words().x > 200)
    let start = bench.kiosk.goal
    // Further right on the screen, where the words would be cut.
    try bench.show(start.panned(dx: -170, dy: 0).center, 5)
    #expect(try words().maxX <= 370)
    try bench.show(start.panned(dx: 170, dy: 0).center, 5)
    #expect(try words().x > 30)
  }

  @Test func aConfiguredAttributionIsShownAsPlainText() throws {
    let bench = try bench {
      $0.sources[0].attribution = "<a href='https://example.org'>© some&amp;body</a>"
    }
    try bench.settle()
    #expect(bench.kiosk.attribution == "© some&body")
  }

  @Test func otherColoursOfTheNightAreNoNightThatFalls() throws {
    let bench = try bench {
      $0.hud.toasts = true
      $0.theme.mode = .night
    }
    try bench.settle()
    var new = bench.kiosk.configuration
    new.theme.night = [.invert]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.overMap.toast.isEmpty)
    bench.kiosk.setTheme(.day)
    #expect(bench.kiosk.overMap.toast == "Day")
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

  // MARK: Words that come and go

  @Test func aToastSaysWhichMapIsShownAndGoesByItself() throws {
    let bench = try Bench(
      [MosaicTests.spec(MarkerKioskTests.tiles), MosaicTests.spec("/nowhere/else")],
      width: 400, height: 300
    ) {
      $0.sources[0].name = "first"
      $0.sources[1].name = "second"
      $0.hud.toasts = true
      $0.view.center = GeoPoint(lat: 40.98, lon: 11.25)
      $0.view.zoom = 5
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.toast.isEmpty)
    _ = bench.kiosk.press(.sourceNext)
    #expect(bench.kiosk.overMap.toast == "second")
    frame(bench)
    #expect(!bench.kiosk.overMap.hudSprites.isEmpty)
    while !bench.kiosk.overMap.toast.isEmpty { bench.loop.runOnce(timeout: 3_000_000_000) }
    #expect(bench.kiosk.overMap.toastTimer?.isArmed == false)
  }

  @Test func whereThereIsNoMapTheWayBackIsTold() throws {
    let bench = try bench {
      $0.hud.toasts = true
      $0.gpio.buttons = [.init(line: .named("GPIO17"), action: .home, hold: .nothing)]
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.nowhereCard == nil)
    try bench.show(GeoPoint(lat: -40, lon: -120), 5)
    #expect(
      bench.kiosk.overMap.nowhereCard
        == .init(title: "No map here", text: "Home (button GPIO17) brings you back."))
    #expect(bench.kiosk.overMap.hudSprites.count == 1)
    try bench.show(GeoPoint(lat: 40.98, lon: 11.25), 5)
    #expect(bench.kiosk.overMap.nowhereCard == nil)
    #expect(bench.kiosk.overMap.hudSprites.isEmpty)
  }

  @Test func theLegendTellsWhatEveryConfiguredButtonDoes() {
    var c = Configuration()
    typealias Gpio = Configuration.Gpio
    c.gpio.buttons = [
      Gpio.Button(line: .offset(1), action: .zoomIn, hold: .repeating),
      Gpio.Button(line: .offset(2), action: .sourceNext, hold: .action(.home)),
      Gpio.Button(line: .offset(3), action: .none, hold: .nothing),
    ]
    c.gpio.encoders = [
      Gpio.Encoder(
        lines: [.offset(5), .offset(6)], clockwise: .zoomIn, counterclockwise: .zoomOut),
      Gpio.Encoder(
        lines: [.offset(7), .offset(8)], clockwise: .panLeft, counterclockwise: .select),
    ]
    c.gpio.chords = [Gpio.Chord(lines: [.offset(1), .offset(2)], action: .sleep)]
    c.input.keys = [
      .init(key: "KEY_VOLUMEUP", action: .overlayToggle("trails")),
      .init(key: "KEY_UP", action: .panUp),
    ]
    #expect(
      ButtonLegend.items(c).map(\.words) == [
        "Zoom in", "Next map", "Hold: Home", "Turn: zoom", "Turn left: Select",
        "Turn right: Left", "1 + 2: Sleep", "Volumeup: trails", "Up",
      ])
  }

  @Test func aFontThatIsNotThereIsAMatterOfHealth() throws {
    let bench = try bench {
      $0.hud.attribution = true
      $0.sources[0].attribution = "© somebody"
    }
    try bench.settle()
    #expect(!bench.kiosk.health.entries.contains { $0.what == "hud.font" })
  }
}

extension Configuration.Hud {
  fileprivate mutating func set(_ part: String, _ isShown: Bool) {
    switch part {
    case "attribution": attribution = isShown
    case "scale_bar": scaleBar = isShown
    case "north": north = isShown
    case "zoom": zoom = isShown
    case "coordinates": coordinates = isShown
    case "buttons": buttons = isShown
    case "toasts": toasts = isShown
    default: Issue.record("no part \(part)")
    }
  }
}
