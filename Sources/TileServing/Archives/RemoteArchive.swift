import EventLoop
import MapGeometry
import Platform
import TileFormats
import TileSources

/// One version of an archive on a server; parts of different versions never mix. Belongs to the
/// loop's thread.
final class RemoteArchive {
  /// The most bytes of a tile, as for one with an address of its own.
  static let largestTile = 4 << 20
  /// The refusal when too much is waiting to be unpacked.
  static let busy = HostQueue.RefusalError(refusal: .later(1))

  let version: ArchiveVersion
  let info: ArchiveInfo
  /// The first bytes, which identify it if the server sends no version.
  let start: [UInt8]
  /// What the server said of the present state when it was last asked.
  var terms: FetchOutcome.Terms

  private let header: PMTilesHeader
  private let root: PMTilesDirectory
  private let reader: ArchiveReader
  private let worker: Worker
  private let cache: DirectoryCache
  /// Who waits for a leaf directory, by its offset.
  private var waiting: [UInt64: [DirectoryDone]] = [:]
  /// Leaf directories that are damaged, by their offset, and why: they are not read again.
  private var damaged: [UInt64: String] = [:]
  /// The most that are remembered.
  private static let mostDamaged = 256

  private typealias DirectoryDone = (Result<PMTilesDirectory, ArchiveFault>) -> Void
  typealias EntryDone = (Result<PMTilesDirectory.Entry?, ArchiveFault>) -> Void

  init(
    _ header: PMTilesHeader, root: PMTilesDirectory, metadata: [String: String],
    start: FetchOutcome.Part, reader: ArchiveReader, worker: Worker, cache: DirectoryCache
  ) {
    (self.header, self.root, self.reader) = (header, root, reader)
    (self.worker, self.cache) = (worker, cache)
    (version, terms) = (ArchiveVersion(start), start.terms)
    self.start = Array(start.bytes.prefix(PMTilesHeader.length))
    let hash = String(FNV1a(self.start).value, radix: 16)
    info = ArchiveInfo(
      header, identity: ProviderAnswer.line("\(version.size) \(hash) \(version.tag)"),
      metadata: metadata)
  }

  deinit { cache.remove(owner: ObjectIdentifier(self)) }

