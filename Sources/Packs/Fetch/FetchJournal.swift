import Glibc

/// Which tiles of a fetch are there, in a file beside what they are in.
///
/// A list of records (`JournalRecord`), each written after the bytes that it describes: a process
/// that is killed loses only the tiles in transit. After a power cut the medium may hold one
/// without the other, so only records before the last mark that both were synced count.
final class FetchJournal {
  /// What is known of a tile.
  struct Entry: Equatable {
    /// PMTiles' number.
    var number: UInt64
    /// Where its bytes are; nil: the server has no such tile.
    var place: Place?

    struct Place: Equatable {
      var offset: UInt64
      var length: UInt64
      /// Seconds since 1970 until when the server calls it fresh; 0: it does not say.
      var expiry: UInt64
      /// The server's ETag; empty: none.
      var etag: String
    }
  }

  private enum Kind: UInt8 {
    /// The version of the format, and the terms of the fetch.
    case head = 1
    /// A run begins: the boot it is of.
    case run
    case tile, absent
    /// All before had been synced to the medium.
    case synced
  }

  let path: String
  /// The terms that the earlier run noted; nil: there was none.
  private(set) var terms: String?
  private let descriptor: Int32
  private let boot: String

  private static let version = "waypost fetch 1\n"
  /// What is read at a time, and more than a record has.
  private static let window = 1 << 20

  /// Opens the journal at `path`, or makes an empty one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - boot: tells boots apart.
  /// - Throws: `PackError` where it cannot be written, is no journal, or where another process has
  ///   it.
  init(path: String, boot: String) throws(PackError) {
    self.path = path
    self.boot = boot
    switch LockedFile.open(path, mode: 0o600) {
    case .open(let opened): descriptor = opened
    case .taken:
      throw PackError(
        file: path, reason: "another process is fetching this pack: let it end", isMisuse: true)
    case .failed: throw PackError(file: path, failed: "cannot be created")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return }
    var records = Records(descriptor, path)
    let head = try records.next()
    if head == nil, records.isAll(FetchJournal.isBeginning) { return }
    guard let first = head, Kind(rawValue: first.kind) == .head,
      let text = String(validating: first.payload, as: UTF8.self),
      text.hasPrefix(FetchJournal.version)
    else {
      throw PackError(
        file: path, reason: "is no journal of a fetch: remove it, or give the pack another name",
        isMisuse: true)
    }
    terms = String(text.dropFirst(FetchJournal.version.count))
  }

  deinit { LockedFile.close(descriptor) }

  /// Whether `bytes` are the remains of a new journal after an interruption or on a full medium:
  /// part of its head, or zeros in its place.
  private static func isBeginning(_ bytes: [UInt8]) -> Bool {
    if bytes.allSatisfy({ $0 == 0 }) { return true }
    // A kind, a length of at most 64 KiB, and the payload (`JournalRecord`).
    guard bytes.first == Kind.head.rawValue,
      bytes[1...].dropFirst(2).prefix(6).allSatisfy({ $0 == 0 })
    else { return false }
    let length = Int(JournalRecord.word(bytes[1...].prefix(8)))
    return zip(bytes.dropFirst(9), version.utf8).allSatisfy { $0 == $1 }
      && (bytes.count < 9 || bytes.count < length + 17)
  }

