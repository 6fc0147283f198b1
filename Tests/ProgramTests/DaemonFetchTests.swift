import Control
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// waypostd and `waypost-fetch serve` together.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct DaemonFetchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var environment: [String: String] {
    ["WAYPOST_FETCH_SOCKETS": folder["fetch"], "no_proxy": "127.0.0.1"]
  }

  /// A server of the test map.
  private func server() throws -> TileServer {
    try TileServer { request in
      let path = DaemonProcess.tiles + request.path
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        return TileServer.Answer(status: 404)
      }
      return TileServer.Answer(body: [UInt8](data))
    }
  }

  private func url(_ server: TileServer) -> String {
    "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png"
  }

  /// Writes a configuration of one source, "net", with this store.
  private func configure(_ server: TileServer, store: String) throws {
    try folder.write(
      DaemonProcess.head(folder)
        + "[[source]]\nname = \"net\"\nurl = \"\(url(server))\"\nstore = \"\(store)\"\n",
      to: "waypost.toml")
  }

  private func serve() throws -> RunningProgram {
    try Program.built("waypost-fetch").start(
      ["serve", "--config", folder["waypost.toml"], "--sockets", folder["fetch"]],
      environment: environment)
  }

  /// Waits until the source is open and the map complete.
  private func isWhole(_ client: ControlConnection) throws -> Bool {
    try waitUntil {
      // Only a map that was settled after the source was opened has its tiles.
      guard try client.source("net")?.healthy == true else { return false }
      return try client.settled().missing == 0
    }
  }

  @Test func aSourceOnAServerIsShownOnceTheServiceRuns() throws {
    let server = try server()
    try configure(server, store: "store.mbtiles")
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isSaid = try waitUntil {
      try client.health("source net")?.detail?.contains("waypost-fetch is not running") == true
    }
    #expect(isSaid)

    let service = try serve()
    #expect(try isWhole(client), "\(service.log)")
    #expect(try client.health("source net") == nil)
    #expect(server.paths.contains("/5/16/11.png"))

    let refusal = client.refusal("source.add", ["name": "more", "url": .string(url(server))])
    #expect(refusal?.code == ControlError.invalidParams)
    #expect(refusal?.data?["parameter"] == "url")
    #expect(refusal?.message.contains("waypost.toml") == true)
  }

  @Test func aStoreThatCannotBeWrittenIsAMatterOfHealthAndTheMapIsWhole() throws {
    let server = try server()
    try configure(server, store: "/proc/store.mbtiles")
    let service = try serve()
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isSaid = try waitUntil {
      try client.health("source net")?.detail?.contains("/proc/store.mbtiles: ") == true
    }
    #expect(isSaid, "\(service.log)")
    #expect(try client.health("source net")?.state == "warning")
    #expect(try waitUntil { try client.settled().missing == 0 }, "\(service.log)")
    // Opening the source again would not help, and is not tried.
    _ = try client.call("source.use", ["name": "net"])
    #expect(try client.health("source net")?.state == "warning")

    let status = try Program.built("waypost").run(["--socket", daemon.socket, "status"])
    #expect(status.text.contains("To do: make room on the medium of the source's store"))
    for log in [daemon.program.log, service.log] {
      let lines = log.split(separator: "\n").filter { $0.contains("/proc/store.mbtiles: ") }
      #expect(lines.count == 1, "\(log)")
      #expect(lines.first?.contains("warning: source net: ") == true, "\(log)")
    }
  }

  @Test func aKilledServiceThatIsStartedAgainShowsWhatItHasStored() throws {
    let server = try server()
    try configure(server, store: "store.mbtiles")
    let first = try serve()
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    #expect(try isWhole(client), "\(first.log)")
    // The last batch would be lost.
    let corners = [(16, 11), (17, 11), (16, 12), (17, 12)].compactMap {
      TileID(z: 5, x: $0.0, y: $0.1)
    }
    let areStored = waitUntil {
      let pack = try? SourceSpec(name: "s", location: .path(folder["store.mbtiles"])).open()
      return corners.allSatisfy { (try? pack?.contains($0)) == true }
    }
    #expect(areStored, "\(first.log)")
    server.stop()
    kill(first.pid, SIGKILL)
    _ = first.outcome()
    _ = try client.call("cache.clear")
    #expect(try waitUntil { try client.settled().missing > 0 })
    #expect(try client.health("source net") != nil)

    let second = try serve()
    // Coarse tiles for later may be of the lost batch. That the server cannot be reached for them
    // is true; that the service is gone no longer is.
    var problem = ""
    let isShown = try waitUntil {
      problem = try client.health("source net")?.detail ?? ""
      guard problem.isEmpty || problem.contains("connect to server") else { return false }
      return try client.settled().missing == 0
    }
    let stats = try client.call("stats")
    #expect(isShown, "\(problem)\n\(stats)\n\(daemon.program.log)\n\(second.log)")
  }
}
