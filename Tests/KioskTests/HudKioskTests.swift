import Control
import Drawing
import Foundation
import MapGeometry
import MapScene
import TestSupport
import Testing
import TileSources
import Words

@testable import Configuration
@testable import Kiosk

/// The HUD, toasts and cards in a running kiosk.
@Suite struct HudKioskTests: MarkerCase {
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
    // A key of a map without signs is not shown.
    for part in DisplaySetParams.hudParts where !["toasts", "map_key"].contains(part) {
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

  @Test func aConfiguredAttributionIsShownAsPlainText() throws {
    let bench = try bench {
      $0.sources[0].attribution = "<a href='https://example.org'>© some&amp;body</a>"
    }
    try bench.settle()
    #expect(bench.kiosk.book.sources.attribution == "© some&body")
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

  @Test func aToastSaysWhichMapIsShownAndGoesByItself() throws {
    let bench = try Bench(
      [MosaicTests.spec(Self.tiles), MosaicTests.spec("/nowhere/else")],
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
    #expect(!bench.kiosk.overMap.sprites(on: .hud).isEmpty)
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
        == .init(title: "No map here", text: "Press Home"))
    #expect(bench.kiosk.overMap.sprites(on: .hud).count == 1)
    try bench.show(GeoPoint(lat: 40.98, lon: 11.25), 5)
    #expect(bench.kiosk.overMap.nowhereCard == nil)
    #expect(bench.kiosk.overMap.sprites(on: .hud).isEmpty)
  }

  @Test func aMapOfWhichNothingIsOnTheScreenIsNotCredited() throws {
    let line = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-120,-40]}}"#
    let bench = try bench {
      $0.hud.attribution = true
      $0.sources[0].attribution = "© somebody"
      $0.overlays = [.init(name: "ways", content: .geoJSON(line), level: .aboveRoads)]
      $0.overlays[0].attribution = "© others"
    }
    func credits() -> String { bench.kiosk.book.attribution(at: 5) }
    try bench.settle()
    let (there, here) = (GeoPoint(lat: -40, lon: -120), GeoPoint(lat: 40.98, lon: 11.25))
    #expect(credits() == "© somebody | © others")
    let before = bench.kiosk.overMap.hud.attributionRect
    #expect(before != nil)
    try bench.show(there, 5)
    // Overlays are credited while they are shown.
    #expect(credits() == "© others")
    #expect(bench.kiosk.book.attribution(at: 5, elsewhere: true) == "© somebody | © others")
    #expect(bench.kiosk.overMap.hud.attributionRect != before)
    try bench.show(here, 5)
    #expect(credits() == "© somebody | © others")
    #expect(bench.kiosk.overMap.hud.attributionRect == before)
  }

  @Test func whereTilesCannotBeReadTheMapNeedsService() throws {
    let folder = try TemporaryFolder()
    for x in 0...1 {
      try FileManager.default.createDirectory(
        atPath: folder["1/\(x)"], withIntermediateDirectories: true)
      for y in 0...1 { try folder.write("version https://example.org/v1", to: "1/\(x)/\(y).png") }
    }
    let broken = SourceSpec(name: "broken", location: .path(folder.path))
    let bench = try Bench([broken], width: 320, height: 240) {
      $0.hud.toasts = true
      $0.view.zoom = 1
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.nowhereCard?.title == "Map needs service")
  }

  @Test func theLegendCallsAnOverlayByItsTitle() {
    var c = Configuration()
    var trails = Configuration.Overlay(name: "lines", content: .grid, level: .aboveRoads)
    trails.title = "Trails"
    c.overlays = [
      trails, Configuration.Overlay(name: "winter_routes", content: .grid, level: .aboveRoads),
    ]
    c.gpio.buttons = [
      .init(line: .offset(1), action: .zoomIn, hold: .action(.overlayToggle("lines"))),
      .init(line: .offset(2), action: .overlayToggle("winter_routes"), hold: .nothing),
      .init(line: .offset(3), action: .overlayToggle("unknown"), hold: .nothing),
    ]
    let items = ButtonLegend(c, .english).items
    #expect(items.map(\.text) == ["Zoom in", "Winter routes", "unknown"])
    #expect(items[0].below == "hold: Trails")
  }

  @Test(arguments: Words.languages)
  func nextPlaceAndBackHaveTheirOwnPicturesInTheDirectionOfReading(_ language: String) {
    var c = Configuration()
    c.gpio.buttons = [Action.panLeft, .panRight, .selectNext, .back].enumerated().map {
      .init(line: .offset($0), action: $1, hold: .nothing)
    }
    let own: [Pictogram] =
      language == "ar" ? [.nextPlaceLeftward, .backRightward] : [.nextPlace, .back]
    #expect(
      ButtonLegend(c, Words(language: language)).items.map(\.icon) == [.left, .right] + own)
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
      ButtonLegend(c, .english).items.map { [$0.text, $0.below] } == [
        ["Zoom in", ""], ["Next map", "hold: Home"], ["", ""], ["Turn: zoom", ""],
        ["Turn left: Select", "Turn right: Left"], ["Sleep", "Zoom in + Next map"],
        ["trails", "Volumeup"], ["Up", ""],
      ])
  }

  @Test func theLegendNamesNoLineAndNoNumberOfAButton() {
    var c = Configuration()
    c.gpio.buttons = [
      .init(line: .offset(17), action: .panLeft, hold: .repeating),
      .init(line: .offset(22), action: .none, hold: .action(.home)),
    ]
    // One line is no button, both are none, and one is a button that does nothing when pressed.
    c.gpio.chords = [
      .init(lines: [.offset(17), .offset(27)], action: .sourceNext),
      .init(lines: [.named("GPIO5"), .named("GPIO6")], action: .mapKey),
      .init(lines: [.offset(22), .offset(17)], action: .select),
    ]
    #expect(
      ButtonLegend(c, .english).items.map { [$0.text, $0.below] } == [
        ["Left", ""], ["hold: Home", ""], ["Next map", ""], ["Map key", ""], ["Select", ""],
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
    case "map_key": mapKey = isShown
    default: Issue.record("no part \(part)")
    }
  }
}
