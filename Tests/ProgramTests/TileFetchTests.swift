import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// `waypost pack fetch` from an http server.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct TileFetchTests {
  /// The picture of the tile that "/3/1/2.png" names; nil for another path.
  private static func picture(_ path: String) -> [UInt8]? {
    let parts = path.split(separator: "/").map { $0.prefix { $0 != "." } }
    guard parts.count == 3, let z = Int(parts[0]), let x = Int(parts[1]), let y = Int(parts[2]),
      let tile = TileID(z: z, x: x, y: y)
    else { return nil }
    return PlainPNG.tile(tile.packed)
  }

  private static func serve(_ request: HTTPServer.Request) -> HTTPServer.Reply {
    picture(request.path).map { .init($0) } ?? .init(status: 404)
  }

  private func start(
    _ server: HTTPServer, _ output: String, _ more: [String] = [], zoom: String = "0-3",
    environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let own = ["no_proxy": "127.0.0.1"].merging(environment) { $1 }
    return try Program.built("waypost").start(
      [
        "pack", "fetch", "--url", server.address + "/{z}/{x}/{y}.png", "--bbox", "-180,-85,180,85",
        "--zoom", zoom, output,
      ] + more, environment: own)
  }

  private func fetch(
    _ server: HTTPServer, _ output: String, _ more: [String] = [], zoom: String = "0-3",
    environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try start(server, output, more, zoom: zoom, environment: environment).outcome()
  }

  /// The pack as a folder of files, compared with what the server has.
  private func check(_ pack: String, zooms: ClosedRange<Int>, _ folder: TemporaryFolder) throws {
    let out = folder["check"]
    try? FileManager.default.removeItem(atPath: out)
    let outcome = try Program.built("waypost").run(["pack", "export", pack, out])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let tiles = try TilePacks.tiles(of: out)
    #expect(tiles.count == zooms.reduce(0) { $0 + (1 << (2 * $1)) })
    let wrong = tiles.filter { $0.bytes != PlainPNG.tile($0.id.packed) }
    #expect(wrong.isEmpty, "\(wrong.map(\.id))")
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: ["a.mbtiles", "a.pmtiles"])
  func aRegionComesAsAPack(_ name: String) throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in Self.serve(request) }
    let key = try folder.write("# a key\nX-Key: sesame\n\n", to: "key.txt")
    let outcome = try fetch(
      server, folder[name],
      ["--contact", "maps@example.org", "--header", "X-Two: 2", "--header-file", key]
        + ["--name", "Small", "--attribution", "© Example"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("85 tiles, 85 of them different"), "\(outcome.text)")
    try check(folder[name], zooms: 0...3, folder)
    #expect(server.requests.count == 85 && server.mostAtOnce <= 2)
    #expect(
      server.requests.allSatisfy {
        $0.headers["user-agent"]?.hasPrefix("waypost-fetch/") == true
          && $0.headers["user-agent"]?.contains("maps@example.org") == true
          && $0.headers["x-key"] == "sesame" && $0.headers["x-two"] == "2"
      })
    let info = try Program.built("waypost").run(["pack", "info", folder[name]])
    #expect(info.text.contains("Small") && info.text.contains("© Example"))
    let verified = try Program.built("waypost").run(["pack", "verify", folder[name]])
    #expect(verified.status == 0, "\(verified.text)")
    #expect(try names(folder) == [name, "check", "key.txt"])
  }

  /// What is wrong with the first answer for some of the tiles: one in forty.
  private static func fault(_ path: String) -> HTTPServer.Reply? {
    guard let picture = picture(path) else { return nil }
    let number = path.utf8.reduce(UInt32(7)) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 8
    guard number % 40 == 3 else { return nil }
    var reply = HTTPServer.Reply(picture)
    switch number / 40 % 6 {
    case 0: reply.delay = 0.05
    case 1: return .drop
    case 2: return .init(status: 500, Array("<html>trouble</html>".utf8))
    case 3: return .init(Array("<html>Please log in</html>".utf8))
    case 4: reply.cut = 300
    default:
      reply.body.removeLast(200)
      reply.hasNoLength = true
    }
    return reply
  }

  /// Faults first, then what is right; two tiles want patience.
  private static func faulty() -> @Sendable (Int, HTTPServer.Request) -> HTTPServer.Reply {
    let asked = Paths()
    return { _, request in
      guard asked.insert(request.path) else { return serve(request) }
      if request.path == "/5/3/3.png" || request.path == "/5/30/3.png" {
        return .init(status: 429, lines: ["Retry-After: 1"])
      }
      return fault(request.path) ?? serve(request)
    }
  }

  @Test func aThousandTilesComeFromAServerThatMisbehaves() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer(Self.faulty())
    let outcome = try fetch(server, folder["a.pmtiles"], ["--connections", "4"], zoom: "5")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try check(folder["a.pmtiles"], zooms: 5...5, folder)
    #expect(server.requests.count > 1024 + 20 && server.mostAtOnce <= 4)
    #expect(try names(folder) == ["a.pmtiles", "check"])
  }

  @Test func killedTenTimesItFetchesNothingTwice() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer(Self.faulty())
    let path = folder["a.mbtiles"]
    for round in 1...10 {
      let program = try start(server, path, zoom: "5")
      while server.answeredCount < round * 95, !program.hasEnded { usleep(500) }
      kill(program.pid, SIGKILL)
      #expect(program.outcome().status == -SIGKILL)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    let outcome = try fetch(server, path, zoom: "5")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("were there from before"))
    try check(path, zooms: 5...5, folder)
    // What was on its way when the program was killed may come again: two requests each time.
    var times: [String: Int] = [:]
    for one in server.answered where one.status == 200 && one.isWhole {
      guard Self.fault(one.request.path) == nil else { continue }
      times[one.request.path, default: 0] += 1
    }
    let twice = times.values.filter { $0 > 1 }
    #expect(twice.count <= 20 && twice.allSatisfy { $0 <= 3 }, "\(twice.count)")
    #expect(try names(folder) == ["a.mbtiles", "check"])
  }

  @Test func toldToStopItStopsWhileTheServerIsSilent() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { number, request in
      number < 5 ? Self.serve(request) : .init(status: 503, lines: ["Retry-After: 100"])
    }
    let program = try start(server, folder["a.mbtiles"], ["--connections", "1"])
    while !program.log.contains("asked again in 100"), !program.hasEnded { sched_yield() }
    kill(program.pid, SIGINT)
    let outcome = program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("the same command goes on from here"), "\(outcome.errors)")
    let asked = server.requests.count
    server.change { _, request in Self.serve(request) }
    let again = try fetch(server, folder["a.mbtiles"])
    #expect(again.status == 0 && server.requests.count == asked + 80, "\(again.errors)")
  }

  @Test func whatIsMissingIsSaidAndTheNextRunFetchesIt() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in
      request.path == "/2/1/2.png" ? .init(status: 400) : Self.serve(request)
    }
    let outcome = try fetch(server, folder["a.mbtiles"], ["--json"])
    #expect(outcome.status == 75, "\(outcome.errors)")
    #expect(outcome.text.contains("\"pack\":null") && outcome.text.contains("\"missing\":1"))
    #expect(outcome.errors.contains("HTTP 400: 2/1/2"), "\(outcome.errors)")
    #expect(outcome.errors.contains("1 tiles are missing"), "\(outcome.errors)")
    #expect(try !names(folder).contains("a.mbtiles"))
    let asked = server.requests.count
    server.change { _, request in Self.serve(request) }
    let again = try fetch(server, folder["a.mbtiles"])
    #expect(again.status == 0 && server.requests.count == asked + 1, "\(again.errors)")
    try check(folder["a.mbtiles"], zooms: 0...3, folder)
  }

  @Test func tilesThatTheServerDoesNotHaveAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in
      request.path.hasPrefix("/3/5/") ? .init(status: 404) : Self.serve(request)
    }
    let outcome = try fetch(server, folder["a.pmtiles"])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("77 tiles") && outcome.text.contains("8 are not on the server"))
    let none = try HTTPServer { _, _ in .init(status: 404) }
    let empty = try fetch(none, folder["b.pmtiles"])
    #expect(empty.status == 65 && empty.errors.contains("has none of these 85 tiles"))
    #expect(try names(folder) == ["a.pmtiles"])
  }

  @Test func aProxyOfTheEnvironmentIsUsed() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in
      let start = "http://maps.example"
      guard request.path.hasPrefix(start) else { return .init(status: 400) }
      return Self.picture(String(request.path.dropFirst(start.count))).map { .init($0) } ?? .drop
    }
    let outcome = try Program.built("waypost").run(
      [
        "pack", "fetch", "--url", "http://maps.example/{z}/{x}/{y}.png", "--around", "0,0,1",
        "--zoom", "0-2", folder["a.mbtiles"],
      ], environment: ["http_proxy": "http://127.0.0.1:\(server.port)", "no_proxy": ""])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func aDryRunAsksNobody() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in Self.serve(request) }
    let outcome = try fetch(server, folder["a.mbtiles"], ["--dry-run"])
    #expect(outcome.status == 0 && outcome.text.contains("all   85"), "\(outcome.text)")
    #expect(server.requests.isEmpty)
    #expect(try names(folder).isEmpty)
  }

  @Test func openStreetMapsServersAreRefusedByBothPrograms() throws {
    let policy = "https://operations.osmfoundation.org/policies/tiles/"
    let folder = try TemporaryFolder()
    let outcome = try Program.built("waypost").run([
      "pack", "fetch", "--url", "https://a.tile.openstreetmap.org/{z}/{x}/{y}.png", "--zoom", "0-3",
      "--bbox", "0,0,1,1", folder["a.mbtiles"],
    ])
    #expect(outcome.status == 64 && outcome.errors.contains(policy), "\(outcome.errors)")
    let server = try HTTPServer { _, _ in
      .init(status: 302, lines: ["Location: //tile.openstreetmap.org/0/0/0.png"])
    }
    for address in ["https://tile.openstreetmap.org/0/0/0.png", server.address] {
      let said = try ask(["get 1 \(address)"], folder)
      #expect(said.hasPrefix("fault 1 never 0 tile.openstreetmap.org"), "\(said)")
      #expect(said.contains(policy))
    }
  }

  /// What waypost-fetch says first to these lines.
  private func ask(_ lines: [String], _ folder: TemporaryFolder) throws -> String {
    let questions = try folder.write(lines.joined(separator: "\n") + "\n", to: "questions")
    // The input stays open until the first reply has come.
    let script = "(cat \"$1\"; sleep 60) | \"$0\" tiles | (read -r line; echo \"$line\"; kill 0)"
    let outcome = try Program(path: "/usr/bin/setsid").run(
      ["-w", "/bin/sh", "-c", script, Program.built("waypost-fetch").path, questions],
      environment: ["no_proxy": "127.0.0.1"])
    return outcome.text
  }

  @Test func redirectionsAreReadAsTheLibraryReadsThem() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, _ in
      .init(status: 302, lines: ["Location: //\u{301}@tile.openstreetmap.org/0/0/0.png"])
    }
    let said = try ask(["get 1 \(server.address)/0"], folder)
    #expect(said.hasPrefix("fault 1 never 0 leads to another place"), "\(said)")
  }

  @Test func theEndOfATerminalIsForTheOtherProgram() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, _ in .init(status: 404) }
    let script = """
      mkfifo "$1" && exec 3<>"$1" && echo "get 1 $2" >&3 && exec "$0" tiles <&3 1>&2
      """
    let program = try Program(path: "/bin/sh").start(
      ["-c", script, Program.built("waypost-fetch").path, folder["pipe"], server.address],
      environment: ["no_proxy": "127.0.0.1"])
    while !program.log.contains("none 1\n"), !program.hasEnded { usleep(1000) }
    kill(program.pid, SIGHUP)
    let pipe = open(folder["pipe"], O_WRONLY | O_NONBLOCK)
    defer { close(pipe) }
    let line = "get 2 \(server.address)\n"
    #expect(write(pipe, line, line.utf8.count) == line.utf8.count)
    while !program.log.contains("none 2\n"), !program.hasEnded { usleep(1000) }
    #expect(program.log.contains("none 2\n"), "\(program.log)")
  }

  @Test(.enabled(if: !isEmulated, "skipped under emulation: the limit is the emulator's too"))
  func aJournalThatCannotGrowEndsWithAWholeRecord() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, _ in .init(PlainPNG.tile(1)) }
    // 16 blocks of 512 bytes.
    let script = """
      trap '' XFSZ; ulimit -f 16; exec "$0" "$@"
      """
    let outcome = try Program(path: "/bin/sh").run(
      [
        "-c", script, Program.built("waypost").path, "pack", "fetch", "--url",
        server.address + "/{z}/{x}/{y}.png", "--bbox", "-180,-85,180,85", "--zoom", "4",
        folder["a.mbtiles"],
      ], environment: ["no_proxy": "127.0.0.1"])
    #expect(outcome.status != 0 && outcome.errors.contains("journal"), "\(outcome.errors)")
    let journal = folder["a.mbtiles.fetching.journal"]
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: journal)))
    // A kind, the length of the payload in 8 bytes, the payload, and a checksum of 8.
    var place = 0
    while place + 9 <= bytes.count {
      place += 17 + bytes[(place + 1)..<(place + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(place == bytes.count && place > 8192 - 100)
    let again = try fetch(server, folder["a.mbtiles"], zoom: "4")
    #expect(again.status == 0 && server.requests.count <= 256 + 3, "\(again.errors)")
  }

  @Test func headersDoNotFollowARedirectionToAnotherHost() throws {
    let folder = try TemporaryFolder()
    let server = try HTTPServer { _, request in
      switch request.path {
      case "/near": .init(status: 302, lines: ["Location: /0/0/0.png"])
      // Another name of the same computer.
      case "/far":
        .init(status: 302, lines: ["Location: http://127.0.0.2:\(request.headers["x-port"]!)/a"])
      default: .init(PlainPNG.tile(1), lines: ["ETag: \"x\"", "Cache-Control: max-age=60"])
      }
    }
    let header = "header X-Port: \(server.port)"
    let near = try ask([header, "get 1 \(server.address)/near"], folder)
    #expect(near.hasPrefix("tile 1 \(PlainPNG.tile(1).count) 60 \"x\""), "\(near)")
    let far = try ask([header, "get 1 \(server.address)/far"], folder)
    #expect(far.hasPrefix("fault 1 never 0 leads to 127.0.0.2"), "\(far)")
    #expect(server.requests.map(\.path) == ["/near", "/0/0/0.png", "/far"])
  }

  @Test(arguments: [
    (["--zoom", "0-3"], "region"), (["--bbox", "0,0,1,1"], "--zoom"),
    (["--bbox", "0,0,1,1", "--zoom", "0-3", "--connections", "7"], "1 to 6"),
    (["--bbox", "0,0,1,1", "--zoom", "0-3", "--header", "nonsense"], "NAME: VALUE"),
    (["--bbox", "0,0,1,1", "--zoom", "0-3", "--scheme", "wms"], "xyz or tms"),
  ])
  func wrongUsageIsSaid(_ words: [String], _ hint: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.built("waypost").run(
      ["pack", "fetch", "--url", "https://a.example/{z}/{x}/{y}", folder["a.mbtiles"]] + words)
    #expect(outcome.status == 64 && outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["tiles", "--connections", "0"], ["tiles", "--connections"], ["tiles", "http://a.example/"],
    ["tiles", "--contact", "é"],
  ])
  func wrongUsageOfTheProgramIsSaid(_ words: [String]) throws {
    let outcome = try Program.built("waypost-fetch").run(words)
    #expect(outcome.status == 64 && outcome.errors.hasPrefix("waypost-fetch: "))
  }

  /// Paths that were asked for.
  private final class Paths: Sendable {
    private let paths = Mutex(Set<String>())
    /// Whether it is asked for for the first time.
    func insert(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
  }
}
