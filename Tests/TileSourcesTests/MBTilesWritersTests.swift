import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

/// A pack whose one tile at level 0 is `generation` many times over, in the journal mode of `mode`.
private func makePack(_ path: String, mode: String) throws -> Writer {
  let writer = try Writer(path)
  try writer.run(
    "PRAGMA journal_mode=\(mode); PRAGMA wal_autocheckpoint=8;"
      + "CREATE TABLE metadata (name TEXT, value TEXT);"
      + "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
      + "INSERT INTO tiles VALUES (0, 0, 0, x'00')")
  return writer
}

private let beside = ["-wal", "-shm", "-journal"]

private func files(beside path: String) -> [String] {
  beside.filter { FileManager.default.fileExists(atPath: path + $0) }
}

private func copy(_ from: String, to: String, with endings: [String]) throws {
  for ending in [""] + endings {
    try FileManager.default.copyItem(atPath: from + ending, toPath: to + ending)
  }
}

@Test(arguments: ["delete", "truncate", "persist", "wal"])
func readingAClosedPackLeavesItAndItsFolderAsTheyAre(mode: String) throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: mode).close()
  let before = try scratch.contents()
  do {
    let map = try source(path)
    #expect(try map.tile(at: .world) == [0])
    #expect(try map.contains(.world))
    #expect(try scratch.contents() == before)
  }
  #expect(try scratch.contents() == before)
}

@Test(arguments: ["delete", "wal"])
func aPackOnAReadOnlyMediumOpens(mode: String) throws {
  // Permissions stand for the medium; a superuser's tests pass them by, and then only see that
  // nothing is written.
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: mode).close()
  chmod(path, 0o444)
  chmod(scratch.path, 0o555)
  let before = try scratch.contents()
  #expect(try source(path).tile(at: .world) == [0])
  #expect(try scratch.contents() == before)
}

@Test func whatALiveWriterCommittedInItsWALIsRead() throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  let writer = try makePack(path, mode: "wal")
  let map = try source(path)
  for generation in 1...5 {
    try writer.run("UPDATE tiles SET tile_data = x'0\(generation)'")
    #expect(try map.tile(at: .world) == [UInt8(generation)])
  }
  try writer.run("BEGIN; UPDATE tiles SET tile_data = x'09'")
  #expect(try map.tile(at: .world) == [5])
  try writer.run("COMMIT")
  #expect(try map.tile(at: .world) == [9])
  // The reader does not keep the writer from tidying up, and goes on after it.
  writer.close()
  #expect(files(beside: path) == [])
  #expect(try map.tile(at: .world) == [9])
  let again = try Writer(path)
  try again.run("UPDATE tiles SET tile_data = x'0a'")
  #expect(try map.tile(at: .world) == [10])
  again.close()
  #expect(try map.tile(at: .world) == [10])
  #expect(files(beside: path) == [])
}

@Test func aPackThatChangesItsJournalModeUnderTheReaderStaysClean() throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: "delete").close()
  let map = try source(path)
  #expect(try map.tile(at: .world) == [0])
  for (mode, value) in [("wal", 1), ("delete", 2), ("wal", 3)] as [(String, UInt8)] {
    let writer = try Writer(path)
    try writer.run("PRAGMA journal_mode=\(mode); UPDATE tiles SET tile_data = x'0\(value)'")
    #expect(try map.tile(at: .world) == [value])
    writer.close()
    #expect(try map.tile(at: .world) == [value])
    #expect(files(beside: path) == [])
  }
}

@Test(arguments: [["-wal"], ["-wal", "-shm"]])
func whatAWriterThatWasCutOffHadCommittedIsRead(copied: [String]) throws {
  let scratch = try Scratch()
  let writer = try makePack(scratch + "live.mbtiles", mode: "wal")
  try writer.run("PRAGMA wal_checkpoint(TRUNCATE); UPDATE tiles SET tile_data = x'07'")
  try copy(scratch + "live.mbtiles", to: scratch + "cut.mbtiles", with: copied)
  writer.close()
  let before = try scratch.contents()
  do {
    let map = try source(scratch + "cut.mbtiles")
    #expect(try map.tile(at: .world) == [7])
    #expect(try map.tile(at: .world) == [7])
  }
  #expect(try scratch.contents() == before)
}

@Test func aWriteThatWasCutOffBeforeItsEndIsRefusedWithTheCure() throws {
  let scratch = try Scratch()
  let live = scratch + "live.mbtiles"
  let writer = try makePack(live, mode: "delete")
  // A small cache: changed pages go to the file before the end, and the journal before them.
  try writer.run(
    "PRAGMA cache_size=5; BEGIN; WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM c "
      + "WHERE n < 2000) INSERT INTO tiles SELECT 9, n, 0, zeroblob(500) FROM c")
  try copy(live, to: scratch + "cut.mbtiles", with: ["-journal"])
  let before = try scratch.contents()
  #expect(refusal(scratch + "cut.mbtiles").contains("its -journal has to be rolled back"))
  #expect(try scratch.contents() == before)
  try writer.run("ROLLBACK")
}

@Test func aWriterThatKeepsTheFileToItselfIsATileErrorThatPasses() throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  let writer = try makePack(path, mode: "delete")
  let map = try source(path)
  try writer.run("BEGIN EXCLUSIVE")
  let error = thrown(TileError.self) { try map.read(.world) }
  #expect(error?.reason.contains("is locked by a program that writes it") == true)
  #expect(error?.isTransient == true)
  try writer.run("COMMIT")
  #expect(try map.tile(at: .world) == [0])
}

