import Foundation
import MapGeometry
import RangeWire
import TestSupport
import Testing
import TileSources

@testable import Packs

/// How servers are asked: not too often, not in vain, and not for ever.
@Suite struct FetchMannersTests {
  private func fetcher(
    _ link: MadeTileLink, _ url: String = "https://{s}.example/{z}/{x}/{y}.png",
    notes: @escaping (String) -> Void = { _ in }
  ) throws -> TileFetcher {
    let template = try URLTemplate(url, subdomains: ["a", "b"])
    return TileFetcher(link, template, onNote: notes, jitter: { 0.5 })
  }

  /// Asks for the tiles of these numbers; those that came.
  private func run(_ fetcher: TileFetcher, _ numbers: ClosedRange<UInt64>) throws -> [UInt64] {
    var next = numbers.lowerBound
    var taken: [UInt64] = []
    try fetcher.run {
      defer { next += 1 }
      return next <= numbers.upperBound ? (next, nil) : nil
    } take: { number, _ in
      taken.append(number)
    }
    return taken
  }

  @Test func aHostThatWantsToBeLeftAloneIs() throws {
    var start: Double?
    let link = MadeTileLink(window: 4) { question, _ in
      if question.url.contains("//a."), start == nil {
        start = question.time
        return .fault("is busy", canRetry: true, seconds: 30)
      }
      return MadeTileLink.content(question.url)
    }
    var notes: [String] = []
    let taken = try run(try fetcher(link, notes: { notes.append($0) }), 5...84)
    #expect(Set(taken) == Set(5...84))
    #expect(notes == ["a.example: is busy; asked again in 30 s"])
    let from = try #require(start)
    // All connections to it wait; what was under way came.
    let early = link.asked.filter { $0.url.contains("//a.") && $0.time >= from }
    #expect(early.allSatisfy { $0.time >= from + 29.9 } && !early.isEmpty)
  }

  @Test func pausesGrowUntilAnAnswerComes() throws {
    let link = MadeTileLink(window: 1) { question, times in
      times <= 4
        ? .fault("dropped", canRetry: true, seconds: 0) : MadeTileLink.content(question.url)
    }
    let taken = try run(try fetcher(link, "https://a.example/{z}/{x}/{y}.png"), 0...0)
    #expect(taken == [0])
    let times: [Double] = link.asked.map(\.time)
    let expected: [Double] = [0.5, 1, 2, 4]
    for (number, pause) in expected.enumerated() {
      let found = times[number + 1] - times[number] - 0.01
      #expect(abs(found - pause) < 0.001, "\(times)")
    }
  }

  @Test func aHostThatOnlyFailsIsGivenUp() throws {
    for (canRetry, most) in [(true, 5), (false, 3)] {
      let link = MadeTileLink(window: 1) { _, _ in
        .fault("says no", canRetry: canRetry, seconds: 0)
      }
      let fetcher = try fetcher(link, "https://a.example/{z}/{x}/{y}.png")
      let taken = try run(fetcher, 5...84)
      #expect(taken.isEmpty && link.asked.count == most)
      #expect(fetcher.stop == "a.example is given up after \(most) failures in a row: says no")
    }
  }

  @Test func aHostThatStopsAnsweringIsGivenUpLater() throws {
    let link = MadeTileLink(window: 2) { question, _ in
      question.time > 0.2
        ? .fault("dropped", canRetry: true, seconds: 0) : MadeTileLink.content(question.url)
    }
    let fetcher = try fetcher(link, "https://a.example/{z}/{x}/{y}.png")
    let taken = try run(fetcher, 5...84)
    #expect(taken.count == 19 || taken.count == 20)
    #expect(fetcher.stop?.contains("10 failures in a row") == true)
    // Patience for what passes: the pauses of ten failures, two of them at once.
    #expect(link.now > 30 && link.now < 300, "\(link.now)")
  }

