import Foundation
import MapGeometry
import Platform
import Synchronization
import TestSupport
import Testing

@testable import TileSources

/// Tiles from another program (docs/providers.md).
@Suite struct ProviderTests {
  private let folder: TemporaryFolder
  private var socket: String { folder["s"] }

  init() throws { folder = try TemporaryFolder() }

  private func tile(_ z: Int, _ x: Int, _ y: Int) -> TileID {
    TileID(z: z, x: x, y: y) ?? .world
  }

  private func open(patience: UInt64 = 30_000) throws -> ProviderSource {
    try ProviderSource(socket: socket, scale: 2, trust: .anywhere, patience: patience)
  }

  /// What the source answers once it does not say "later" any more.
  private func answer(_ source: ProviderSource, _ id: TileID) throws -> TileRead {
    let end = Date(timeIntervalSinceNow: 30)
    while Date() < end {
      let answer = try source.read(id)
      guard case .later(let retry) = answer else { return answer }
      while !retry.hasFired, Date() < end { usleep(500) }
    }
    return try source.read(id)
  }

  private func bytes(_ answer: TileRead) -> [UInt8]? {
    guard case .payload(let payload) = answer else { return nil }
    return Array(payload.bytes)
  }

  private static func tileAnswer(_ number: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("tile \(number) \(bytes.count)\n".utf8) + bytes
  }

  /// The name of the tile that was asked for, as a tile's bytes.
  private static func echo(_ words: [String]) -> [UInt8] {
    tileAnswer(words[1], Array(words[2...].joined(separator: "/").utf8))
  }

  @Test func aTileIsPromisedAndThenThere() throws {
    let provider = ScriptedProvider(socket) { Self.echo($0) }
    let source = try open()
    guard case .later = try source.read(tile(3, 2, 1)) else {
      Issue.record("not promised")
      return
    }
    let answer = try answer(source, tile(3, 2, 1))
    #expect(bytes(answer) == Array("3/2/1/2".utf8))
    #expect(provider.requests == ["get 1 3 2 1 2"])
    #expect(source.info.kind == "provider")
    #expect((source.info.minZoom, source.info.maxZoom) == (1, 5))
  }

  @Test func answersMayComeInAnyOrder() throws {
    let waiting = Mutex<[[String]]>([])
    let provider = ScriptedProvider(socket) { words in
      waiting.withLock { waiting -> [UInt8]? in
        waiting.append(words)
        return waiting.count < 8 ? nil : waiting.reversed().flatMap { Self.echo($0) }
      }
    }
    let source = try open()
    let tiles = (0..<8).map { tile(3, $0, 0) }
    for id in tiles { _ = try source.read(id) }
    for id in tiles {
      let answer = try answer(source, id)
      #expect(bytes(answer) == Array("3/\(id.x)/0/2".utf8))
    }
    #expect(provider.requests.count == 8)
  }

  @Test func moreThanItsShareOfRequestsWaitAndAreAnsweredToo() throws {
    let held = Mutex<[[String]]?>([])
    let provider = ScriptedProvider(socket) { words in
      held.withLock { held -> [UInt8]? in
        guard held != nil else { return Self.echo(words) }
        held?.append(words)
        return nil
      }
    }
    let source = try open()
    let tiles = (0..<100).map { tile(5, $0 % 32, $0 / 32) }
    // Requests have a promise each, and those that wait for room have one together.
    var promises: Set<ObjectIdentifier> = []
    for id in tiles {
      guard case .later(let retry) = try source.read(id) else {
        Issue.record("\(id) is answered")
        continue
      }
      promises.insert(ObjectIdentifier(retry))
    }
    #expect(promises.count == ProviderLink.mostRequests + 1)
    let end = Date(timeIntervalSinceNow: 60)
    while provider.requests.count < ProviderLink.mostRequests, Date() < end { usleep(1000) }
    let answers = held.withLock { held -> [UInt8] in
      defer { held = nil }
      return (held ?? []).flatMap { Self.echo($0) }
    }
    provider.say(answers)
    for id in tiles {
      let answer = try answer(source, id)
      #expect(bytes(answer) == Array("5/\(id.x)/\(id.y)/2".utf8))
    }
  }

  /// A tile of a level that the provider does not have is made of those below it, which are read
  /// until all of them are there.
  @Test func tilesThatAreReadTogetherAreRequestedOnceEach() throws {
    let provider = ScriptedProvider(socket) { Self.echo($0) }
    let source = try open()
    let tiles = (0..<64).map { tile(4, $0 % 8, $0 / 8) }
    let end = Date(timeIntervalSinceNow: 30)
    var isComplete = false
    while !isComplete, Date() < end {
      isComplete = true
      for id in tiles {
        if case .later = try source.read(id) { isComplete = false }
      }
    }
    #expect(isComplete)
    #expect(provider.requests.count == 64)
  }

