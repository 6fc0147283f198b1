import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import TileStore

/// What a store does when its file, its medium or its power fails.
@Suite struct StoreTroubleTests {
  private static func copy(_ from: String, _ to: String) throws {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: from + suffix) {
      try FileManager.default.copyItem(atPath: from + suffix, toPath: to + suffix)
    }
  }

  /// The files as they are between any two steps of writing, as a cut leaves them.
  @Test func aCutLosesAtMostTheLastBatch() throws {
    let new = try StoreCase(limit: 16 << 20)
    let store = new.open()
    let copies = Mutex<[(path: String, batches: Int)]>([])
    let batch = Mutex(0)
    let (original, copied) = (new.path, new.folder["copy-"])
    store.betweenSteps {
      if ![0, 1, 5, 10, 11].contains(batch.withLock({ $0 })) { return }
      copies.withLock { copies in
        let path = "\(copied)\(copies.count).mbtiles"
        try? Self.copy(original, path)
        copies.append((path, batch.withLock { $0 }))
      }
    }
    // The last ones evict.
    for number in 0..<12 {
      new.fill(store, number * 52..<number * 52 + 52, size: 20_000)
      batch.withLock { $0 = number + 1 }
    }
    let all = copies.withLock { $0 }
    #expect(all.count >= 20)
    for (path, batches) in all {
      if batches > 0 {
        // As another program finds it, before anybody has written to it again.
        let pack = try SourceSpec(name: "s", location: .path(path)).open()
        let isThere = try pack.contains(numbered(batches * 52 - 1))
        #expect(isThere)
      }
      var options = new.options
      options.path = path
      let after = TileStore(options)
      for number in max(batches * 52 - 52, 0)..<batches * 52 {
        #expect(after.tile(numbered(number)) == stored(number, 20_000))
      }
      new.fill(after, 5000..<5010)
      #expect(after.takeNotes() == [])
      after.close()
      #expect(ask(path, "PRAGMA integrity_check") == "ok")
    }
  }

  @Test func aSecondProgramIsToldAndWritesNothing() throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<3)
    let second = new.open()
    #expect(second.tile(numbered(0), at: time(0)) == nil)
    new.fill(second, 10..<13)
    let notes = second.takeNotes()
    #expect(notes.count == 1)
    #expect(notes.first?.text.contains("another waypost-fetch has it open") == true)
    #expect(first.tile(numbered(10)) == nil)
    // The first has ended: seconds later, since it may be this program's own close.
    first.close()
    new.fill(second, 20..<23, at: 5)
    #expect(second.tile(numbered(0), at: time(5)) != nil)
    #expect(second.takeNotes().map(\.level) == [.notice])
  }

  @Test(arguments: [0, 100, 5000, 20_000])
  func aDamagedFileIsSetAsideAndBegunAnew(place: Int) throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<50)
    first.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: new.path))
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: Data(repeating: 0xa7, count: 60_000))
    try file.close()
    let second = new.open()
    for number in 0..<50 { _ = second.tile(numbered(number)) }
    new.fill(second, 60..<100)
    #expect(second.tile(numbered(70)) == stored(70))
    let notes = second.takeNotes()
    #expect(notes.count == 1, "\(notes)")
    #expect(notes.first?.text.contains("is damaged") == true)
    second.close()
    #expect(ask(new.path, "PRAGMA integrity_check") == "ok")
    #expect(FileManager.default.fileExists(atPath: new.path + ".damaged"))
  }

  @Test func aPackOfAnotherProgramIsLeftAlone() throws {
    let new = try StoreCase()
    try TilePacks.writeMBTiles([(numbered(0), bytes(0))], to: new.path)
    let before = try digests(of: new.path)
    let store = new.open()
    new.fill(store, 0..<10)
    #expect(store.tile(numbered(0)) == nil)
    store.close()
    #expect(try digests(of: new.path) == before)
    #expect(store.takeNotes().map(\.text).first?.contains("is no store") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: new.folder.path) == ["s.mbtiles"])
  }

  @Test func whereNothingCanBeWrittenThatIsSaidOnceAndTriedAgain() throws {
    var new = try StoreCase()
    let folder = new.folder["later"]
    new.options.path = folder + "/s.mbtiles"
    let store = new.open()
    for second in 0..<20 {
      new.fill(store, 0..<5, at: Int64(second))
      #expect(store.tile(numbered(1), at: time(Int64(second))) == nil)
    }
    let news = store.takeNews()
    #expect(news.notes.map(\.level) == [.warning])
    #expect(news.trouble == news.notes.first?.text)
    #expect(news.trouble?.hasPrefix(new.path + ": ") == true)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    new.fill(store, 0..<5, at: 1000)
    #expect(store.tile(numbered(1), at: time(1000)) != nil)
    #expect(store.takeNotes().map(\.level) == [.notice])
    #expect(store.takeNews().trouble == nil)
  }

  @Test func aStoreThatCanBeOpenedIsWellAgainWithoutAWrite() throws {
    var new = try StoreCase()
    let folder = new.folder["later"]
    new.options.path = folder + "/s.mbtiles"
    let store = new.open()
    #expect(store.tile(numbered(1), at: time(0)) == nil)
    #expect(store.takeNews().trouble != nil)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(store.tile(numbered(1), at: time(1000)) == nil)
    let news = store.takeNews()
    #expect(news.trouble == nil)
    #expect(news.notes.map(\.isOfTrouble) == [true])
  }

  @Test(.enabled(if: Stranger.isPossible, "skipped: no other user's rights can be taken"))
  func aStoreThatCouldOnlyBeReadIsWrittenOnceItCanBe() throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<3)
    first.close()
    #expect(chmod(new.folder.path, 0o755) == 0 && chmod(new.path, 0o644) == 0)
    let store = new.open()
    Stranger.during {
      // A batch every ten seconds, which fails.
      for second in stride(from: Int64(0), to: 310, by: 10) {
        new.fill(store, 10..<13, at: second)
        #expect(store.tile(numbered(1), at: time(second)) == stored(1))
      }
    }
    let news = store.takeNews()
    #expect(news.notes.map(\.level) == [.warning])
    #expect(news.trouble?.contains("is on a medium without writing") == true)
    // It is opened again five minutes after the last attempt, and not before.
    new.fill(store, 20..<23, at: 320)
    #expect(store.takeNews().trouble != nil)
    new.fill(store, 30..<33, at: 610)
    #expect(store.tile(numbered(30), at: time(610)) == stored(30))
    let later = store.takeNews()
    #expect(later.trouble == nil)
    #expect(later.notes.map(\.level) == [.notice])
  }

  @Test func aStoreThatIsRemovedIsBegunAnew() throws {
    let new = try StoreCase()
    let store = new.open()
    new.fill(store, 0..<5)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: new.path + suffix)
    }
    new.fill(store, 5..<10)
    #expect(store.tile(numbered(7)) != nil)
    #expect(store.tile(numbered(0)) == nil)
    store.close()
    #expect(ask(new.path, "SELECT count(*) FROM tiles") == "5")
  }
}
