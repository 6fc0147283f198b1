import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing

@testable import TileStore

/// What a store writes at once, and in an hour, beside its tiles.
@Suite struct StoreBoundsTests {
  /// A store of 34 MiB whose limit becomes `limit`.
  private static func lowered(to limit: Int, hourly: Int = 1 << 40) throws -> StoreCase {
    var new = try StoreCase(limit: 48 << 20)
    let store = new.open()
    new.fill(store, 0..<3000, size: 12_000)
    store.close(at: time(0))
    #expect(new.size > 34 << 20)
    new.options.limit = limit
    new.options.hourlyLimit = hourly
    return new
  }

  @Test func aLowerLimitIsReachedInStepsAndNotByReading() throws {
    let new = try Self.lowered(to: 24 << 20)
    let before = new.size
    let store = new.open()
    // When what the first process wrote no longer counts.
    let later = time(7200)
    #expect(store.tile(numbered(2999), at: later) != nil)
    #expect(store.tile(numbered(0), at: later) != nil)
    #expect(store.writtenBytes(at: later) == 0)
    var (sizes, mostAtOnce) = ([new.size], 0)
    while store.isDue, sizes.count < 100 {
      let written = store.writtenBytes(at: later)
      store.write(at: later)
      mostAtOnce = max(mostAtOnce, store.writtenBytes(at: later) - written)
      sizes.append(new.size)
    }
    #expect(sizes.first == before)
    #expect(sizes.count > 5 && sizes.count < 100)
    #expect(mostAtOnce < 8 << 20)
    #expect(new.size <= 18 << 20)
    #expect(store.tile(numbered(2999), at: later) == stored(2999, 12_000))
    #expect(store.tile(numbered(0), at: later) != nil, "it was visited")
    #expect(store.tile(numbered(1), at: later) == nil)
    #expect(store.takeNotes() == [])
    store.close(at: later)
    #expect(ask(new.path, "PRAGMA integrity_check") == "ok")
  }

  @Test func aLowerLimitIsReachedWhileTilesAreKept() throws {
    let new = try Self.lowered(to: 24 << 20)
    let before = new.size
    let store = new.open()
    new.fill(store, 4000..<4050, size: 12_000)
    #expect(store.tile(numbered(4000)) == stored(4000, 12_000))
    #expect(new.size < before)
    #expect(new.size > 24 << 20)
  }

  @Test func aLowerLimitTakesHalfOfAnHoursWritesAtMost() throws {
    let new = try Self.lowered(to: 24 << 20, hourly: 16 << 20)
    let store = new.open()
    // Two hours after it was filled.
    let start: Int64 = 7200
    _ = store.tile(numbered(2999), at: time(start))
    for second in 0..<50 { store.write(at: time(start + Int64(second))) }
    #expect(store.isDue)
    #expect(store.writtenBytes(at: time(start + 50)) > 0)
    #expect(store.writtenBytes(at: time(start + 50)) <= 8 << 20)
    for hour in 2..<30 {
      for second in 0..<10 { store.write(at: time(Int64(hour * 7200 + second))) }
    }
    #expect(!store.isDue)
  }

  @Test func aFileThatIsFarOverItsLimitIsSetAside() throws {
    let new = try Self.lowered(to: 16 << 20)
    let store = new.open()
    #expect(store.tile(numbered(2999)) == nil)
    let notes = store.takeNotes()
    #expect(notes.map(\.level) == [.warning])
    #expect(notes.first?.text.contains("more than twice its store_limit") == true)
    #expect(notes.first?.text.contains(".large, and begun anew") == true)
    new.fill(store, 0..<10)
    #expect(store.tile(numbered(5)) == stored(5))
    store.close()
    #expect(ask(new.path, "SELECT count(*) FROM tiles") == "10")
    #expect(ask(new.path + ".large", "SELECT count(*) FROM tiles") == "3000")
  }

