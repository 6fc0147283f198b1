import Control
import Foundation
import TestSupport
import Testing

/// `waypost` as a person types it: the calls that the words become.
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
    (
      "overlay add /t.gpx --title Ridge --card surface --card sac --travel cycling --travel-speed 12",
      "overlay.add",
      #"{"path":"/t.gpx","title":"Ridge","card":["surface","sac"],"travel":"cycling","travel_speed":12}"#
    ),
    (
      "overlay add /t.gpx --title Ridge --translation de=Grat --translation fr=Crête",
      "overlay.add", #"{"path":"/t.gpx","title":"Ridge","title.de":"Grat","title.fr":"Crête"}"#
    ),
    ("overlay remove trails", "overlay.remove", #"{"name":"trails"}"#),
    ("overlay show trails", "overlay.show", #"{"name":"trails"}"#),
    ("overlay hide trails", "overlay.hide", #"{"name":"trails"}"#),
    ("overlay raise trails --above x", "overlay.move", #"{"name":"trails","above":"x"}"#),
    ("overlay lower trails --below x", "overlay.move", #"{"name":"trails","below":"x"}"#),
    ("display theme night", "display.set", #"{"theme":"night"}"#),
    ("position get", "position.get", "null"),
    (
      "position set -33.9 18.4 --heading 90 --accuracy 5", "position.set",
      #"{"lat":-33.9,"lon":18.4,"heading":90,"accuracy":5}"#
    ),
    ("display language de", "display.set", #"{"language":"de"}"#),
    ("display hud scale_bar off", "display.set", #"{"hud":{"scale_bar":false}}"#),
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

  @Test func theAreaOfANoticeIsSentAsItsFileSaysIt() throws {
    let daemon = try Daemon()
    let folder = try TemporaryFolder()
    let area = try folder.write(#"{"type":"Point","coordinates":[8,47]}"#, to: "area.geojson")
    _ = try daemon.waypost("notice", "set", "fire", "Burnt", "--area", area)
    #expect(
      daemon.takeCalls().first?.params == [
        "id": "fire", "text": "Burnt",
        "geojson": ["type": "Point", "coordinates": .array([.int(8), .int(47)])],
      ])
    let broken = try folder.write("{", to: "broken.geojson")
    for file in [broken, folder.path + "/missing.geojson"] {
      let outcome = try daemon.waypost("notice", "set", "fire", "Burnt", "--area", file)
      #expect(outcome.status == 65 && outcome.errors.contains(file), "\(outcome.errors)")
    }
    #expect(daemon.takeCalls().isEmpty)
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
}
