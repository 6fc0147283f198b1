import MapGeometry
import TileSources

/// What an extract needs to know of an archive: its header, its metadata, and where the wanted
/// tiles lie. Only the directories that lead to them are read.
package struct ArchiveIndex: Sendable {
  /// What the archive says of itself.
  package var header: PMTilesHeader
  /// Unpacked JSON; empty if there is none.
  package var metadata: [UInt8] = []
  /// The wanted tiles in the order of their numbers, with places from the archive's start.
  var entries: [PlannedEntry] = []

  /// Header and root lie in the first 16 KiB (PMTiles 3, section 2): one request has both.
  static let firstRead = 16384
  /// The most entries. With the plan they take 36 MB of memory, or 49 MB where each is a request of
  /// its own.
  static let entryLimit = 1_000_000
  /// Bytes of leaves that are read together.
  static let leafRequest = 1 << 20
  private static let leafDepth = 3

  /// Reads what leads to `tiles`.
  ///
  /// - Parameters:
  ///   - fetch: reads the archive.
  ///   - selection: what is wanted.
  /// - Throws: `PackError` if the archive cannot be read, or is damaged.
  init(
    _ fetch: IndexFetcher, _ selection: ExtractSelection
  ) throws(PackError) {
    let start = try fetch.bytes(at: 0, count: ArchiveIndex.firstRead)
    let size = fetch.size
    guard size <= ContentPlace.archiveLimit else {
      throw PackError(
        file: fetch.name,
        reason: "has \(size) bytes: archives of at most \(ContentPlace.archiveLimit) are read")
    }
    do throws(PackFault) {
      header = try PMTilesHeader(PrefixReader(start, size: size))
    } catch {
      throw PackError(error, file: fetch.name)
    }
    let reading = Reading(
      fetch: fetch, header: header,
      tiles: try selection.tiles(levels: header.minZoom...header.maxZoom),
      overfetch: selection.overfetch)
    let root = try reading.section(header.root, start, limit: UInt64(PMTilesDirectory.sizeLimit))
    metadata = try reading.metadata(start)
    let window: Range<UInt64> = 0..<TileSet.start(ofLevel: TileID.maxLevel + 1)
    var leaves: [Leaf] = []
    try reading.take(reading.directory(root), window: window, leaves: &leaves)
    for depth in 0..<ArchiveIndex.leafDepth where !leaves.isEmpty {
      let above = leaves
      leaves = []
      try reading.readLeaves(above) { (directory, leaf) throws(PackError) in
        try reading.take(directory, window: leaf.window, leaves: &leaves)
      }
      if depth == ArchiveIndex.leafDepth - 1, !leaves.isEmpty {
        throw reading.damage(
          "has leaf directories more than \(ArchiveIndex.leafDepth) deep: it is damaged")
      }
    }
    entries = reading.finish()
  }

  /// A leaf directory, and the tile numbers for which it is asked.
  struct Leaf {
    var offset: UInt64
    var length: UInt32
    var window: Range<UInt64>
  }
}

/// The work of reading an index.
private final class Reading {
  let fetch: IndexFetcher
  let header: PMTilesHeader
  let tiles: TileSet
  let overfetch: Double
  private var entries: [PlannedEntry] = []
  /// Bytes of leaves that were asked for.
  private var leafBytes: UInt64 = 0

  init(fetch: IndexFetcher, header: PMTilesHeader, tiles: TileSet, overfetch: Double) {
    self.fetch = fetch
    self.header = header
    self.tiles = tiles
    self.overfetch = overfetch
    // Reserves address space; memory is used only as the array fills. Growing would take twice as
    // much.
    entries.reserveCapacity(ArchiveIndex.entryLimit + 1)
  }

  func damage(_ reason: String) -> PackError { PackError(file: fetch.name, reason: reason) }

  /// The stored bytes of a section, which `start` holds already if it is that near the beginning.
  func section(
    _ section: PMTilesHeader.Section, _ start: [UInt8], limit: UInt64
  ) throws(PackError) -> [UInt8] {
    guard section.length <= limit else {
      throw damage(
        "has a directory or metadata of \(section.length) bytes: at most \(limit) are read")
    }
    guard section.offset <= fetch.size, section.length <= fetch.size - section.offset else {
      throw damage("states more bytes than it has: it is cut off or damaged")
    }
    if section.offset + section.length <= UInt64(start.count) {
      return Array(start[Int(section.offset)..<Int(section.offset + section.length)])
    }
    return try fetch.bytes(at: section.offset, count: Int(section.length))
  }

  func metadata(_ start: [UInt8]) throws(PackError) -> [UInt8] {
    guard header.metadata.length > 0 else { return [] }
    let stored = try section(header.metadata, start, limit: PMTilesSource.metadataLimit)
    do throws(PackFault) {
      return try Unpacking.unpack(
        stored, header.directoryCompression, limit: Int(PMTilesSource.metadataLimit))
    } catch {
      throw damage("\(error.reason) (its metadata)")
    }
  }

