import Foundation
import MapGeometry
import Synchronization
import Testing

@testable import VectorPainting

/// How a thread went on, and whether the first was done by then.
private final class Seen: Sendable {
  let isDone = Atomic(false)
  let turn = Mutex<(turn: TilePreparations.Turn, wasDone: Bool)?>(nil)
}

@Suite struct TilePreparationTests {
  private func tile(_ x: Int) throws -> TileID { try #require(TileID(z: 5, x: x, y: 3)) }

  @Test func aTileIsPreparedByOneThreadAtATime() throws {
    let (preparations, seen) = (TilePreparations(), Seen())
    let (tile, neighbour) = (try tile(1), try tile(2))
    #expect(preparations.begin(tile, isCancelled: { false }) == .first)
    let thread = Thread {
      let turn = preparations.begin(tile, isCancelled: { false })
      let wasDone = seen.isDone.load(ordering: .sequentiallyConsistent)
      seen.turn.withLock { $0 = (turn, wasDone) }
    }
    thread.start()
    #expect(preparations.begin(neighbour, isCancelled: { false }) == .first)
    seen.isDone.store(true, ordering: .sequentiallyConsistent)
    preparations.end(tile)
    while seen.turn.withLock({ $0 == nil }) { sched_yield() }
    let other = try #require(seen.turn.withLock { $0 })
    // It prepares the tile itself if it came after the end.
    #expect(other.turn != .cancelled)
    #expect(other.wasDone)
  }

  @Test func whoeverIsNoLongerWantedDoesNotWait() throws {
    let (preparations, tile) = (TilePreparations(), try tile(1))
    #expect(preparations.begin(tile, isCancelled: { false }) == .first)
    #expect(preparations.begin(tile, isCancelled: { true }) == .cancelled)
    preparations.end(tile)
    #expect(preparations.begin(tile, isCancelled: { false }) == .first)
  }
}
