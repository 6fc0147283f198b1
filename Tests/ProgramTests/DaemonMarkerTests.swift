import Control
import Foundation
import TestSupport
import Testing

/// `marker.*`, their events and `waypost marker`, at the daemon's socket.
@Suite struct DaemonMarkerTests {
  @Test func aMarkerIsSetListedReplacedAndRemoved() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.marker]))
    let set = try client.call(
      MarkerSet.self,
      table([
        "id": "hut", "lat": 40.98, "lon": 371.25, "label": "Hut", "color": "#d00",
        "icon": "hut",
      ]))
    #expect(
      set
        == MarkerInfo(
          id: "hut", lat: 40.98, lon: 11.25, label: "Hut", color: "#dd0000", icon: "hut",
          added: true))
    #expect(try client.event(.marker)?["change"]?.string == "set")
    #expect(try client.call(MarkerListMethod.self, NoParams()).elements == [set])
    _ = try client.call(MarkerSet.self, table(["id": "hut", "lat": 41, "lon": 11]))
    let list = try client.call(MarkerListMethod.self, NoParams()).elements
    #expect(list.map(\.lat) == [41])
    #expect(list.map(\.icon) == ["pin"])
    _ = try client.call(MarkerRemove.self, IDParams(id: "hut"))
    #expect(try client.event(.marker) { $0["change"]?.string == "removed" }?["id"] == "hut")
    #expect(try client.call(MarkerListMethod.self, NoParams()).elements.isEmpty)
    let refusal = try #require(client.refusal("marker.remove", ["id": "hut"]))
    #expect(refusal.code == -32001)
    #expect(client.refusal("marker.remove")?.code == -32602)
    #expect(client.refusal("marker.set", ["id": "a"])?.code == -32602)
    #expect(client.refusal("marker.list", ["id": "a"])?.code == -32602)
  }

  @Test func theSelectButtonTellsWhichMarkerItChose() throws {
    let daemon = try DaemonProcess()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.connect()
    try client.settled()
    #expect(client.refusal("press", ["action": "select"])?.code == -32005)
    _ = try client.call(
      MarkerSet.self, table(["id": "a", "lat": 40.98, "lon": 11.25, "text": "Hello"]))
    try client.settled()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.marker]))
    _ = try client.call(Press.self, PressParams(action: "select"))
    #expect(try client.event(.marker)?["change"]?.string == "selected")
    _ = try client.call(Press.self, PressParams(action: "select"))
    #expect(try client.event(.marker)?["change"]?.string == "closed")
  }

  @Test(arguments: [true, false])
  func markersSetOverTheSocketOutlastARestartWhereTheConfigurationSaysSo(_ keeps: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder, state: "keep_added = \(keeps)")
        + DaemonProcess.source("osm", DaemonProcess.tiles)
        + "[[marker]]\nid = \"c\"\nlat = 1\nlon = 2\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    _ = try daemon.connect().call(
      MarkerSet.self, table(["id": "own", "lat": 3, "lon": 4, "label": "Own"]))
    #expect(daemon.end() == 0)
    try daemon.restart()
    let ids = try daemon.connect().call(MarkerListMethod.self, NoParams()).elements.map(\.id)
    #expect(ids == (keeps ? ["c", "own"] : ["c"]))
  }

  private func table(_ members: JSONObject) -> RawParams { RawParams(members) }

  private func waypost(_ daemon: DaemonProcess, _ words: String...) throws -> Program.Outcome {
    try Program.built("waypost").run(["--socket", daemon.socket] + words)
  }

  @Test func theCommandSetsListsAndRemoves() throws {
    let daemon = try DaemonProcess()
    let set = try waypost(
      daemon,
      "marker", "set", "cape", "-33.92", "18.42", "--label", "Cape Town", "--icon", "summit")
    #expect(set.status == 0)
    #expect(
      set.text == "ID    LAT     LON    ICON    LABEL\ncape  -33.92  18.42  summit  Cape Town\n")
    #expect(try waypost(daemon, "marker", "list").text == set.text)
    let wrong = try waypost(daemon, "marker", "set", "b", "1", "2", "--icon", "sumit")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("perhaps \"summit\""))
    #expect(try waypost(daemon, "marker", "set", "b", "91", "2").status == 64)
    #expect(try waypost(daemon, "marker", "remove", "cape").status == 0)
    #expect(try waypost(daemon, "marker", "remove", "cape").status == 1)
  }

  @Test func aFontThatIsNotThereIsInTheHealthAndAFindingAndEndsNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles)
        + "[hud]\nfont = [\"none.ttf\"]\n", to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    #expect(try waitUntil { try client.health("hud.font") != nil })
    let health = try #require(try client.health("hud.font"))
    #expect(health.detail?.hasPrefix(folder["none.ttf"] + ": the font cannot be read") == true)
    let check = try Program.built("waypostd").run(
      ["--check-config", "--config", folder["waypost.toml"]])
    #expect(check.text.contains("hud.font: \(folder["none.ttf"]): the font cannot be read"))
  }

  @Test func tenThousandMarkersAreShownInAFewFrames() throws {
    let folder = try TemporaryFolder()
    var tables = ""
    for i in 0..<10_000 {
      tables += "[[marker]]\nid=\"m\(i)\"\nlat=\(35 + Double(i % 100) / 8)\n"
      tables += "lon=\(5 + Double(i / 100) / 8)\nlabel=\"Place \(i)\"\n"
    }
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles) + tables,
      to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    try client.settled()
    #expect(try client.call(MarkerListMethod.self, NoParams()).elements.count == 10_000)
    let memory = try client.call(Stats.self, NoParams()).memory
    let bytes = try #require(memory.first { $0.owner == "markers" }).bytes
    #expect(bytes > 1 << 20 && bytes < 12 << 20)
  }
}
