import Control
import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// A PMTiles archive on a server as a source: `waypost-fetch serve` reads it by ranges.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct FetchArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The test map as an archive, with leaf directories.
  private static func archive(type: UInt8 = 2) throws -> [UInt8] {
    TilePacks.pmtiles(
      try TilePacks.tiles(of: DaemonProcess.tiles), leaf: 100, type: type,
      metadata: #"{"attribution":"© the archive"}"#)
  }

  private func configuration(_ server: RangeServer) -> String {
    """
    [[source]]
    name = "net"
    url = "\(server.address)?key=1"
    store = "store.mbtiles"

    """
  }

  private var environment: [String: String] {
    ["WAYPOST_FETCH_SOCKETS": folder["fetch"], "no_proxy": "127.0.0.1"]
  }

  private func serve() throws -> RunningProgram {
    let program = try Program.built("waypost-fetch").start(
      ["serve", "--config", folder["waypost.toml"], "--sockets", folder["fetch"]],
      environment: environment)
    let isServing = waitUntil {
      program.hasEnded || program.log.contains("sources are served in")
    }
    try #require(isServing && !program.hasEnded, "\(program.log)")
    return program
  }

  /// What the source answers for the tile, with its reason where that is an error.
  private func get(_ source: ProviderSource, _ id: TileID) throws -> Result<[UInt8]?, TileError> {
    var result: Result<[UInt8]?, TileError>?
    var buffer = TileBuffer()
    let isAnswered = waitUntil {
      do throws(TileError) {
        switch try source.read(id, into: &buffer) {
        case .nothing: result = .success(nil)
        case .payload(let payload): result = .success([UInt8](payload.bytes))
        case .later: break
        }
      } catch {
        result = .failure(error)
      }
      return result != nil
    }
    try #require(isAnswered)
    return try #require(result)
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileID {
    try #require(TileID(z: z, x: x, y: y))
  }

  @Test func tilesComeByRangesAndAreKeptWithWhatTheArchiveSaysOfItself() throws {
    let server = try RangeServer(try Self.archive())
    try folder.write(configuration(server), to: "waypost.toml")
    let first = try serve()
    let source = try ProviderSource(socket: folder["fetch/net.sock"])
    #expect(source.info.attribution == "© the archive")
    #expect(source.info.format == "png" && source.info.bounds != nil)
    let id = try tile(3, 4, 2)
    let path = "\(DaemonProcess.tiles)/3/4/2.png"
    let expected = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let bytes = try get(source, id).get()
    #expect(bytes == expected)
    #expect(server.requests.allSatisfy { $0.range != nil && $0.path.hasSuffix("?key=1") })
    kill(first.pid, SIGTERM)
    #expect(first.outcome().status == 0)

    // Nothing is asked of the server for what is stored.
    let count = server.requests.count
    let second = try serve()
    let again = try ProviderSource(socket: folder["fetch/net.sock"])
    #expect(again.info == source.info)
    #expect(try get(again, id).get() == expected)
    #expect(server.requests.count == count)
    kill(second.pid, SIGTERM)
    #expect(second.outcome().status == 0)
  }

  @Test(arguments: ["whole", "status", "truncate", "tooMany", "noise", "encoding", "shifted"])
  func aServerThatMisbehavesIsAnErrorOfItsTiles(_ what: String) throws {
    let server = try RangeServer(try Self.archive()) { number, _ in
      // The header is right.
      if number == 0 { return .serve }
      switch what {
      case "whole": return .whole
      case "status": return .status(500)
      case "truncate": return .truncate
      case "tooMany": return .tooMany
      case "noise": return .noise
      case "shifted": return .shifted
      default: return .line("Content-Encoding: gzip")
      }
    }
    try folder.write(configuration(server), to: "waypost.toml")
    let program = try serve()
    let source = try ProviderSource(socket: folder["fetch/net.sock"])
    guard case .failure(let error) = try get(source, try tile(3, 4, 2)) else {
      Issue.record("it is no error")
      return
    }
    let words = [
      "whole": "instead of a part", "status": "HTTP 500", "encoding": "encoding gzip",
      "shifted": "instead of", "tooMany": "instead of",
    ]
    if let words = words[what] { #expect(error.reason.contains(words), "\(error)") }
    #expect(!program.hasEnded)
    kill(program.pid, SIGTERM)
    #expect(program.outcome().status == 0)
  }

  @Test func theDaemonShowsAnArchiveOnAServer() throws {
    let server = try RangeServer(try Self.archive())
    try folder.write(
      DaemonProcess.head(folder) + configuration(server), to: "waypost.toml")
    let service = try serve()
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isWhole = try waitUntil {
      let result = try client.settled()
      return try result.missing == 0 && client.source("net")?.healthy == true
    }
    #expect(isWhole, "\(service.log)")
    #expect(try client.source("net")?.attribution == "© the archive")
  }

  @Test func theDaemonOpensAnewWhatIsKnownOnlyLater() throws {
    let isThere = Mutex(false)
    let server = try RangeServer(try Self.archive()) { _, _ in
      isThere.withLock { $0 } ? .serve : .status(404)
    }
    try folder.write(
      DaemonProcess.head(folder) + configuration(server), to: "waypost.toml")
    let service = try serve()
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isSaid = try waitUntil {
      try client.health("source net")?.detail?.contains("HTTP 404") == true
    }
    #expect(isSaid, "\(service.log)")
    #expect(try client.source("net")?.attribution != "© the archive")
    isThere.withLock { $0 = true }
    kill(service.pid, SIGHUP)
    let isShown = try waitUntil {
      try client.source("net")?.attribution == "© the archive"
        && client.source("net")?.healthy == true
    }
    #expect(isShown, "\(service.log)")
  }

  @Test func theDaemonSaysOfVectorTilesWhatItSaysOfAPack() throws {
    let server = try RangeServer(try Self.archive(type: 1))
    try folder.write(
      DaemonProcess.head(folder) + configuration(server), to: "waypost.toml")
    let service = try serve()
    let daemon = try DaemonProcess(folder, environment: environment)
    let client = try daemon.connect()
    let isSaid = try waitUntil {
      try client.health("source net")?.detail?
        .contains("vector tile") == true
    }
    #expect(isSaid, "\(service.log)")
  }
}
