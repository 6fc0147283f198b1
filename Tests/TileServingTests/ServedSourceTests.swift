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
}