  /// A store does not know their numbers before it has been read.
  @Test func tilesThatAreKeptBeforeTheFileIsReadAreTheNewest() throws {
    let new = try StoreCase(limit: 16 << 20)
    let first = new.open()
    new.fill(first, 0..<600, size: 12_000)
    first.close()
    let second = new.open()
    new.fill(second, 1000..<1010, size: 12_000)
    second.close()
    let newest = ask(new.path, "SELECT min(visited) FROM waypost_tiles WHERE visited > 600")
    #expect(newest == "601")
  }

  /// Those of the first `count` tiles whose last visit the file knows to be after they were kept.
  private static func noted(_ new: StoreCase, _ count: Int) -> String {
    ask(new.path, "SELECT count(*) FROM waypost_tiles WHERE visited > \(count)")
  }

  @Test func manyVisitsAreWrittenBeforeTheEnd() throws {
    let new = try StoreCase()
    let store = new.open()
    new.fill(store, 0..<1200, size: 200)
    for number in 0..<900 { _ = store.tile(numbered(number)) }
    #expect(!store.isDue)
    store.write()
    #expect(Self.noted(new, 1200) == "0")
    for number in 900..<1100 { _ = store.tile(numbered(number)) }
    #expect(store.isDue)
    store.write()
    #expect(!store.isDue)
    #expect(Self.noted(new, 1200) == "1100")
  }

