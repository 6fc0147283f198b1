import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// `waypost-fetch serve`, killed while it writes: once, and forty times by `make test-long`.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct FetchKillTests {
  @Test func aKilledServiceLosesAtMostTheLastBatch() throws {
    let rounds = getenv("WAYPOST_LONG_TESTS") == nil ? 1 : 40
    let folder = try TemporaryFolder()
    let head: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let png = head + [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]
    // Small, so that all rounds together stay below the hour's limit of bytes written.
    let server = try TileServer { request in
      TileServer.Answer(body: png + [UInt8](repeating: 7, count: 1000))
    }
    try folder.write(
      """
      [[source]]
      name = "map"
      url = "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png"
      store = "store.mbtiles"
      store_limit = "16MiB"
      """, to: "waypost.toml")
    var random = SeededNumbers(9)
    var (visited, inWrite, worst) = (0, 0, 0)
    for round in 0..<rounds {
      let program = try Program.built("waypost-fetch").start(
        ["serve", "--config", folder["waypost.toml"], "--sockets", folder["s"]],
        environment: ["no_proxy": "127.0.0.1"])
      #expect(waitUntil { program.log.contains("sources are served in") }, "\(program.log)")
      let source = try ProviderSource(socket: folder["s/map.sock"])
      // More than three batches, so that the first must be in the file.
      let enough = random.integer(400...600)
      var answered: [TileID] = []
      var group: [TileID] = []
      let isVisited = waitUntil {
        if group.isEmpty {
          group = (0..<32).compactMap { TileID(z: 14, x: (visited + $0) % 16_384, y: round) }
          visited += 32
        }
        group = group.filter { id in
          guard case .payload? = try? source.read(id) else { return true }
          answered.append(id)
          return false
        }
        return answered.count >= enough
      }
      #expect(isVisited, "round \(round): \(program.log)")
      kill(program.pid, SIGKILL)
      _ = program.outcome()
      let log = folder["store.mbtiles-wal"]
      if let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int, size > 0
      {
        inWrite += 1
      }
      let pack = try SourceSpec(name: "s", location: .path(folder["store.mbtiles"])).open()
      // The first ones may have been evicted; the last ones were not yet written.
      let last = answered.lastIndex { (try? pack.contains($0)) == true } ?? -1
      let lost = answered.count - 1 - last
      worst = max(worst, lost)
      // A batch that is being written, one that waits for that, and what came meanwhile.
      #expect(lost <= 3 * 128, "round \(round)")
    }
    print(
      "\(visited) tiles in \(rounds) rounds: killed \(inWrite) times in the middle of a write; at "
        + "most \(worst) tiles lost")
  }
}