  @Test func whatWasPutOffTakesNoRoomFromOthers() throws {
    let provider = ScriptedProvider(socket) { words in
      words[2] == "3" ? Array("later \(words[1]) 3600\n".utf8) : Self.echo(words)
    }
    let source = try open()
    for n in 0..<64 { _ = try source.read(tile(3, n % 8, n / 8)) }
    let other = try answer(source, tile(2, 1, 1))
    #expect(bytes(other) == Array("2/1/1/2".utf8))
    #expect(provider.requests.count == 65)
  }

  @Test func aTileThatIsNotThereIsNothingAndItsParentMayBe() throws {
    let provider = ScriptedProvider(socket) { Array("none \($0[1])\n".utf8) }
    let source = try open()
    guard case .nothing = try answer(source, tile(5, 3, 3)) else {
      Issue.record("not nothing")
      return
    }
    #expect(try source.nearestAncestor(of: tile(5, 3, 3)) == tile(4, 1, 1))
    _ = try answer(source, tile(4, 1, 1))
    #expect(try source.nearestAncestor(of: tile(5, 3, 3)) == tile(3, 0, 0))
    // Beyond its levels nothing is asked.
    guard case .nothing = try source.read(tile(6, 0, 0)) else {
      Issue.record("a level that it has not")
      return
    }
    #expect(provider.requests.count == 2)
  }

  @Test func anErrorOfATileIsToldAndMayPass() throws {
    let provider = ScriptedProvider(socket) { Array("error \($0[1]) no such licence\n".utf8) }
    let source = try open()
    let error = thrown(TileError.self) { try answer(source, tile(2, 1, 1)) }
    #expect(error?.reason == "no such licence")
    #expect(error?.isTransient == true)
    #expect(error?.file == provider.path)
  }

  @Test func aTileThatIsPutOffIsRequestedAgain() throws {
    let count = Mutex(0)
    let provider = ScriptedProvider(socket) { words in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? Array("later \(words[1]) 0\n".utf8) : Self.echo(words)
    }
    let source = try open()
    let answer = try answer(source, tile(1, 1, 1))
    #expect(bytes(answer) == Array("1/1/1/2".utf8))
    #expect(provider.requests.count == 2)
  }

  @Test func aRequestWithoutAnswerIsAnErrorOfThatTileOnly() throws {
    let provider = ScriptedProvider(socket) { $0[3] == "0" ? nil : Self.echo($0) }
    let source = try open(patience: 200)
    _ = try source.read(tile(2, 0, 0))
    // On a slow machine its answer may be late, too.
    var other: [UInt8]?
    for _ in 0..<20 where other == nil {
      other = (try? answer(source, tile(2, 1, 0))).flatMap(bytes)
    }
    #expect(other == Array("2/1/0/2".utf8))
    let error = thrown(TileError.self) { try answer(source, tile(2, 0, 0)) }
    #expect(error?.reason.contains("did not answer") == true)
    #expect(error?.isTransient == true)
    #expect(provider.requests.filter { $0.contains(" 2 0 0 ") }.count == 1)
  }

  @Test func aLostConnectionIsAnErrorUntilItIsMadeAgain() throws {
    let isSilent = Mutex(true)
    let provider = ScriptedProvider(socket) { words in
      isSilent.withLock { $0 } ? nil : Self.echo(words)
    }
    let source = try open()
    guard case .later(let retry) = try source.read(tile(2, 0, 0)) else {
      Issue.record("not promised")
      return
    }
    provider.hangUp()
    let end = Date(timeIntervalSinceNow: 30)
    while !retry.hasFired, Date() < end { usleep(500) }
    let error = thrown(TileError.self) { try source.read(tile(2, 0, 0)) }
    #expect(error?.reason == "the provider has closed the connection")
    #expect(error?.isTransient == true)
    isSilent.withLock { $0 = false }
    var last: TileRead?
    while last.flatMap({ bytes($0) }) == nil, Date() < end {
      last = try? answer(source, tile(2, 0, 0))
    }
    #expect(last.flatMap { bytes($0) } == Array("2/0/0/2".utf8))
  }

  private static let lies: [(line: String, told: String)] = [
    ("HTTP/1.1 400 Bad Request\n", "expected \"tile N BYTES\""),
    ("tile 1 99999999999\n", "a tile of 99999999999 bytes: at most 16777216"),
    ("tile 1 -1\n", "expected"), ("none 1 2\n", "expected"), ("later 1\n", "expected"),
    (String(repeating: "x", count: 5000), "a line of more than 4096 bytes"),
  ]

