import Glibc
import MapGeometry
import Platform
import TileFormats
import TileSources

/// Writes a PMTiles archive of version 3: clustered, equal tiles stored once, equal neighbours as
/// one entry.
///
/// Tiles go straight to their place behind the first 16 KiB, which the header and the root fill at
/// the end; the leaves and the metadata follow the tiles. The format allows any order of the
/// sections, and other writers use this one. Nothing is written twice.
package final class PMTilesWriter: PackWriter {
  private let draft: DraftFile
  private let file: FileWriter
  private let entries: EntrySpool
  private var contents = ContentTable()
  private var last: PMTilesDirectory.Entry?
  private var tally = TileTally()
  private var formats = FormatTally()
  private var storedContents: UInt64 = 0
  private var next: UInt64 = 0

  private static let tileStart: UInt64 = 16384

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - mayReplace: a file of that name may be replaced.
  /// - Throws: `PackError` if `target` exists and may not be replaced, or cannot be written.
  package init(target: String, mayReplace: Bool = false) throws(PackError) {
    draft = try DraftFile(target: target, mayReplace: mayReplace)
    file = FileWriter(descriptor: draft.descriptor, name: target)
    entries = try EntrySpool(folder: Paths.directory(of: draft.path))
    try file.append([UInt8](repeating: 0, count: Int(PMTilesWriter.tileStart)))
  }

  package func add(
    first: UInt64, count: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(PackError) {
    let (end, overflow) = first.addingReportingOverflow(count)
    guard first >= next, count > 0, !overflow else {
      throw PackError(file: draft.target, reason: "its tiles do not come in order")
    }
    // An entry of length 0 is none that readers agree on.
    guard !bytes.isEmpty, bytes.count <= StoredTile.sizeLimit else {
      throw PackError(
        file: draft.target,
        reason: "a tile of \(bytes.count) bytes cannot be stored: 1 to \(StoredTile.sizeLimit)")
    }
    next = end
    tally.add(first: first, count: count)
    let offset = try place(bytes)
    var (start, rest) = (first, count)
    if let entry = last, entry.offset == offset, entry.length == bytes.count,
      entry.id + UInt64(entry.run) == first
    {
      let more = min(rest, UInt64(UInt32.max - entry.run))
      last?.run += UInt32(more)
      start += more
      rest -= more
    }
    while rest > 0 {
      let run = min(rest, UInt64(UInt32.max))
      if let last { try entries.append(last) }
      last = PMTilesDirectory.Entry(
        id: start, offset: offset, length: UInt32(bytes.count), run: UInt32(run))
      start += run
      rest -= run
    }
  }

  /// The offset of `bytes` among the tiles, which are stored if they are new.
  private func place(_ bytes: UnsafeRawBufferPointer) throws(PackError) -> UInt64 {
    let key = ContentTable.key(of: bytes)
    let known = try contents.find(key) { place throws(PackError) in
      try file.holds(bytes, at: PMTilesWriter.tileStart + place.number)
    }
    if let known { return known.number }
    if let last, last.length == bytes.count,
      try file.holds(bytes, at: PMTilesWriter.tileStart + last.offset)
    {
      return last.offset
    }
    let offset = file.end - PMTilesWriter.tileStart
    try file.append(bytes)
    contents.remember(key, as: offset)
    storedContents += 1
    formats.add(TileFormat(sniffing: bytes))
    return offset
  }

  package func finish(_ description: PackDescription) throws(PackError) -> PackTotals {
    if let last { try entries.append(last) }
    last = nil
    var fields = PMTilesHeaderFields()
    fields.tiles = .init(
      offset: PMTilesWriter.tileStart, length: file.end - PMTilesWriter.tileStart)
    let leafStart = file.end
    let directories = try PMTilesDirectories.encode(
      count: entries.count, part: { range throws(PackError) in try entries.read(range) },
      restart: { () throws(PackError) in try file.truncate(to: leafStart) },
      write: { leaf throws(PackError) in try file.append(leaf) })
    guard directories.root.count <= PMTilesDirectories.rootLimit else {
      throw PackError(
        file: draft.target,
        reason: "has \(entries.count) entries, more than the format has room for: split it up")
    }
    fields.root = .init(offset: 127, length: UInt64(directories.root.count))
    fields.leaves = .init(offset: leafStart, length: directories.leafBytes)
    let json = Array(description.pmtilesJSON.utf8)
    guard json.count <= PMTilesSource.metadataLimit else {
      throw PackError(
        file: draft.target,
        reason: "has \(json.count) bytes of metadata, and no more than "
          + "\(PMTilesSource.metadataLimit) are read from a PMTiles file: make an MBTiles file")
    }
    let metadata = Gzip.compress(json)
    fields.metadata = .init(offset: file.end, length: UInt64(metadata.count))
    try file.append(metadata)
    describe(&fields, description)
    // Buffered bytes may belong to the area that the header and root now overwrite.
    try file.flush()
    try file.overwrite(fields.encoded() + directories.root, at: 0)
    let totals = PackTotals(
      addressed: tally.addressed, contents: storedContents, bytes: file.end)
    try draft.commit()
    return totals
  }

  package func abandon() { draft.abandon() }

  /// What follows from the tiles, and what the pack states.
  private func describe(_ fields: inout PMTilesHeaderFields, _ description: PackDescription) {
    fields.addressedTiles = tally.addressed
    fields.tileEntries = UInt64(entries.count)
    fields.tileContents = storedContents
    fields.tileType = formats.most?.pmtilesType ?? TileFormat.pmtilesType(description.format)
    fields.tileCompression = storedContents == 0 ? .none : compression(description)
    if let zooms = tally.zooms {
      (fields.minZoom, fields.maxZoom) = (zooms.lowerBound, zooms.upperBound)
    }
    fields.bounds = tally.bounds(stated: description.bounds)
    fields.center = description.center ?? fields.bounds.center
    fields.centerZoom = min(
      max(description.centerZoom ?? fields.minZoom, fields.minZoom), fields.maxZoom)
  }

  /// Gzip is recognisable in the tiles; for brotli and zstd the pack's own statement decides.
  private func compression(_ description: PackDescription) -> PackCompression {
    switch description.compression {
    case .brotli, .zstd: formats.most == nil ? description.compression : formats.compression
    case .unknown, .none, .gzip: formats.compression
    }
  }
}

extension TileFormat {
  /// PMTiles' number of a format as a pack states it.
  fileprivate static func pmtilesType(_ stated: String?) -> UInt8 {
    switch (stated ?? "").lowercased() {
    case "pbf", "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf": 1
    case "png", "image/png": 2
    case "jpg", "jpeg", "image/jpeg": 3
    case "webp", "image/webp": 4
    case "avif", "image/avif": 5
    default: 0
    }
  }
}

/// Entries of a directory that is being made, in a temporary file.
final class EntrySpool {
  private(set) var count = 0
  private let file: FileWriter
  private static let size = 24

  init(folder: String) throws(PackError) { file = try FileWriter(temporaryIn: folder) }

  func append(_ entry: PMTilesDirectory.Entry) throws(PackError) {
    let sizes = UInt64(entry.length) << 32 | UInt64(entry.run)
    let words: [UInt64] = [entry.id, entry.offset, sizes]
    let failure: PackError? = words.withUnsafeBytes { bytes in
      do throws(PackError) { try file.append(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
    count += 1
  }

  func read(_ range: Range<Int>) throws(PackError) -> [PMTilesDirectory.Entry] {
    var words = [UInt64](repeating: 0, count: range.count * 3)
    let failure: PackError? = words.withUnsafeMutableBytes { bytes in
      do throws(PackError) {
        try file.read(at: UInt64(range.lowerBound * EntrySpool.size), into: bytes)
      } catch { return error }
      return nil
    }
    if let failure { throw failure }
    var entries: [PMTilesDirectory.Entry] = []
    entries.reserveCapacity(range.count)
    for start in stride(from: 0, to: words.count, by: 3) {
      let sizes = words[start + 2]
      entries.append(
        PMTilesDirectory.Entry(
          id: words[start], offset: words[start + 1], length: UInt32(sizes >> 32),
          run: UInt32(truncatingIfNeeded: sizes)))
    }
    return entries
  }
}