  /// Unpacks and reads a directory. Takes a while; call it beside the loop.
  static func directory(
    _ stored: [UInt8], _ compression: PackCompression
  ) -> Result<PMTilesDirectory, PackFault> {
    do throws(PackFault) {
      return .success(
        try PMTilesDirectory(
          Unpacking.unpack(stored, compression, limit: PMTilesDirectory.sizeLimit)))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Directories

  /// Finds the tile `number`, through at most three leaf directories. Gives nil if there is none.
  func find(_ number: UInt64, _ done: @escaping EntryDone) {
    find(number, in: root, leaves: 0, done)
  }

  private func find(
    _ number: UInt64, in directory: PMTilesDirectory, leaves: Int, _ done: @escaping EntryDone
  ) {
    guard let entry = directory.entry(for: number), entry.run == 0 else {
      return done(.success(directory.entry(for: number)))
    }
    guard leaves < PMTilesSource.leafDepth else {
      return done(
        .failure(
          .damaged(
            "has leaf directories more than \(PMTilesSource.leafDepth) deep: it is damaged")))
    }
    // Captures self strongly: waiting callers get an answer even if a newer version has replaced
    // this.
    leaf(entry) { [self] result in
      switch result {
      case .success(let leaf): find(number, in: leaf, leaves: leaves + 1, done)
      case .failure(let fault): done(.failure(fault))
      }
    }
  }

  private func leaf(_ entry: PMTilesDirectory.Entry, _ done: @escaping DirectoryDone) {
    let (offset, overflow) = header.leaves.offset.addingReportingOverflow(entry.offset)
    guard !overflow, offset < version.size, UInt64(entry.length) <= version.size - offset,
      entry.length > 0, entry.length <= UInt32(ArchiveOpening.directoryLimit)
    else {
      return done(
        .failure(
          .damaged(
            "has a leaf directory of \(entry.length) bytes at byte \(offset) of \(version.size): "
              + "it is cut off or damaged")))
    }
    let key = DirectoryCache.Key(owner: ObjectIdentifier(self), offset: offset)
    if let known = cache.find(key) { return done(.success(known)) }
    if let reason = damaged[offset] { return done(.failure(.damaged(reason))) }
    waiting[offset, default: []].append(done)
    guard waiting[offset]?.count == 1 else { return }
    reader.read(at: offset, Int(entry.length), of: version) { [self] result in
      switch result {
      case .failure(let fault): deliver(.failure(fault), offset)
      case .success(let part): unpack(part.bytes, offset, key)
      }
    }
  }

  private func unpack(_ stored: [UInt8], _ offset: UInt64, _ key: DirectoryCache.Key) {
    let compression = header.directoryCompression
    let isTaken = worker.post(
      { RemoteArchive.directory(stored, compression) },
      then: { [self] result in
        switch result {
        case .success(let directory):
          cache.insert(key, directory)
          deliver(.success(directory), offset)
        case .failure(let fault):
          let reason = "\(fault.reason) (the directory at byte \(offset))"
          if damaged.count < RemoteArchive.mostDamaged { damaged[offset] = reason }
          deliver(.failure(.damaged(reason)), offset)
        }
      })
    if !isTaken { deliver(.failure(.refused(RemoteArchive.busy)), offset) }
  }

  private func deliver(_ result: Result<PMTilesDirectory, ArchiveFault>, _ offset: UInt64) {
    for done in waiting.removeValue(forKey: offset) ?? [] { done(result) }
  }

  // MARK: Tiles

  /// Reads the tile of an entry.
  func tile(
    _ entry: PMTilesDirectory.Entry, isBehind: Bool,
    _ done: @escaping (Result<FetchOutcome, ArchiveFault>) -> Void
  ) {
    guard entry.length > 0, entry.length <= UInt32(RemoteArchive.largestTile) else {
      return done(
        .success(
          .broken(
            "has a tile of \(entry.length) bytes: 1 to \(RemoteArchive.largestTile) are read")))
    }
    let (offset, overflow) = header.tiles.offset.addingReportingOverflow(entry.offset)
    guard !overflow, offset < version.size, UInt64(entry.length) <= version.size - offset else {
      return done(.success(.broken("has a tile beyond its end: it is cut off or damaged")))
    }
    reader.read(at: offset, Int(entry.length), of: version, isBehind: isBehind) { [self] in
      switch $0 {
      case .failure(let fault): done(.failure(fault))
      case .success(let part): judge(part, done)
      }
    }
  }

  private func judge(
    _ part: FetchOutcome.Part, _ done: @escaping (Result<FetchOutcome, ArchiveFault>) -> Void
  ) {
    terms = part.terms
    if !header.isVector, TileFormat(sniffing: part.bytes).isDrawn {
      return done(.success(.tile(part.bytes, part.terms)))
    }
    let encoding = StoredTile.Encoding(
      compression: header.tileCompression, isDeclaredVector: header.isVector)
    let isTaken = worker.post(
      { () -> FetchOutcome in
        do throws(PackFault) {
          return RemoteArchive.outcome(
            try StoredTile(bytes: part.bytes, encoding: encoding).unpacked(), part.terms,
            isVector: encoding.isDeclaredVector)
        } catch {
          return .broken("has a tile that \(error.reason)")
        }
      }, then: { done(.success($0)) })
    if !isTaken { done(.failure(.refused(RemoteArchive.busy))) }
  }

  private static func outcome(
    _ bytes: [UInt8], _ terms: FetchOutcome.Terms, isVector: Bool
  ) -> FetchOutcome {
    let format = TileFormat(sniffing: bytes)
    // A vector tile without layers has no bytes.
    if isVector, bytes.isEmpty { return .empty(terms) }
    guard isVector ? format == .mvt : format.isDrawn else {
      let fault = isVector ? "no vector tile although the archive says so" : nil
      return .broken("has \(fault ?? format.refusal ?? "something else than a tile")")
    }
    guard bytes.count <= largestTile else {
      return .broken("has a tile that unpacks to more than \(largestTile) bytes")
    }
    return .tile(bytes, terms)
  }
}