  func directory(_ stored: [UInt8]) throws(PackError) -> PMTilesDirectory {
    do throws(PackFault) {
      return try PMTilesDirectory(
        Unpacking.unpack(
          stored, header.directoryCompression, limit: PMTilesDirectory.sizeLimit))
    } catch {
      throw PackError(error, file: fetch.name)
    }
  }

  /// Collects the wanted tiles of a directory within the numbers of `window`, and the leaves that
  /// lead to others.
  func take(
    _ directory: PMTilesDirectory, window: Range<UInt64>, leaves: inout [ArchiveIndex.Leaf]
  ) throws(PackError) {
    let all = directory.entries
    for (index, entry) in all.enumerated() {
      let next = index + 1 < all.count ? all[index + 1].id : .max
      let low = max(entry.id, window.lowerBound)
      let end = entry.run == 0 ? next : min(entry.id + UInt64(entry.run), next)
      let high = min(end, window.upperBound)
      guard low < high, tiles.overlaps(low..<high) else { continue }
      if entry.run == 0 {
        leaves.append(
          ArchiveIndex.Leaf(offset: entry.offset, length: entry.length, window: low..<high))
        continue
      }
      try check(entry)
      tiles.forEachPart(of: low..<high) { part in
        guard entries.count <= ArchiveIndex.entryLimit else { return }
        entries.append(
          PlannedEntry(
            id: part.lowerBound, run: UInt32(truncatingIfNeeded: part.count),
            place: ContentPlace(
              offset: header.tiles.offset + entry.offset, length: Int(entry.length))))
      }
      guard entries.count <= ArchiveIndex.entryLimit else {
        throw damage(
          "has more than \(ArchiveIndex.entryLimit) of the wanted tiles: take the region in parts"
        )
      }
    }
  }

  private func check(_ entry: PMTilesDirectory.Entry) throws(PackError) {
    func tile() -> String { HilbertID.tile(entry.id).map { "tile \($0)" } ?? "a tile" }
    guard entry.length > 0 else { throw damage("\(tile()) is empty: 0 bytes; it is damaged") }
    guard entry.length <= StoredTile.sizeLimit else {
      throw damage(
        "\(tile()) has \(entry.length) bytes: at most \(StoredTile.sizeLimit) are read")
    }
    let (start, first) = header.tiles.offset.addingReportingOverflow(entry.offset)
    let (end, second) = start.addingReportingOverflow(UInt64(entry.length))
    guard !first, !second, end <= fetch.size else {
      throw damage("\(tile()) lies beyond its end at byte \(fetch.size): is it cut off?")
    }
  }

  /// Reads leaves, neighbours together.
  func readLeaves(
    _ leaves: [ArchiveIndex.Leaf],
    _ body: (PMTilesDirectory, ArchiveIndex.Leaf) throws(PackError) -> Void
  ) throws(PackError) {
    var places: [JoinedSpans.Piece] = []
    for leaf in leaves {
      let (start, overflow) = header.leaves.offset.addingReportingOverflow(leaf.offset)
      guard !overflow, start < fetch.size, leaf.length > 0,
        UInt64(leaf.length) <= fetch.size - start, leaf.length <= PMTilesDirectory.sizeLimit
      else { throw damage("has a leaf directory beyond its end: it is cut off or damaged") }
      // The leaves of a sound archive do not overlap, so more bytes than the archive has mean a
      // cycle.
      leafBytes += UInt64(leaf.length)
      guard leafBytes <= fetch.size else {
        throw damage("has directories that lead to each other: it is damaged")
      }
      places.append(JoinedSpans.Piece(offset: start, length: leaf.length))
    }
    let order = places.indices.sorted { places[$0].offset < places[$1].offset }
    let joined = JoinedSpans(
      order.map { places[$0] }, overfetch: overfetch, limit: ArchiveIndex.leafRequest)
    try fetch.all(joined.spans.map(\.span)) { (index, bytes) throws(PackError) in
      let span = joined.spans[index]
      for piece in span.pieces {
        let leaf = leaves[order[piece]]
        let from = Int(places[order[piece]].offset - span.span.offset)
        guard from + Int(leaf.length) <= bytes.count else {
          throw damage("has a leaf directory beyond its end: it is cut off or damaged")
        }
        try body(directory(Array(bytes[from..<from + Int(leaf.length)])), leaf)
      }
    }
  }

  /// The entries in order; those in a row that are the same tile made one.
  func finish() -> [PlannedEntry] {
    var sorted = entries
    entries = []
    sorted.sort { $0.id < $1.id }
    var kept = 0
    for index in sorted.indices {
      let entry = sorted[index]
      if kept > 0 {
        let last = sorted[kept - 1]
        let run = UInt64(last.run) + UInt64(entry.run)
        if last.place == entry.place, last.id + UInt64(last.run) == entry.id,
          run <= UInt64(UInt32.max)
        {
          sorted[kept - 1].run = UInt32(run)
          continue
        }
      }
      sorted[kept] = entry
      kept += 1
    }
    sorted.removeSubrange(kept...)
    return sorted
  }
}
