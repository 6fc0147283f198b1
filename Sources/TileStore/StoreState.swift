import Glibc
import MapGeometry
import Platform

/// A store behind its lock: what waits in memory for the next batch, and whether there is a file.
final class StoreState {
  /// A batch that has so many bytes or tiles is written.
  static let batch = (bytes: 1 << 20, tiles: 128)
  /// What waits in memory at most: where nothing can be written, the rest is not kept.
  private static let mostWaiting = 3 << 20
  /// Visits that are remembered at most.
  private static let mostVisits = 32_768
  /// After a fault the file is left alone for so many seconds.
  private static let pause: Int64 = 300
  /// And for so many if another program has it: that may be this one's own close, after a reload.
  private static let takenPause: Int64 = 5

  let options: TileStore.Options
  var budget: WriteBudget
  var betweenSteps: (@Sendable () -> Void)?

  private var pack: StorePack?
  /// Nothing is opened or written before that, by the steady clock.
  private var nextAttempt: Int64 = 0
  private var waiting: [TileID: StoreBatch.Entry] = [:]
  private var waitingBytes = 0
  private var confirmed: [TileID: Int64] = [:]
  private var visits: [TileID: Int64] = [:]
  /// The number of the last visit; numbers go on where those in the file end.
  private var visit: Int64 = 0
  private var notes: [TileStore.Note] = []
  /// The present trouble was said.
  private var hasTrouble = false
  private var isOverBudget = false

  init(_ options: TileStore.Options) {
    self.options = options
    budget = WriteBudget(limit: options.hourlyLimit)
  }

  // MARK: Tiles

  func tile(_ id: TileID, at now: StoreTime) -> TileStore.Tile? {
    if let entry = waiting[id] {
      visit += 1
      waiting[id]?.visit = visit
      return entry.tile
    }
    guard var tile = attempt(at: now, { pack throws(StoreFault) in try pack.tile(id) }) ?? nil
    else { return nil }
    if let expires = confirmed[id] { tile.expires = expires }
    note(visit: id)
    return tile
  }

  private func note(visit id: TileID) {
    visit += 1
    if visits.count < StoreState.mostVisits || visits[id] != nil { visits[id] = visit }
  }

  func keep(_ tile: TileStore.Tile, for id: TileID, at now: StoreTime) -> Bool {
    guard tile.bytes.count <= Int(TileStore.largestTile) else { return false }
    visit += 1
    let old = waiting[id]?.tile.bytes.count ?? 0
    guard waitingBytes - old + tile.bytes.count <= StoreState.mostWaiting else { return true }
    waitingBytes += tile.bytes.count - old
    waiting[id] = StoreBatch.Entry(tile: tile, visit: visit)
    visits[id] = nil
    confirmed[id] = nil
    return isBatch
  }

  private var isBatch: Bool {
    waitingBytes >= StoreState.batch.bytes || waiting.count >= StoreState.batch.tiles
  }

  func confirm(_ id: TileID, until expires: Int64) {
    if waiting[id] != nil {
      waiting[id]?.tile.expires = expires
    } else if confirmed.count < StoreState.mostVisits {
      confirmed[id] = expires
    }
  }

  // MARK: Writing

  func write(at now: StoreTime) {
    guard !waiting.isEmpty || confirmed.count >= StoreState.batch.tiles else { return }
    writeBatch(at: now)
  }

  private func writeBatch(at now: StoreTime) {
    let batch = StoreBatch(
      tiles: waiting.map { ($0.key, $0.value) }, confirmed: confirmed)
    guard budget.allows(batch.estimate, at: now.steady) else {
      if !isOverBudget {
        say(
          .info,
          "\(options.hourlyLimit >> 20) MiB were written in the last hour, the most there may be: "
            + "tiles are shown but not kept for now")
      }
      isOverBudget = true
      return forget()
    }
    isOverBudget = false
    let isDone: Void? = attempt(at: now) { pack throws(StoreFault) in
      guard !pack.isReadOnly else { throw StoreFault(.readOnly, "is on a medium without writing") }
      defer { budget.spend(pack.takeWrittenBytes(), at: now.steady) }
      try pack.write(batch, visits: &visits, betweenSteps)
    }
    // What could not be written would not be written the next time either.
    forget()
    if isDone != nil, hasTrouble {
      hasTrouble = false
      say(.notice, "tiles are kept again")
    }
  }

  private func forget() {
    waiting = [:]
    waitingBytes = 0
    confirmed = [:]
  }

  func close(at now: StoreTime) {
    if !waiting.isEmpty || !confirmed.isEmpty { writeBatch(at: now) }
    if let pack, !pack.isReadOnly, budget.allows(StorePack.visitsEstimate, at: now.steady) {
      try? pack.write(visits: &visits)
    }
    pack = nil
    nextAttempt = 0
  }

  // MARK: The file

  /// Runs `body` with the file, which is opened first if need be. Nil: it cannot be.
  private func attempt<Value>(
    at now: StoreTime, _ body: (StorePack) throws(StoreFault) -> Value
  ) -> Value? {
    // A second time with a new file, where the first was damaged or gone.
    for _ in 0..<2 {
      if let pack, pack.isGone { self.pack = nil }
      guard pack != nil || now.steady >= nextAttempt else { return nil }
      do throws(StoreFault) {
        if let pack { return try body(pack) }
        let pack = try open()
        self.pack = pack
        return try body(pack)
      } catch {
        if error.kind == .damaged, setAside(error) { continue }
        trouble(error, at: now)
        return nil
      }
    }
    return nil
  }

  private func open() throws(StoreFault) -> StorePack {
    let pack = try StorePack(options)
    // Those of the memory are later than those of the file.
    let offset = max(try pack.lastVisit() - visit, 0)
    if offset > 0 {
      visit += offset
      for (id, number) in visits { visits[id] = number + offset }
      for id in waiting.keys { waiting[id]?.visit += offset }
    }
    return pack
  }

  private func setAside(_ fault: StoreFault) -> Bool {
    let file: StoreFile?
    if let pack {
      file = pack.file
    } else {
      file = try? StoreFile(path: options.path)
    }
    self.pack = nil
    guard let file, !file.isReadOnly, file.setAside() else { return false }
    visits = [:]
    confirmed = [:]
    say(
      .warning,
      "is damaged (\(fault.reason)): it was renamed to \(options.path).damaged, and begun anew")
    return true
  }

  private func trouble(_ fault: StoreFault, at now: StoreTime) {
    nextAttempt =
      now.steady + (fault.kind == .taken ? StoreState.takenPause : StoreState.pause)
    // What can be read is read on.
    if fault.kind != .full && fault.kind != .readOnly { pack = nil }
    if !hasTrouble {
      say(.warning, "\(fault.reason); tiles are shown but not kept, and that is tried again")
    }
    hasTrouble = true
  }

  private func say(_ level: LogLevel, _ text: String) {
    notes.append(TileStore.Note(level: level, text: "\(options.path): \(text)"))
  }

  func takeNotes() -> [TileStore.Note] {
    defer { notes = [] }
    return notes
  }
}
