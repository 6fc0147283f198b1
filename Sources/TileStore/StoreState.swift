import Glibc
import MapGeometry
import Platform

/// A store behind its lock: what waits in memory for the next batch, and whether there is a file.
final class StoreState {
  /// A batch is written once it has this many bytes or tiles.
  static let batch = (bytes: 1 << 20, tiles: 128)
  /// The most bytes that wait in memory; while nothing can be written, further tiles are not kept.
  private static let mostWaiting = 3 << 20
  /// The most tiles that wait. They are limited too, because a tile that the server does not have
  /// takes no bytes.
  private static let mostTiles = 512
  /// The most confirmations that wait, and how many are written at once.
  private static let confirmations = (most: 1024, batch: 128)
  /// Visits are written once this many are noted; a power cut loses the rest.
  private static let visitsDue = 1000
  /// ETag and Last-Modified that are longer are not kept.
  private static let longestTag = 512
  /// How long the file is left alone after a fault, in seconds.
  private static let pause: Int64 = 300
  /// The same if another process has the file. That may be this program, still closing it after a
  /// reload.
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
  /// Metadata that are not written yet.
  private var facts: [String: String] = [:]
  /// The facts stated last; a file that is begun anew gets them too.
  private var statedFacts: [String: String] = [:]
  /// The number of the last visit; numbers go on where those in the file end.
  private var visit: Int64 = 0
  /// The scale of all tiles, also of those in the file; nil: there are none.
  private var scale: Int?
  private var isScaleSaid = false
  private var notes: [TileStore.Note] = []
  /// Why tiles are not kept at present, with the file; nil: they are.
  private(set) var trouble: String?
  /// Whether that is over as soon as the file can be opened.
  private var isTroubleOfOpening = false
  private var isOverBudget = false
  /// What an earlier process wrote in the last hour has been added to the budget.
  private var isBudgetRestored = false

  init(_ options: TileStore.Options) {
    self.options = options
    budget = WriteBudget(limit: options.hourlyLimit)
  }

  // MARK: Tiles

  func tile(_ id: TileID, scale: Int, at now: StoreTime) -> TileStore.Tile? {
    guard var tile = find(id, scale, at: now) else { return nil }
    if tile.expires > now.wall + TileStore.longestLifetime { tile.expires = 0 }
    return tile
  }

  private func find(_ id: TileID, _ scale: Int, at now: StoreTime) -> TileStore.Tile? {
    if self.scale == scale, let entry = waiting[id] {
      visit += 1
      waiting[id]?.visit = visit
      return entry.tile
    }
    // Opening the file may tell the scale.
    let found = attempt(at: now) { pack throws(StoreFault) in
      try (self.scale ?? scale) == scale ? pack.tile(id) : nil
    }
    guard var tile = found ?? nil else { return nil }
    if let expires = confirmed[id] { tile.expires = expires }
    note(visit: id, at: now)
    return tile
  }

  /// Whether tiles of `scale` are kept; the first tile decides for all.
  private func takes(_ scale: Int) -> Bool {
    let kept = self.scale ?? scale
    self.scale = kept
    if kept != scale, !isScaleSaid {
      isScaleSaid = true
      say(.info, "has tiles of scale \(kept): those of scale \(scale) are shown but not kept")
    }
    return kept == scale
  }

  private func note(visit id: TileID, at now: StoreTime) {
    visit += 1
    if visits.count >= options.mostVisits, visits[id] == nil {
      writeVisits(at: now)
      // Where nothing can be written, the older ones are forgotten.
      if visits.count >= options.mostVisits {
        let oldest = visits.values.sorted()[visits.count / 2]
        visits = visits.filter { $0.value > oldest }
      }
    }
    visits[id] = visit
  }

