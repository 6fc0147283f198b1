import Glibc
import MapGeometry
import Platform
import TileFormats

/// An MBTiles file (MBTiles 1.3), read through SQLite without changing anything; see `PackAccess`.
///
/// Rows count from the south (TMS), as the specification says; `scheme` overrides that for files
/// that do not follow it. Only `tiles` and `metadata` are queried, which may be views.
public final class MBTilesSource: StoredTileSource {
  /// What is known of the source since it was opened.
  public internal(set) var info = SourceInfo(kind: "mbtiles")
  /// The file as given, for errors.
  public let file: String
  /// What is wrong with the source although it opened.
  public private(set) var problems: [SourceError] = []

  let scheme: SourceSpec.Scheme
  private let trust: PathTrust
  /// `trust` for SQLite; nil: it may open any file.
  private let confinement: ConfinedOpening.TrustBox?
  /// The path with links resolved; SQLite's own files lie beside that one.
  let path: String
  package private(set) var encoding = StoredTile.Encoding()
  private var open: Opened?
  /// The file that was opened first.
  private var identity: FileIdentity?

  /// A connection, and the state of the files for which it was made.
  private final class Opened {
    let file: SQLiteFile
    let pack: MBTilesPack
    let access: PackAccess
    let files: PackFiles
    /// Checks in each transaction that the file is unchanged; nil for other kinds of access.
    let look: FileLook?

    init(path: String, files: PackFiles, trust: PathTrust) throws(PackFault) {
      try PackFiles.companion("-journal", of: path, trust)
      access = try PackAccess(path: path, files: files, trust: trust)
      file = try SQLiteFile(path: path, access: access)
      pack = try MBTilesPack(file)
      self.files = files
      look = access == .locked ? file.look(expecting: files.main) : nil
    }
  }

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - scheme: Whether rows count from the north or the south.
  ///   - trust: Which files may be opened, including those beside it.
  /// - Throws: `SourceError` if it cannot be opened or is not MBTiles.
  public init(
    path: String, scheme: SourceSpec.Scheme = .tms, trust: PathTrust = .anywhere
  ) throws(SourceError) {
    file = path
    self.scheme = scheme
    self.trust = trust
    confinement = trust == .anywhere ? nil : ConfinedOpening.TrustBox(trust)
    // If a path leads out of the roots, the error must not reveal what is there.
    guard trust.status(of: path) != nil, let resolved = FileIO.resolved(path) else {
      throw SourceError(PackFault("cannot be opened: ", errno, trust), file: path)
    }
    self.path = resolved
    identity = FileIdentity(path: self.path, trust: trust)
    do {
      try refuseEmptyFile()
      try describe()
    } catch {
      throw SourceError(error, file: path)
    }
  }