  @Test func theNewestVisitsAreWrittenFirst() throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<1200, size: 200)
    first.close(at: time(0))
    var little = new
    // Half of it is for one step.
    little.options.hourlyLimit = 13_280_000
    let store = little.open()
    // Two hours after it was filled.
    for number in 0..<1200 { _ = store.tile(numbered(number), at: time(7200)) }
    store.write(at: time(7200))
    let noted = Int(Self.noted(new, 1200)) ?? 0
    #expect(noted > 0 && noted < 1200)
    #expect(
      ask(new.path, "SELECT min(visited) FROM waypost_tiles WHERE visited > 1200")
        == "\(2400 - noted + 1)")
    #expect(store.writtenBytes(at: time(7200)) <= 7 << 20)
  }

  @Test func visitsAreWrittenWhereNoMoreCanBeNoted() throws {
    var new = try StoreCase()
    new.options.mostVisits = 100
    let store = new.open()
    new.fill(store, 0..<300, size: 200)
    for number in 0..<300 { _ = store.tile(numbered(number)) }
    #expect(Self.noted(new, 300) == "200")
    store.close()
    #expect(Self.noted(new, 300) == "300")
  }

  @Test func whereVisitsCannotBeWrittenTheOlderOnesAreForgotten() throws {
    var new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<300, size: 200)
    first.close()
    new.options.mostVisits = 100
    new.options.hourlyLimit = 0
    let store = new.open()
    for number in 0..<300 { _ = store.tile(numbered(number)) }
    #expect(store.isDue)
    store.write()
    #expect(Self.noted(new, 300) == "0")
  }

  @Test func noBatchTakesMoreOfTheHourThanItWasEstimatedToTake() throws {
    // Many rows of tiles that are not there, long tags, evictions, visits.
    let new = try StoreCase(limit: 16 << 20, hourly: 24 << 20)
    let store = new.open()
    var random = SeededNumbers(3)
    for second in 0..<60 {
      for number in 0..<120 {
        let id = numbered(random.integer(0...20_000))
        let size = number % 3 == 0 ? 0 : 12_000
        let tile = TileStore.Tile(
          bytes: size == 0 ? [] : bytes(number, size), tag: String(repeating: "t", count: 500),
          modified: String(repeating: "m", count: 500), expires: 1, variant: 1)
        if store.keep(tile, for: id, at: time(Int64(second))) {
          store.write(at: time(Int64(second)))
        }
        _ = store.tile(id, at: time(Int64(second)))
      }
      store.write(at: time(Int64(second)))
      #expect(store.writtenBytes(at: time(Int64(second))) <= 24 << 20)
    }
    #expect(store.takeNotes().map(\.level).contains(.info))
    #expect(new.size <= 16 << 20)
    store.close()
    #expect(ask(new.path, "PRAGMA integrity_check") == "ok")
  }

  @Test func longTagsAreNotKept() throws {
    let new = try StoreCase()
    let store = new.open()
    var tile = stored(1)
    tile.tag = String(repeating: "t", count: 513)
    tile.modified = String(repeating: "m", count: 512)
    _ = store.keep(tile, for: numbered(1))
    store.write()
    #expect(store.tile(numbered(1))?.tag == "")
    #expect(store.tile(numbered(1))?.modified == tile.modified)
  }

  @Test func evictingGoesOnWithTheNextBatchWhereMuchHasToGo() throws {
    let new = try StoreCase(limit: 16 << 20)
    let store = new.open()
    new.fill(store, 0..<900, size: 10_000)
    // Tiles that are not there take no room each, but are many; all of them were visited.
    for number in 1000..<6000 {
      let absent = TileStore.Tile(bytes: [], expires: 1, variant: 1)
      if store.keep(absent, for: numbered(number)) { store.write() }
    }
    for start in stride(from: 10_000, to: 12_000, by: 50) {
      new.fill(store, start..<start + 50, size: 20_000)
    }
    #expect(store.tile(numbered(11_999)) == stored(11_999, 20_000))
    #expect(store.takeNotes() == [])
    #expect(new.size <= 16 << 20)
  }

  @Test func whatWasWrittenCountsAfterARestart() throws {
    let new = try StoreCase(hourly: 16 << 20)
    // A service that is killed again and again, each time after a batch.
    var written = 0
    for round in 0..<40 {
      let store = new.open()
      new.fill(store, round * 100..<round * 100 + 100, at: Int64(round))
      written = max(written, store.writtenBytes(at: time(Int64(round))))
    }
    #expect(written > 4 << 20 && written <= 16 << 20, "\(written)")
    let kept = Int(ask(new.path, "SELECT count(*) FROM tiles")) ?? 0
    // Of a batch after which it was killed, what it might have written counts.
    #expect(kept >= 200 && kept < 1500, "\(kept)")
    // An hour later there is room again.
    let later = new.open()
    new.fill(later, 5000..<5100, at: 4200)
    #expect(later.tile(numbered(5050), at: time(4200)) != nil)
    #expect(later.writtenBytes(at: time(4200)) < 4 << 20)
  }

  @Test func theWrittenBytesOfAnotherBootAgeWhileTheSystemRuns() throws {
    var budget = WriteBudget(limit: 1000)
    budget.spend(300, at: 90_000)
    let text = budget.text(adding: 100, at: 90_300, boot: "a")
    #expect(text == "a 301 300:300 301:100")
    var same = WriteBudget(limit: 1000)
    same.spend(1, at: 93_700)
    same.restore(text, at: 93_700, boot: "a")
    #expect(same.used(at: 93_700) == 401)
    #expect(same.used(at: 93_900) == 101)
    var other = WriteBudget(limit: 1000)
    other.restore(text, at: 10, boot: "b")
    #expect(other.used(at: 3_000) == 400)
    #expect(other.used(at: 3_700) == 100)
    #expect(other.used(at: 4_000) == 0)
    // A board that runs for ten minutes at a time writes on after some hours of these.
    var text2 = text
    var last = 400
    for _ in 0..<6 {
      var next = WriteBudget(limit: 1000)
      next.restore(text2, at: 20, boot: "\(last)")
      last = next.used(at: 620)
      text2 = next.text(adding: 0, at: 620, boot: "x\(last)")
    }
    #expect(last == 100)
    for text in [
      "", "a", "a x", "a 1 1:-1", "a 1 1:99999999999999999", "a 1", "a 1 1:1:1", "a -1 1:1",
      "b 9223372036854775807 1:1", "a 1 9223372036854775807:1",
    ] {
      var damaged = WriteBudget(limit: 1000)
      damaged.restore(text, at: 10, boot: "a")
      #expect(damaged.used(at: 10) == 0, "\(text)")
    }
  }
}
