import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// `waypost pack extract` out of an archive on an http server.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct PackFetchTests {
  /// An archive of the levels 0 to 6 with different tiles of 1 to 3 KB.
  private static func archive(_ seed: UInt64 = 1) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    var random = SeededNumbers(seed)
    for z in 0...6 {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          guard let id = TileID(z: z, x: x, y: y) else { continue }
          let filler = UInt8(truncatingIfNeeded: random.next())
          let bytes = [UInt8](repeating: filler, count: 1000 + random.integer(0...2000))
          tiles.append((id, png + Array("\(id)".utf8) + bytes))
        }
      }
    }
    try TilePacks.writePMTiles(tiles, to: folder["all.pmtiles"], leaf: 400)
    return try read(folder["all.pmtiles"])
  }

  private static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Places all over the world: some hundred tiles that lie apart.
  private static func region(_ folder: TemporaryFolder) throws -> [String] {
    var text = "lat,lon\n"
    for index in 0..<40 { text += "\(index * 3 - 60),\((index * 47) % 360 - 180)\n" }
    return ["--points", try folder.write(text, to: "places.csv")]
  }

  private func extract(
    _ address: String, _ output: String, _ more: [String],
    environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let own = ["no_proxy": "127.0.0.1"].merging(environment) { $1 }
    return try Program.built("waypost").run(
      ["pack", "extract", address, output] + more, environment: own)
  }

  /// The same out of the file itself.
  private func local(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> [UInt8] {
    try Data(bytes).write(to: URL(fileURLWithPath: folder["all.pmtiles"]))
    let outcome = try extract(
      folder["all.pmtiles"], folder["local.pmtiles"], Self.region(folder) + ["--force"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try Self.read(folder["local.pmtiles"])
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func anExtractFromAServerIsTheOneFromTheFile() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.archive()
    let server = try RangeServer(bytes)
    let region = try Self.region(folder)
    let before = try extract(server.address, folder["a.pmtiles"], region + ["--dry-run"])
    #expect(before.status == 0, "\(before.errors)")
    let asked = server.requests.count
    let outcome = try extract(
      server.address, folder["a.pmtiles"], region + ["--contact", "maps@example.org"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let made = try Self.read(folder["a.pmtiles"])
    let expected = try local(bytes, folder)
    #expect(made == expected)
    // What was said before is what was asked.
    let requests = server.requests.dropFirst(asked)
    var total = 0
    for range in requests.compactMap(\.range) {
      total += range.clamped(to: 0...(bytes.count - 1)).count
    }
    #expect(
      before.text.contains("to read: \(total) bytes with \(requests.count) requests"),
      "\(before.text)")
    #expect(requests.count > 20 && total < bytes.count / 3)
    #expect(server.mostAtOnce <= 4)
    #expect(
      requests.allSatisfy {
        $0.userAgent.hasPrefix("waypost-fetch/") && $0.userAgent.contains("maps@example.org")
      })
  }

  /// What passes when it is asked again.
  private static let passing: [RangeServer.Act] = [
    .drop, .truncate, .status(429, lines: ["Retry-After: 1"]), .status(503), .shifted, .tooMany,
  ]

  @Test(arguments: passing.indices) func whatPassesIsAskedAgain(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.archive()
    let act = Self.passing[index]
    let server = try RangeServer(bytes) { number, _ in number == 2 || number == 9 ? act : .serve }
    let outcome = try extract(server.address, folder["a.pmtiles"], Self.region(folder))
    #expect(outcome.status == 0, "\(outcome.errors)")
    // libcurl itself opens another connection for one that ended before it answered.
    if index > 0 { #expect(outcome.errors.contains("asked again in")) }
    let made = try Self.read(folder["a.pmtiles"])
    let expected = try local(bytes, folder)
    #expect(made == expected)
  }

  /// What does not, and what is said then.
  private static let lasting: [(RangeServer.Act, String)] = [
    (.whole, "has to support range requests"), (.status(404), "is the address right?"),
    (.status(403), "not open to everybody"), (.status(416), "HTTP 416"),
    (.line("Content-Encoding: gzip"), "encoding gzip"),
    (.status(302, lines: ["Location: file:///etc/passwd"]), "cannot be fetched"),
    (.status(302, lines: ["Location: /map.pmtiles"]), "redirects"), (.noise, "HTTP/0.9"),
  ]

  @Test(arguments: lasting.indices, [0, 5]) func whatDoesNotPassEndsTheWork(
    _ index: Int, _ from: Int
  ) throws {
    let folder = try TemporaryFolder()
    let (act, reason) = Self.lasting[index]
    let server = try RangeServer(try Self.archive()) { number, _ in number < from ? .serve : act }
    let outcome = try extract(server.address, folder["a.pmtiles"], Self.region(folder))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(outcome.errors.contains(server.address))
    #expect(!isThere(folder["a.pmtiles"]))
  }

  @Test func anArchiveThatChangesEndsTheWorkAndTheNextRunTakesTheNewOne() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.archive(1), try Self.archive(2))
    let region = try Self.region(folder)
    let server = try RangeServer(old) { number, _ in
      number == 12 ? .replace(by: new, tag: "\"2\"") : .serve
    }
    let outcome = try extract(server.address, folder["a.pmtiles"], region)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("ETag \"2\" instead of ETag \"1\""), "\(outcome.errors)")
    #expect(!isThere(folder["a.pmtiles"]))
    let again = try extract(server.address, folder["a.pmtiles"], region)
    #expect(again.status == 0, "\(again.errors)")
    let made = try Self.read(folder["a.pmtiles"])
    let expected = try local(new, folder)
    #expect(made == expected)
  }

  @Test func killedItGoesOnAndFetchesNothingTwice() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.archive()
    let region = try Self.region(folder)
    let isCut = Flag()
    let server = try RangeServer(bytes) { number, _ in
      number >= 20 && isCut.isSet ? .status(503, lines: ["Retry-After: 100"]) : .serve
    }
    isCut.set(true)
    let program = try Program.built("waypost").start(
      ["pack", "extract", server.address, folder["a.pmtiles"]] + region,
      environment: ["no_proxy": "127.0.0.1"])
    while !program.log.contains("asked again in 100"), !program.hasEnded { sched_yield() }
    kill(program.pid, SIGKILL)
    #expect(program.outcome().status == -SIGKILL)
    isCut.set(false)
    let first = server.requests.prefix(20).compactMap(\.range)
    let served = server.requests.count
    let outcome = try extract(server.address, folder["a.pmtiles"], region)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("requests were complete from before"))
    // The archive's first bytes come anew; what had been answered and not yet taken may.
    let second = server.requests.dropFirst(served).compactMap(\.range)
    let twice = second.filter { one in one.lowerBound > 0 && first.contains { $0.overlaps(one) } }
    #expect(twice.count <= 4, "\(twice)")
    let made = try Self.read(folder["a.pmtiles"])
    let expected = try local(bytes, folder)
    #expect(made == expected)
  }

  @Test func toldToStopItStopsWhileTheServerIsSilent() throws {
    let folder = try TemporaryFolder()
    let server = try RangeServer(try Self.archive()) { number, _ in
      number < 5 ? .serve : .status(503, lines: ["Retry-After: 100"])
    }
    let program = try Program.built("waypost").start(
      ["pack", "extract", server.address, folder["a.pmtiles"]] + Self.region(folder),
      environment: ["no_proxy": "127.0.0.1"])
    while !program.log.contains("asked again in 100"), !program.hasEnded { sched_yield() }
    kill(program.pid, SIGINT)
    let outcome = program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("the same command goes on from here"), "\(outcome.errors)")
  }

  @Test func aRedirectionIsFollowed() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.archive()
    let server = try RangeServer(bytes) { _, request in
      request.path == "/map.pmtiles" ? .status(302, lines: ["Location: /moved.pmtiles"]) : .serve
    }
    let outcome = try extract(server.address, folder["a.pmtiles"], Self.region(folder))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func aProxyOfTheEnvironmentIsUsed() throws {
    let folder = try TemporaryFolder()
    let server = try RangeServer(try Self.archive())
    let outcome = try extract(
      "http://maps.example/a.pmtiles", folder["a.pmtiles"], Self.region(folder),
      environment: ["http_proxy": "http://127.0.0.1:\(server.port)", "no_proxy": ""])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(server.requests.allSatisfy { $0.path == "http://maps.example/a.pmtiles" })
  }

  @Test func whatIsNoArchiveIsSaid() throws {
    let folder = try TemporaryFolder()
    let server = try RangeServer(Array("<html>Welcome</html>".utf8))
    let outcome = try extract(server.address, folder["a.pmtiles"], Self.region(folder))
    #expect(outcome.status == 65 && outcome.errors.contains("PMTiles"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["ranges"], ["ranges", "ftp://a.example/b"], ["ranges", "--fast", "http://a.example/"], [],
    ["ranges", "http://a.example/", "--contact"], ["ranges", "http://a.example/", "http://b/"],
  ])
  func wrongUsageOfTheProgramIsSaid(_ words: [String]) throws {
    let outcome = try Program.built("waypost-fetch").run(words)
    #expect(outcome.status == 64 && outcome.errors.hasPrefix("waypost-fetch: "))
  }

  /// A switch that a server's thread looks at.
  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set(_ on: Bool) { value.withLock { $0 = on } }
  }
}