  /// Begins anew, for a fetch of these terms.
  func begin(terms: String) throws(PackError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw PackError(file: path, failed: "cannot be written")
    }
    self.terms = terms
    try write(.head, Array((FetchJournal.version + terms).utf8))
    try write(.run, Array(boot.utf8))
    try sync()
  }

  /// Goes on where the earlier run was cut.
  ///
  /// - Parameter body: gets every entry that counts, in the order in which they were written: a
  ///   later one of a tile takes the place of an earlier one.
  /// - Throws: `PackError` where it cannot be read or written; what `body` throws.
  func resume(_ body: (Entry) throws(PackError) -> Void) throws(PackError) {
    let end = try read(body)
    guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, off_t(end), SEEK_SET) >= 0
    else { throw PackError(file: path, failed: "cannot be written") }
    try write(.run, Array(boot.utf8))
  }

  /// Reads the entries that count.
  ///
  /// - Returns: the end of the last whole record.
  @discardableResult
  func read(_ body: (Entry) throws(PackError) -> Void) throws(PackError) -> UInt64 {
    var records = Records(descriptor, path)
    var unsynced: [Entry] = []
    var runBoot = ""
    while let record = try records.next() {
      switch Kind(rawValue: record.kind) {
      case .head, nil: break
      case .run:
        // After a reboot, what was not synced may be lost.
        let next = String(decoding: record.payload, as: UTF8.self)
        if runBoot != next { unsynced = [] }
        runBoot = next
      case .tile:
        if let numbers = JournalRecord.words(of: record.payload, 4) {
          let etag = String(decoding: record.payload.dropFirst(32), as: UTF8.self)
          unsynced.append(
            Entry(
              number: numbers[0],
              place: .init(
                offset: numbers[1], length: numbers[2], expiry: numbers[3], etag: etag)))
        }
      case .absent:
        if let numbers = JournalRecord.words(of: record.payload, 1) {
          unsynced.append(Entry(number: numbers[0]))
        }
      case .synced:
        for entry in unsynced { try body(entry) }
        unsynced = []
      }
    }
    if runBoot == boot {
      for entry in unsynced { try body(entry) }
    }
    return records.end
  }

  /// Notes a tile whose bytes are written.
  func note(_ entry: Entry) throws(PackError) {
    guard let place = entry.place else {
      return try write(.absent, JournalRecord.words([entry.number]))
    }
    try write(
      .tile,
      JournalRecord.words([entry.number, place.offset, place.length, place.expiry])
        + Array(place.etag.utf8))
  }

  /// Notes that all bytes so far have been synced, and syncs that.
  func markSynced() throws(PackError) {
    try write(.synced, [])
    try sync()
  }

  private func sync() throws(PackError) {
    guard fdatasync(descriptor) == 0 else {
      throw PackError(file: path, failed: "cannot be written to its medium")
    }
  }

  func remove() { unlink(path) }

  private func write(_ kind: Kind, _ payload: [UInt8]) throws(PackError) {
    let start = lseek(descriptor, 0, SEEK_CUR)
    do throws(PackError) {
      try JournalRecord.write(kind: kind.rawValue, payload, to: descriptor, of: path)
    } catch {
      // A part of a record would hide those after it.
      if start >= 0, ftruncate(descriptor, start) == 0 { lseek(descriptor, start, SEEK_SET) }
      throw error
    }
  }

  /// The records one after the other, within bounded memory.
  private struct Records {
    private let descriptor: Int32
    private let path: String
    private var bytes: [UInt8] = []
    private var place = 0
    /// Where `bytes` begins in the file.
    private var start: UInt64 = 0
    private var isAtEnd = false

    init(_ descriptor: Int32, _ path: String) { (self.descriptor, self.path) = (descriptor, path) }

    /// The end of the last record.
    var end: UInt64 { start + UInt64(place) }

    /// Whether the whole file fits into memory and satisfies `body`. Call it after `next` returned
    /// nil.
    func isAll(_ body: ([UInt8]) -> Bool) -> Bool {
      isAtEnd && start == 0 && place == 0 && body(bytes)
    }

    mutating func next() throws(PackError) -> JournalRecord.Found? {
      while true {
        if let found = JournalRecord.find(bytes, at: place) {
          place = found.end
          return found
        }
        // A record that is longer than the window is none.
        if isAtEnd || bytes.count - place >= FetchJournal.window { return nil }
        try refill()
      }
    }

    private mutating func refill() throws(PackError) {
      bytes.removeFirst(place)
      start += UInt64(place)
      place = 0
      var chunk = [UInt8](repeating: 0, count: FetchJournal.window)
      let count = pread(descriptor, &chunk, chunk.count, off_t(start) + off_t(bytes.count))
      if count < 0, errno == EINTR { return }
      guard count >= 0 else { throw PackError(file: path, failed: "cannot be read") }
      isAtEnd = count == 0
      bytes += chunk[..<count]
    }
  }
}
