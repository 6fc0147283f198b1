import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Configuration

@Test func everyDefaultIsTheDocumentedOne() throws {
  let c = try #require(load("").configuration)
  #expect(c == Configuration())
  #expect(c.display.backend == .auto)
  #expect(c.display.device == nil)
  #expect(c.display.connector == nil)
  #expect(c.display.mode == nil)
  #expect(c.display.size == DisplaySize(width: 1280, height: 720))
  #expect(c.display.rotation == 0)
  #expect(c.display.scale == 1)
  #expect(c.display.format == nil)
  #expect(c.display.backlight == nil)
  #expect(c.display.sleepAfter == nil)
  #expect(c.view.center == nil)
  #expect(c.view.zoom == nil)
  #expect(c.view.bearing == 0)
  #expect(c.view.minZoom == 0)
  #expect(c.view.maxZoom == 20)
  #expect(c.view.bounds == nil)
  #expect(c.view.homeAfter == nil)
  #expect(c.cache.memory == 33_554_432)
  #expect(c.control.socket == "/run/waypost/control.sock")
  #expect(c.control.mode == 0o660)
  #expect(c.control.group == "")
  #expect(c.control.maxClients == 32)
  #expect(c.control.roots == ["/var/lib/waypost", "/media"])
  #expect(c.sources == [])
  #expect(c.media.watch == [])
  #expect(c.overlays == [])
  #expect(c.markers == [])
  #expect(c.hud.attribution && c.hud.scaleBar && c.hud.north && c.hud.toasts)
  #expect(!c.hud.zoom && !c.hud.coordinates && !c.hud.buttons)
  #expect(c.hud.units == .metric)
  #expect(c.hud.fonts == [])
  #expect(c.theme.mode == .day)
  #expect(c.theme.night.map(\.description) == ["brightness:0.55", "tint:#ff000022"])
  #expect(c.position.gpsd == nil)
  #expect(c.position.follow && c.position.track && !c.position.headingUp)
  #expect(c.gpio.chip == nil)
  #expect(c.gpio.debounce == 0.008)
  #expect(c.gpio.bias == .pullUp)
  #expect(c.gpio.active == .low)
  #expect(c.input.evdev == nil && c.input.grab)
  #expect(c.input.touchRotation == nil)
  #expect(c.state.path == "/var/lib/waypost/state.json")
  #expect(c.state.writeEvery == 30)
  #expect(c.state.restore && !c.state.keepAdded)
}

@Test func everyDocumentedKeyIsRead() throws {
  let result = ConfigurationLoader(refused: []).load(files: [fixtures + "everything.toml"])
  #expect(result.findings == [])
  let c = try #require(result.configuration)
  #expect(c.display.device == "/dev/dri/card1")
  #expect(c.display.mode == VideoMode(size: DisplaySize(width: 1280, height: 720), refresh: 60))
  #expect(c.display.sleepAfter == 600)
  #expect(c.view.center == GeoPoint(lat: 46.0207, lon: 7.7491))
  #expect(c.view.zoom == 13)
  #expect(c.view.bounds == GeoBounds(west: 5.9, south: 45.8, east: 10.5, north: 47.8))
  #expect(c.view.homeAfter == 120)
  #expect(c.cache.memory == 48 << 20)
  #expect(c.control.group == "waypost")
  #expect(c.sources.map(\.name) == ["topo", "osm", "valley", "live"])
  #expect(c.sources[0].location == .path(fixtures + "topo.mbtiles"))
  #expect(c.sources[0].fallback == "osm")
  #expect(c.sources[1].location == .url("https://{s}.example.org/{z}/{x}/{y}{ratio}.png"))
  #expect(c.sources[1].headers == ["Authorization": "…"])
  #expect(c.sources[1].store == fixtures + "osm-store.mbtiles")
  #expect(c.sources[1].storeLimit == 512 << 20)
  #expect(c.sources[1].filters.count == 5)
  #expect(
    c.sources[2].location == .paths([fixtures + "valley.pmtiles", fixtures + "canton.mbtiles"]))
  #expect(c.sources[3].location == .provider("/run/waypost/fetch.sock"))
  #expect(c.media.watch == ["/media"])
  #expect(c.overlays.map(\.name) == ["trails", "grid"])
  #expect(c.overlays.map(\.level) == [.aboveRoads, .aboveLabels])
  #expect(c.overlays[0].fill == Color(red: 0x2a, green: 0x8f, blue: 0x3c, alpha: 0x55))
  #expect(c.overlays[0].strokeWidth == 3)
  #expect(c.markers.map(\.id) == ["here"])
  #expect(c.markers[0].place == GeoPoint(lat: 46.02, lon: 7.75))
  #expect(c.hud.fonts == ["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"])
  #expect(c.position.gpsd == "localhost:2947")
  #expect(
    c.gpio.buttons == [
      Configuration.Gpio.Button(line: .offset(17), action: .panLeft, hold: .repeating)
    ])
  #expect(c.gpio.encoders.map(\.clockwise) == [.zoomIn])
  #expect(c.gpio.chords.map(\.lines) == [[.offset(17), .offset(27)]])
  #expect(c.input.keys == [Configuration.Input.Key(key: "KEY_VOLUMEUP", action: .zoomIn)])
}

@Test func everyKeyOfThisVersionIsAcceptedByTheLoaderThatUsersGet() throws {
  let result = ConfigurationLoader().load(files: [fixtures + "this-version.toml"])
  #expect(result.findings.isEmpty)
  #expect(result.configuration?.sources.map(\.name) == ["topo", "osm", "valley"])
}

@Test func everyKeyNotInThisVersionIsNamedOnce() {
  let result = ConfigurationLoader().load(files: [fixtures + "everything.toml"])
  #expect(result.configuration == nil)
  let errors = result.findings.filter { $0.severity == .error }
  let named = errors.compactMap { finding in
    finding.text.hasPrefix("not in this version: ") ? String(finding.text.dropFirst(21)) : nil
  }
  #expect(named.count == errors.count)
  #expect(Set(named) == NotInThisVersion.keys)
}
