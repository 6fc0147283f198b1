import MapGeometry
import Platform

/// Manages the room in a store's file: evicts the least recently visited tiles, and shrinks a file
/// that is over its limit. Each step is a transaction of few rows, within the hour's budget.
final class StoreRoom {
  /// The result of making room.
  enum Outcome {
    case done
    /// The hour's budget is used up.
    case overBudget
    /// There is more to evict; the next call continues.
    case unfinished
  }

  /// How much more room eviction makes than is needed, in pages, so that not every write evicts.
  private static let spare = 256
  /// How many tiles one step evicts.
  private static let victims = 64
  /// How many pages one step takes from the end of a file that is over its limit.
  private static let cut = 128
  /// The most steps of one call: to make room, and to shrink the file.
  private static let steps = (room: 16, cut: 4)

  private let database: StoreDatabase
  private let statements: StoreStatements
  private let metadata: StoreMetadata
  private let mostPages: Int
  /// The limit was lowered, and the file is not below it yet.
  private(set) var isOverLimit = false

  init(
    _ database: StoreDatabase, _ statements: StoreStatements, _ metadata: StoreMetadata,
    mostPages: Int
  ) throws(StoreFault) {
    self.database = database
    self.metadata = metadata
    self.statements = statements
    self.mostPages = mostPages
    try look()
  }

  /// Checks whether the file is over its limit, and stops it from growing beyond the limit or, if
  /// it is larger already, beyond its size.
  private func look() throws(StoreFault) {
    isOverLimit = try database.number("PRAGMA page_count") > Int64(mostPages)
    try database.run("PRAGMA max_page_count=\(mostPages)")
  }

  /// Pages of the file's own list of its pages (sqlite.org/fileformat.html, section 1.8): any step
  /// may change all of them. A file is at most twice as large as its limit.
  var listPages: Int { mostPages / 400 + 1 }

  /// The most bytes that one step of eviction writes.
  private var estimate: Int {
    StorePack.bytes(pages: StoreBatch.rowPages * StoreRoom.victims + listPages + StoreQuota.pages)
  }

  /// The most bytes that one step of shrinking writes: each page that is moved, the pages that
  /// point to it, and those that follow it.
  private var cutEstimate: Int {
    estimate + StorePack.bytes(pages: 3 * StoreRoom.cut + listPages)
  }

  private func freePages() throws(StoreFault) -> Int {
    let count = Int(try database.number("PRAGMA page_count"))
    return max(mostPages - count, 0) + Int(try database.number("PRAGMA freelist_count"))
  }

  /// Evicts the least recently visited tiles until `pages` are free.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - visits: Visits that the file does not know of yet.
  ///   - quota: What the hour allows.
  ///   - betweenSteps: Called after each step.
  /// - Returns: Whether they are free.
  /// - Throws: `StoreFault` if the file cannot be read or written.
  func make(
    _ pages: Int, _ visits: inout [TileID: Int64], _ quota: inout StoreQuota,
    _ betweenSteps: (() -> Void)?
  ) throws(StoreFault) -> Outcome {
    guard try freePages() < pages + StoreRoom.spare / 4 else { return .done }
    for _ in 0..<StoreRoom.steps.room {
      if try freePages() >= pages + StoreRoom.spare { return .done }
      guard quota.allows(estimate) else { return .overBudget }
      let isDone = try evict(&visits, quota)
      betweenSteps?()
      guard try writeBack(&quota), isDone else { break }
    }
    return try freePages() >= pages ? .done : .unfinished
  }

  /// Makes the file smaller, by some steps, where the limit has become so.
  func shrink(
    _ visits: inout [TileID: Int64], _ quota: inout StoreQuota
  ) throws(StoreFault) {
    guard isOverLimit else { return }
    for _ in 0..<StoreRoom.steps.cut {
      guard quota.allows(cutEstimate) else { return }
      if try database.number("PRAGMA freelist_count") < Int64(StoreRoom.cut) {
        _ = try evict(&visits, quota)
      }
      try metadata.state(quota.ledger(adding: StorePack.bytes(pages: StoreRoom.cut)))
      let before = try database.number("PRAGMA page_count")
      try database.run("PRAGMA incremental_vacuum(\(min(StoreRoom.cut, Int(before) - mostPages)))")
      guard try writeBack(&quota) else { return }
      try look()
      guard isOverLimit else { return }
    }
  }

  private func writeBack(_ quota: inout StoreQuota) throws(StoreFault) -> Bool {
    let isDone = try database.checkpoint()
    quota.spend(database.takeWrittenPages())
    return isDone
  }

  /// Evicts some of the least recently visited tiles. A tile whose recorded visit is out of date is
  /// not evicted; its record is updated instead.
  ///
  /// - Returns: Whether there was any.
  private func evict(
    _ visits: inout [TileID: Int64], _ quota: StoreQuota
  ) throws(StoreFault) -> Bool {
    let oldest = try oldest()
    try database.transaction { () throws(StoreFault) in
      try metadata.state(quota.ledger(adding: StorePack.bytes(pages: 2 * oldest.count)))
      for id in oldest {
        if let number = visits[id] {
          try statements.stamp(id, number)
          continue
        }
        statements.removeTile.bind(id)
        try statements.removeTile.run()
        statements.remove.bind(id)
        try statements.remove.run()
      }
    }
    for id in oldest { visits[id] = nil }
    return !oldest.isEmpty
  }

  private func oldest() throws(StoreFault) -> [TileID] {
    let row = statements.oldest
    defer { row.reset() }
    row.bind(1, Int64(StoreRoom.victims))
    var oldest: [TileID] = []
    while try row.step() {
      guard
        let id = TileID(
          z: Int(row.number(0)), x: Int(row.number(1)), tmsRow: Int(row.number(2)))
      else { throw StoreFault(.damaged, "has tiles beyond the map") }
      oldest.append(id)
    }
    return oldest
  }
}

/// What may be written now. A part of the hour's budget can be reserved for others.
struct StoreQuota {
  private(set) var budget: WriteBudget
  private let seconds: Int64
  private let reserve: Int

  /// - Parameters:
  ///   - budget: The budget.
  ///   - seconds: The present time, by the steady clock.
  ///   - reserve: Bytes of the budget that are left alone.
  init(_ budget: WriteBudget, at seconds: Int64, reserve: Int = 0) {
    self.budget = budget
    self.seconds = seconds
    self.reserve = reserve
  }

  /// The metadata entry that records what was written, so that it still counts after a restart.
  /// Otherwise a service that keeps restarting would spend a new budget each time.
  ///
  /// - Parameter bytes: About how many bytes are about to be written too.
  /// - Returns: The name and the value.
  func ledger(adding bytes: Int) -> [String: String] {
    [StoreQuota.ledgerName: budget.text(adding: bytes, at: seconds, boot: StoreQuota.boot)]
  }

  /// The metadata's name for it.
  static let ledgerName = "waypost_written"
  /// The pages that it takes.
  static let pages = 4
  /// The kernel's name of the present boot; empty if it has none.
  static let boot: String = {
    let bytes = try? FileIO.read("/proc/sys/kernel/random/boot_id", limit: 64)
    return String(decoding: (bytes ?? []).prefix(36), as: UTF8.self)
  }()

  mutating func allows(_ bytes: Int) -> Bool { budget.allows(bytes + reserve, at: seconds) }

  /// Counts pages that were written: each into the log and into the file.
  mutating func spend(_ pages: Int) {
    if pages > 0 { budget.spend(StorePack.bytes(pages: pages), at: seconds) }
  }
}
