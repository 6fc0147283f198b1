import Control
import Foundation
import Platform
import TestSupport
import Testing

/// `waypostd` from its start to its end.
@Suite struct DaemonLifeTests {
  @Test func itServesVersionStatusAndAPictureOfTheDisplaysSize() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    #expect(try client.call(Version.self, NoParams()).version == Release.version)
    let methods = try client.call(Methods.self, NoParams()).names
    #expect(Set(methods).isSuperset(of: [ViewSet.name, Methods.name, Subscribe.name]))
    #expect(Set(methods).count == methods.count)

    let settled = try client.settled()
    #expect(settled.missing == 0)
    #expect(settled.frame > 0)

    let status = try client.call(Status.self, NoParams())
    #expect(status.version == Release.version)
    #expect(status.pid == Int(daemon.pid))
    #expect(status.display?.backend == "headless")
    #expect(status.source?.name == "osm")
    #expect(status.source?.active == true)
    #expect(status.source?.healthy == true)
    #expect(status.view.lat == 40.98)
    #expect(status.view.lon == 11.25)
    #expect(status.view.width == 400)
    #expect(status.view.height == 300)
    #expect(status.health.isEmpty)

    let picture = try client.call(Screenshot.self, ScreenshotParams())
    #expect(picture.width == 400)
    #expect(picture.height == 300)
    #expect(picture.frame >= settled.frame)
    // PNG, sections 5.2 and 11.2.1: the signature, then IHDR with width and height.
    let head: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
      1, 144, 0, 0, 1, 44,
    ]
    #expect(try Array(picture.png().prefix(head.count)) == head)
  }

  /// Starts a daemon, and ends it with `signal` while it opens its pack; its folder.
  private func ended(
    by signal: Int32, _ folder: TemporaryFolder? = nil, openings: String = "state.json.openings"
  ) throws -> TemporaryFolder {
    let folder = try folder ?? TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles),
      to: "waypost.toml")
    let openings = folder[openings]
    // Swift's handlers for backtraces survive signals that another process sends.
    let first = try DaemonProcess.start(
      folder, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(waitUntil { access(openings, F_OK) == 0 })
    kill(first.pid, signal)
    #expect(first.outcome().status == -signal)
    #expect(access(openings, F_OK) == 0)
    return folder
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL])
  func aPackOverWhichItCrashedIsNamedAndOpenedOnceItHadTimeForTheOthers(_ signal: Int32) throws {
    let folder = try ended(by: signal)
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    var named: HealthItem?
    #expect(
      try waitUntil {
        named = try client.health("packs")
        return named != nil
      })
    #expect(named?.detail?.contains(DaemonProcess.tiles) == true)
    #expect(waitUntil { daemon.program.log.contains("packs: the program crashed while") })
    #expect(try waitUntil { try client.health("packs") == nil })
    try client.settled()
    #expect(access(folder["state.json.openings"], F_OK) != 0)
    #expect(daemon.end() == 0)
  }

  @Test func aPackOverWhichItCrashedIsNamedAlsoIfTheStatesDiskTakesNothing() throws {
    let folder = try TemporaryFolder()
    // A folder of this name: nothing can replace it.
    mkdir(folder["state.json.openings"], 0o700)
    let state = String(FNV1a(folder["state.json"].utf8).value, radix: 16)
    _ = try ended(by: SIGSEGV, folder, openings: "s.\(state).openings")
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    #expect(
      try waitUntil {
        try client.health("packs")?.detail?.contains(DaemonProcess.tiles) == true
      })
    #expect(try waitUntil { try client.health("packs") == nil })
    #expect(daemon.end() == 0)
  }

  @Test func anAddedOverlayOverWhichItCrashedTwiceStaysRefusedUntilItChanges() throws {
    let folder = try TemporaryFolder()
    let text =
      DaemonProcess.head(folder, state: "keep_added = true")
      + DaemonProcess.source("osm", DaemonProcess.tiles)
    try folder.write(text, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    func add(_ lat: Double) throws {
      let point = #"{"type": "Point", "coordinates": [11.25, \#(lat)]}"#
      _ = try daemon.connect().call(
        "overlay.add", ["name": "hazard", "geojson": .string(point)])
    }
    try add(40.98)
    #expect(daemon.end() == 0)
    for deaths in 0..<2 {
      let program = try DaemonProcess.start(folder, environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(
        waitUntil {
          let list = try? String(contentsOfFile: folder["state.json.openings"], encoding: .utf8)
          return (list ?? "").split(separator: "\n").contains {
            $0.hasPrefix("trying \(deaths) ") && $0.hasSuffix(" overlay hazard")
          }
        })
      kill(program.pid, SIGSEGV)
      #expect(program.outcome().status == -SIGSEGV)
    }
    try daemon.restart()
    let client = try daemon.connect()
    func detail() throws -> String? { try client.health("packs")?.detail }
    let refused = "overlay hazard was being opened alone"
    #expect(try waitUntil { try detail()?.contains(refused) == true })
    // Another display opens all overlays again.
    try folder.write(text.replacingOccurrences(of: "400x300", with: "320x200"), to: "waypost.toml")
    _ = try client.call(ConfigReload.self, NoParams())
    #expect(try waitUntil { try client.call(Status.self, NoParams()).view.width == 320 })
    try client.settled()
    #expect(try client.health("overlay hazard")?.detail?.contains("crashed 2 times") == true)
    #expect(try detail() != nil)
    try add(40.99)
    #expect(try waitUntil { try client.health("overlay hazard") == nil && detail() == nil })
    #expect(daemon.end() == 0)
  }

  @Test func aPackOverWhichItWasKilledFromOutsideIsOpenedAtOnce() throws {
    let folder = try ended(by: SIGKILL)
    let daemon = try DaemonProcess(folder)
    let client = try daemon.connect()
    #expect(try client.health("packs") == nil)
    try client.settled()
    #expect(!daemon.program.log.contains("packs:"))
    #expect(daemon.end() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func atItsEndItSavesItsStateAndRemovesItsSocket(_ signal: Int32) throws {
    let daemon = try DaemonProcess(
      sources: [("osm", DaemonProcess.tiles), ("sparse", DaemonProcess.packs + "/sparse-folder")])
    var client = try daemon.connect()
    _ = try client.call("source.use", ["name": "sparse"])
    let view = try client.call(
      ViewSet.self, ViewSetParams(lat: -33.92, lon: 18.4241, zoom: 4.375, bearing: 30))
    #expect(daemon.end(signal) == 0)
    #expect(access(daemon.socket, F_OK) != 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path)
    let others = names.filter { !$0.hasSuffix("last-good-configuration") }
    #expect(others.sorted() == ["state.json", "waypost.toml"])
    #expect(names.count == 3)

    try daemon.restart()
    client = try daemon.connect()
    #expect(try client.call(ViewGet.self, NoParams()) == view)
    #expect(try client.call(Status.self, NoParams()).source?.name == "sparse")
  }

  @Test func aStateThatIsNotToBeRestoredOrReadIsNoError() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"lat\": 91, \"lon\":", to: "state.json")
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles),
      to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    #expect(try daemon.connect().call(ViewGet.self, NoParams()).lat == 40.98)
    _ = try daemon.connect().call(ViewSet.self, ViewSetParams(lat: 10))
    #expect(daemon.end() == 0)

    try folder.write(
      DaemonProcess.head(folder, state: "restore = false")
        + DaemonProcess.source("osm", DaemonProcess.tiles), to: "waypost.toml")
    try daemon.restart()
    #expect(try daemon.connect().call(ViewGet.self, NoParams()).lat == 40.98)
  }

  @Test func thePowerMayFailAtAnyTimeOnceTheStateIsWritten() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder, state: "write_every = \"100ms\"")
        + DaemonProcess.source("osm", DaemonProcess.tiles), to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let view = try daemon.connect().call(ViewSet.self, ViewSetParams(lat: 51.5, lon: -0.125))
    let isWritten = waitUntil {
      let data = FileManager.default.contents(atPath: folder["state.json"]) ?? Data()
      return (try? JSON.parse(Array(data)))?["lat"]?.double == 51.5
    }
    #expect(isWritten)
    #expect(daemon.end(SIGKILL) == -SIGKILL)
    try daemon.restart()
    #expect(try daemon.connect().call(ViewGet.self, NoParams()) == view)
  }

  @Test func whatAPersonTypesReachesIt() throws {
    let daemon = try DaemonProcess()
    func waypost(_ words: String...) throws -> Program.Outcome {
      try Program.built("waypost").run(["--socket", daemon.socket] + words)
    }
    #expect(try waypost("goto", "-33.92", "18.42", "4").text.contains("-33.92, 18.42"))
    #expect(try waypost("zoom", "in").status == 0)
    #expect(try waypost("rotate", "right").status == 0)
    #expect(try waypost("settle", "--timeout", "300").text.contains("is complete"))
    let view = try ViewState(JSON.parse(try waypost("--json", "view").text))
    #expect([view.lat, view.lon, view.zoom, view.bearing] == [-33.92, 18.42, 5, 15])
    let status = try waypost("status").text
    #expect(status.contains("headless") && status.contains("400x300"), "\(status)")
    #expect(status.contains("no screen is connected"))
    #expect(status.contains("process \(daemon.pid)"))
    #expect(try waypost("source", "list").text.contains(DaemonProcess.tiles))
    #expect(try waypost("stats").status == 0)
    let file = daemon.folder["map.png"]
    #expect(try waypost("screenshot", file).text.contains("400x300 pixels"))
    #expect(FileManager.default.contents(atPath: file)?.starts(with: [0x89, 0x50]) == true)
    let refused = try waypost("source", "use", "osn")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("did you mean \"osm\"?"))
    #expect(daemon.end() == 0)
    #expect(try waypost("view").status == 69)
  }

  @Test func theDemoNeedsNoConfiguration() throws {
    let folder = try TemporaryFolder()
    let demo = try Program.built("waypostd").start(
      ["--demo"], environment: ["XDG_RUNTIME_DIR": folder.path])
    let path = folder["waypost/control.sock"]
    try #require(waitUntil { (try? ControlConnection(path: path).call("version")) != nil })
    let client = try ControlConnection(path: path)
    try client.settled()
    #expect(try client.call(Status.self, NoParams()).source?.name == "natural-earth")
    #expect(try client.call("source.next")["name"] == "world")
    kill(demo.pid, SIGTERM)
    let outcome = demo.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("waypost screenshot map.png"))
  }
}
