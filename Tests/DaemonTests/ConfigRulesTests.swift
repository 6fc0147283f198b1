import EventLoop
import Kiosk
import MapGeometry
import Platform
import TestSupport
import Testing

@testable import Configuration
@testable import Daemon

/// What `--check-config` finds beyond single keys.
@Suite struct ConfigRulesTests {
  private func notes(_ change: (inout Configuration) -> Void) -> [ConfigRules.Note] {
    var configuration = Configuration()
    configuration.sources = [.init(name: "osm", location: .path("/maps/osm.mbtiles"))]
    change(&configuration)
    return ConfigRules(configuration: configuration).notes()
  }

  @Test func theDefaultsAreGood() {
    #expect(notes { _ in } == [])
  }

  @Test func anActionThatNamesNoSourceOrOverlayIsTold() {
    let found = notes {
      $0.input.keys = [
        .init(key: "KEY_A", action: .source("osn")), .init(key: "KEY_B", action: .source("osm")),
        .init(key: "KEY_C", action: .overlayToggle("trails")),
      ]
    }
    #expect(found.map(\.severity) == [.warning, .warning])
    #expect(
      found[0].text == "action \"source:osn\": no base source is called \"osn\"; perhaps \"osm\"")
    #expect(found[0].near == .value("source:osn"))
    #expect(found[1].text.contains("no overlay is called \"trails\"; none is configured"))
  }

  @Test(arguments: [(7.0, 0), (12, 1), (-178, 1), (367, 0)])
  func aCentreOutsideTheBoundsIsTold(_ lon: Double, _ count: Int) {
    let found = notes {
      $0.view.center = GeoPoint(lat: 46, lon: lon)
      $0.view.bounds = GeoBounds(west: 5, south: 45, east: 10, north: 48)
    }
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.near == .key("view.center") })
    let across = notes {
      $0.view.center = GeoPoint(lat: 46, lon: lon)
      $0.view.bounds = GeoBounds(west: 175, south: 45, east: -175, north: 48)
    }
    #expect(across.isEmpty == (lon == -178))
  }

  @Test func onlyWhatCannotRepeatIsToldIfItIsToRepeat() {
    let found = notes {
      $0.gpio.buttons = [
        .init(line: .offset(1), action: .panLeft, hold: .repeating),
        .init(line: .offset(2), action: .home, hold: .nothing),
        .init(line: .offset(3), action: .select, hold: .repeating),
      ]
    }
    #expect(found.map(\.near) == [.element("gpio.button", 2, key: "hold")])
    #expect(found.first?.text.contains("\"select\" does not repeat") == true)
  }

  @Test func aChordThatTheLegendCannotExplainIsTold() {
    func found(_ lines: [Configuration.Gpio.Line], legend: Bool = true) -> [ConfigRules.Note] {
      notes {
        $0.hud.buttons = legend
        $0.gpio.buttons = [
          .init(line: .offset(17), action: .panLeft, hold: .repeating),
          .init(line: .named("GPIO4"), action: .panRight, hold: .repeating),
          .init(line: .offset(22), action: .none, hold: .nothing),
        ]
        $0.gpio.chords = [.init(lines: lines, action: .home)]
      }
    }
    #expect(found([.offset(17), .named("GPIO4")]).isEmpty)
    for (line, shown) in [
      (Configuration.Gpio.Line.offset(27), "line 27 "), (.named("GPIO5"), "line \"GPIO5\" "),
      (.offset(22), "line 22 "),
    ] {
      let notes = found([.offset(17), line])
      #expect(notes.map(\.near) == [.element("gpio.chord", 0, key: "lines")])
      #expect(notes.first?.text.contains(shown) == true)
      // Without a legend, a chord may have lines of its own.
      #expect(found([.offset(17), line], legend: false).isEmpty)
    }
  }

  @Test func theNextLanguageNeedsTwo() {
    func count(_ languages: [String]) -> Int {
      notes {
        $0.hud.languages = languages
        $0.gpio.buttons = [
          .init(line: .offset(1), action: .select, hold: .action(.languageNext))
        ]
      }.count
    }
    #expect(count([]) == 1 && count(["de"]) == 1 && count(["de", "fr"]) == 0)
  }

  @Test(arguments: [(1.0, 1), (2, 0), (12, 0), (12.5, 1)])
  func aZoomOutsideItsLimitsIsTold(_ zoom: Double, _ count: Int) {
    let found = notes {
      ($0.view.minZoom, $0.view.maxZoom, $0.view.zoom) = (2, 12, zoom)
    }
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.text.contains("(2 to 12)") })
  }

  @Test(arguments: ["/dev/null", "/nonexistent/folder/state.json", "/dev/null/state.json"])
  func aStatePathThatCannotBeIsAnError(_ path: String) {
    let found = notes { $0.state.path = path }
    #expect(found.map(\.severity) == [.error])
    #expect(found[0].text.hasPrefix("state.path: \(path): "))
  }

  @Test func aStatePathInAFolderThatIsThereIsGood() throws {
    let folder = try TemporaryFolder()
    #expect(notes { $0.state.path = folder["state.json"] } == [])
    #expect(notes { $0.state.path = nil } == [])
  }

  @Test func anUnknownGroupIsAnError() {
    let found = notes { $0.control.group = "no-such-group" }
    #expect(found.map(\.severity) == [.error])
    #expect(found[0].text.hasPrefix("control.group: group \"no-such-group\""))
  }

  @Test func aCacheBelowItsFloorIsToldWithBothNumbers() {
    let found = notes { $0.cache.memory = 1 << 20 }
    #expect(found.map(\.severity) == [.warning])
    #expect(found[0].text.contains("1 MiB is less than a view of 1280x720 pixels can need, "))
  }

  @Test(arguments: [0, 90]) func theFloorThatIsToldIsTheOneThatTheKioskKeeps(
    rotation: Int
  ) throws {
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.display.rotation = rotation
    configuration.display.format = .rgb565
    configuration.sources = [
      .init(name: "a", location: .path("/maps/a.mbtiles")),
      .init(name: "b", location: .path("/maps/b.mbtiles")),
      .init(name: "labels", location: .path("/maps/labels.mbtiles")),
    ]
    configuration.sources[0].fallback = "b"
    configuration.sources[2].role = .labels
    configuration.cache.memory = 1 << 20
    configuration.state.path = nil
    let told = ConfigRules(configuration: configuration).notes().map(\.text)
    let screens = Screens(loop: try EventLoop(), services: nil, isDemo: true)
    let kiosk = try Kiosk(
      configuration: configuration, loop: EventLoop(),
      makeScreen: { configuration, _ in screens.open(configuration.display) },
      font: { Bundled.text($0) })
    let floor = ByteCount.text(kiosk.pipeline.cache.floor)
    #expect(told.contains { $0.hasSuffix("pixels can need, \(floor), which is used instead") })
  }

  @Test func noSourceAtAllIsTold() {
    #expect(notes { $0.sources = [] }.map(\.severity) == [.warning])
    // Those of other roles are no map.
    let others = notes { $0.sources[0].role = .overlay }
    #expect(others.map(\.near) == [.key("source")])
    #expect(others.first?.text.hasPrefix("no [[source]] is a base map") == true)
  }

  @Test(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
  func whatMediaMayBringIsNotMissed() {
    let found = notes {
      $0.sources = []
      $0.media.watch = ["/nowhere/yet"]
      $0.input.keys = [.init(key: "KEY_A", action: .source("stick"))]
    }
    #expect(found == [])
  }

  @Test(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
  func aWatchedFileIsAnError() {
    let found = notes { $0.media.watch = ["/etc/passwd"] }
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.near == .key("media.watch"))
    #expect(found.first?.text.contains("/etc/passwd is not a folder") == true)
  }
}