  func keep(
    _ tile: TileStore.Tile, for id: TileID, scale: Int, at now: StoreTime
  ) -> Bool {
    guard tile.bytes.count <= Int(TileStore.largestTile), takes(scale) else { return false }
    visit += 1
    let old = waiting[id]?.tile.bytes.count ?? 0
    guard waitingBytes - old + tile.bytes.count <= StoreState.mostWaiting,
      waiting[id] != nil || waiting.count < StoreState.mostTiles
    else { return true }
    waitingBytes += tile.bytes.count - old
    var tile = tile
    if tile.tag.utf8.count > StoreState.longestTag { tile.tag = "" }
    if tile.modified.utf8.count > StoreState.longestTag { tile.modified = "" }
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
    } else if confirmed.count < StoreState.confirmations.most {
      confirmed[id] = expires
    }
  }

  // MARK: The archive

  /// The metadata's name for what is known of the archive.
  private static let archiveName = "waypost_archive"

  func archive(at now: StoreTime) -> String? {
    if let text = facts[StoreState.archiveName] { return text }
    let found = attempt(at: now) { pack throws(StoreFault) in
      try pack.fact(StoreState.archiveName)
    }
    return found ?? nil
  }

  func keep(archive: String, facts: [String: String]) {
    self.facts = facts
    self.facts[StoreState.archiveName] = archive
    statedFacts = self.facts
  }

  private func writeFacts(at now: StoreTime) {
    let isDone = writing(at: now, reserve: 0) { pack, quota throws(StoreFault) in
      try pack.write(facts: facts, &quota)
    }
    if isDone == true { facts = [:] }
  }

  // MARK: Writing

  /// Whether there is something to write beside tiles.
  var isDue: Bool {
    visits.count > min(StoreState.visitsDue, options.mostVisits / 2) || pack?.isOverLimit == true
  }

  func write(at now: StoreTime) {
    if !waiting.isEmpty || confirmed.count >= StoreState.confirmations.batch {
      writeBatch(at: now)
    }
    if !facts.isEmpty { writeFacts(at: now) }
    guard isDue else { return }
    writeVisits(at: now)
    writing(at: now, reserve: budget.limit / 2) { pack, quota throws(StoreFault) in
      try pack.shrink(&visits, &quota)
    }
  }

  /// Half of the hour's budget is left for tiles.
  private func writeVisits(at now: StoreTime) {
    writing(at: now, reserve: budget.limit / 2) { pack, quota throws(StoreFault) in
      try pack.write(visits: &visits, &quota)
    }
  }

  /// Runs `body` if the file can be written, and counts what it writes.
  @discardableResult private func writing<Value>(
    at now: StoreTime, reserve: Int,
    _ body: (StorePack, inout StoreQuota) throws(StoreFault) -> Value
  ) -> Value? {
    attempt(at: now) { pack throws(StoreFault) -> Value? in
      if pack.isReadOnly { return nil }
      var quota = StoreQuota(budget, at: now.steady, reserve: reserve)
      defer { budget = quota.budget }
      return try body(pack, &quota)
    } ?? nil
  }

  private func writeBatch(at now: StoreTime) {
    // A file that could only be read stays as it was opened: it is opened again.
    if trouble != nil, pack?.isReadOnly == true, now.steady >= nextAttempt { pack = nil }
    let confirmed = Array(confirmed.prefix(StoreState.confirmations.batch))
    let outcome = attempt(at: now) { pack throws(StoreFault) in
      guard !pack.isReadOnly else { throw StoreFault(.readOnly, "is on a medium without writing") }
      var quota = StoreQuota(budget, at: now.steady)
      defer { budget = quota.budget }
      // Opening the file has changed the numbers of visits.
      let batch = StoreBatch(
        tiles: waiting.map { ($0.key, $0.value) }, confirmed: confirmed.map { ($0.key, $0.value) },
        scale: scale)
      return try pack.write(batch, visits: &visits, &quota, betweenSteps)
    }
    // Tiles that could not be written now could not be written the next time either.
    forget()
    if outcome != .overBudget { for (id, _) in confirmed { self.confirmed[id] = nil } }
    if outcome == .overBudget, !isOverBudget {
      say(
        .info,
        "\(options.hourlyLimit >> 20) MiB were written in the last hour, the most there may be: "
          + "tiles are shown but not kept for now")
    }
    isOverBudget = outcome == .overBudget
    if outcome == .done { recover() }
  }

  private func recover() {
    guard trouble != nil else { return }
    trouble = nil
    say(.notice, "tiles are kept again", isOfTrouble: true)
  }

  private func forget() {
    waiting = [:]
    waitingBytes = 0
  }

  func close(at now: StoreTime) {
    if !waiting.isEmpty || !confirmed.isEmpty { writeBatch(at: now) }
    if !facts.isEmpty { writeFacts(at: now) }
    if let pack, !pack.isReadOnly {
      var quota = StoreQuota(budget, at: now.steady)
      try? pack.write(visits: &visits, &quota)
      try? pack.settle(&quota)
      budget = quota.budget
    }
    pack = nil
    nextAttempt = 0
  }

  // MARK: The file

  /// Runs `body` with the file, which is opened first if need be. Nil: it cannot be.
  private func attempt<Value>(
    at now: StoreTime, _ body: (StorePack) throws(StoreFault) -> Value
  ) -> Value? {
    // Tries a second time with a new file if the first one was damaged or gone.
    for _ in 0..<2 {
      if let pack, pack.isGone { self.pack = nil }
      guard pack != nil || now.steady >= nextAttempt else { return nil }
      do throws(StoreFault) {
        if let pack { return try body(pack) }
        let pack = try open(at: now)
        self.pack = pack
        if isTroubleOfOpening, !pack.isReadOnly { recover() }
        return try body(pack)
      } catch {
        if error.kind == .damaged || error.kind == .tooLarge, setAside(error) { continue }
        isTroubleOfOpening = pack == nil
        fail(error, at: now)
        return nil
      }
    }
    return nil
  }

  private func open(at now: StoreTime) throws(StoreFault) -> StorePack {
    let pack = try StorePack(options)
    if !isBudgetRestored, let text = try pack.fact(StoreQuota.ledgerName) {
      budget.restore(text, at: now.steady, boot: StoreQuota.boot)
    }
    isBudgetRestored = true
    if !statedFacts.isEmpty,
      try pack.fact(StoreState.archiveName) != statedFacts[StoreState.archiveName]
    {
      facts = statedFacts
    }
    let stored = try pack.scale()
    // Tiles of another scale may have been kept before the file was read.
    if stored != nil, stored != scale { forget() }
    if stored != nil || waiting.isEmpty { scale = stored }
    // Visits in memory are later than those in the file, so their numbers continue there.
    let last = try pack.lastVisit()
    let offset = visit < last ? last : 0
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
    let isDamaged = fault.kind == .damaged
    let suffix = isDamaged ? ".damaged" : ".large"
    guard let file, !file.isReadOnly, file.setAside(as: suffix) else { return false }
    visits = [:]
    confirmed = [:]
    say(
      .warning,
      (isDamaged ? "is damaged (\(fault.reason))" : fault.reason)
        + ": it was renamed to \(options.path)\(suffix), and begun anew")
    return true
  }

  private func fail(_ fault: StoreFault, at now: StoreTime) {
    // A file that can only be read fails with each batch, which must not put off the next attempt.
    if fault.kind != .readOnly || now.steady >= nextAttempt {
      nextAttempt =
        now.steady + (fault.kind == .taken ? StoreState.takenPause : StoreState.pause)
    }
    // A file that can still be read stays open.
    if fault.kind != .full && fault.kind != .readOnly { pack = nil }
    let isNew = trouble == nil
    // The reason may have become another one.
    let text = "\(fault.reason); tiles are shown but not kept, and that is tried again"
    trouble = "\(options.path): \(text)"
    if isNew { say(.warning, text, isOfTrouble: true) }
  }

  private func say(_ level: LogLevel, _ text: String, isOfTrouble: Bool = false) {
    notes.append(
      TileStore.Note(level: level, text: "\(options.path): \(text)", isOfTrouble: isOfTrouble))
  }

  func takeNotes() -> [TileStore.Note] {
    defer { notes = [] }
    return notes
  }
}
