import Foundation
import Testing

@testable import Configuration

/// One bad snippet and exactly what is said of it.
struct BadSnippet: Sendable, CustomTestStringConvertible {
  var toml: String
  var said: [String]
  var testDescription: String { toml }

  init(_ toml: String, _ said: String...) {
    self.toml = toml
    self.said = said
  }
}

private let pause = "a duration such as \"30s\", \"10m\" or \"2h\", or \"never\""
private let bytes = "bytes, such as \"48MiB\", \"512KiB\" or 1000000"

// A constant, not a literal in the attribute: Swift 6.0 crashes on a long one there.
private let badSnippets: [BadSnippet] = [
  BadSnippet(
    "[display]\nrotatoin = 90",
    "2: error: unknown key display.rotatoin; the nearest known one is display.rotation"),
  BadSnippet("backend = \"drm\"", "1: error: unknown key backend; there is display.backend"),
  BadSnippet(
    "path = \"a\"",
    "1: error: unknown key path; there is state.path and source.path and overlay.path"),
  BadSnippet("[dispaly]", "1: error: unknown key dispaly; the nearest known one is display"),
  BadSnippet(
    "[display]\nrotation = 45", "2: error: display.rotation = 45: one of 0, 90, 180, 270"),
  BadSnippet(
    "[display]\nrotation = \"90\"",
    "2: error: display.rotation = \"90\": one of 0, 90, 180, 270"),
  BadSnippet("display = 3", "1: error: display = 3: a table: [display]"),
  BadSnippet(
    "[display]\nbackend = \"x11\"",
    "2: error: display.backend = \"x11\": one of \"auto\", \"drm\", \"fbdev\", \"headless\""),
  BadSnippet(
    "[display]\nformat = \"rgb888\"",
    "2: error: display.format = \"rgb888\": one of \"auto\", \"xrgb8888\", \"rgb565\""),
  BadSnippet(
    "[display]\nscale = 0\nsize = \"1280\"\nmode = \"1280x720@\"",
    "2: error: display.scale = 0: a whole number from 1 to 4",
    "3: error: display.size = \"1280\": WIDTHxHEIGHT in pixels up to 16384, such as \"1280x720\"",
    "4: error: display.mode = \"1280x720@\": WIDTHxHEIGHT@HZ, such as \"1280x720@60\""),
  BadSnippet(
    "[display]\nsleep_after = \"10 m\"", "2: error: display.sleep_after = \"10 m\": \(pause)"),
  BadSnippet(
    "[view]\ncenter = [91, 0]",
    "2: error: view.center = [91, 0]: [latitude, longitude], -90 to 90 and -540 to 540"),
  BadSnippet("[view]\nzoom = 25", "2: error: view.zoom = 25: a zoom from 0 to 24"),
  BadSnippet("[view]\nzoom = nan", "2: error: view.zoom = nan: a zoom from 0 to 24"),
  BadSnippet(
    "[view]\nbearing = 360", "2: error: view.bearing = 360: degrees from 0 up to but not 360"),
  BadSnippet(
    "[view]\nmin_zoom = 9\nmax_zoom = 8",
    "2: error: view.min_zoom = 9: not above view.max_zoom, which is 8"),
  BadSnippet(
    "[view]\nbounds = [5.9, 47.8, 10.5, 45.8]",
    "2: error: view.bounds = [5.9, 47.8, 10.5, 45.8]: [west, south, east, north] in degrees, south "
      + "below north (west above east crosses the dateline)"),
  BadSnippet("[cache]\nmemory = \"48 MB\"", "2: error: cache.memory = \"48 MB\": \(bytes)"),
  BadSnippet("[cache]\nmemory = -1", "2: error: cache.memory = -1: \(bytes)"),
  BadSnippet(
    "[control]\nmode = \"0888\"",
    "2: error: control.mode = \"0888\": a string of three or four octal digits, such as \"0660\""),
  BadSnippet(
    "[control]\nsocket = \"/\(String(repeating: "a", count: 107))\"",
    "2: error: control.socket: the path has 108 bytes; a socket's has at most 107"),
  BadSnippet(
    "[hud]\nzoom = 1\nunits = \"miles\"", "2: error: hud.zoom = 1: true or false",
    "3: error: hud.units = \"miles\": one of \"metric\", \"imperial\", \"nautical\""),
  BadSnippet(
    "[hud]\nsize = \"huge\"",
    "2: error: hud.size = \"huge\": \"normal\", \"large\", \"wall\" or a number from 0.5 to 8"),
  BadSnippet(
    "[hud]\nsize = 9",
    "2: error: hud.size = 9: \"normal\", \"large\", \"wall\" or a number from 0.5 to 8"),
  BadSnippet(
    "[hud.icons]\ninfo = \" \"\nbuss = \"Bus\"",
    "2: error: hud.icons.info = \" \": a string of 1 to 100 bytes with words in it",
    "3: error: unknown key hud.icons.buss; the nearest known one is hud.icons.bus"),
  BadSnippet("[hud]\nicons = \"Bus\"", "2: error: hud.icons = \"Bus\": a table: [hud.icons]"),
  BadSnippet(
    "[theme]\nnight = [\"tint:red\"]",
    "2: error: theme.night = [\"tint:red\"]: \"red\", or a list of at most \(Filter.maxCount) of \(Filter.forms)"
  ),
  BadSnippet(
    "[state]\nwrite_every = \"0s\"",
    "2: error: state.write_every = \"0s\": a duration longer than 0, such as \"600ms\", \"30s\", \"10m\" or \"2h\""
  ),
  BadSnippet("[view]\nzoom = 1\nzoom = 2", "3: error: not TOML at column 8: PARSER"),
  BadSnippet(
    "[view]\nzoom = 1\nbounds = [5, }\n\nbearing = 3",
    "3: error: not TOML at column 14: no value where one is needed"),
  BadSnippet("[view]\nzoom = 1979-05-27", "2: error: view.zoom = a date: a zoom from 0 to 24"),
  // Sources.
  BadSnippet(
    "[source]\npath = \"a\"", "1: error: source = {…}: one or more tables: [[source]]"),
  BadSnippet(
    "[[source]]\nname = \"a\"", "1: error: source: one of path, paths, url, provider is missing"),
  BadSnippet(
    "[[source]]\nname = \"a\"\npaths = [" + String(repeating: "\"/a\", ", count: 65) + "]",
    "3: error: source.paths = […]: at most 64 paths, not 65"),
  BadSnippet(
    "[[source]]\npath = \"a\"\nurl = \"file:///{z}/{x}/{y}\"",
    "1: error: source: one of path, url, not 2"),
  BadSnippet(
    "[[source]]\nurl = \"file:///{z}/{x}/{y}\"",
    "1: error: source: name is missing; only a file gives its own"),
  BadSnippet(
    "[[source]]\nname = \"a\"\nurl = \"/{z}/{x}/{y}\"",
    "3: error: source.url = \"/{z}/{x}/{y}\": begins with file://, http:// or https://"),
  BadSnippet(
    "[[source]]\nname = \"a\"\nurl = \"file:///{z}/{x}/{Y}\"",
    "3: error: source.url = \"file:///{z}/{x}/{Y}\": unknown placeholder {Y}: known are {z} {x} {y} "
      + "{-y} {scale} {ratio} {r} {quadkey} {q} {s} {a-c} {switch:a,b,c}"),
  BadSnippet(
    "[[source]]\nname = \"a\"\nurl = \"file:///{z}/{x}/{-y}\"\nscheme = \"tms\"",
    "3: error: source.url = \"file:///{z}/{x}/{-y}\": {-y} and scheme \"tms\" both turn the rows "
      + "around: use one of them"),
  BadSnippet(
    "[[source]]\nname = \"a\"\nurl = \"file:///{s}/{z}/{x}\"",
    "3: error: source.url = \"file:///{s}/{z}/{x}\": {s} needs subdomains = [\"a\", \"b\", …]"),
  BadSnippet(
    "[[source]]\npath = \"/t/{z}/{x}/{y}.png\"",
    "2: error: source.path = \"/t/{z}/{x}/{y}.png\": a file or folder; a template is a url = "
      + "\"file://…\""),
  BadSnippet(
    "[[source]]\npath = \"a\"\ntile_size = 128\nopacity = 1.5\nmin_zoom = 5\nmax_zoom = 4",
    "3: error: source.tile_size = 128: 256 or 512",
    "4: error: source.opacity = 1.5: a number from 0 to 1",
    "5: error: source.min_zoom = 5: not above source.max_zoom, which is 4"),
  BadSnippet(
    "[[source]]\npath = \"a\"\nstore = \"s.mbtiles\"\nheaders = { A = \"b\" }",
    "3: error: source.store: only with an http(s) url",
    "4: error: source.headers: only with an http(s) url"),
  BadSnippet(
    "[[source]]\npath = \"a.pmtiles\"\n[[source]]\nname = \"a\"\npath = \"b\"",
    "3: error: source a: the same again as in line 1; each needs its own"),
  BadSnippet(
    "[[source]]\npath = \"topo.mbtiles\"\n[[source]]\npath = \"b\"\nfallback = \"tpoo\"",
    "5: error: source.fallback = \"tpoo\": no source has that name; the nearest is \"topo\""),
  BadSnippet(
    "[[source]]\npath = \"a\"\nfallback = \"b\"\n[[source]]\npath = \"b\"\nfallback = \"a\"",
    "3: error: source.fallback = \"b\": goes round in a circle (a → b → a); one of them must have none",
    "6: error: source.fallback = \"a\": goes round in a circle (b → a → b); one of them must have none"
  ),
  BadSnippet(
    "[[source]]\npath = \"a\"\nfallback = \"a\"",
    "3: error: source.fallback = \"a\": goes round in a circle (a → a); one of them must have none"),
  BadSnippet(
    "[[source]]\npath = \"a\"\nlevel = \"above-labels\"",
    "3: warning: source.level has no effect without role = \"overlay\""),
  BadSnippet(
    "[[source]]\npath = \"a\"\nrole = \"style\"\nopacity = 0.5",
    "4: warning: source.opacity has no effect with role = \"style\": the layers of styles say how"
      + " it is drawn"),
  // Keys whose features come later are checked all the same.
  BadSnippet(
    "[[gpio.button]]\nline = 17\naction = \"pan-lfet\"",
    "3: error: gpio.button.action = \"pan-lfet\": \(Action.advice(for: "pan-lfet"))"),
  BadSnippet("[[gpio.button]]\nline = 17", "1: error: gpio.button: action is missing"),
  BadSnippet(
    "[[gpio.encoder]]\nlines = [5]\nclockwise = \"home\"\ncounterclockwise = \"home\"",
    "2: error: gpio.encoder.lines = [5]: a list of two different lines"),
  BadSnippet(
    "[[gpio.button]]\nline = 5\naction = \"home\"\n[[gpio.button]]\nline = 5\naction = \"sleep\"",
    "4: error: gpio.button 5: the same again as in line 1; each needs its own"),
  BadSnippet(
    "[[gpio.button]]\nline = 5\naction = \"home\"\n[[gpio.encoder]]\nlines = [5, 6]\n"
      + "clockwise = \"zoom-in\"\ncounterclockwise = \"zoom-out\"",
    "5: error: gpio.encoder.lines = [5, 6]: line 5 is a button's in line 2; an encoder needs two "
      + "lines of its own"),
  BadSnippet(
    "[[gpio.encoder]]\nlines = [5, 6]\nclockwise = \"home\"\ncounterclockwise = \"home\"\n"
      + "[[gpio.encoder]]\nlines = [\"A\", 6]\nclockwise = \"home\"\ncounterclockwise = \"home\"",
    "6: error: gpio.encoder.lines = [\"A\", 6]: line 6 is an encoder's in line 2; an encoder needs "
      + "two lines of its own"),
  BadSnippet(
    "[[gpio.chord]]\nlines = [6, 7]\naction = \"home\"\n"
      + "[[gpio.encoder]]\nlines = [5, 6]\nclockwise = \"home\"\ncounterclockwise = \"home\"",
    "5: error: gpio.encoder.lines = [5, 6]: line 6 is a chord's in line 2; an encoder needs two "
      + "lines of its own"),
  BadSnippet(
    "[[input.key]]\nkey = \"volume\"\naction = \"home\"",
    "2: error: input.key.key = \"volume\": an input event code's name, such as \"KEY_VOLUMEUP\""),
  BadSnippet(
    "[[marker]]\nid = \"a\"\nlat = 1",
    "1: error: marker: lon is missing; id, lat and lon are required"),
  BadSnippet("[[overlay]]\nname = \"a\"", "1: error: overlay: one of path and kind = \"grid\""),
  BadSnippet(
    "[position]\ngpsd = \"gps.example:2947\"",
    "2: error: position.gpsd = \"gps.example:2947\": \(GPSDAddress.form)"),
]

