import Control
import Foundation
import Platform
import TestSupport
import Testing

/// `waypost` as a person types it.
@Suite struct WaypostTests {
  @Test(arguments: [
    ("status", "status", "null"), ("view", "view.get", "null"),
    ("goto -33.92 18.42", "view.set", #"{"lat":-33.92,"lon":18.42}"#),
    ("goto -33.92 -18.42 -1", "view.set", #"{"lat":-33.92,"lon":-18.42,"zoom":-1}"#),
    ("goto 46 7 12.5 --animate", "view.set", #"{"lat":46,"lon":7,"zoom":12.5,"animate":true}"#),
    ("goto -- -33.92 18.42", "view.set", #"{"lat":-33.92,"lon":18.42}"#),
    ("goto -.5 -1e1", "view.set", #"{"lat":-0.5,"lon":-10}"#),
    ("pan left", "view.pan", #"{"direction":"left"}"#),
    ("pan left 100", "view.pan", #"{"dx":-100,"dy":0}"#),
    ("pan up -20 --animate", "view.pan", #"{"dx":0,"dy":20,"animate":true}"#),
    ("zoom in", "view.zoom", #"{"delta":1}"#), ("zoom out", "view.zoom", #"{"delta":-1}"#),
    ("zoom 12.5", "view.set", #"{"zoom":12.5}"#), ("zoom -1", "view.set", #"{"zoom":-1}"#),
    ("rotate 90", "view.set", #"{"bearing":90}"#), ("rotate -45", "view.set", #"{"bearing":-45}"#),
    ("home", "view.home", "null"),
    ("fit -10 -20 10 20", "view.fit", #"{"bounds":[-10,-20,10,20]}"#),
    ("fit 170 -20 -170 10 --padding 16", "view.fit", #"{"bounds":[170,-20,-170,10],"padding":16}"#),
    ("source list", "source.list", "null"), ("source use topo", "source.use", #"{"name":"topo"}"#),
    ("source next", "source.next", "null"), ("source previous", "source.previous", "null"),
    ("source remove topo", "source.remove", #"{"name":"topo"}"#),
    (
      "source add /a.mbtiles --name x --min-zoom 3 --opacity 0.5", "source.add",
      #"{"name":"x","path":"/a.mbtiles","min_zoom":3,"opacity":0.5}"#
    ),
    ("source add /a /b", "source.add", #"{"paths":["/a","/b"]}"#),
    (
      "source add file:///t/{z}/{x}/{y}.png --scheme tms", "source.add",
      #"{"url":"file:///t/{z}/{x}/{y}.png","scheme":"tms"}"#
    ),
    (
      "source add /a --filter invert --filter mosaic:0.2", "source.add",
      #"{"path":"/a","filters":["invert","mosaic:0.2"]}"#
    ),
    ("overlay list", "overlay.list", "null"),
    ("overlay add --grid", "overlay.add", #"{"kind":"grid"}"#),
    (
      "overlay add /t.gpx --name t --stroke #f00 --stroke-width 2 --min-zoom 8", "overlay.add",
      ##"{"name":"t","path":"/t.gpx","stroke":"#f00","stroke_width":2,"min_zoom":8}"##
    ),
    ("overlay remove trails", "overlay.remove", #"{"name":"trails"}"#),
    ("overlay show trails", "overlay.show", #"{"name":"trails"}"#),
    ("overlay hide trails", "overlay.hide", #"{"name":"trails"}"#),
    ("overlay raise trails --above x", "overlay.move", #"{"name":"trails","above":"x"}"#),
    ("overlay lower trails --below x", "overlay.move", #"{"name":"trails","below":"x"}"#),
    ("display theme night", "display.set", #"{"theme":"night"}"#),
    ("cache stats", "cache.stats", "null"), ("cache clear", "cache.clear", "null"),
    ("cache resize 48MiB", "cache.resize", #"{"bytes":50331648}"#),
    ("cache resize 33554432", "cache.resize", #"{"bytes":33554432}"#),
    ("press zoom-in", "press", #"{"action":"zoom-in"}"#), ("settle", "settle", #"{"timeout":5}"#),
    ("settle --timeout 0.5", "settle", #"{"timeout":0.5}"#), ("stats", "stats", "null"),
    ("call view.set {\"lat\":-1}", "view.set", #"{"lat":-1}"#), ("call stats", "stats", "null"),
    ("config reload", "config.reload", "null"), ("version", "version", "null"),
    ("methods", "methods", "null"),
  ])
  func aCommandCallsItsMethod(_ typed: String, _ method: String, _ params: String) throws {
    let daemon = try Daemon()
    let words = typed.split(separator: " ").map { String($0) }
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": daemon.socket])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let expected = Daemon.Call(method: method, params: try JSON.parse(params))
    #expect(daemon.takeCalls() == [expected])
  }

  @Test(arguments: ["left", "right"])
  func aTurnByAStepShowsTheViewAfterIt(side: String) throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("rotate", side)
    #expect(outcome.status == 0 && outcome.text.contains("bearing"))
    #expect(
      daemon.takeCalls() == [
        Daemon.Call(method: "press", params: ["action": .string("rotate-\(side)")]),
        Daemon.Call(method: "view.get", params: .null),
      ])
  }

  @Test func aRelativePathIsMeantFromWhereItIsTyped() throws {
    let daemon = try Daemon()
    _ = try daemon.waypost("source", "add", "maps/a.mbtiles")
    let path = FileManager.default.currentDirectoryPath + "/maps/a.mbtiles"
    #expect(daemon.takeCalls().first?.params == ["path": .string(path)])
  }

  @Test(arguments: [
    ["--json", "view"], ["view", "--json"], ["--socket", "SOCKET", "view", "--json"],
    ["--json", "--socket=SOCKET", "view"], ["view", "--socket", "SOCKET", "--json"],
  ])
  func optionsMayStandBeforeAndBehindTheCommand(_ words: [String]) throws {
    let daemon = try Daemon()
    let typed = words.map { $0.replacingOccurrences(of: "SOCKET", with: daemon.socket) }
    let usesOption = words.contains { $0.contains("SOCKET") }
    let outcome = try Program.built("waypost").run(
      typed, environment: ["WAYPOST_SOCKET": usesOption ? "/nonexistent" : daemon.socket])
    #expect(outcome.status == 0)
    #expect(try JSON.parse(outcome.text) == Samples.view.json)
  }

  @Test func jsonWithinACommandGroupWorks() throws {
    let daemon = try Daemon()
    for words in [["source", "--json", "list"], ["--json", "source", "list"]] {
      let outcome = try Program.built("waypost").run(
        words, environment: ["WAYPOST_SOCKET": daemon.socket])
      #expect(try JSON.parse(outcome.text)[0]?["name"] == "topo")
    }
  }

  @Test func peopleGetLinesAndTables() throws {
    let daemon = try Daemon()
    #expect(
      try daemon.waypost("view").text == """
        center   -33.92, 18.42
        zoom     12
        bearing  0°
        bounds   18 -34 19 -33
        size     1280x720 points

        """)
    #expect(
      try daemon.waypost("source", "list").text == """
           NAME  KIND     FORMAT  ZOOM  ROLE  STATE  PATH
        *  topo  mbtiles  png     0-14  base  ok     /maps/topo.mbtiles

        """)
    let status = try daemon.waypost("status").text
    #expect(status.contains("waypostd  9.9, process 42, up 1 h 1 min\n"))
    #expect(status.contains("display   headless, 1280x720 xrgb8888, on\n"))
    #expect(try daemon.waypost("press", "home").text == "")
    #expect(try daemon.waypost("version").text == "waypost \(Release.version)\nwaypostd 9.9\n")
    #expect(
      try daemon.waypost("methods").text.split(separator: "\n").count == Samples.methods.count)
    #expect(try daemon.waypost("config", "reload").text == "a.toml:3: odd\n")
  }

  @Test func aRefusalIsShownAndExitsWith1() throws {
    let daemon = try Daemon()
    daemon.answer("source.use", .failure(.unknown("source", "toppo", known: ["topo"])))
    let outcome = try daemon.waypost("source", "use", "toppo")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "waypost: no source \"toppo\"; did you mean \"topo\"?\n")
    #expect(outcome.text == "")
    #expect(try daemon.waypost("call", "no.such").status == 1)
  }

  @Test(arguments: [
    ["goto"], ["goto", "46"], ["goto", "x", "7"], ["goto", "1", "2", "3", "4"],
    ["goto", "nan", "0"],
    ["pan", "north"], ["zoom", "nearer"], ["fit", "1", "2", "3"], ["cache", "resize", "48Mio"],
    ["cache", "resize", "9999999999GiB"], ["no-such-command"], ["view", "--no-such-option"],
    ["--socket"],
    ["watch", "no-such-event"], ["completions", "tcsh"], ["overlay", "add"],
    ["marker", "set", "a"],
    ["overlay", "add", "a.geojson", "--grid"], ["overlay", "raise"],
    ["--json", "display", "of"], ["pack", "info", "x"], ["render"], ["settle", "--timeout"],
    ["render", "--source", "a", "--size", "16385x1"],
    ["render", "--source", "a", "--size", "0x10"],
    ["render", "--source", "a", "--size", "10"], ["render", "--source", "a", "--scale", "3"],
    ["render", "--source", "a", "--center", "91,0"], ["render", "--source", "a", "--center", "0"],
    ["render", "--source", "a", "--zoom", "25"], ["render", "--source", "a", "--overlay"],
  ])
  func wrongUsageExitsWith64AndCallsNothing(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent"])
    #expect(outcome.status == 64)
    #expect(!outcome.errors.isEmpty)
  }

  @Test(arguments: ["fetch"])
  func commandsOfLaterVersionsAreSaidToBe(_ command: String) throws {
    let outcome = try Program.built("waypost").run(["pack", command, "list"])
    #expect(outcome.errors == "waypost: \(command): not in this version\n")
    #expect(try !Program.built("waypost").run(["pack", "--help"]).text.contains("\n  \(command) "))
  }

  @Test(arguments: [["view"], ["goto", "-33.92", "18.42"], ["watch"], ["screenshot", "x.png"]])
  func noDaemonExitsWith69AndAHint(_ words: [String]) throws {
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": "/nonexistent/s"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("no daemon answers at /nonexistent/s"))
    #expect(outcome.errors.contains("waypostd --demo"))
  }

  @Test func aDemosSocketIsFound() throws {
    let daemon = try Daemon()
    let runtime = daemon.folder + "/run"
    try FileManager.default.createDirectory(
      atPath: runtime + "/waypost", withIntermediateDirectories: true)
    #expect(symlink(daemon.socket, runtime + "/waypost/control.sock") == 0)
    let outcome = try Program.built("waypost").run(
      ["--json", "view"], environment: ["WAYPOST_SOCKET": "", "XDG_RUNTIME_DIR": runtime])
    // A daemon of the system's own would come first.
    let isSystemThere = access("/run/waypost/control.sock", F_OK) == 0
    #expect(outcome.status == 0 || isSystemThere)
  }

  @Test func aScreenshotIsWrittenWholeOrToStandardOutput() throws {
    let daemon = try Daemon()
    let file = daemon.folder + "/map.png"
    let outcome = try daemon.waypost("screenshot", file)
    #expect(outcome.text == "\(file): frame 7, 1280x720 pixels\n")
    let written = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(Array(written) == Samples.png)
    #expect(try daemon.waypost("screenshot", "-").output == Samples.png)
    let names = try FileManager.default.contentsOfDirectory(atPath: daemon.folder)
    #expect(names.sorted() == ["map.png", "s"])
    let failed = try daemon.waypost("screenshot", daemon.folder + "/no/such/folder.png")
    #expect(failed.status == 65)
    #expect(failed.errors.contains("no/such/folder.png"))
    let device = try daemon.waypost("screenshot", "/dev/null")
    #expect(device.status == 0)
    #expect(access("/dev/null", W_OK) == 0)
  }

  @Test func aViewThatDoesNotSettleExitsWith1() throws {
    let daemon = try Daemon()
    #expect(try daemon.waypost("settle").text == "frame 7 is complete, 2 tiles are missing\n")
    daemon.answer("settle", .success(SettleResult(frame: 8, complete: false, missing: 0).json))
    #expect(try daemon.waypost("settle").status == 1)
  }

  @Test func watchPrintsALineAnEventUntilTheDaemonEnds() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("watch", "view", "source")
    #expect(outcome.text == "view lat=-33.92 zoom=12\nsource name=\"topo\"\n")
    #expect(outcome.status == 69)
    #expect(daemon.takeCalls().first?.params == ["events": ["view", "source"]])
    let other = try Daemon()
    let json = try other.waypost("watch", "view", "--json")
    #expect(json.text == #"{"type":"view","lat":-33.92,"zoom":12}"# + "\n")
  }

  @Test func badJSONExitsWith65() throws {
    let outcome = try Program.built("waypost").run(["call", "view.set", "{lat:1}"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("not JSON"))
  }

  @Test func callPrintsTheRawResult() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("call", "view.get")
    #expect(outcome.text == Samples.view.json.text + "\n")
  }

  @Test(arguments: [
    (["marker", "set", "-7", "46", "-7.5"], #"{"id":"-7","lat":46,"lon":-7.5}"#),
    (
      ["marker", "set", "a", "46", "7", "--label", "-5"],
      #"{"id":"a","lat":46,"lon":7,"label":"-5"}"#
    ),
    (
      ["marker", "set", "a", "46", "7", "--text", "-1.5 degrees", "--label=-x"],
      #"{"id":"a","lat":46,"lon":7,"label":"-x","text":"-1.5 degrees"}"#
    ),
    (
      ["marker", "set", "a", "46", "7", "--label", "--json", "--json"],
      #"{"id":"a","lat":46,"lon":7,"label":"--json"}"#
    ),
    (
      ["marker", "set", "-1.5 degrees", "46", "7", "--label", "\u{2212}5"],
      #"{"id":"-1.5 degrees","lat":46,"lon":7,"label":"\#u{2212}5"}"#
    ),
    (["marker", "set", "--", "-x", "-46", "7"], #"{"id":"-x","lat":-46,"lon":7}"#),
  ])
  func textsThatBeginWithADashArriveUnchanged(_ words: [String], _ params: String) throws {
    let daemon = try Daemon()
    daemon.answer("marker.set", .success(MarkerInfo(id: "a", lat: 46, lon: 7, icon: "pin").json))
    let outcome = try Program.built("waypost").run(
      words, environment: ["WAYPOST_SOCKET": daemon.socket])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let expected = Daemon.Call(method: "marker.set", params: try JSON.parse(params))
    #expect(daemon.takeCalls() == [expected])
  }

  @Test(arguments: [
    (["--socket", "S", "stat"], "\"waypost status\""), (["stat"], "\"waypost stats\""),
    (["zom", "in"], "did you mean \"waypost zoom\"?"),
    (["source", "lst"], "did you mean \"waypost source list\"?"),
    (["--json", "source", "rem", "x"], "did you mean \"waypost source remove\"?"),
    (["xyzzy"], "\"waypost --help\" lists them"),
  ])
  func aMistypedCommandNamesTheOneThatWasMeant(_ words: [String], _ hint: String) throws {
    let outcome = try Program.built("waypost").run(words)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test func everyOptionThatTakesAValueIsKnown() throws {
    let dump = try Program.built("waypost").run(["--experimental-dump-help"])
    var options: Set<String> = []
    func collect(_ command: JSON) {
      for argument in command["arguments"]?.array ?? [] where argument["kind"] == "option" {
        for name in argument["names"]?.array ?? [] {
          let word = name["name"]?.string ?? ""
          options.insert((name["kind"] == "short" ? "-" : "--") + word)
        }
      }
      for sub in command["subcommands"]?.array ?? [] { collect(sub) }
    }
    collect(try #require(try JSON.parse(dump.text)["command"]))
    #expect(options.count > 20)
    // A value that looks like an option tells: it is taken for one where the option is not known.
    for option in options.sorted() {
      let source = try String(
        contentsOfFile: TestData.fixtures + "/../../Sources/waypost/CommandWords.swift",
        encoding: .utf8)
      #expect(source.contains("\"\(option)\""), "\(option)")
    }
  }

  @Test func aRefusalIsPrintedAsJSONWhereThatIsAskedFor() throws {
    let daemon = try Daemon()
    let error = ControlError.unknown("base source", "topp", known: ["topo"])
    daemon.answer("source.use", .failure(error))
    let outcome = try daemon.waypost("source", "use", "topp", "--json")
    #expect(outcome.status == 1)
    #expect(try JSON.parse(outcome.text)["error"] == error.json)
    #expect(outcome.errors == "waypost: \(error.message)\n")
    #expect(try daemon.waypost("source", "use", "topp").text == "")
  }

  @Test func turningShowsTheView() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("rotate", "left")
    #expect(outcome.text.hasPrefix("center   -33.92, 18.42\n"))
    #expect(daemon.takeCalls().map(\.method) == ["press", "view.get"])
    #expect(try JSON.parse(daemon.waypost("rotate", "right", "--json").text) == Samples.view.json)
  }

  @Test func aSizeBelowTheFloorIsTold() throws {
    let daemon = try Daemon()
    let outcome = try daemon.waypost("cache", "resize", "4MB")
    #expect(daemon.takeCalls().last?.params == ["bytes": 4_000_000])
    #expect(outcome.errors.contains("the limit is 32 MiB"), "\(outcome.errors)")
    #expect(try daemon.waypost("cache", "resize", "48MiB").errors == "")
  }

  @Test func aSocketThatIsNotForThisUserIsToldAsThat() throws {
    // Root may connect to any.
    if geteuid() == 0 { return }
    let daemon = try Daemon()
    #expect(chmod(daemon.socket, 0) == 0)
    let outcome = try daemon.waypost("view")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("permission denied; join the group"))
  }

  @Test func renderSaysWhyItCannotWrite() throws {
    let outcome = try Program.built("waypost").run(
      ["render", "--source", DaemonProcess.tiles, "--zoom", "3", "-o", "/dev/full"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
  }

  @Test func completionsAskTheDaemonForNames() throws {
    let daemon = try Daemon()
    let script = try Program.built("waypost").run(["completions", "bash"]).text
    #expect(script.contains("---completion"))
    let names = try daemon.waypost(
      "---completion", "source", "use", "--", "positional@0", "0", "0", "")
    #expect(names.text.contains("topo"), "\(names)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsOfTheDaemonKnowItsOptions(_ shell: String) throws {
    let script = try Program.built("waypost").run(["completions", shell, "waypostd"]).text
    let help = try Program.built("waypostd").run(["--help"]).text
    for match in help.matches(of: #/\n  --([a-z-]+)/#) {
      #expect(script.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsKnowTheCommands(_ shell: String) throws
  {
    let outcome = try Program.built("waypost").run(["completions", shell])
    #expect(outcome.status == 0)
    for word in ["goto", "screenshot", "completions", "--json"] {
      #expect(
        outcome.text.contains(
          shell == "fish" ? word.replacingOccurrences(of: "--", with: "") : word))
    }
  }

  @Test func everyCommandsHelpHasExamples() throws {
    let waypost = try Program.built("waypost")
    for command in [
      "status", "view", "goto", "pan", "zoom", "rotate", "home", "fit", "source", "source list",
      "source use", "source next", "source previous", "source add", "source remove", "cache",
      "cache stats", "cache clear", "cache resize", "press", "screenshot", "watch", "settle",
      "stats", "call", "config", "config reload", "version", "methods", "render", "completions",
      "pack", "pack info", "pack plan", "pack extract", "pack import", "pack export",
      "pack convert", "pack merge",
      "pack verify", "pack coverage",
    ] {
      let words = command.split(separator: " ").map { String($0) }
      let outcome = try waypost.run(words + ["--help"])
      #expect(outcome.status == 0)
      #expect(
        outcome.text.contains("Examples:\n  waypost \(command.prefix(3))") || command == "stats"
          || command == "settle")
    }
    #expect(try waypost.run(["--version"]).text == "waypost \(Release.version)\n")
  }
}
