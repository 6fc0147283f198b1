import Glibc
import Platform

/// Records which parts of an extract are complete, in a file beside it. An interruption costs only
/// the requests under way, and nothing is fetched twice.
///
/// The file is a list of records, each with a checksum; a truncated record at the end is dropped. A
/// request's record is written after its bytes. After a power cut the medium may hold one without
/// the other, so only records before the last mark that the bytes were synced count.
package final class ExtractJournal {
  private enum Kind: UInt8 {
    /// The version of the format, and what is read.
    case head = 1
    /// The archive: its size and its identity.
    case archive
    /// A run begins: the boot it is of.
    case run
    /// Bytes of the archive's index: where, and the bytes.
    case index
    /// The requests for tiles, as a checksum.
    case plan
    /// Requests whose bytes are in the draft.
    case done
    /// All of these had been synced to the medium.
    case synced
  }

  private let path: String
  private let descriptor: Int32
  private let boot: String
  /// The archive that the earlier run read; nil if there is none.
  package private(set) var archive: ArchiveState?
  /// Bytes of the archive's index by their offset.
  private(set) var index: [UInt64: [UInt8]] = [:]
  /// The checksum of the requests, and those that are complete.
  private var plan: UInt64?
  private var done: [UInt32] = []

  /// The most bytes of a journal that is read: those of an extract of the most entries are fewer.
  private static let sizeLimit = 64 << 20
  private static let version: UInt64 = 1

  /// Opens the journal at `path`, or begins one where there is none of this source.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - source: what is read: a path or an address.
  ///   - boot: tells boots apart; nil: the kernel's.
  /// - Throws: `PackError` if it cannot be written, or if another process has it.
  package init(path: String, source: String, boot: String? = nil) throws(PackError) {
    self.path = path
    self.boot = boot ?? BootID.present
    switch LockedFile.open(path, mode: 0o600) {
    case .open(let opened): descriptor = opened
    case .taken:
      throw PackError(
        file: path, reason: "another process is writing this extract: wait for it", isMisuse: true)
    case .failed: throw PackError(file: path, failed: "cannot be created")
    }
    let head = JournalRecord.words([ExtractJournal.version]) + Array(source.utf8)
    let end = load(head: head)
    if ftruncate(descriptor, off_t(end)) != 0 || lseek(descriptor, 0, SEEK_END) < 0 {
      throw PackError(file: path, failed: "cannot be written")
    }
    if end == 0 { try write(.head, head) }
    try write(.run, Array(self.boot.utf8))
  }

  deinit { LockedFile.close(descriptor) }

  /// Whether an earlier run read this archive: it has the same size and identity, and begins with
  /// the same bytes. Of an archive without an identity nobody can tell.
  func holds(_ start: [UInt8], of archive: ArchiveState) -> Bool {
    self.archive == archive && !archive.identity.isEmpty && index[0] == start
  }

  // MARK: Writing

  /// Keeps bytes of the archive's index.
  func keep(_ bytes: [UInt8], at offset: UInt64, of archive: ArchiveState) throws(PackError) {
    if self.archive == nil {
      self.archive = archive
      try write(
        .archive, JournalRecord.words([archive.size]) + Array(archive.identity.utf8))
    }
    // The same run asks only for the first bytes again.
    if offset == 0 { index[offset] = bytes }
    try write(.index, JournalRecord.words([offset]) + bytes)
  }

  /// Takes up the requests of a plan.
  ///
  /// - Parameters:
  ///   - plan: their checksum.
  ///   - count: how many there are.
  ///   - isDraftThere: whether the draft that the earlier run wrote into is there.
  /// - Returns: for each whether it is complete.
  /// - Throws: `PackError` if the journal cannot be written.
  package func begin(
    plan: UInt64, count: Int, isDraftThere: Bool
  ) throws(PackError) -> [Bool] {
    var isDone = [Bool](repeating: false, count: count)
    if self.plan == plan, isDraftThere {
      for number in done where Int(number) < count { isDone[Int(number)] = true }
    } else {
      try write(.plan, JournalRecord.words([plan]))
    }
    self.plan = plan
    done = []
    index = [:]
    return isDone
  }

  /// Notes that the bytes of a request are in the draft.
  package func finish(_ request: Int) throws(PackError) {
    try write(.done, JournalRecord.words([UInt64(request)]))
  }

  /// Notes that all of them have been synced.
  package func markSynced() throws(PackError) {
    try write(.synced, [])
    try sync()
  }

  /// Writes the file through to its medium.
  package func sync() throws(PackError) {
    guard fdatasync(descriptor) == 0 else {
      throw PackError(file: path, failed: "cannot be written to its medium")
    }
  }

  /// Removes the file.
  package func remove() { unlink(path) }

  private func write(_ kind: Kind, _ payload: [UInt8]) throws(PackError) {
    try JournalRecord.write(kind: kind.rawValue, payload, to: descriptor, of: path)
  }

  // MARK: Reading

  /// Reads what an earlier run left. Returns how many of its bytes are valid; 0 if it is for
  /// another source.
  private func load(head: [UInt8]) -> Int {
    guard let bytes = try? FileIO.read(path, limit: ExtractJournal.sizeLimit) else { return 0 }
    var place = 0
    var unsynced: [UInt32] = []
    var runBoot = ""
    while let (kind, payload, end) = ExtractJournal.record(bytes, at: place) {
      if place == 0 {
        guard kind == .head, Array(payload) == head else { return 0 }
      }
      switch kind {
      case .head: break
      case .archive:
        archive = ArchiveState(
          size: JournalRecord.word(payload),
          identity: String(decoding: payload.dropFirst(8), as: UTF8.self))
      case .run:
        // After a reboot, what was not synced may be lost.
        let next = String(decoding: payload, as: UTF8.self)
        if runBoot != next { unsynced = [] }
        runBoot = next
      case .index: index[JournalRecord.word(payload)] = Array(payload.dropFirst(8))
      case .plan:
        plan = JournalRecord.word(payload)
        (done, unsynced) = ([], [])
      case .done: unsynced.append(UInt32(truncatingIfNeeded: JournalRecord.word(payload)))
      case .synced:
        done += unsynced
        unsynced = []
      }
      place = end
    }
    if runBoot == boot { done += unsynced }
    return place
  }

  /// The record at `place`; nil if there is no whole one.
  private static func record(
    _ bytes: [UInt8], at place: Int
  ) -> (kind: Kind, payload: ArraySlice<UInt8>, end: Int)? {
    guard let found = JournalRecord.find(bytes, at: place), let kind = Kind(rawValue: found.kind)
    else { return nil }
    switch kind {
    case .archive, .index, .plan, .done: if found.payload.count < 8 { return nil }
    case .head, .run, .synced: break
    }
    return (kind, found.payload, found.end)
  }
}
