import EventLoop
import Glibc
import Platform
import Testing

@testable import TileServing
@testable import TileStore

/// A source beside its store and its server.
@Suite struct ServedSourceTests {
  @Test func aMediumThatHangsKeepsNobodyWaiting() throws {
    let it = try SourceCase()
    let source = try #require(it.source)
    let gate = Gate(false)
    source.store?.betweenSteps { _ = gate.wait { $0 ? true : nil } }
    _ = it.greeting()
    #expect(it.store("3 1 2", "one", lifetime: 900))
    source.close()
    // The lock of the store is held by the write that hangs.
    source.finish(by: EventLoop.now() + 200_000_000)
    #expect(it.log.contains { $0.contains("does not answer") }, "\(it.log)")
    gate.lockedBroadcast { $0 = true }
    source.finish(by: EventLoop.now() + 30_000_000_000)
  }

  @Test func aStoredTileIsAnsweredThoughItsRevalidationFails() throws {
    let it = try SourceCase()
    _ = it.greeting()
    #expect(it.store("3 1 2", "one", lifetime: 0))
    #expect(it.get(2, "3 1 2") == "one")
    #expect(it.run { it.fetcher.open == 1 })
    it.settle()
    // Read, and its look in the store is not delivered yet.
    it.send("get 3 3 1 2 1\n")
    it.loop.runOnce(timeout: 1_000_000_000)
    it.fetcher.answer(.broken("a web page"))
    let first = it.line()
    #expect(first == "tile 3 4")
  }

  @Test func anEmptyAnswerIsAnAbsenceUnlessATileIsStored() throws {
    let it = try SourceCase()
    _ = it.greeting()
    #expect(it.store("3 1 2", "one", lifetime: 0))
    #expect(it.get(2, "3 1 2") == "one")
    #expect(it.run { it.fetcher.open == 1 })
    it.fetcher.answer(.empty(FetchOutcome.Terms()))
    it.settle()
    #expect(it.get(3, "3 1 2") == "one")
    it.send("get 4 3 1 3 1\n")
    #expect(it.run { it.fetcher.open == 1 })
    it.fetcher.answer(.empty(FetchOutcome.Terms()))
    #expect(it.line() == "none 4")
  }

  @Test func anAbsenceLastsAWeekAtMost() throws {
    let it = try SourceCase()
    _ = it.greeting()
    var terms = FetchOutcome.Terms()
    terms.lifetime = 365 * 86_400
    it.send("get 1 3 1 2 1\n")
    #expect(it.run { it.fetcher.open == 1 })
    it.fetcher.answer(.absent(terms))
    #expect(it.line() == "none 1")
    it.settle()
    it.wall += 6 * 86_400
    #expect(it.get(2, "3 1 2") == "none 2")
    #expect(it.fetcher.asked.count == 1)
    it.wall += 2 * 86_400
    it.send("get 3 3 1 2 1\n")
    #expect(it.run { it.fetcher.open == 1 })
  }

  @Test func theGreetingAlwaysSaysTheLevelsThatAreServed() throws {
    let plain = try SourceCase { $0.store = nil }
    #expect(plain.greeting() == ["waypost-tiles 1", "name map", "min_zoom 0", "max_zoom 22"])
    #expect(plain.get(1, "23 0 0") == "none 1")
    let deep = try SourceCase { ($0.store, $0.minZoom, $0.maxZoom) = (nil, 3, 24) }
    #expect(deep.greeting().suffix(2) == ["min_zoom 3", "max_zoom 24"])
    #expect(deep.get(1, "2 0 0") == "none 1")
  }

  @Test func aStoreThatCannotBeWrittenIsToldToWhoeverAsksForProblems() throws {
    let it = try SourceCase { $0.store = "/proc/store.mbtiles" }
    #expect(it.greeting().last == "problems on-request")
    // Asked twice, it is told once.
    it.send("problems\nproblems\nget 1 3 1 2 1\n")
    let first = it.line()
    #expect(first?.hasPrefix("problem /proc/store.mbtiles: ") == true, "\(first ?? "nothing")")
    #expect(first?.contains("tiles are shown but not kept") == true)
    #expect(it.run { it.fetcher.open == 1 })
    it.fetcher.answer(SourceCase.tile("one"))
    #expect(it.line() == "tile 1 4")
    #expect(it.line() == "one")
    #expect(it.problems["source map"].map { "problem \($0)" } == first)
    // Whoever connects later is told at once, and whoever does not ask never.
    it.connect()
    _ = it.greeting()
    it.send("problems\n")
    #expect(it.line() == first)
    it.connect()
    _ = it.greeting()
    it.send("get 2 3 1 3 1\n")
    #expect(it.run { it.fetcher.open == 1 })
    it.fetcher.answer(SourceCase.tile("two"))
    #expect(it.line() == "tile 2 4")
    // The log has it from the problem.
    #expect(!it.log.contains { $0.contains("not kept") }, "\(it.log)")
  }

  @Test func problemsAreToldOnceASecondAtMostWithWhatIsTrueThen() throws {
    let loop = try EventLoop()
    var sent: [String?] = []
    let report = ProblemReport(loop: loop) { sent.append($0) }
    #expect(!report.change(to: nil))
    for text in ["a", "b", nil, "c"] { #expect(report.change(to: text)) }
    #expect(!report.change(to: "c"))
    #expect(sent == ["a"])
    let end = EventLoop.now() + 30_000_000_000
    while sent.count < 2, EventLoop.now() < end { loop.runOnce(timeout: 1_000_000_000) }
    #expect(sent == ["a", "c"])
    #expect(report.told == "c")
  }
}
