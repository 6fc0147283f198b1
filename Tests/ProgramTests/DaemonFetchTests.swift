import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// waypostd and `waypost-fetch serve` together.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct DaemonFetchTests {
  @Test func aSourceOnAServerIsShownOnceTheServiceRuns() throws {
    let server = try TileServer { request in
      let path = DaemonProcess.tiles + request.path
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        return TileServer.Answer(status: 404)
      }
      return TileServer.Answer(body: [UInt8](data))
    }
    let folder = try TemporaryFolder()
    let url = "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png"
    try folder.write(
      DaemonProcess.head(folder)
        + "[[source]]\nname = \"net\"\nurl = \"\(url)\"\nstore = \"store.mbtiles\"\n",
      to: "waypost.toml")
    let environment = ["WAYPOST_FETCH_SOCKETS": folder["fetch"], "no_proxy": "127.0.0.1"]
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isSaid = try waitUntil {
      try client.health("source net")?.detail?.contains("waypost-fetch is not running") == true
    }
    #expect(isSaid)

    let arguments = ["serve", "--config", folder["waypost.toml"], "--sockets", folder["fetch"]]
    let service = try Program.built("waypost-fetch").start(arguments, environment: environment)
    let isWhole = try waitUntil {
      // Only a map that was settled after the source was opened has its tiles.
      guard try client.source("net")?.healthy == true else { return false }
      return try client.settled().missing == 0
    }
    #expect(isWhole, "\(service.log)")
    #expect(try client.health("source net") == nil)
    #expect(server.paths.contains("/5/16/11.png"))

    let refusal = client.refusal("source.add", ["name": "more", "url": .string(url)])
    #expect(refusal?.code == ControlError.invalidParams)
    #expect(refusal?.data?["parameter"] == "url")
    #expect(refusal?.message.contains("waypost.toml") == true)
  }
}