  @Test func oneTileThatFailsOftenSaysNothingOfItsHost() throws {
    let link = MadeTileLink(window: 1) { _, _ in
      .fault("has trouble", canRetry: true, seconds: 0)
    }
    let fetcher = try fetcher(link, "https://a.example/{z}/{x}/{y}.png")
    #expect(try run(fetcher, 5...6) == [])
    #expect(fetcher.stop == nil && fetcher.missing == 2)
    #expect(link.asked.count == 2 * TileFetcher.attempts)
  }

  @Test func oneHostThatPausesDoesNotHoldUpTheOthers() throws {
    let template = try URLTemplate("https://{s}.example/{z}/{x}/{y}.png", subdomains: ["a", "b"])
    func isOfA(_ number: UInt64) -> Bool {
      HilbertID.tile(number).map { template.filled(for: $0).contains("//a.") } == true
    }
    let a = (5...84).filter(isOfA).prefix(2)
    let b = try #require((5...84).first { !isOfA($0) })
    // The first tile may be asked for again before its host.
    var pauses = [0, 60, 2][...]
    let link = MadeTileLink(window: 1) { question, _ in
      pauses.popFirst().map { .fault("is busy", canRetry: true, seconds: $0) }
        ?? MadeTileLink.content(question.url)
    }
    var next = (a + [b])[...]
    var taken: [UInt64] = []
    try TileFetcher(link, template, onNote: { _ in }).run {
      next.popFirst().map { ($0, nil) }
    } take: { number, _ in
      taken.append(number)
    }
    #expect(taken == [b] + a)
    #expect(link.asked.last { $0.url.contains("//b.") }.map { $0.time < 10 } == true)
    #expect(link.emptyWaits < 100)
  }

  @Test func requestsUnderWayTogetherFailOnce() throws {
    let link = MadeTileLink(window: 6) { question, times in
      times == 1 && question.time < 0.1
        ? .fault("has trouble", canRetry: true, seconds: 0) : MadeTileLink.content(question.url)
    }
    let fetcher = try fetcher(link, "https://a.example/{z}/{x}/{y}.png")
    #expect(try run(fetcher, 5...84).count == 80)
    #expect(fetcher.stop == nil)
  }

  @Test func pausesGrowWhereTheHostAsksForShortOnes() throws {
    let link = MadeTileLink(window: 1) { question, times in
      times <= 5
        ? .fault("is busy", canRetry: true, seconds: 1) : MadeTileLink.content(question.url)
    }
    #expect(try run(try fetcher(link, "https://a.example/{z}/{x}/{y}.png"), 0...0) == [0])
    var manners = HostManners(hasAnswered: true, allowsMissing: false)
    let pauses = (1...6).map { number in
      manners.noteFailure(
        .init(
          number: number, lastNumber: number, isFirst: true, canRetry: true, seconds: 1),
        jitter: 0.5, now: 0)
    }
    #expect(pauses == [1, 1, 1, 2, 4, 8])
  }

  @Test func aLongWaitEndsTheWork() throws {
    let link = MadeTileLink { _, _ in .fault("is busy", canRetry: true, seconds: 3600) }
    let fetcher = try fetcher(link)
    let taken = try run(fetcher, 5...84)
    #expect(taken.isEmpty && link.asked.count <= 2)
    #expect(fetcher.stop?.contains("wants to be left alone for 3600 s") == true)
  }