@Test(arguments: badSnippets)
func aBadSnippetIsSaidWithItsLineAndWhatWouldBeRight(_ snippet: BadSnippet) {
  // The TOML library words its own errors and differs between its versions.
  let said = findings(snippet.toml).map { text in
    text.range(of: ": error: not TOML at column 8: ").map { text[..<$0.upperBound] + "PARSER" }
      ?? text
  }
  #expect(said == snippet.said)
  let onlyWarnings = snippet.said.allSatisfy { $0.contains(": warning: ") }
  #expect((load(snippet.toml).configuration != nil) == onlyWarnings)
}

@Test func aFindingIsOneLineWithFileLineAndSeverity() {
  let finding = Finding(file: "/a\nb.toml", line: 7, severity: .warning, text: "x\u{1b}[31m")
  #expect(finding.description == "/a\\nb.toml:7: warning: x\\u{1b}[31m")
}

@Test func noMoreFoldersAreWatchedThanTheLimit() {
  func watch(_ count: Int) -> String {
    "[media]\nwatch = [\((0..<count).map { "\"/m\($0)\"" }.joined(separator: ", "))]"
  }
  #expect(findings(watch(Configuration.Media.mostWatched)) == [])
  let said = "2: error: media.watch: there are 9 folders; at most 8 are possible"
  #expect(findings(watch(9)) == [said])
}

