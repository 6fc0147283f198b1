import MapGeometry
import Platform
import TileFormats

/// A PMTiles archive of version 3 (PMTiles specification 3), in a file or in memory.
///
/// Opening reads the header, the root directory, the metadata and one tile, to learn the tiles'
/// format. Reading a tile takes one read, after at most three of leaf directories, which are kept
/// in a small cache.
public final class PMTilesSource: StoredTileSource {
  /// What is known of the source since it was opened.
  public internal(set) var info: SourceInfo
  /// The file as given, for errors.
  public let file: String
  /// What is wrong with the source although it opened.
  public private(set) var problems: [SourceError] = []

  package let reader: any ByteReader
  /// The file that was opened, and which files may be looked at; nil for an archive in memory.
  private var opened: (identity: FileIdentity, trust: PathTrust)?
  /// What the first 127 bytes say.
  package let header: PMTilesHeader
  /// The root directory if it is as small as the format requires. Larger ones are kept in
  /// `directories`, with the leaves.
  private let smallRoot: PMTilesDirectory?
  private let directories: DirectoryCache
  private let scheme: SourceSpec.Scheme

  /// How many leaf directories may follow each other below the root. This also ends cycles.
  package static let leafDepth = 3
  /// How many leaves to read at most for a sample of tiles.
  static let sampledLeaves = 64
  /// The largest root directory kept with its archive, in bytes of memory. The format limits a root
  /// to 16 KiB as stored.
  static let smallRoot = 128 << 10
  /// The largest metadata, stored and unpacked.
  package static let metadataLimit: UInt64 = 2 << 20

  /// Opens the archive at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - scheme: Whether rows count from the north or the south.
  ///   - trust: Which files may be opened.
  /// - Throws: `SourceError` if it cannot be opened or is not an archive of version 3.
  public convenience init(
    path: String, scheme: SourceSpec.Scheme = .xyz, trust: PathTrust = .anywhere
  ) throws(SourceError) {
    do {
      let reader = try FileReader(path: path, trust: trust)
      try self.init(reader, name: path, scheme: scheme)
      opened = (reader.identity, trust)
    } catch {
      throw SourceError(error, file: path)
    }
  }

  /// Opens an archive in memory.
  ///
  /// - Throws: `SourceError` if the bytes are not an archive of version 3.
  public convenience init(_ bytes: StaticBytes) throws(SourceError) {
    do {
      try self.init(MemoryReader(bytes), name: bytes.name, scheme: .xyz)
    } catch {
      throw SourceError(error, file: bytes.name)
    }
  }

  package init(
    _ reader: any ByteReader, name: String, scheme: SourceSpec.Scheme,
    directories: DirectoryCache = .shared
  ) throws(PackFault) {
    self.reader = reader
    self.directories = directories
    file = name
    self.scheme = scheme
    let header = try PMTilesHeader(reader)
    self.header = header
    let root = try PMTilesSource.directory(
      reader, at: header.root.offset, length: header.root.length, header.directoryCompression)
    smallRoot = root.cost <= PMTilesSource.smallRoot ? root : nil
    info = SourceInfo(
      kind: "pmtiles", minZoom: header.minZoom, maxZoom: header.maxZoom, bounds: header.bounds,
      center: header.center, centerZoom: header.center.map { _ in Double(header.centerZoom) })
    readMetadata()
    readFirstTile()
    // tilemaker 3.0 writes a length below zero, which says nothing.
    let (end, overflow) = header.tiles.offset.addingReportingOverflow(header.tiles.length)
    if !overflow, end > reader.size {
      problems.append(
        SourceError(
          file: file,
          reason:
            "is \(reader.size) bytes long where its header says \(end): it is "
            + "cut off, and tiles are missing"))
    }
  }

