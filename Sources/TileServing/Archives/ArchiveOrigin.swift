import EventLoop
import MapGeometry
import Platform
import TileFormats
import TileSources
import TileStore

/// Tiles of a PMTiles archive on a server, read by ranges of bytes. When the archive changes, its
/// directories are read anew, and what is stored is out of date. Belongs to the loop's thread.
final class ArchiveOrigin: TileOrigin {
  /// How often a tile is looked up again because the archive has changed meanwhile.
  private static let mostTries = 3
  /// Seconds for which an archive that cannot be opened is left alone.
  private static let faultSeconds: UInt64 = 60
  /// Seconds before asking again whether the archive has changed: the default, and the limits.
  private static let freshness = (usual: 7 * 86_400, least: 60, most: 7 * 86_400)
  /// Directories and tiles waiting to be unpacked, because they may arrive faster than that is
  /// done.
  private static let mostJobs = 16

  /// What was learned of it: the present state, and what is to be said of it.
  var onInfo: ((ArchiveInfo) -> Void)?

  private let spec: SourceSpec
  private let address: String
  private let reader: ArchiveReader
  private let clock: () -> UInt64
  private let cache: DirectoryCache
  private let worker: Worker
  private(set) var info: ArchiveInfo?
  /// Whether the store's knowledge has been adopted.
  private var isReady = false
  private var undescribed: [() -> Void] = []
  private var archive: RemoteArchive?
  private var freshUntil: UInt64 = 0
  private var opening: [ArchiveOpening.Done] = []
  private var failure: (fault: ArchiveFault, end: UInt64)?

  init(_ spec: SourceSpec, _ context: ServiceContext) {
    self.spec = spec
    if case .url(let text) = spec.location { address = text } else { address = "" }
    reader = ArchiveReader(address, headers: spec.headerLines, queueOf: context.queueOf)
    (clock, cache) = (context.clock, context.directories)
    worker = Worker("archive", loop: context.loop, capacity: ArchiveOrigin.mostJobs)
  }

  /// Adopts what the store knows of the archive, if anything. `describe` waits for this.
  func adopt(_ text: String?) {
    if info == nil { info = text.flatMap { ArchiveInfo($0) } }
    isReady = true
    let all = undescribed
    undescribed = []
    for done in all { describe(done) }
  }

  func describe(_ done: @escaping () -> Void) {
    guard isReady else { return undescribed.append(done) }
    if info != nil { return done() }
    current { _ in done() }
  }

  func retry() { failure = nil }

  func variant(_ scale: Int) -> Int64 {
    let words = "\(address) \(spec.scheme ?? .xyz) \(info?.identity ?? "")"
    return Int64(bitPattern: FNV1a(words.utf8).value)
  }

  func storedScale(_ scale: Int) -> Int { 1 }

  func ask(
    _ tile: TileID, scale: Int, stored: TileStore.Tile?, isBehind: Bool,
    _ reply: @escaping HostQueue.Reply
  ) {
    let rows = spec.scheme == .tms ? TileID(z: tile.z, x: tile.x, y: tile.tmsRow) : tile
    let number = HilbertID.number(of: rows ?? tile)
    ask(Wanted(number: number, stored: stored, isBehind: isBehind, reply: reply), tries: 1)
  }

  private struct Wanted {
    var number: UInt64
    var stored: TileStore.Tile?
    var isBehind: Bool
    var reply: HostQueue.Reply
  }

  private func ask(_ wanted: Wanted, tries: Int) {
    current { [weak self] in
      guard let self else { return }
      switch $0 {
      case .failure(let fault): fail(wanted, fault, nil, tries)
      case .success(let archive): ask(wanted, archive, tries)
      }
    }
  }

