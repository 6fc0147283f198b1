import Glibc
import Platform
import TileSources

/// The progress of a fetch, in two files beside the pack: the tiles' bytes one after the other
/// (equal tiles of one run only once), and the journal that says which tiles they are.
///
/// Not a database: each tile is appended once, which wears a card least, and an interruption at any
/// moment leaves everything before it intact.
package final class FetchDraft {
  /// The bytes, beside what a link leads to.
  package static func contents(of target: String) -> String {
    FileIO.target(of: target) + ".fetching"
  }
  /// Which tiles they are.
  package static func journal(of target: String) -> String { contents(of: target) + ".journal" }

  let path: String
  /// Tiles that are there, or that the server does not have.
  private(set) var marks: TileMarks
  /// Of these, those that the server does not have.
  private(set) var absent: UInt64 = 0
  /// Tiles that are there and past their time, by number: with their ETag the server can be asked
  /// whether they have changed.
  private(set) var stale: [UInt64: FetchJournal.Entry.Place] = [:]
  private let journal: FetchJournal
  private let descriptor: Int32
  /// Bytes that are there.
  private(set) var size: UInt64
  private var known = ContentTable()
  private var unsynced: UInt64 = 0
  private var lastSync = FetchChild.now

  /// The journal is synced after this many bytes or seconds, which is the most that a power cut
  /// costs.
  private static let syncBytes: UInt64 = 4 << 20
  private static let syncSeconds = 5.0
  /// A tile is checked for changes after a day at the earliest, whatever its server says.
  private static let leastFresh: UInt64 = 86_400
  /// The most tiles that are asked about again.
  private static let mostStale = 100_000

  /// Opens what there is for `target`, or begins it.
  ///
  /// - Parameters:
  ///   - target: the pack.
  ///   - tiles: what is to be fetched.
  ///   - terms: what has to be the same for going on.
  ///   - now: seconds since 1970.
  ///   - boot: tells boots apart; nil: the kernel's.
  /// - Throws: `PackError` where it cannot be written, is of another fetch, or where another
  ///   process has it.
  init(
    target: String, tiles: TileSet, terms: [(name: String, value: String)], now: UInt64,
    boot: String? = nil
  ) throws(PackError) {
    path = FetchDraft.contents(of: target)
    marks = TileMarks(tiles)
    journal = try FetchJournal(
      path: FetchDraft.journal(of: target), boot: boot ?? BootID.present)
    let text = terms.map { "\($0.name)\t\($0.value)\n" }.joined()
    if let before = journal.terms, before != text {
      throw FetchDraft.difference(before, terms, target)
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PackError(file: path, failed: "cannot be created") }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw PackError(file: path, failed: "cannot be read") }
    size = UInt64(end)
    guard size == 0 || journal.terms != nil else {
      journal.remove()
      throw PackError(
        file: path,
        reason:
          "is there, and \(journal.path), which says what is in it, is not: remove it, or give "
          + "the pack another name", isMisuse: true)
    }
    if journal.terms != nil { try load(now) }
    // If the bytes are missing or shorter than recorded, the journal is useless.
    if journal.terms == nil || isShort {
      (marks, absent, stale, size) = (TileMarks(tiles), 0, [:], 0)
      guard ftruncate(descriptor, 0) == 0, fsync(descriptor) == 0 else {
        throw PackError(file: path, failed: "cannot be written")
      }
      try journal.begin(terms: text)
    }
  }

  deinit { close(descriptor) }

  private var isShort = false

  private func load(_ now: UInt64) throws(PackError) {
    try journal.resume { entry throws(PackError) in
      stale[entry.number] = nil
      let isNew = marks.insert(entry.number)
      guard let place = entry.place else {
        if isNew { absent += 1 }
        return
      }
      // Both numbers are the journal's: their sum may not fit.
      if place.length > size || place.offset > size - place.length { isShort = true }
      if place.expiry > 0, place.expiry < now, !place.etag.isEmpty,
        stale.count < FetchDraft.mostStale
      {
        stale[entry.number] = place
      }
    }
  }

  private static func difference(
    _ before: String, _ terms: [(name: String, value: String)], _ target: String
  ) -> PackError {
    let earlier = before.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
    for (index, term) in terms.enumerated() {
      let old = index < earlier.count && earlier[index].count == 2 ? earlier[index][1] : ""
      if old == term.value { continue }
      return PackError(
        file: target,
        reason: "was begun with another \(term.name) (\(old)) than now (\(term.value)): give the "
          + "same to go on, or remove \(contents(of: target)) and \(journal(of: target)) to begin "
          + "anew", isMisuse: true)
    }
    return PackError(
      file: target,
      reason: "was begun by another version: remove \(contents(of: target)) and "
        + "\(journal(of: target)) to begin anew", isMisuse: true)
  }

  // MARK: Adding

  /// Adds a tile.
  ///
  /// - Parameters:
  ///   - number: PMTiles' number of it.
  ///   - bytes: as they came.
  ///   - expiry: seconds since 1970 until when it is fresh; 0: not said.
  ///   - etag: of the server; empty: none.
  ///   - now: seconds since 1970.
  /// - Throws: `PackError` where it cannot be written.
  func add(
    _ number: UInt64, _ bytes: [UInt8], expiry: UInt64, etag: String, now: UInt64
  ) throws(PackError) {
    let offset = try place(bytes)
    try note(
      .init(
        number: number,
        place: .init(
          offset: offset, length: UInt64(bytes.count),
          expiry: expiry == 0 ? 0 : max(expiry, now + FetchDraft.leastFresh), etag: etag)))
  }

  /// Notes that the server has no such tile.
  func addAbsent(_ number: UInt64) throws(PackError) {
    if !marks.contains(number) { absent += 1 }
    try note(.init(number: number))
  }

  /// Notes that a tile which was past its time has not changed.
  func renew(_ number: UInt64, expiry: UInt64, now: UInt64) throws(PackError) {
    guard var place = stale[number] else { return }
    place.expiry = max(expiry, now + FetchDraft.leastFresh)
    try note(.init(number: number, place: place))
  }

  private func note(_ entry: FetchJournal.Entry) throws(PackError) {
    try journal.note(entry)
    marks.insert(entry.number)
    stale[entry.number] = nil
    unsynced += entry.place?.length ?? 1
    if unsynced >= FetchDraft.syncBytes || FetchChild.now - lastSync >= FetchDraft.syncSeconds {
      try sync()
    }
  }

  /// Syncs all that is there.
  func sync() throws(PackError) {
    guard unsynced > 0 else { return }
    guard fdatasync(descriptor) == 0 else {
      throw PackError(file: path, failed: "cannot be written to its medium")
    }
    try journal.markSynced()
    unsynced = 0
    lastSync = FetchChild.now
  }

  /// Where `bytes` are, which are written if they are new.
  private func place(_ bytes: [UInt8]) throws(PackError) -> UInt64 {
    let key = bytes.withUnsafeBytes { ContentTable.key(of: $0) }
    let found = try known.find(key) { place throws(PackError) in
      try read(at: place.number, place.length) == bytes
    }
    if let found { return found.number }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        pwrite(
          descriptor, raw.baseAddress.map { $0 + done }, raw.count - done,
          off_t(size) + off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PackError(file: path, failed: "cannot be written") }
      done += count
    }
    let offset = size
    size += UInt64(bytes.count)
    known.remember(key, as: offset)
    return offset
  }

  // MARK: Reading

  /// Calls `body` with all entries that count; of one tile the last.
  func entries(_ body: (FetchJournal.Entry) throws(PackError) -> Void) throws(PackError) {
    try journal.read(body)
  }

  /// Bytes that were written.
  func read(at offset: UInt64, _ count: Int) throws(PackError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { raw in
        pread(
          descriptor, raw.baseAddress.map { $0 + done }, count - done,
          off_t(offset) + off_t(done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw PackError(file: path, failed: "cannot be read back") }
      done += got
    }
    return bytes
  }

  /// Removes both files.
  func remove() {
    unlink(path)
    journal.remove()
  }
}