@Test func anHTTPSourceMayHaveAStoreOfItsOwn() {
  func source(_ name: String, _ more: String) -> String {
    "[[source]]\nname = \"\(name)\"\nurl = \"https://x/{z}/{x}/{y}\"\n\(more)\n"
  }
  let store = "store = \"/s/a.mbtiles\""
  #expect(findings(source("a", "\(store)\nstore_limit = \"16MiB\"")) == [])
  #expect(
    findings(source("a", "store = \"/s/a.db\"")) == [
      "4: error: source.store = \"/s/a.db\": a file whose name ends with .mbtiles"
    ])
  #expect(
    findings(source("a", "\(store)\nstore_limit = \"15MiB\"")) == [
      "5: error: source.store_limit = \"15MiB\": 16MiB or more, such as \"512MiB\""
    ])
  #expect(
    findings(source("a", store) + source("b", store)) == [
      "8: error: source.store = \"/s/a.mbtiles\": is the store of \"a\" already; each source needs "
        + "its own"
    ])
  #expect(
    findings(source("a", "headers = { X = \"a\\nb\" }")).first?.hasPrefix(
      "4: error: source.headers = ") == true)
}

@Test func anArchiveOnAServerIsAURL() {
  func source(_ url: String) -> String { "[[source]]\nname = \"a\"\nurl = \"\(url)\"\n" }
  #expect(findings(source("https://x/a.pmtiles") + "store = \"/s/a.mbtiles\"\n") == [])
  #expect(findings(source("HTTP://x/a.PMTiles?key=a/b")) == [])
  #expect(
    findings(source("https://x/a b.pmtiles")) == [
      "3: error: source.url = \"https://x/a b.pmtiles\": has characters that an address writes as %XX"
    ])
  for url in [
    "https://x/a.mbtiles", "https://x/?a.pmtiles", "file:///a.pmtiles", "https://x/{a}.pmtiles",
  ] {
    #expect(findings(source(url)).count == 1, "\(url)")
  }
  let said = findings("[[source]]\npath = \"https://x/a.pmtiles\"")
  #expect(said.count == 1)
  #expect(said.first?.contains("waypost pack extract") == true)
}
