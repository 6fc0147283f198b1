import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import TileStore

/// What a store keeps, and for how long.
@Suite struct TileStoreTests {
  @Test func whatIsKeptIsThereAtOnceAndAfterReopening() throws {
    let new = try StoreCase()
    let store = new.open()
    #expect(store.tile(tile(3, 1, 2)) == nil)
    _ = store.keep(stored(7), for: tile(3, 1, 2))
    let absent = TileStore.Tile(bytes: [], modified: "then", expires: 9, variant: -3)
    _ = store.keep(absent, for: tile(3, 1, 3))
    #expect(store.tile(tile(3, 1, 2)) == stored(7))
    store.write()
    #expect(store.tile(tile(3, 1, 2)) == stored(7))
    store.confirm(tile(3, 1, 2), until: 77)
    #expect(store.tile(tile(3, 1, 2))?.expires == 77)
    store.close()
    let again = new.open()
    #expect(again.tile(tile(3, 1, 2))?.bytes == stored(7).bytes)
    #expect(again.tile(tile(3, 1, 2))?.expires == 77)
    #expect(again.tile(tile(3, 1, 3)) == absent)
    #expect(again.tile(tile(3, 2, 1)) == nil)
    #expect(again.takeNotes() == [])
  }

  @Test func aStoreIsAPackAlsoWhileItIsWritten() throws {
    let new = try StoreCase()
    let store = new.open()
    new.fill(store, 0..<10)
    for _ in 0..<2 {
      let pack = try SourceSpec(name: "s", location: .path(new.path)).open()
      var buffer = TileBuffer()
      guard case .payload(let payload) = try pack.read(numbered(9), into: &buffer) else {
        Issue.record("the tile is not there")
        return
      }
      #expect(Array(payload.bytes) == bytes(9))
      #expect(pack.info.title == "a map")
      #expect(pack.info.attribution == "© me")
      #expect(pack.info.format == "png")
      #expect((pack.info.minZoom, pack.info.maxZoom) == (8, 8))
      // A second time, when it is closed.
      store.close()
    }
    // All that lies in the folder then.
    #expect(try FileManager.default.contentsOfDirectory(atPath: new.folder.path) == ["s.mbtiles"])
  }

  @Test func theFileStaysUnderItsLimit() throws {
    let new = try StoreCase(limit: 16 << 20)
    let store = new.open()
    let path = new.path
    let largest = Mutex(0)
    store.betweenSteps { largest.withLock { $0 = max($0, sizeOfStore(path)) } }
    new.fill(store, 0..<3000, size: 12_000)
    #expect(largest.withLock { $0 } <= 16 << 20)
    #expect(largest.withLock { $0 } > 8 << 20)
    #expect(store.tile(numbered(0)) == nil)
    #expect(store.tile(numbered(2999))?.bytes == bytes(2999, 12_000))
    #expect(store.takeNotes() == [])
    store.close()
    #expect(ask(new.path, "PRAGMA integrity_check") == "ok")
    // Both tables have lost the same tiles.
    #expect(
      ask(new.path, "SELECT count(*) FROM tiles")
        == ask(new.path, "SELECT count(*) FROM waypost_tiles"))
  }

  @Test func theLeastRecentlyVisitedGoFirst() throws {
    let new = try StoreCase(limit: 16 << 20)
    let store = new.open()
    for start in stride(from: 0, to: 3000, by: 100) {
      new.fill(store, start..<start + 100, size: 12_000)
      #expect(store.tile(numbered(5))?.bytes == bytes(5, 12_000))
    }
    #expect(store.tile(numbered(4)) == nil)
    #expect(store.tile(numbered(6)) == nil)
    // What is there is the newest, without a gap.
    store.close()
    let count = Int(ask(new.path, "SELECT count(*) FROM tiles")) ?? 0
    #expect(count > 500)
    let again = new.open()
    let found = (0..<3000).filter { again.tile(numbered($0)) != nil }
    #expect(found == [5] + Array((3000 - count + 1)..<3000))
  }

  @Test func visitsSurviveTheEndOfTheProgram() throws {
    let new = try StoreCase(limit: 16 << 20)
    let first = new.open()
    new.fill(first, 0..<700, size: 12_000)
    #expect(first.tile(numbered(0)) != nil)
    first.close()
    let second = new.open()
    new.fill(second, 700..<1000, size: 12_000)
    #expect(second.tile(numbered(0)) != nil)
    #expect(second.tile(numbered(1)) == nil)
  }

  @Test func noMoreIsWrittenInAnHourThanAllowed() throws {
    let limit = 8 << 20
    let new = try StoreCase(hourly: limit)
    let store = new.open()
    for second in 0..<100 {
      new.fill(store, second * 20..<second * 20 + 20, at: Int64(second))
    }
    #expect(store.writtenBytes(at: time(100)) <= limit)
    #expect(store.writtenBytes(at: time(100)) > limit / 2)
    let kept = (0..<2000).filter { store.tile(numbered($0)) != nil }
    #expect(kept.count > 100 && kept.count < 600)
    #expect(kept == Array(0..<kept.count))
    #expect(store.takeNotes().map(\.level) == [.info])
    // An hour later it goes on.
    new.fill(store, 3000..<3010, at: 2 * 3600)
    #expect(store.tile(numbered(3005)) != nil)
  }

  @Test func anHourIsAnyHour() {
    var budget = WriteBudget(limit: 100)
    var written: [Int64: Int] = [:]
    for second in stride(from: Int64(0), to: 20_000, by: 70) where budget.allows(9, at: second) {
      budget.spend(9, at: second)
      written[second] = 9
    }
    for start in stride(from: Int64(0), to: 20_000, by: 10) {
      let sum = written.filter { (start..<start + 3600).contains($0.key) }.values.reduce(0, +)
      #expect(sum <= 100)
    }
    #expect(written.count > 40)
  }

  @Test func aTileThatIsReplacedIsThereOnce() throws {
    let new = try StoreCase()
    let store = new.open()
    for round in 0..<5 {
      _ = store.keep(stored(round), for: tile(2, 1, 1))
      store.write()
    }
    #expect(store.tile(tile(2, 1, 1)) == stored(4))
    _ = store.keep(TileStore.Tile(bytes: [], expires: 1, variant: 1), for: tile(2, 1, 1))
    store.close()
    #expect(ask(new.path, "SELECT count(*) FROM tiles") == "0")
    #expect(ask(new.path, "SELECT count(*) FROM waypost_tiles") == "1")
  }
}
