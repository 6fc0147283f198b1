import Control
import Foundation
import TestSupport
import Testing

/// `overlay.*` over the socket, overlays in `--check-config`, and `render --overlay`.
@Suite struct DaemonOverlayTests {
  private static let line =
    #"{"type":"LineString","coordinates":[[11,40.9],[11.25,40.98],[11.5,41]]}"#

  private static func table(_ name: String) throws -> JSON {
    ["name": .string(name), "geojson": try JSON.parse(line)]
  }

  private func names(_ client: ControlConnection) throws -> [String] {
    try client.call(OverlayListMethod.self, NoParams()).elements.map(\.name)
  }

  @Test func overlaysAreAddedListedMovedHiddenAndRemoved() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let a = try OverlayInfo(try client.call("overlay.add", try Self.table("a")))
    #expect(a.kind == "geojson" && a.features == 1 && a.healthy == true && a.shown)
    #expect(a.level == "above-roads" && a.error == nil)
    #expect((a.bytes ?? 0) > 0 && a.title == nil)
    var titled = try Self.table("a").object ?? [:]
    titled["title"] = "Walks"
    titled["title.en"] = "Trails"
    #expect(try client.call("overlay.add", .object(titled))["title"] == "Trails")
    _ = try client.call("overlay.add", ["kind": "grid"])
    _ = try client.call("overlay.add", try Self.table("b"))
    #expect(try names(client) == ["a", "b", "grid"])
    let moved = try client.call(OverlayMove.self, OverlayMoveParams(name: "a", .above("grid")))
    #expect(moved.elements.map(\.name) == ["b", "grid", "a"])
    #expect(moved.elements.last?.level == "above-labels")
    #expect(try client.call(OverlayHide.self, NameParams(name: "b")).shown == false)
    #expect(try client.call(OverlayShow.self, NameParams(name: "b")).shown)
    #expect(try client.call(OverlayRemove.self, NameParams(name: "b")).name == "b")
    #expect(try names(client) == ["grid", "a"])
    let stats = try client.call(Stats.self, NoParams())
    #expect((stats.memory.first { $0.owner == "overlays" }?.bytes ?? 0) > 0)
    let limits = Dictionary(stats.limits.map { ($0.name, $0.most) }, uniquingKeysWith: { $1 })
    #expect(limits["overlay_bytes"] == 128 << 20 && limits["request_bytes"] == 64 << 10)
    try client.settled()
  }

  @Test func theListGivesBackWhatWasSet() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let look: JSONObject = [
      "stroke": "#c0392b80", "stroke_width": 2.5, "fill": "#112233", "color_by": "speed",
      "card": ["surface", "owner"], "travel": "cycling", "travel_speed": 17,
    ]
    var table = try #require(try Self.table("a").object)
    for (key, value) in look.members { table[key] = value }
    _ = try client.call("overlay.add", .object(table))
    _ = try client.call("overlay.add", try Self.table("b"))
    let list = try client.call("overlay.list")
    for (key, value) in look.members { #expect(list[0]?[key] == value, "\(key)") }
    #expect(list[1]?["stroke"]?.isNull == true && list[1]?["card"] == [])
    #expect(list[1]?["travel"] == "hiking")
    let nothing = client.refusal("overlay.add", [:])
    #expect(nothing?.code == ControlError.invalidParams)
    #expect(nothing?.message.contains("geojson") == true)
    let number = client.refusal("overlay.select", ["name": "a", "feature": 1.5])
    #expect(number?.message.contains("a feature's index, from 0, or its name") == true)
  }

  @Test func whatCannotBeDoneIsRefusedByCodeAndName() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    _ = try client.call("overlay.add", try Self.table("trails"))
    for method in ["overlay.remove", "overlay.show", "overlay.hide"] {
      let error = client.refusal(method, ["name": "trials"])
      #expect(error?.code == ControlError.unknownName)
      #expect(error?.data?["name"] == "trials" && error?.data?["nearest"] == "trails")
    }
    #expect(
      client.refusal("overlay.move", ["name": "trails", "above": "x"])?.data?["name"] == "x")
    #expect(
      client.refusal("press", ["action": "overlay-toggle:x"])?.code == ControlError.unknownName)
    let missing = client.refusal("overlay.add", ["path": "/nonexistent/a.gpx"])
    #expect(missing?.code == ControlError.fileRefused)
    #expect(missing?.data?["path"] == "/nonexistent/a.gpx")
    let broken = client.refusal("overlay.add", ["name": "x", "geojson": ["type": "Nothing"]])
    #expect(broken?.code == ControlError.fileRefused)
    #expect(broken?.data?["parameter"] == "geojson")
    for (params, culprit) in [
      (#"{"name":"x"}"#, "path"), (#"{"geojson":{"type":"Point","coordinates":[0,0]}}"#, "name"),
      (##"{"path":"/a.gpx","strok":"#f00"}"##, "strok"),
      (#"{"path":"/a","stroke":"red"}"#, "stroke"),
      (#"{"path":"/a.gpx","min_zoom":99}"#, "min_zoom"), (#"{"name":"x","geojson":7}"#, "geojson"),
      (#"{"path":"/a","geojson":{"type":"Point","coordinates":[0,0]}}"#, "path"),
      (#"{"path":"a.gpx"}"#, "path"), (#"{"path":"/a.gpx","kind":"grid"}"#, "kind"),
    ] {
      let error = client.refusal("overlay.add", try JSON.parse(params))
      #expect(error?.code == ControlError.invalidParams, "\(params)")
      #expect(
        error?.data?["parameter"]?.string == culprit, "\(params): \(String(describing: error))")
    }
    #expect(
      client.refusal("overlay.move", ["name": "trails"])?.code == ControlError.invalidParams)
    // What was refused left nothing behind.
    #expect(try names(client) == ["trails"])
    #expect(try client.call(Status.self, NoParams()).health.isEmpty)
  }

  @Test func aRefusedReplacementLeavesWhatWasThere() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    _ = try client.call("overlay.add", try Self.table("trails"))
    _ = client.refusal("overlay.add", ["name": "trails", "path": "/nonexistent/a.gpx"])
    let list = try client.call(OverlayListMethod.self, NoParams()).elements
    #expect(list.map(\.name) == ["trails"] && list[0].path == nil)
  }

  @Test func inlineFeaturesMayFillTheLine() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let points = (0..<2400).map { "[\($0 / 100),\($0 % 90).123456]" }.joined(separator: ",")
    let features = #"{"type":"MultiPoint","coordinates":[\#(points)]}"#
    let params: JSON = ["name": "many", "geojson": try JSON.parse(features)]
    #expect(params.text.utf8.count > 30_000 && params.text.utf8.count < 65_000)
    let many = try OverlayInfo(try client.call("overlay.add", params))
    #expect(many.features == 1 && many.healthy == true)
  }

  @Test func whoSubscribedIsToldWhatHappensToOverlays() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    _ = try watcher.call(Subscribe.self, SubscribeParams(events: [.overlay]))
    _ = try client.call("overlay.add", try Self.table("a"))
    _ = try client.call("overlay.hide", ["name": "a"])
    _ = try client.call("press", ["action": "overlay-toggle:a"])
    _ = try client.call("overlay.remove", ["name": "a"])
    var seen: [String] = []
    for _ in 0..<4 {
      let event = try #require(try watcher.event(.overlay))
      #expect(event["name"] == "a")
      seen.append(event["change"]?.string ?? "")
    }
    #expect(seen == ["added", "hidden", "shown", "removed"])
  }

  @Test func aFileThatCannotBeReadIsToldAndTheMapGoesOn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{\"type\":\n\"Feature\",,}", to: "bad.geojson")
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles)
        + "[[overlay]]\nname = \"bad\"\npath = \"bad.geojson\"\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    try client.settled()
    let bad = try client.call(OverlayListMethod.self, NoParams()).elements.first
    #expect(bad?.healthy == false)
    #expect(bad?.error?.hasPrefix("\(path): line 2") == true, "\(bad?.error ?? "")")
    #expect(try client.health("overlay bad")?.state == "error")
  }

  @Test func checkConfigOpensEveryOverlayAndSaysWhereItIsWritten() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"type\":\n\"Feature\",,}", to: "bad.geojson")
    try folder.write(Self.line, to: "good.geojson")
    let file = try folder.write(
      """
      [[overlay]]
      path = "good.geojson"

      [[overlay]]
      path = "bad.geojson"
      [[overlay]]
      kind = "grid"
      [[overlay]]
      name = "none"
      path = "none.gpx"
      """, to: "waypost.toml")
    let outcome = try Program.built("waypostd").run(["--config", file, "--check-config"])
    #expect(outcome.status == 78)
    let lines = outcome.text.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(file):4: error: overlay \"bad\": ") == true)
    #expect(lines.first?.contains("bad.geojson: line 2") == true)
    #expect(lines.last?.hasPrefix("\(file):8: error: overlay \"none\": ") == true)
  }

  @Test func renderDrawsFilesOverTheMap() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.line, to: "a.geojson")
    func render(_ more: [String]) throws -> (status: Int32, png: Data?) {
      let out = folder["out.png"]
      try? FileManager.default.removeItem(atPath: out)
      let outcome = try Program.built("waypost").run(
        [
          "render", "--source", DaemonProcess.tiles, "--center", "40.98,11.25", "--zoom", "5",
          "--size", "200x100", "-o", out,
        ] + more)
      return (outcome.status, FileManager.default.contents(atPath: out))
    }
    let plain = try render([])
    let drawn = try render(["--overlay", path])
    #expect(plain.status == 0 && drawn.status == 0)
    #expect(plain.png != nil && drawn.png != nil && plain.png != drawn.png)
    #expect(try render(["--overlay", folder["none.gpx"]]).status == 65)
  }
}
