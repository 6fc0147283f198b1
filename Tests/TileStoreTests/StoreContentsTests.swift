import CSQLite
import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import TileStore

/// What a store says of its tiles, and what it does not believe.
@Suite struct StoreContentsTests {
  @Test func aStoreHasTilesOfOneScale() throws {
    let new = try StoreCase()
    let store = new.open()
    #expect(store.tile(numbered(1), scale: 2) == nil)
    _ = store.keep(stored(1), for: numbered(1), scale: 2)
    _ = store.keep(stored(2), for: numbered(1), scale: 1)
    _ = store.keep(stored(2), for: numbered(2), scale: 1)
    // Before it is written, and after that.
    for _ in 0..<2 {
      #expect(store.tile(numbered(1), scale: 2) == stored(1))
      #expect(store.tile(numbered(1), scale: 1) == nil)
      #expect(store.tile(numbered(2), scale: 2) == nil)
      store.write()
    }
    let notes = store.takeNotes()
    #expect(notes.map(\.level) == [.info])
    #expect(notes.first?.text.contains("scale 2: those of scale 1 are shown but not") == true)
    store.close()
    #expect(ask(new.path, "SELECT value FROM metadata WHERE name = 'waypost_scale'") == "2")
  }

  @Test func theScaleIsThatOfTheFile() throws {
    let new = try StoreCase()
    let first = new.open()
    _ = first.keep(stored(1), for: numbered(1), scale: 2)
    first.close()
    let second = new.open()
    // Kept before the file is read, for once.
    _ = second.keep(stored(7), for: numbered(1), scale: 3)
    second.write()
    #expect(second.tile(numbered(1), scale: 3) == nil)
    #expect(second.tile(numbered(1), scale: 2) == stored(1))
    second.close()
    #expect(ask(new.path, "SELECT value FROM metadata WHERE name = 'waypost_scale'") == "2")
    // One that is removed may have another.
    for suffix in ["", "-wal", "-shm"] { unlink(new.path + suffix) }
    #expect(second.tile(numbered(1), scale: 3) == nil)
    _ = second.keep(stored(7), for: numbered(1), scale: 3)
    second.close()
    #expect(ask(new.path, "SELECT value FROM metadata WHERE name = 'waypost_scale'") == "3")
  }

  @Test func aTileThatWasKeptWithAClockInTheFutureIsStale() throws {
    let store = try StoreCase()
    let open = store.open()
    let year = TileStore.longestLifetime
    let now = time(0).wall
    _ = open.keep(stored(1, expires: now + year), for: numbered(1), at: time(0))
    _ = open.keep(stored(2, expires: now + year + 1), for: numbered(2), at: time(0))
    _ = open.keep(stored(3, expires: .max), for: numbered(3), at: time(0))
    for _ in 0..<2 {
      #expect(open.tile(numbered(1), at: time(0))?.expires == now + year)
      #expect(open.tile(numbered(2), at: time(0))?.expires == 0)
      #expect(open.tile(numbered(3), at: time(0))?.expires == 0)
      open.write(at: time(0))
    }
    open.confirm(numbered(1), until: now + year + 1)
    #expect(open.tile(numbered(1), at: time(0))?.expires == 0)
  }

  @Test(arguments: ["9223372036854775807", "4611686018427387904", "-1", "'x'", "NULL"])
  func visitsThatNeverWereAreDamage(number: String) throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<20)
    first.close()
    run(new.path, "UPDATE waypost_tiles SET visited = \(number) WHERE tile_column = 7")
    let second = new.open()
    for number in 0..<20 { #expect(second.tile(numbered(number)) == nil) }
    new.fill(second, 30..<40)
    #expect(second.tile(numbered(35)) == stored(35))
    let notes = second.takeNotes()
    #expect(notes.count == 1)
    #expect(notes.first?.text.contains("has visits that never were") == true)
  }

  @Test func theHighestVisitThatCanBeIsNoDamage() throws {
    let new = try StoreCase()
    let first = new.open()
    new.fill(first, 0..<20)
    first.close()
    run(new.path, "UPDATE waypost_tiles SET visited = (1 << 62) - 1 WHERE tile_column = 7")
    let second = new.open()
    #expect(second.tile(numbered(3)) == stored(3))
    #expect(second.takeNotes() == [])
  }

  private static func padded(_ start: [UInt8]) -> [UInt8] {
    start + [UInt8](repeating: 0, count: 200)
  }

  @Test func theFormatIsTheFirstThatMBTilesHasANameFor() throws {
    let gzip = Self.padded([0x1f, 0x8b, 8, 0])
    let jpeg = Self.padded([0xff, 0xd8, 0xff, 0xe0])
    for (first, name) in [(gzip, "pbf"), (jpeg, "jpg"), (bytes(1), "png")] {
      let new = try StoreCase()
      let store = new.open()
      let page = TileStore.Tile(bytes: Array("<html>".utf8), expires: 1, variant: 1)
      for (number, tile) in [page, TileStore.Tile(bytes: first, expires: 1, variant: 1), stored(3)]
        .enumerated()
      {
        _ = store.keep(tile, for: numbered(number))
        store.write()
      }
      store.close()
      #expect(ask(new.path, "SELECT value FROM metadata WHERE name = 'format'") == name)
    }
  }
}

/// Runs a statement as another program would.
private func run(_ path: String, _ sql: String) {
  var connection: OpaquePointer?
  guard sqlite3_open(path, &connection) == SQLITE_OK else { return }
  defer { sqlite3_close(connection) }
  sqlite3_exec(connection, sql, nil, nil, nil)
}
