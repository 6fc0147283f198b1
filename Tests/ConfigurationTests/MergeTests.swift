import Foundation
import Testing
import TileSources

@testable import Configuration

@Test func laterFilesWinKeyByKey() throws {
  let result = load([
    ("/a/1.toml", "[view]\nzoom = 3\nbearing = 10\n[hud]\nzoom = true"),
    ("/a/2.toml", "[view]\nzoom = 4\n[cache]\nmemory = 5"),
  ])
  #expect(result.findings == [])
  let c = try #require(result.configuration)
  #expect(c.view.zoom == 4)
  #expect(c.view.bearing == 10)
  #expect(c.hud.zoom)
  #expect(c.cache.memory == 5)
}

@Test func aKnownNameReplacesThatEntryInItsPlace() throws {
  let result = load([
    (
      "/a/1.toml",
      """
      [[source]]
      path = "one.mbtiles"
      opacity = 0.5
      [[source]]
      name = "two"
      path = "two.mbtiles"
      [[gpio.button]]
      line = 17
      action = "home"
      [[gpio.button]]
      line = "GPIO27"
      action = "sleep"
      [[input.key]]
      key = "KEY_A"
      action = "home"
      [[marker]]
      id = "m"
      lat = 1
      lon = 2
      """
    ),
    (
      "/b/2.toml",
      """
      [[source]]
      name = "three"
      path = "/maps/three"
      [[source]]
      name = "one"
      path = "new.pmtiles"
      [[gpio.button]]
      line = 17
      action = "zoom-in"
      [[input.key]]
      key = "KEY_A"
      action = "sleep"
      [[marker]]
      id = "m"
      lat = 3
      lon = 4
      """
    ),
  ])
  #expect(result.findings == [])
  let c = try #require(result.configuration)
  #expect(c.sources.map(\.name) == ["one", "two", "three"])
  #expect(c.sources[0].location == .path("/b/new.pmtiles"))
  #expect(c.sources[0].opacity == 1)
  #expect(c.sources[1].location == .path("/a/two.mbtiles"))
  #expect(c.gpio.buttons.map(\.action) == [.zoomIn, .sleep])
  #expect(c.input.keys.map(\.action) == [.sleep])
  #expect(c.markers.map(\.place.lat) == [3])
}

@Test func aChordAndAnEncoderAreKnownByTheirLinesInAnyOrder() throws {
  let result = load([
    (
      "/a/1.toml",
      """
      [[gpio.chord]]
      lines = [17, 5, "GPIO9"]
      action = "home"
      [[gpio.encoder]]
      lines = [22, 23]
      clockwise = "zoom-in"
      counterclockwise = "zoom-out"
      """
    ),
    (
      "/a/2.toml",
      """
      [[gpio.chord]]
      lines = ["GPIO9", 17, 5]
      action = "back"
      [[gpio.encoder]]
      lines = [23, 22]
      clockwise = "zoom-in"
      counterclockwise = "zoom-out"
      """
    ),
  ])
  #expect(result.findings == [])
  let gpio = try #require(result.configuration).gpio
  #expect(gpio.chords.map(\.action) == [.back])
  #expect(gpio.encoders.map(\.lines) == [[.offset(23), .offset(22)]])
  let twice = """
    [[gpio.chord]]
    lines = [17, 5]
    action = "home"
    [[gpio.chord]]
    lines = [5, 17]
    action = "back"
    """
  #expect(
    findings(twice) == [
      "4: error: gpio.chord [5, 17]: the same again as in line 1; each needs its own"
    ])
}

@Test func anEmptyPathIsAnErrorThatSaysWhatItIs() {
  #expect(
    findings("[[source]]\npath = \"\"\n[[source]]\npath = \"\"\n[[overlay]]\npath = \"\"") == [
      "2: error: source.path = \"\": a pack (.mbtiles, .pmtiles) or a folder of tiles",
      "4: error: source.path = \"\": a pack (.mbtiles, .pmtiles) or a folder of tiles",
      "6: error: overlay.path = \"\": a GeoJSON, GPX or KML file",
    ])
}