  /// Fills `buffer` with the tile as stored; see `StoredTileSource.readStored(_:into:)`.
  ///
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding? {
    let row = scheme == .tms ? id.tmsRow : id.y
    do {
      let isThere = try reading { pack throws(PackFault) in
        try pack.tile(z: id.z, column: id.x, row: row, into: &buffer)
      }
      return isThere ? encoding : nil
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether the source has the tile `id`.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    let row = scheme == .tms ? id.tmsRow : id.y
    do {
      return try reading { pack throws(PackFault) in
        try pack.hasTile(z: id.z, column: id.x, row: row)
      }
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether another file has replaced the one that was opened.
  public var isReplaced: Bool {
    guard let identity, let now = FileIdentity(path: path, trust: trust) else { return false }
    return now != identity
  }

  /// Up to `limit` tiles of the source, whichever are cheapest to find.
  public func sampleTiles(upTo limit: Int) -> [TileID] {
    let places = try? reading { pack throws(PackFault) in try pack.places(upTo: limit) }
    return (places ?? []).compactMap {
      scheme == .tms
        ? TileID(z: $0.z, x: $0.column, tmsRow: $0.row) : TileID(z: $0.z, x: $0.column, y: $0.row)
    }
  }

  /// How often to try one read of a pack that another program is writing.
  private static let attempts = 10

  /// Runs `body` on a connection that fits the files as they are now. Runs it again if they changed
  /// meanwhile in a way that SQLite's locks do not cover.
  func reading<Value>(
    _ body: (MBTilesPack) throws(PackFault) -> Value
  ) throws(PackFault) -> Value {
    if let confinement {
      guard ConfinedOpening.isInstalled else {
        throw PackFault(
          "cannot be kept below the folders it must lie in: SQLite does not allow it here")
      }
      ConfinedOpening.confine(to: confinement)
    }
    defer { if confinement != nil { ConfinedOpening.confine(to: nil) } }
    if let open, let look = open.look, let value = try reading(open, look, body) { return value }
    // A writer that commits often may get in between the look at the files and the transaction.
    for _ in 0..<MBTilesSource.attempts {
      let files: PackFiles
      do {
        files = try PackFiles(path: path, trust: trust)
      } catch {
        open = nil
        throw error
      }
      let current: Opened
      if let open, open.files == files {
        current = open
      } else {
        // Close the old connection first: it must not outlive its files.
        open = nil
        do throws(PackFault) {
          current = try Opened(path: path, files: files, trust: trust)
        } catch {
          // A writer may have changed it between the look and the opening.
          if let now = try? PackFiles(path: path, trust: trust), now != files { continue }
          throw error
        }
        if current.access != .shared { open = current }
      }
      if let look = current.look {
        if let value = try reading(current, look, body) { return value }
        continue
      }
      let result = result(of: body, current)
      if !current.access.needsSameFiles { return try result.get() }
      if let after = try? PackFiles(path: path, trust: trust), after == files {
        return try result.get()
      }
      open = nil
    }
    throw PackFault("is being written by another program right now", isTransient: true)
  }

  /// Runs `body` in a transaction under SQLite's locks. Nil if the file was not the one that the
  /// connection was made for; the connection is then closed.
  private func reading<Value>(
    _ current: Opened, _ look: FileLook, _ body: (MBTilesPack) throws(PackFault) -> Value
  ) throws(PackFault) -> Value? {
    look.begin()
    let result = result(of: body, current)
    // It cannot be opened where it is in WAL mode by its header, which is read after the look.
    if look.isSame, !current.file.couldNotOpen { return try result.get() }
    // No transaction began: a writer holds the file, or nothing in it was queried. The result is
    // valid if the file is still the same.
    if !look.hasLooked, try PackFiles(path: path, trust: trust).main == current.files.main {
      return try result.get()
    }
    open = nil
    return nil
  }

  /// Runs `body`. If the medium fails, the connection is dropped: the medium may come back with the
  /// same file, but the old descriptors fail for ever.
  private func result<Value>(
    of body: (MBTilesPack) throws(PackFault) -> Value, _ current: Opened
  ) -> Result<Value, PackFault> {
    defer { if current.file.couldNotRead { open = nil } }
    do { return .success(try body(current.pack)) } catch { return .failure(error) }
  }

  private func refuseEmptyFile() throws(PackFault) {
    guard try PackFiles(path: path, trust: trust).main.size == 0 else { return }
    throw PackFault(
      try PackFiles.companion("-journal", of: path, trust) != nil
        ? "is empty, with a -journal beside it: the program that writes it has not finished, or was "
          + "cut off before its first write. Make the pack again"
        : "is empty: 0 bytes. Copy or make the pack again")
  }

  private func describe() throws(PackFault) {
    var values: [String: String] = [:]
    do {
      values = try reading { pack throws(PackFault) in try pack.metadata() }
    } catch {
      // If the pack itself cannot be read, the queries below throw.
      problems.append(SourceError(file: file, reason: "\(error.reason) (its metadata)"))
    }
    let isVector = ["pbf", "mvt", "application/vnd.mapbox-vector-tile"].contains(
      (values["format"] ?? "").lowercased())
    encoding = StoredTile.Encoding(isDeclaredVector: isVector)
    let first = try reading { pack throws(PackFault) in try pack.anyTile() }
    if let first {
      info.describeTiles(by: StoredTile(bytes: first, encoding: encoding))
    } else if isVector {
      info.format = TileFormat.mvt.rawValue
    }
    if info.format == TileFormat.mvt.rawValue {
      // Also where the tiles show it and the metadata do not: an empty tile is one without layers.
      encoding.isDeclaredVector = true
      info.vectorLayers = (try? reading { pack throws(PackFault) in try pack.layers() }) ?? []
    }
    info.title = PlainText.stripping(html: values["name"] ?? "")
    info.attribution = PlainText.stripping(html: values["attribution"] ?? "")
    info.bounds = values["bounds"].flatMap(LenientPlace.numbers).flatMap(LenientPlace.bounds)
    if let center = values["center"].flatMap(LenientPlace.numbers), center.count >= 2 {
      info.center = LenientPlace.center(lon: center[0], lat: center[1], within: info.bounds)
      if center.count >= 3, info.center != nil { info.centerZoom = min(max(center[2], 0), 24) }
    }
    try describeLevels(values)
  }

  /// Takes the levels from the metadata, else from the tiles.
  private func describeLevels(_ values: [String: String]) throws(PackFault) {
    func level(_ key: String) -> Int? {
      guard let numbers = values[key].flatMap(LenientPlace.numbers), numbers.count == 1 else {
        return nil
      }
      // Some tools write 30 for "no limit".
      guard let level = Int(exactly: numbers[0]), (0...30).contains(level) else { return nil }
      return min(level, TileID.maxLevel)
    }
    if let first = level("minzoom"), let last = level("maxzoom"), first <= last {
      (info.minZoom, info.maxZoom) = (first, last)
    } else if let (first, last) = try reading({ pack throws(PackFault) in try pack.levels() }) {
      (info.minZoom, info.maxZoom) = (first, last)
    } else {
      (info.minZoom, info.maxZoom) = (0, 0)
    }
  }
}