  private func ask(_ wanted: Wanted, _ archive: RemoteArchive, _ tries: Int) {
    if let stored = wanted.stored, stored.variant == variant(1) {
      return wanted.reply(.success(.unchanged(archive.terms)))
    }
    archive.find(wanted.number) { [weak self] in
      guard let self else { return }
      switch $0 {
      case .failure(let fault): fail(wanted, fault, archive, tries)
      case .success(nil) where archive === self.archive:
        wanted.reply(.success(.absent(archive.terms)))
      case .success(nil): fail(wanted, .changed, archive, tries)
      case .success(let entry?): read(entry, wanted, archive, tries)
      }
    }
  }

  private func read(
    _ entry: PMTilesDirectory.Entry, _ wanted: Wanted, _ archive: RemoteArchive, _ tries: Int
  ) {
    archive.tile(entry, isBehind: wanted.isBehind) { [weak self] in
      guard let self else { return }
      switch $0 {
      case .failure(let fault): fail(wanted, fault, archive, tries)
      // Meanwhile another answer has shown that this archive is out of date.
      case .success where archive !== self.archive: fail(wanted, .changed, archive, tries)
      case .success(let outcome):
        // If the server sends no version of the archive, a part cannot prove that it is unchanged.
        if case .tile(_, let terms) = outcome, !archive.version.tag.isEmpty { confirm(terms) }
        wanted.reply(.success(outcome))
      }
    }
  }

  private func fail(
    _ wanted: Wanted, _ fault: ArchiveFault, _ archive: RemoteArchive?, _ tries: Int
  ) {
    switch fault {
    case .refused(let error): wanted.reply(.failure(error))
    case .answered(let outcome): wanted.reply(.success(outcome))
    case .damaged(let reason): wanted.reply(.success(.broken(reason)))
    case .changed:
      if let archive, archive === self.archive { self.archive = nil }
      guard tries < ArchiveOrigin.mostTries else {
        return wanted.reply(.success(.broken("changes while it is read")))
      }
      ask(wanted, tries: tries + 1)
    }
  }

  // MARK: The present state

  /// Calls `done` with the current archive, after asking the server if the last check was long ago.
  private func current(_ done: @escaping ArchiveOpening.Done) {
    if let archive, clock() < freshUntil { return done(.success(archive)) }
    if let failure, clock() < failure.end { return done(.failure(failure.fault)) }
    opening.append(done)
    guard opening.count == 1 else { return }
    if let archive { check(archive) } else { open() }
  }

  private func check(_ archive: RemoteArchive) {
    reader.read(at: 0, archive.start.count, of: archive.version) { [weak self] in
      guard let self else { return }
      switch $0 {
      case .success(let part) where part.bytes == archive.start:
        archive.terms = part.terms
        confirm(part.terms)
        finish(.success(archive))
      case .success, .failure(.changed):
        self.archive = nil
        open()
      case .failure(let fault): finish(.failure(fault))
      }
    }
  }

  private func open() {
    ArchiveOpening.open(reader, worker: worker, cache: cache) { [weak self] in
      guard let self else { return }
      if case .success(let archive) = $0 {
        (self.archive, info, failure) = (archive, archive.info, nil)
        confirm(archive.terms)
        onInfo?(archive.info)
      }
      finish($0)
    }
  }

  private func confirm(_ terms: FetchOutcome.Terms) {
    let (usual, least, most) = ArchiveOrigin.freshness
    let seconds = min(max(terms.lifetime ?? usual, least), most)
    freshUntil = clock() + UInt64(seconds) * 1_000_000_000
  }

  private func finish(_ result: Result<RemoteArchive, ArchiveFault>) {
    if case .failure(let fault) = result, ArchiveOrigin.lasts(fault) {
      failure = (fault, clock() + ArchiveOrigin.faultSeconds * 1_000_000_000)
    }
    let all = opening
    opening = []
    for done in all { done(result) }
  }

  /// Whether the archive is left alone for a while. The rest is the queue's to judge.
  private static func lasts(_ fault: ArchiveFault) -> Bool {
    switch fault {
    case .answered(.refused(429, _)), .answered(.refused(503, _)): false
    case .damaged, .answered(.broken), .answered(.refused): true
    case .changed, .answered, .refused: false
    }
  }
}