@Test(arguments: ["delete", "wal"])
func noTileIsEverHalfOfOneWriteAndHalfOfAnother(mode: String) throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  let writer = try makePack(path, mode: mode)
  // Written here, read on another thread: each generation fills many pages with its own number.
  let reading = Reading(path)
  let thread = Thread { reading.run() }
  thread.start()
  for generation in 1...150 {
    let byte = String(format: "%02x", generation)
    let value = String(repeating: byte, count: 20_000)
    try writer.run("UPDATE tiles SET tile_data = x'\(value)'")
    // Comes and goes, as download programs do.
    if generation % 50 == 0 { try writer.run("PRAGMA wal_checkpoint(TRUNCATE)") }
  }
  writer.close()
  reading.finish()
  #expect(reading.mixed == 0)
  #expect(reading.whole > 0)
  // A writer that ends in the middle of a reading leaves its own files; never a journal.
  #expect(!files(beside: path).contains("-journal"))
}

/// Reads the one tile of a pack again and again until it is told to end.
private final class Reading: @unchecked Sendable {
  // Unchecked: what both threads touch is touched under the condition's lock.
  private let path: String
  private let condition = NSCondition()
  private var shouldEnd = false
  private var hasEnded = false
  private(set) var whole = 0
  private(set) var mixed = 0

  init(_ path: String) { self.path = path }

  func run() {
    var map: (any TileSource)?
    while true {
      // A pack that is being written may be locked for longer than one attempt waits.
      if map == nil { map = try? source(path) }
      if let map, let bytes = try? map.tile(at: .world) {
        let isWhole = bytes.allSatisfy { $0 == bytes[0] }
        condition.withLock { if isWhole { whole += 1 } else { mixed += 1 } }
      }
      if condition.withLock({ shouldEnd && whole > 0 }) { break }
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  func finish() {
    condition.lock()
    shouldEnd = true
    while !hasEnded { condition.wait() }
    condition.unlock()
  }
}

@Test(arguments: ["delete", "wal"])
func aFileThatIsTakenAwayIsATileErrorAndOneThatComesBackIsRead(mode: String) throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: mode).close()
  let map = try source(path)
  try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
  #expect(refusal(map, .world).contains("is not there any more"))
  try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
  #expect(try map.tile(at: .world) == [0])
}

@Test(arguments: ["delete", "wal"], ["renamed over it", "copied into it"])
func aPackThatReplacesAnotherIsReadFromTheNextTileOn(mode: String, how: String) throws {
  let scratch = try Scratch()
  let (path, other) = (scratch + "a.mbtiles", scratch + "b.mbtiles")
  try makePack(path, mode: mode).close()
  let map = try source(path)
  #expect(try map.tile(at: .world) == [0])
  // Made in the same steps: SQLite's own counter of changes is the same in both.
  let writer = try Writer(other)
  try writer.run(
    "PRAGMA journal_mode=\(mode); PRAGMA wal_autocheckpoint=8;"
      + "CREATE TABLE metadata (name TEXT, value TEXT);"
      + "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
      + "INSERT INTO tiles VALUES (0, 0, 0, x'07')")
  writer.close()
  let new = try bytes(of: other)
  #expect(try Array(bytes(of: path)[24..<40]) == Array(new[24..<40]))
  // Until the file system can tell this moment from the last one.
  let target = how == "renamed over it" ? other : path
  let before = try modified(path)
  repeat {
    let file = try #require(FileHandle(forWritingAtPath: target))
    try file.write(contentsOf: Data(new))
    try file.close()
  } while try modified(target) == before
  if target == other { #expect(rename(other, path) == 0) }
  #expect(try map.tile(at: .world) == [7])
}

private func modified(_ path: String) throws -> [Int] {
  var status = stat()
  guard stat(path, &status) == 0 else { throw PackFault("no \(path)") }
  return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
}

@Test func aWALThatBelongsToSomethingElseIsLeftAloneBesideAPackInRollbackMode() throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: "delete").close()
  // Of another pack, and such that SQLite would take it for this one's.
  let other = try makePack(scratch + "other.mbtiles", mode: "wal")
  try other.run("UPDATE tiles SET tile_data = x'07'")
  try FileManager.default.copyItem(atPath: scratch + "other.mbtiles-wal", toPath: path + "-wal")
  other.close()
  let before = try scratch.contents()
  do {
    let map = try source(path)
    #expect(try map.tile(at: .world) == [0])
    #expect(try map.tile(at: .world) == [0])
  }
  #expect(try scratch.contents() == before)
}

@Test func aJournalModeThatChangesAtTheVeryMomentOfReadingLeavesNothing() throws {
  let scratch = try Scratch()
  let path = scratch + "a.mbtiles"
  try makePack(path, mode: "delete").close()
  #expect(try source(path).tile(at: .world) == [0])
  // A connection as the reader's that never looks at the file first.
  let reader = try Writer("file:\(path)?mode=ro&vfs=waypost-locked", isAddress: true)
  try reader.run("SELECT tile_data FROM tiles")
  let writer = try Writer(path)
  try writer.run("PRAGMA journal_mode=wal")
  writer.close()
  #expect(files(beside: path) == [])
  let refusal = thrown(PackFault.self) { try reader.run("SELECT tile_data FROM tiles") }
  #expect(refusal?.reason.contains("unable to open") == true)
  reader.close()
  #expect(files(beside: path) == [])
}
