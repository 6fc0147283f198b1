import MapGeometry
import TileFormats

/// A PMTiles archive of version 3 (PMTiles specification 3), a file or in memory.
///
/// Opening reads the header, the root directory, the metadata and one tile, to see what the tiles are.
/// A tile takes at most three reads of leaf directories, which are kept in a small cache, and one of its own.
public final class PMTilesSource: StoredTileSource {
  public internal(set) var info: SourceInfo
  public let file: String
  public private(set) var problems: [SourceError] = []

  private let reader: any ByteReader
  private let header: PMTilesHeader
  private let root: PMTilesDirectory
  private var leaves = LeafCache()
  private let scheme: SourceSpec.Scheme

  /// How many leaf directories may follow each other below the root; also what ends a circle of them.
  static let leafDepth = 3
  private static let metadataLimit: UInt64 = 1 << 20

  /// Opens the archive at `path`.
  public convenience init(
    path: String, scheme: SourceSpec.Scheme = .xyz
  ) throws(SourceError) {
    do {
      try self.init(try FileReader(path: path), name: path, scheme: scheme)
    } catch {
      throw SourceError(file: path, reason: error.reason)
    }
  }

  /// Opens an archive in memory.
  public convenience init(_ bytes: StaticBytes) throws(SourceError) {
    do {
      try self.init(MemoryReader(bytes), name: bytes.name, scheme: .xyz)
    } catch {
      throw SourceError(file: bytes.name, reason: error.reason)
    }
  }

  package init(
    _ reader: any ByteReader, name: String, scheme: SourceSpec.Scheme
  ) throws(PackFault) {
    self.reader = reader
    file = name
    self.scheme = scheme
    let header = try PMTilesHeader(reader)
    self.header = header
    root = try PMTilesSource.directory(
      reader, at: header.root.offset, length: header.root.length, header.directoryCompression)
    info = SourceInfo(
      kind: "pmtiles", minZoom: header.minZoom, maxZoom: header.maxZoom, bounds: header.bounds,
      center: header.center, centerZoom: header.center.map { _ in Double(header.centerZoom) })
    readMetadata()
    readFirstTile()
    let (end, overflow) = header.tiles.offset.addingReportingOverflow(header.tiles.length)
    if overflow || end > reader.size {
      problems.append(
        SourceError(
          file: file,
          reason:
            "is \(reader.size) bytes long where its header says \(overflow ? .max : end): it is "
            + "cut off, and tiles are missing"))
    }
  }

  public func readStored(
    _ id: TileID, into buffer: inout TileBuffer
  ) throws(TileError) -> StoredTile.Encoding? {
    do {
      guard let entry = try entry(for: id) else { return nil }
      try reader.read(at: start(of: entry), count: Int(entry.length), into: &buffer)
      return encoding
    } catch {
      throw TileError(file: file, tile: id, reason: error.reason)
    }
  }

  public func contains(_ id: TileID) throws(TileError) -> Bool {
    do {
      return try entry(for: id) != nil
    } catch {
      throw TileError(file: file, tile: id, reason: error.reason)
    }
  }

  // MARK: Looking up

  private func entry(for id: TileID) throws(PackFault) -> PMTilesDirectory.Entry? {
    var stored = id
    if scheme == .tms {
      guard let turned = TileID(z: id.z, x: id.x, y: id.tmsRow) else { return nil }
      stored = turned
    }
    let number = HilbertID.number(of: stored)
    guard var entry = root.entry(for: number) else { return nil }
    if entry.run > 0 { return entry }
    for _ in 0..<PMTilesSource.leafDepth {
      guard let below = try leaf(entry).entry(for: number) else { return nil }
      if below.run > 0 { return below }
      entry = below
    }
    throw PackFault(
      "has leaf directories more than \(PMTilesSource.leafDepth) deep: it is damaged")
  }

  private func leaf(_ entry: PMTilesDirectory.Entry) throws(PackFault) -> PMTilesDirectory {
    if let known = leaves[entry.offset] { return known }
    let (start, overflow) = header.leaves.offset.addingReportingOverflow(entry.offset)
    guard !overflow else { throw PackFault("has a leaf directory beyond every file") }
    // Bounded by the file and not by the header's length, which old writers got wrong.
    let leaf = try PMTilesSource.directory(
      reader, at: start, length: UInt64(entry.length), header.directoryCompression)
    leaves[entry.offset] = leaf
    return leaf
  }

  /// Where the tile lies in the file, its length checked.
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

  /// What the header says of the tiles.
  private var encoding: StoredTile.Encoding {
    StoredTile.Encoding(
      compression: header.tileCompression, isDeclaredVector: header.isVector)
  }

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
      throw PackFault("\(error.reason) (the directory at byte \(offset))")
    }
  }

  // MARK: What it says of itself

  private func readMetadata() {
    let section = header.metadata
    guard section.length > 0 else { return }
    do throws(PackFault) {
      guard section.length <= PMTilesSource.metadataLimit else {
        throw PackFault("has \(section.length) bytes of metadata: at most 1 MiB is read")
      }
      let stored = try reader.read(at: section.offset, count: Int(section.length))
      let text = try Unpacking.unpack(
        stored, header.directoryCompression, limit: Int(PMTilesSource.metadataLimit))
      let values = try PackMetadata.strings(ofJSON: text, keys: ["name", "attribution"])
      info.attribution = PlainText.stripping(html: values["attribution"] ?? "")
      info.title = PlainText.stripping(html: values["name"] ?? "")
    } catch {
      // The map is there without its name.
      problems.append(SourceError(file: file, reason: "\(error.reason) (its metadata)"))
    }
  }

  public func sampleTiles(upTo limit: Int) -> [TileID] {
    var found: [TileID] = []
    collect(root, depth: 0, upTo: limit, into: &found)
    return found
  }

  /// The first tile of each entry below `directory`.
  private func collect(
    _ directory: PMTilesDirectory, depth: Int, upTo limit: Int, into found: inout [TileID]
  ) {
    for entry in directory.entries {
      if found.count >= limit { return }
      if entry.run > 0 {
        if let tile = HilbertID.tile(entry.id) { found.append(tile) }
      } else if depth < PMTilesSource.leafDepth, let leaf = try? leaf(entry) {
        collect(leaf, depth: depth + 1, upTo: limit, into: &found)
      }
    }
  }

  private func readFirstTile() {
    if header.isVector { info.format = TileFormat.mvt.rawValue }
    guard var entry = root.entries.first else { return }
    for _ in 0..<PMTilesSource.leafDepth where entry.run == 0 {
      guard let first = try? leaf(entry).entries.first else { return }
      entry = first
    }
    guard entry.run > 0, let tile = try? stored(entry) else { return }
    info.describeTiles(by: tile)
  }
}

/// The leaf directories used last, by their offset, within a few MiB.
private struct LeafCache {
  private var leaves: [(offset: UInt64, directory: PMTilesDirectory)] = []
  private static let limit = 4 << 20

  subscript(offset: UInt64) -> PMTilesDirectory? {
    mutating get {
      if let last = leaves.last, last.offset == offset { return last.directory }
      guard let index = leaves.firstIndex(where: { $0.offset == offset }) else { return nil }
      // The one used last stands last.
      let found = leaves.remove(at: index)
      leaves.append(found)
      return found.directory
    }
    set {
      guard let newValue else { return }
      leaves.append((offset, newValue))
      var total = leaves.reduce(0) { $0 + $1.directory.cost }
      while total > LeafCache.limit, leaves.count > 1 {
        total -= leaves.removeFirst().directory.cost
      }
    }
  }
}