  @Test(arguments: lies.indices) func whoeverSpeaksAnotherLanguageIsLeft(_ number: Int) throws {
    let lie = Self.lies[number]
    let provider = ScriptedProvider(socket) { _ in Array(lie.line.utf8) }
    let source = try open()
    let error = thrown(TileError.self) { try answer(source, tile(1, 0, 0)) }
    #expect(error?.reason.contains(lie.told) == true, "\(error?.reason ?? "")")
    #expect(provider.requests.count == 1)
  }

  private static let greetings: [(text: String, told: String)] = [
    ("HTTP/1.1 400 Bad Request\n\n", "its first line is not \"waypost-tiles 1\""),
    ("waypost-tiles 2\n\n", "its first line is not"),
    ("waypost-tiles 1\nmax_zoom 25\n\n", "says of itself \"max_zoom 25\""),
    ("waypost-tiles 1\nmin_zoom 9\nmax_zoom 3\n\n", "min_zoom 9 and max_zoom 3"),
    ("waypost-tiles 1\nbounds 1,2\n\n", "bounds W,S,E,N"),
    (String(repeating: "a b\n", count: 40), "more than 32 lines"),
  ]

  @Test(arguments: greetings.indices) func whatIsNoProviderIsRefused(_ number: Int) throws {
    let greeting = Self.greetings[number]
    let provider = ScriptedProvider(socket, greeting: greeting.text) { _ in nil }
    let error = thrown(SourceError.self) { try open() }
    #expect(error?.file == provider.path)
    #expect(error?.reason.contains(greeting.told) == true, "\(error?.reason ?? "")")
  }

  @Test func whatItSaysOfItselfIsItsInfo() throws {
    let provider = ScriptedProvider(
      socket,
      greeting: "waypost-tiles 1\nname Slopes\nattribution &copy; <b>Somebody</b>\n"
        + "bounds 5.5,45,11,48\nunknown 1\n\n"
    ) { _ in nil }
    let source = try open()
    #expect(source.info.title == "Slopes")
    #expect(source.info.attribution == "© Somebody")
    #expect(source.info.bounds == GeoBounds(west: 5.5, south: 45, east: 11, north: 48))
    #expect((source.info.minZoom, source.info.maxZoom) == (0, 22))
    #expect(provider.requests.isEmpty)
  }

  @Test func whereNobodyListensThatIsTold() throws {
    let missing = thrown(SourceError.self) { try open() }
    #expect(missing?.reason.hasPrefix("there is no provider: ") == true)
    #expect(missing?.isTransient == true)
    try folder.write("a file", to: "s")
    let file = thrown(SourceError.self) { try open() }
    #expect(file?.reason.hasPrefix("is no socket") == true)
    #expect(unlink(socket) == 0)
    let provider = ScriptedProvider(socket) { _ in nil }
    provider.end()
    let ended = thrown(SourceError.self) { try open() }
    #expect(ended?.reason == "no program listens on it: start the provider")
    #expect(ended?.isTransient == true)
  }

  @Test(.enabled(if: PathTrust.isEnforced, "skipped: this kernel has no openat2"))
  func aSocketOutsideTheRootsIsRefused() throws {
    let inside = try TemporaryFolder()
    let provider = ScriptedProvider(socket) { Self.echo($0) }
    #expect(symlink(socket, inside["s"]) == 0)
    let error = thrown(SourceError.self) {
      try ProviderSource(socket: inside["s"], trust: .beneath([inside.path]))
    }
    #expect(error?.reason.contains("there is no provider") == true)
    _ = try ProviderSource(socket: socket, trust: .beneath([folder.path]))
    #expect(provider.requests.isEmpty)
  }

  @Test func answersThatNobodyTakesAreLimited() throws {
    let big = [UInt8](repeating: 7, count: 8 << 20)
    let provider = ScriptedProvider(socket) { Self.tileAnswer($0[1], big) }
    let link = try ProviderLink(socket, trust: .anywhere)
    defer { link.close() }
    for x in 0..<8 {
      guard case .failure(let waiting) = try link.answer(for: tile(3, x, 0), scale: 1) else {
        Issue.record("answered already")
        return
      }
      let end = Date(timeIntervalSinceNow: 30)
      while !waiting.retry.hasFired, Date() < end { usleep(500) }
    }
    #expect(link.keptBytes <= ProviderLink.mostBytes)
    #expect(link.keptBytes > 0)
    #expect(provider.requests.count == 8)
  }
}
