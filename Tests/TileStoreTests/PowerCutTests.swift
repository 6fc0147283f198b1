import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import TileStore

/// What is on the medium when the power fails: what was synced, and any part of what was not.
@Suite struct PowerCutTests {
  private static let page = 4096
  /// 52 of them are a batch.
  private static let size = 20_000

  /// The file and its log at the steps of the last of some batches: before it, in the transaction,
  /// committed, written back.
  private struct Steps {
    var files: [[UInt8]] = []
    var logs: [[UInt8]] = []
    /// The log's index, which no program syncs.
    var indexes: [[UInt8]] = []
  }

  private let new: StoreCase
  private let steps: Steps
  /// Tiles of the batches before the last one that none of them evicted.
  private let safe: [Int]

  init() throws {
    new = try StoreCase(limit: 16 << 20)
    let store = new.open()
    let path = new.path
    let taken = Mutex(Steps())
    store.betweenSteps {
      taken.withLock { taken in
        taken.files.append(Self.read(path))
        taken.logs.append(Self.read(path + "-wal"))
        taken.indexes.append(Self.read(path + "-shm"))
      }
    }
    for number in 0..<12 { new.fill(store, number * 52..<number * 52 + 52, size: Self.size) }
    let all = taken.withLock { $0 }
    steps = Steps(
      files: all.files.suffix(4), logs: all.logs.suffix(4), indexes: all.indexes.suffix(4))
    safe = (0..<11 * 52).filter { store.tile(numbered($0)) != nil }
  }

  private static func read(_ path: String) -> [UInt8] {
    [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data())
  }

  /// Opens what was left, with and without an index, as any program would, then as the store does,
  /// and looks for every tile but those of the last batch.
  private func check(
    _ file: [UInt8], _ log: [UInt8], _ what: String, index: Int? = nil
  ) throws {
    try checkOnce(file, log, nil, what)
    if let index { try checkOnce(file, log, steps.indexes[index], what + " with index \(index)") }
  }

  private func checkOnce(
    _ file: [UInt8], _ log: [UInt8], _ index: [UInt8]?, _ what: String
  ) throws {
    let folder = try TemporaryFolder()
    var options = new.options
    options.path = folder["s.mbtiles"]
    try Data(file).write(to: URL(fileURLWithPath: options.path))
    try Data(log).write(to: URL(fileURLWithPath: options.path + "-wal"))
    if let index { try Data(index).write(to: URL(fileURLWithPath: options.path + "-shm")) }
    let pack = try SourceSpec(name: "s", location: .path(options.path)).open()
    let isThere = try pack.contains(numbered(safe.last ?? 0))
    #expect(isThere, "\(what)")
    let store = TileStore(options)
    let lost = safe.filter { store.tile(numbered($0)) != stored($0, Self.size) }
    #expect(lost == [], "\(what)")
    new.fill(store, 5000..<5010)
    #expect(store.takeNotes() == [], "\(what)")
    store.close()
    #expect(ask(options.path, "PRAGMA integrity_check") == "ok", "\(what)")
  }

  @Test func aLogThatIsTornLosesTheLastBatch() throws {
    try #require(steps.logs.count == 4)
    let log = steps.logs[2]
    #expect(log.count > 52 * Self.size && steps.logs[3].isEmpty)
    var random = SeededNumbers(1)
    for round in 0..<6 {
      var torn = Array(log.prefix(random.integer(0...log.count)))
      // What a card writes of a block that it was in the middle of.
      for _ in 0..<random.integer(0...600) { torn.append(UInt8(truncatingIfNeeded: random.next())) }
      try check(steps.files[2], torn, "torn \(round)", index: round % 4)
    }
  }

  /// 32 bytes are the log's header.
  @Test(arguments: [0, 1, 31, 32, 33])
  func aLogThatHasHardlyBegunIsNothing(count: Int) throws {
    for index in 0..<4 {
      try check(steps.files[2], Array(steps.logs[2].prefix(count)), "\(count)", index: index)
    }
  }

  @Test func aFileThatIsHalfWrittenBackIsWholeByItsLog() throws {
    try #require(steps.files.count == 4)
    let (before, after) = (steps.files[2], steps.files[3])
    var random = SeededNumbers(2)
    for round in 0..<6 {
      var mixed = before
      if after.count > mixed.count, random.integer(0...1) == 1 {
        mixed += [UInt8](repeating: 0, count: after.count - mixed.count)
      }
      for start in stride(from: 0, to: min(mixed.count, after.count), by: Self.page)
      where random.integer(0...1) == 1 {
        mixed.replaceSubrange(start..<start + Self.page, with: after[start..<start + Self.page])
      }
      try check(mixed, steps.logs[2], "mixed \(round)", index: round % 4)
    }
  }
}
