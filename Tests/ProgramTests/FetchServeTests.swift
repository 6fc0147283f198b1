import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// `waypost-fetch serve`, asked as waypostd asks it.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct FetchServeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func picture(_ path: String) -> [UInt8] {
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0] + Array("IEND".utf8)
      + [0xae, 0x42, 0x60, 0x82] + Array(path.utf8)
  }

  private static func tiles(_ request: TileServer.Request) -> TileServer.Answer {
    TileServer.Answer(body: picture(request.path))
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) -> TileID { TileID(z: z, x: x, y: y) ?? .world }

  private func configuration(_ port: UInt16, _ more: String = "") -> String {
    """
    [[source]]
    name = "map"
    url = "http://127.0.0.1:\(port)/{z}/{x}/{y}.png"
    \(more)

    """
  }

  private var withStore: String { "store = \"store.mbtiles\"" }

  /// Starts it, and waits until it listens.
  private func serve(_ toml: String, _ more: [String] = []) throws -> RunningProgram {
    try folder.write(toml, to: "waypost.toml")
    return try serveAgain(more)
  }

  private func serveAgain(_ more: [String] = []) throws -> RunningProgram {
    let program = try Program.built("waypost-fetch").start(
      ["serve", "--config", folder["waypost.toml"], "--sockets", folder["sockets"]] + more,
      environment: ["no_proxy": "127.0.0.1"])
    try wait { program.hasEnded || program.log.contains("sources are served in") }
    try #require(!program.hasEnded, "\(program.log)")
    return program
  }

  private func wait(_ condition: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 30)
    while try !condition() {
      try #require(Date() < end, "it did not come to that in 30 s")
      usleep(2000)
    }
  }

  private func connect(_ name: String = "map") throws -> ProviderSource {
    try ProviderSource(socket: folder["sockets/\(name).sock"])
  }

  /// The tile's bytes, nil where there is none; what went wrong, as text.
  private func get(_ source: ProviderSource, _ id: TileID) throws -> String? {
    var buffer = TileBuffer()
    let end = Date(timeIntervalSinceNow: 30)
    while Date() < end {
      do {
        switch try source.read(id, into: &buffer) {
        case .nothing: return nil
        case .payload(let payload):
          let (bytes, head) = (payload.bytes, Self.picture(""))
          return String(
            decoding: bytes.dropFirst(bytes.starts(with: head) ? head.count : 8), as: UTF8.self)
        case .later(let retry): while !retry.hasFired, Date() < end { usleep(500) }
        }
      } catch {
        return "error: \(error.reason)"
      }
    }
    return "no answer"
  }

  private func stop(_ program: RunningProgram) throws {
    kill(program.pid, SIGTERM)
    let outcome = program.outcome()
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func aTileComesFromTheServerAndThenFromTheStore() throws {
    let server = try TileServer { Self.tiles($0) }
    let program = try serve(
      configuration(
        server.port, withStore + "\nattribution = \"© them\"\nheaders = { X-Key = \"a b\" }"),
      ["--contact", "me@example.org"])
    let source = try connect()
    #expect(source.info.attribution == "© them")
    #expect(try get(source, tile(3, 1, 2)) == "/3/1/2.png")
    let request = try #require(server.requests.first)
    #expect(request.header["user-agent"]?.hasPrefix("waypost-fetch/") == true)
    #expect(request.header["user-agent"]?.hasSuffix("(offline maps; me@example.org)") == true)
    #expect(request.header["x-key"] == "a b")
    // A new connection, so that no answer is one that was kept on the way.
    let other = try connect()
    #expect(try get(other, tile(3, 1, 2)) == "/3/1/2.png")
    #expect(server.requests.count == 1)
    try stop(program)
    // After a restart too, without a server.
    server.stop()
    let again = try serveAgain()
    let third = try connect()
    #expect(try get(third, tile(3, 1, 2)) == "/3/1/2.png")
    try stop(again)
    let pack = try SourceSpec(name: "s", location: .path(folder["store.mbtiles"])).open()
    let isThere = try pack.contains(tile(3, 1, 2))
    #expect(isThere)
  }

  @Test func aStoreKeepsTheTilesOfOneScaleAndShowsThoseOfAnother() throws {
    let server = try TileServer { Self.tiles($0) }
    let url = "http://127.0.0.1:\(server.port)/{z}/{x}/{y}{r}.png"
    let toml = "[[source]]\nname = \"map\"\nurl = \"\(url)\"\n\(withStore)\n"
    let program = try serve(toml)
    for _ in 0..<2 {
      let first = try ProviderSource(socket: folder["sockets/map.sock"], scale: 2)
      #expect(try get(first, tile(3, 1, 2)) == "/3/1/2@2x.png")
      let second = try ProviderSource(socket: folder["sockets/map.sock"], scale: 1)
      #expect(try get(second, tile(3, 1, 2)) == "/3/1/2.png")
    }
    #expect(server.paths == ["/3/1/2@2x.png", "/3/1/2.png", "/3/1/2.png"])
    #expect(program.log.contains("scale 2: those of scale 1 are shown but not kept"))
    try stop(program)
  }

  @Test func whatTheServerDoesNotHaveIsNoneAndNotAskedForAgain() throws {
    let server = try TileServer { request in
      switch request.path {
      case "/1/0/0.png": TileServer.Answer(status: 404, body: Array("no".utf8))
      case "/1/0/1.png": TileServer.Answer(status: 410)
      case "/1/1/0.png": TileServer.Answer(status: 204)
      default: Self.tiles(request)
      }
    }
    let program = try serve(configuration(server.port, withStore))
    for _ in 0..<2 {
      let source = try connect()
      for id in [tile(1, 0, 0), tile(1, 0, 1), tile(1, 1, 0)] {
        #expect(try get(source, id) == nil)
      }
    }
    #expect(Set(server.paths) == ["/1/0/0.png", "/1/0/1.png", "/1/1/0.png"])
    #expect(server.requests.count == 3)
    try stop(program)
  }

  @Test func aStaleTileIsShownAtOnceAndRevalidatedBehind() throws {
    let version = Mutex(1)
    let server = try TileServer { request in
      let tag = "\"\(version.withLock { $0 })\""
      let lines = ["ETag: \(tag)", "Cache-Control: max-age=0"]
      if request.header["if-none-match"] == tag {
        return TileServer.Answer(
          status: 304, lines: ["ETag: \(tag)", "Cache-Control: max-age=900"])
      }
      return TileServer.Answer(lines: lines, body: Self.picture(tag))
    }
    let program = try serve(configuration(server.port, withStore))
    #expect(try get(connect(), tile(2, 1, 1)) == "\"1\"")
    version.withLock { $0 = 2 }
    #expect(try get(connect(), tile(2, 1, 1)) == "\"1\"")
    try wait { server.requests.count == 2 }
    #expect(server.requests.last?.header["if-none-match"] == "\"1\"")
    // The next visit shows the new one, once it is there.
    try wait { try get(connect(), tile(2, 1, 1)) == "\"2\"" }
    // It is fresh for a quarter of an hour once the server has confirmed it.
    try wait { server.requests.last?.header["if-none-match"] == "\"2\"" }
    var count = 0
    try wait {
      let before = server.requests.count
      _ = try get(connect(), tile(2, 1, 1))
      usleep(20_000)
      count = server.requests.count == before ? count + 1 : 0
      return count == 3
    }
    try stop(program)
  }

  @Test func offlineIsSaidAtOnceAndStoredTilesAreShown() throws {
    let server = try TileServer { request in
      TileServer.Answer(lines: ["Cache-Control: max-age=0"], body: Self.picture(request.path))
    }
    let program = try serve(configuration(server.port, withStore))
    #expect(try get(connect(), tile(2, 1, 1)) == "/2/1/1.png")
    server.stop()
    let source = try connect()
    // Stale, and shown.
    #expect(try get(source, tile(2, 1, 1)) == "/2/1/1.png")
    for x in 0..<16 {
      let text = try #require(try get(source, tile(4, x, 0)))
      #expect(text.hasPrefix("error: ") && text.contains("127.0.0.1"), "\(text)")
    }
    #expect(program.log.contains("only stored tiles are shown"))
    // The map goes on when the server is back.
    let back = try TileServer(port: server.port) { Self.tiles($0) }
    try wait {
      usleep(200_000)
      return try get(connect(), tile(4, 1, 0)) == "/4/1/0.png"
    }
    #expect(back.requests.count >= 1)
    #expect(program.log.contains("server http://127.0.0.1:\(server.port): well again"))
    try stop(program)
  }

  @Test func aServerThatHangsIsGivenUpAfterSeconds() throws {
    let server = try TileServer { _ in TileServer.Answer(hangs: true) }
    let program = try serve(configuration(server.port))
    let text = try #require(try get(connect(), tile(2, 1, 1)))
    #expect(text.hasPrefix("error: "), "\(text)")
    try stop(program)
  }

  @Test func aServerThatIsSlowToAnswerIsThere() throws {
    let server = try TileServer { request in
      // More than the old limit, and than that of a connection.
      if request.path == "/2/1/1.png" { sleep(6) }
      return Self.tiles(request)
    }
    let program = try serve(configuration(server.port))
    #expect(try get(connect(), tile(2, 1, 1)) == "/2/1/1.png")
    #expect(!program.log.contains("only stored tiles"))
    try stop(program)
  }

  @Test func whatIsNoTileIsAnErrorThatSaysWhy() throws {
    let server = try TileServer { request in
      switch request.path {
      case "/1/0/0.png": TileServer.Answer(body: Array("<!DOCTYPE html><html>log in".utf8))
      case "/1/0/1.png": TileServer.Answer(body: Self.picture("cut"), missing: 100)
      case "/1/1/0.png": TileServer.Answer(status: 500)
      case "/2/1/0.png": TileServer.Answer(body: Array(Self.picture("").dropLast()))
      case "/2/0/0.png": TileServer.Answer(body: Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0])
      case "/2/0/1.png": TileServer.Answer(body: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
      default: Self.tiles(request)
      }
    }
    let program = try serve(configuration(server.port, withStore))
    let source = try connect()
    for (id, words) in [
      (tile(1, 0, 0), "web page"), (tile(2, 0, 0), "GIF"), (tile(2, 0, 1), "vector tile"),
      (tile(1, 1, 0), "HTTP 500"), (tile(1, 0, 1), "error: "), (tile(2, 1, 0), "without its end"),
    ] {
      let text = try #require(try get(source, id))
      #expect(text.contains(words), "\(text)")
    }
    #expect(try get(source, tile(1, 1, 1)) == "/1/1/1.png")
    try stop(program)
  }

  @Test(arguments: [(Packing.gzip, "gzip"), (.zstd, "zstd"), (.brotli, "br")])
  func vectorTilesMayComeCompressed(packing: Packing, encoding: String) throws {
    let name = Array("waterwater".utf8)
    let vector: [UInt8] = [0x1a, 14, 0x0a, 10] + name + [0x78, 2]
    let server = try TileServer { _ in
      TileServer.Answer(
        lines: ["Content-Type: application/x-protobuf", "Content-Encoding: \(encoding)"],
        body: packing.pack(vector))
    }
    let program = try serve(configuration(server.port, withStore))
    // From the server, and from the store.
    for _ in 0..<2 {
      #expect(try get(try connect(), tile(1, 0, 0)) == "rwater\u{78}\u{2}")
    }
    #expect(server.requests.count == 1)
    try stop(program)
  }

  @Test func retryAfterIsHonoured() throws {
    let count = Mutex(0)
    let server = try TileServer { request in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? TileServer.Answer(status: 429, lines: ["Retry-After: 2"]) : Self.tiles(request)
    }
    let program = try serve(configuration(server.port))
    let begin = Date()
    let source = try connect()
    #expect(try get(source, tile(1, 1, 1)) == "/1/1/1.png")
    #expect(Date().timeIntervalSince(begin) >= 2)
    #expect(server.requests.count == 2)
    try stop(program)
  }

  @Test func aReloadBringsNewSourcesAndABadOneIsRefused() throws {
    let server = try TileServer { Self.tiles($0) }
    let program = try serve(configuration(server.port))
    let source = try connect()
    try folder.write(
      configuration(server.port)
        + configuration(server.port).replacingOccurrences(of: "\"map\"", with: "\"a/b\""),
      to: "waypost.toml")
    kill(program.pid, SIGHUP)
    try wait { FileManager.default.fileExists(atPath: folder["sockets/a%2Fb.sock"]) }
    #expect(try get(connect("a%2Fb"), tile(1, 1, 1)) == "/1/1/1.png")
    // The one that has not changed kept its connections.
    #expect(try get(source, tile(1, 1, 0)) == "/1/1/0.png")
    try folder.write("nonsense = 1\n", to: "waypost.toml")
    kill(program.pid, SIGHUP)
    try wait { program.log.contains("the old one stays") }
    #expect(try get(source, tile(1, 0, 0)) == "/1/0/0.png")
    try folder.write("", to: "waypost.toml")
    kill(program.pid, SIGHUP)
    try wait { !FileManager.default.fileExists(atPath: folder["sockets/map.sock"]) }
    try stop(program)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["sockets"]) == [])
  }

  @Test func onlyTheGroupMayConnect() throws {
    let program = try serve(configuration(1))
    var status = stat()
    #expect(stat(folder["sockets/map.sock"], &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    try stop(program)
  }

  @Test func asAServiceItRestsBeforeAWrongConfigurationEndsIt() throws {
    try folder.write("[[source]]\nname = \"a\"\nurl = \"http://x/\"\n", to: "bad.toml")
    // By itself it ends with 78 (wrongWordsAndConfigurationsEndIt).
    for (signal, status) in [(SIGTERM, Int32(0)), (SIGHUP, 78)] {
      let program = try Program.built("waypost-fetch").start(
        ["serve", "--config", folder["bad.toml"], "--sockets", folder["sockets"]],
        environment: ["NOTIFY_SOCKET": folder["manager"]])
      try wait { program.log.contains("bad.toml:3: error: ") }
      kill(program.pid, signal)
      let outcome = program.outcome()
      #expect(outcome.status == status, "\(outcome.errors)")
      let parts = outcome.errors.components(separatedBy: "bad.toml:3: ")
      #expect(parts.count == 2, "\(outcome.errors)")
    }
  }

  @Test func asAServiceItRestsBeforeAFolderThatCannotBeMadeEndsIt() throws {
    try folder.write(configuration(1), to: "waypost.toml")
    let program = try Program.built("waypost-fetch").start(
      ["serve", "--config", folder["waypost.toml"], "--sockets", folder["absent/sockets"]],
      environment: ["NOTIFY_SOCKET": folder["manager"]])
    try wait { program.log.contains("cannot be made") }
    // By itself it would end with 69.
    kill(program.pid, SIGTERM)
    let outcome = program.outcome()
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func asAServiceItFeedsTheWatchdogWhileItRuns() throws {
    try folder.write(configuration(1), to: "waypost.toml")
    let path = folder["manager"]
    let manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(manager) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let program = try Program.built("waypost-fetch").start(
      ["serve", "--config", folder["waypost.toml"], "--sockets", folder["sockets"]],
      environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "100000"])
    var told: [String] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    try wait {
      let count = recv(manager, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { told.append(String(decoding: bytes.prefix(count), as: UTF8.self)) }
      return told.count == 5
    }
    #expect(told == ["READY=1"] + Array(repeating: "WATCHDOG=1", count: 4))
    try stop(program)
  }

  @Test func wrongWordsAndConfigurationsEndIt() throws {
    let program = try Program.built("waypost-fetch")
    #expect(try program.run(["serve", "--bad"]).status == 64)
    try folder.write("[[source]]\nname = \"a\"\nurl = \"http://x/\"\n", to: "bad.toml")
    let outcome = try program.run(
      ["serve", "--config", folder["bad.toml"], "--sockets", folder["sockets"]])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("bad.toml:3: error: "), "\(outcome.errors)")
  }
}