  @Test func picturesThatCannotBeDrawnAreNotAskedForAgain() throws {
    let gif: [UInt8] = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40)
    let link = MadeTileLink(window: 1) { _, _ in .tile(gif, fresh: nil, etag: "") }
    let fetcher = try fetcher(link, "https://a.example/{z}/{x}/{y}.png")
    let taken = try run(fetcher, 5...84)
    #expect(taken.isEmpty && link.asked.count == 3)
    #expect(fetcher.stop?.contains("GIF") == true)
  }

  @Test func marksFindWhatIsMissing() throws {
    var random = SeededNumbers(9)
    let region = Region(GeoBounds(west: -30, south: -20, east: 60, north: 55))
    let tiles = try region.tiles(zooms: 2...6)
    var marks = TileMarks(tiles)
    var open = Set(tiles.ranges.flatMap { Array($0) })
    let all = open.sorted()
    for number in all where random.next(0..<100) < 93 {
      marks.insert(number)
      open.remove(number)
    }
    // Neither one that is not in the set nor one that is marked is new.
    let isNew = marks.insert(0) || all.allSatisfy { open.contains($0) || marks.insert($0) }
    #expect(!isNew && Int(marks.count) == all.count - open.count)
    var found: [UInt64] = []
    var next: UInt64 = 0
    while let number = marks.firstUnmarked(from: next) {
      found.append(number)
      next = number + 1
    }
    #expect(found == open.sorted())
    #expect(all.allSatisfy { marks.contains($0) != open.contains($0) })
  }

  @Test func aLongJournalIsReadPieceByPiece() throws {
    let folder = try TemporaryFolder()
    let journal = try FetchJournal(path: folder["journal"], boot: "boot")
    try journal.begin(terms: "a fetch")
    func entry(_ number: UInt64) -> FetchJournal.Entry {
      if number % 5 == 0 { return .init(number: number) }
      let etag = String(repeating: "x", count: Int(number % 70))
      return .init(
        number: number, place: .init(offset: number * 9, length: 9, expiry: 7, etag: etag))
    }
    // More than is read at a time.
    let count: UInt64 = 20_000
    for number in 0..<count { try journal.note(entry(number)) }
    let size = try PackTest.bytes(of: folder["journal"]).count
    #expect(size > 1 << 20)
    var next: UInt64 = 0
    try journal.read { found in
      if found == entry(next) { next += 1 }
    }
    #expect(next == count)
  }

  @Test func linesComeBackAsTheyWere() {
    let questions: [TileQuestion] = [
      .header("Authorization: Bearer a b"), .get(number: 1, url: "https://a.example/1"),
      .get(number: 2, url: "https://a.example/1", etag: "W/\"a b\""),
    ]
    for question in questions {
      #expect(TileQuestion(line: String(question.line.dropLast())) == question)
    }
    let replies: [TileReply] = [
      .tile(number: 1, count: 5, fresh: nil, etag: ""),
      .tile(number: 1, count: 5, fresh: 60, etag: "\"a b\""), .same(number: 2, fresh: 0),
      .same(number: 2, fresh: nil), .none(number: 3),
      .fault(number: 4, canRetry: true, seconds: 3, reason: "is busy"),
      .fault(number: 4, canRetry: true, seconds: 0, reason: "HTTP 500", isAnswer: true),
      .fault(number: 4, canRetry: false, seconds: 0, reason: ""),
    ]
    for reply in replies { #expect(TileReply(line: String(reply.line.dropLast())) == reply) }
    for line in [
      "", "get", "get 1", "get x y", "put 1 a", "header", "header X", "header X: \u{1}",
      "get 1 a \"b\"\rX: c",
    ] {
      #expect(TileQuestion(line: line) == nil, "\(line)")
    }
    for line in [
      "", "tile 1 2", "tile 1 0 - ", "tile 1 16777217 - x", "tile 1 5 -1 x", "same 1", "same 1 x",
      "none", "none x", "fault 1 again",
    ] {
      #expect(TileReply(line: line) == nil, "\(line)")
    }
  }

  @Test func hostsAreThoseThatArePlain() {
    let hosts = [
      "https://A.Example:8443/x@y": "a.example", "http://me:pass@a.example?q": "a.example",
      "https://a.example.": "a.example", "https://[::1]:80/": "[::1]", "https:///x": nil,
      "https://%61.example/": nil, "https://a\\.example/": nil, "https://x@y@a.example/": nil,
      "https://ä.example/": nil, "a.example/x": nil, "ftp://a.example/": nil,
      // A combining mark makes one character of two, and libraries read bytes.
      "https://tile.openstreetmap.org/\u{301}@a.example/": "tile.openstreetmap.org",
      "https://x@\u{301}tile.openstreetmap.org/": nil, "https://\u{301}@a.example/": nil,
      "https://a.example@\u{301}/": nil, "https://a.example:\u{301}80/": nil,
      "http:/tile.openstreetmap.org/a://b.example/": nil, "https://[::1]x.example/": nil,
    ]
    for (address, host) in hosts {
      #expect(TileServerPolicy.host(of: address) == host, "\(address)")
    }
  }

  @Test(arguments: [
    "read line; exit 3", "read line; echo nonsense; read line",
    // Another number, no bytes, more than a tile has, and fewer than were said.
    "read line; echo 'none 9'; read line", "read line; echo 'tile 1 0 - '; read line",
    "read line; echo 'tile 1 99999999 - '; read line", "read line; echo 'tile 1 5 - '; exit",
    "read line; head -c 40000 /dev/zero; read line",
  ])
  func aProgramThatEndsOrLiesEndsTheWork(_ script: String) throws {
    let folder = try TemporaryFolder()
    let job = FetchJob.small
    let program = try FetchScript.write(script, folder)
    let link = try FetchScript.start { try FetchedTileLink(job, program: program) { true } }
    try link.begin(1, url: "https://a.example/0/0/0.png", etag: nil)
    let error = packError { try link.next(until: .infinity) }
    #expect(error?.reason.contains("waypost-fetch") == true, "\(String(describing: error))")
  }

  @Test func theProgramGetsHeadersOverItsInputAlone() throws {
    let folder = try TemporaryFolder()
    var job = FetchJob.small
    (job.headers, job.contact, job.connections) = (["X-Key: sesame"], "me", 3)
    let program = try FetchScript.write(
      """
      read -r one; read -r two
      printf '%s\\n' "$*" "$one" "$two" > "$(dirname "$0")/asked"
      printf 'tile 1 3 60 "x"\\nabc'
      read -r line
      """, folder)
    let link = try FetchScript.start { try FetchedTileLink(job, program: program) { true } }
    try link.begin(1, url: "https://a.example/0/0/0.png", etag: "\"x\"")
    let answer = try #require(try link.next(until: .infinity))
    guard case .tile(let bytes, let fresh, let etag) = answer.content else {
      Issue.record("no tile came")
      return
    }
    #expect(bytes == Array("abc".utf8) && fresh == 60 && etag == "\"x\"")
    let asked = try String(contentsOfFile: folder["asked"], encoding: .utf8)
    #expect(
      asked == "tiles --connections 3 --contact me\nheader X-Key: sesame\n"
        + "get 1 https://a.example/0/0/0.png \"x\"\n")
    // Nothing comes within this time.
    let late = try link.next(until: link.now + 0.01)
    #expect(late == nil)
  }

  @Test func aSilentProgramIsLeftWhenNobodyWantsTheWorkAnyMore() throws {
    let folder = try TemporaryFolder()
    let program = try FetchScript.write("read line\nread line\n", folder)
    var looks = 0
    let link = try FetchScript.start {
      try FetchedTileLink(.small, program: program) {
        looks += 1
        return looks < 3
      }
    }
    try link.begin(1, url: "https://a.example/0/0/0.png", etag: nil)
    #expect(throws: PackError.stopped) { try link.next(until: .infinity) }
  }

  @Test func aSignalToBothProgramsIsAStop() throws {
    let folder = try TemporaryFolder()
    let program = try FetchScript.write("read line; exit 3", folder)
    var looks = 0
    let link = try FetchScript.start {
      try FetchedTileLink(.small, program: program) {
        looks += 1
        return looks < 2
      }
    }
    try link.begin(1, url: "https://a.example/0/0/0.png", etag: nil)
    #expect(throws: PackError.stopped) { try link.next(until: .infinity) }
  }

  @Test func onlyLinesOfAHeaderAreOnes() {
    for line in ["Authorization: Bearer x", "X-Key:1", "Referer: https://example.org/"] {
      #expect(TileQuestion.isHeader(line), "\(line)")
    }
    for line in ["", "X", ": x", "X y: 1", "X:", "X: ", "X: a\r\nY: b", "X\u{7f}: 1", "É: 1"] {
      #expect(!TileQuestion.isHeader(line), "\(line)")
    }
  }
}