  /// Fills `buffer` with the tile as stored; see `StoredTileSource.readStored(_:into:)`.
  ///
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding? {
    do {
      guard let entry = try entry(for: id) else { return nil }
      try reader.read(at: start(of: entry), count: Int(entry.length), into: &buffer)
      return encoding
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether the source has the tile `id`.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    do {
      return try entry(for: id) != nil
    } catch {
      throw TileError(error, file: file, tile: id)
    }
  }

  /// Whether another file has replaced the one that was opened. False for an archive in memory.
  public var isReplaced: Bool {
    guard let opened, let now = FileIdentity(path: file, trust: opened.trust) else { return false }
    return now != opened.identity
  }

  // MARK: Lookup

  private func entry(for id: TileID) throws(PackFault) -> PMTilesDirectory.Entry? {
    var stored = id
    if scheme == .tms {
      guard let turned = TileID(z: id.z, x: id.x, y: id.tmsRow) else { return nil }
      stored = turned
    }
    let number = HilbertID.number(of: stored)
    // Not through `root()`, which would retain a copy.
    let first = smallRoot == nil ? try root().entry(for: number) : smallRoot?.entry(for: number)
    guard var entry = first else { return nil }
    if entry.run > 0 { return entry }
    for _ in 0..<PMTilesSource.leafDepth {
      guard let below = try leaf(entry).entry(for: number) else { return nil }
      if below.run > 0 { return below }
      entry = below
    }
    throw PackFault(
      "has leaf directories more than \(PMTilesSource.leafDepth) deep: it is damaged")
  }

  private func root() throws(PackFault) -> PMTilesDirectory {
    if let smallRoot { return smallRoot }
    return try directory(at: header.root.offset, length: header.root.length)
  }

  private func leaf(_ entry: PMTilesDirectory.Entry) throws(PackFault) -> PMTilesDirectory {
    let (start, overflow) = header.leaves.offset.addingReportingOverflow(entry.offset)
    guard !overflow else { throw PackFault("has a leaf directory beyond every file") }
    // Checked against the file rather than the header's length, which old writers got wrong.
    return try directory(at: start, length: UInt64(entry.length))
  }

  /// The directory at byte `offset` of the file, from the cache or read now.
  private func directory(at offset: UInt64, length: UInt64) throws(PackFault) -> PMTilesDirectory {
    let key = DirectoryCache.Key(owner: ObjectIdentifier(self), offset: offset)
    if let known = directories.find(key) { return known }
    let directory = try PMTilesSource.directory(
      reader, at: offset, length: length, header.directoryCompression)
    directories.insert(key, directory)
    return directory
  }

  /// The tile's offset in the file, after checking its length.
  private func start(of entry: PMTilesDirectory.Entry) throws(PackFault) -> UInt64 {
    guard entry.length <= StoredTile.sizeLimit else {
      throw PackFault(
        "the tile has \(entry.length) bytes: at most \(StoredTile.sizeLimit) are read")
    }
    let (start, overflow) = header.tiles.offset.addingReportingOverflow(entry.offset)
    guard !overflow else { throw PackFault("the tile lies beyond every file") }
    return start
  }

  private func stored(_ entry: PMTilesDirectory.Entry) throws(PackFault) -> StoredTile {
    StoredTile(
      bytes: try reader.read(at: start(of: entry), count: Int(entry.length)), encoding: encoding)
  }

  /// What the header says of the tiles' encoding.
  package var encoding: StoredTile.Encoding {
    StoredTile.Encoding(
      compression: header.tileCompression, isDeclaredVector: header.isVector)
  }

  deinit { directories.remove(owner: ObjectIdentifier(self)) }

  private static func directory(
    _ reader: any ByteReader, at offset: UInt64, length: UInt64, _ compression: PackCompression
  ) throws(PackFault) -> PMTilesDirectory {
    guard let count = Int(exactly: length), count <= PMTilesDirectory.sizeLimit else {
      throw PackFault(
        "has a directory of \(length) bytes: at most \(PMTilesDirectory.sizeLimit) are read")
    }
    let stored = try reader.read(at: offset, count: count)
    do {
      return try PMTilesDirectory(
        Unpacking.unpack(stored, compression, limit: PMTilesDirectory.sizeLimit))
    } catch {
      throw error.said("\(error.reason) (the directory at byte \(offset))")
    }
  }

  // MARK: Metadata

  private func readMetadata() {
    let section = header.metadata
    guard section.length > 0 else { return }
    do throws(PackFault) {
      let text = try metadataJSON()
      let values = try PackMetadata.strings(ofJSON: text, keys: ["name", "attribution"])
      info.attribution = PlainText.stripping(html: values["attribution"] ?? "")
      info.title = PlainText.stripping(html: values["name"] ?? "")
      if header.isVector { info.vectorLayers = VectorLayerNames.stated(inJSON: text) }
    } catch {
      // The map can be shown without its name.
      problems.append(SourceError(file: file, reason: "\(error.reason) (its metadata)"))
    }
  }

  /// The metadata, unpacked: JSON, or no bytes where the header says that there are none.
  ///
  /// - Throws: a fault if they cannot be read, or are larger than 2 MiB.
  package func metadataJSON() throws(PackFault) -> [UInt8] {
    let section = header.metadata
    guard section.length > 0 else { return [] }
    guard section.length <= PMTilesSource.metadataLimit else {
      throw PackFault("has \(section.length) bytes of metadata: at most 2 MiB are read")
    }
    let stored = try reader.read(at: section.offset, count: Int(section.length))
    return try Unpacking.unpack(
      stored, header.directoryCompression, limit: Int(PMTilesSource.metadataLimit))
  }

  /// The root directory, or the leaf that `entry` leads to; read anew and not kept, for a walk
  /// through all of them.
  ///
  /// - Throws: a fault if it cannot be read, or is damaged.
  package func uncachedDirectory(
    of entry: PMTilesDirectory.Entry?
  ) throws(PackFault) -> PMTilesDirectory {
    guard let entry else {
      return try PMTilesSource.directory(
        reader, at: header.root.offset, length: header.root.length, header.directoryCompression)
    }
    let (start, overflow) = header.leaves.offset.addingReportingOverflow(entry.offset)
    guard !overflow else { throw PackFault("has a leaf directory beyond every file") }
    return try PMTilesSource.directory(
      reader, at: start, length: UInt64(entry.length), header.directoryCompression)
  }

  /// Fills `buffer` with the tile of an entry, as stored.
  ///
  /// - Throws: a fault if it cannot be read.
  package func read(
    _ entry: PMTilesDirectory.Entry, into buffer: inout TileBuffer
  ) throws(PackFault) {
    try reader.read(at: start(of: entry), count: Int(entry.length), into: &buffer)
  }

  /// Up to `limit` tiles of the source, whichever are cheapest to find.
  public func sampleTiles(upTo limit: Int) -> [TileID] {
    var found: [TileID] = []
    var looks = PMTilesSource.sampledLeaves
    if let root = try? root() { collect(root, depth: 0, upTo: limit, looks: &looks, into: &found) }
    return found
  }

  /// Collects the first tile of each entry below `directory`.
  ///
  /// - Parameters:
  ///   - directory: Where to begin.
  ///   - depth: The number of leaves above it.
  ///   - limit: The most tiles.
  ///   - looks: How many leaves may still be read, since those of a damaged archive may form
  ///     cycles.
  ///   - found: Receives the tiles.
  private func collect(
    _ directory: PMTilesDirectory, depth: Int, upTo limit: Int, looks: inout Int,
    into found: inout [TileID]
  ) {
    for entry in directory.entries {
      if found.count >= limit { return }
      if entry.run > 0 {
        if let tile = HilbertID.tile(entry.id) { found.append(tile) }
      } else if depth < PMTilesSource.leafDepth {
        guard looks > 0 else { return }
        looks -= 1
        guard let leaf = try? leaf(entry) else { continue }
        collect(leaf, depth: depth + 1, upTo: limit, looks: &looks, into: &found)
      }
    }
  }

  private func readFirstTile() {
    if header.isVector { info.format = TileFormat.mvt.rawValue }
    guard var entry = (try? root())?.entries.first else { return }
    for _ in 0..<PMTilesSource.leafDepth where entry.run == 0 {
      guard let first = try? leaf(entry).entries.first else { return }
      entry = first
    }
    guard entry.run > 0, let tile = try? stored(entry) else { return }
    info.describeTiles(by: tile)
  }
}