@Test func relativePathsStartAtTheFileTheyStandIn() throws {
  let c = try #require(
    load([
      ("/a/1.toml", "[state]\npath = \"./s.json\"\n[control]\nsocket = \"c.sock\""),
      (
        "/b/2.toml",
        "[[source]]\nname = \"t\"\nurl = \"file://tiles/{z}/{x}/{y}.png\"\n[hud]\nfont = \"f.ttf\""
      ),
    ]).configuration)
  #expect(c.state.path == "/a/s.json")
  #expect(c.control.socket == "/a/c.sock")
  #expect(c.sources[0].location == .url("file:///b/tiles/{z}/{x}/{y}.png"))
  #expect(c.hud.fonts == ["/b/f.ttf"])
}

@Test func whatALaterFileReplacesIsCheckedToo() {
  let result = load([
    ("/a/1.toml", "[view]\nzoom = 99\nmin_zoom = 21"),
    ("/a/2.toml", "[view]\nzoom = 4\nmax_zoom = 22"),
  ])
  #expect(
    result.findings.map(\.description) == [
      "/a/1.toml:2: error: view.zoom = 99: a zoom from 0 to 24"
    ])
  #expect(result.configuration == nil)
}

@Test func aFileThatIsNotThereIsAFindingAndTheOthersAreReadAll() {
  let result = ConfigurationLoader().load(
    files: ["/nonexistent/a.toml", fixtures, fixtures + "everything.toml"])
  #expect(
    result.findings.filter { $0.severity == .error }.map(\.description) == [
      "/nonexistent/a.toml:1: error: cannot be opened: No such file or directory",
      "\(fixtures):1: error: not a file; a regular file is needed",
    ])
  #expect(result.configuration == nil)
  #expect(result.texts.count == 1)
}

@Test(
  arguments: ["waypost.toml", "conf.d"],
  [("", "Too many levels of symbolic links"), ("-gone", "No such file or directory")])
func whatCannotBeLookedAtIsAnErrorAndNotMissing(
  _ name: String, _ target: (end: String, reason: String)
) throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  // A link to itself cannot be followed, not even by root; nor one to what is not mounted.
  try FileManager.default.createSymbolicLink(
    atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/\(name)\(target.end)")
  let result = ConfigurationLoader().load(files: ConfigurationLoader.defaultFiles(in: folder))
  #expect(result.configuration == nil)
  #expect(
    result.findings.map(\.description) == [
      "\(folder)/\(name):1: error: cannot be opened: \(target.reason)"
    ])
}

@Test func theDefaultFilesAreTheMainOneAndThenConfDInNameOrder() throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  #expect(ConfigurationLoader.defaultFiles(in: folder) == [])
  try FileManager.default.createDirectory(
    atPath: folder + "/conf.d", withIntermediateDirectories: true)
  for name in [
    "waypost.toml", "conf.d/20.toml", "conf.d/10.toml", "conf.d/x.txt", "conf.d/.a.toml",
  ] {
    try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }
  #expect(
    ConfigurationLoader.defaultFiles(in: folder) == [
      folder + "/waypost.toml", folder + "/conf.d/10.toml", folder + "/conf.d/20.toml",
    ])
}

@Test func theStateAndTheSocketsOwnSourceUseTheSameChecks() {
  let at = ConfigValue.Origin(file: "source.add", directory: nil)
  func table(_ entries: [(String, ConfigValue.Content)]) -> ConfigValue {
    ConfigValue(
      .table(
        entries.map { .init(key: $0.0, line: 1, value: ConfigValue($0.1, origin: at)) }), origin: at
    )
  }
  let good = parseSource(
    table([("path", .string("/m/a.mbtiles")), ("opacity", .integer(1))]), baseDirectory: nil)
  #expect(good.0?.name == "a")
  #expect(good.1 == [])
  let relative = parseSource(table([("path", .string("a.mbtiles"))]), baseDirectory: nil)
  #expect(relative.0 == nil)
  #expect(relative.1.map(\.text) == ["source.path = \"a.mbtiles\": an absolute path"])
  #expect(
    parseSource(table([("path", .string("a.mbtiles"))]), baseDirectory: "/m").0?.location
      == .path("/m/a.mbtiles"))
  let unknown = parseSource(
    table([("path", .string("/a")), ("opactiy", .other("null"))]), baseDirectory: nil)
  #expect(
    unknown.1.map(\.text) == ["unknown key source.opactiy; the nearest known one is source.opacity"]
  )
  #expect(parseSource(ConfigValue(.integer(3), origin: at), baseDirectory: nil).0 == nil)
}

func temporaryFolder() throws -> String {
  let folder = NSTemporaryDirectory() + "waypost-configuration-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}
