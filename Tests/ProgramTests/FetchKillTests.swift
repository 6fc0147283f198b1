import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

/// `waypost-fetch serve`, killed while it writes. Minutes of it: `WAYPOST_LONG_TESTS=1`.
@Suite(.enabled(if: getenv("WAYPOST_LONG_TESTS") != nil, "skipped: WAYPOST_LONG_TESTS is not set"))
struct FetchKillTests {
  @Test func aKilledServiceLosesAtMostTheLastBatch() throws {
    let folder = try TemporaryFolder()
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    let server = try TileServer { request in
      TileServer.Answer(body: png + [UInt8](repeating: 7, count: 12_000))
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
    var (visited, opened, inWrite, worst) = (0, 0, 0, 0)
    for round in 0..<40 {
      let program = try Program.built("waypost-fetch").start(
        ["serve", "--config", folder["waypost.toml"], "--sockets", folder["s"]],
        environment: ["no_proxy": "127.0.0.1"])
      let ready = Date(timeIntervalSinceNow: 20)
      while !program.log.contains("sources are served in"), Date() < ready { usleep(1000) }
      let source = try ProviderSource(socket: folder["s/map.sock"])
      let end = Date(timeIntervalSinceNow: Double(random.integer(300...2500)) / 1000)
      var answered: [TileID] = []
      while Date() < end {
        var group = (0..<32).compactMap { TileID(z: 14, x: (visited + $0) % 16_384, y: round) }
        visited += 32
        while !group.isEmpty, Date() < end {
          group = group.filter { id in
            guard case .payload? = try? source.read(id) else { return true }
            answered.append(id)
            return false
          }
          usleep(300)
        }
      }
      kill(program.pid, SIGKILL)
      _ = program.outcome()
      let log = folder["store.mbtiles-wal"]
      if let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int, size > 0
      {
        inWrite += 1
      }
      let pack = try SourceSpec(name: "s", location: .path(folder["store.mbtiles"])).open()
      opened += 1
      // The first ones may have been evicted; the last ones were not yet written.
      let last = answered.lastIndex { (try? pack.contains($0)) == true } ?? -1
      let lost = answered.count - 1 - last
      worst = max(worst, lost)
      // A batch that is being written, one that waits for that, and what came meanwhile.
      #expect(lost <= 3 * 128, "round \(round)")
    }
    print(
      "\(visited) tiles in 40 rounds: opened \(opened) times, \(inWrite) times in the middle of a "
        + "write; at most \(worst) tiles lost")
  }
}
