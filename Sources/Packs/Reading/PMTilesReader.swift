import MapGeometry
import TileSources

/// All tiles of a PMTiles archive: a walk through its directories in their order.
///
/// The numbers in an archive ascend. Entries that go back are left out and reported. Directories
/// that lead to each other end, too: all directories together may have no more bytes than the file.
package final class PMTilesReader: PackReader {
  package let file: String
  package let kind = PackKind.pmtiles
  package let description: PackDescription
  package private(set) var problems = ProblemList()
  package private(set) var lostParts: UInt64 = 0
  package var readsContents = true
  /// Entries that an archive of any size may have.
  package var entriesOfAnyFile: UInt64 = 1 << 21
  /// What the archive says in its first bytes.
  package var header: PMTilesHeader { source.header }
  package var expectedTiles: UInt64? {
    source.header.addressedTiles > 0 ? source.header.addressedTiles : nil
  }

  /// A directory that is being walked through.
  private struct Level {
    var directory: PMTilesDirectory
    var next = 0
    /// The first number that belongs to the next leaf.
    var end: UInt64
  }

  private let source: PMTilesSource
  private var stack: [Level] = []
  private var hasBegun = false
  /// Numbers below this have been given.
  private var done: UInt64 = 0
  private var directoryBytes: UInt64 = 0
  /// Entries of all directories that were read.
  private var indexEntries: UInt64 = 0
  /// Entries of tiles that were read.
  package private(set) var entries: UInt64 = 0
  /// Whether every content was new and directly after the previous ones, or a repetition of one.
  package private(set) var isClustered = true
  private var dataEnd: UInt64 = 0

  /// Opens the archive at `path`.
  ///
  /// - Throws: `PackError` if it cannot be opened, or is not an archive of version 3.
  package init(path: String) throws(PackError) {
    file = path
    do {
      source = try PMTilesSource(path: path)
    } catch {
      throw PackError(error)
    }
    var problems = ProblemList()
    description = PMTilesReader.describe(source, &problems)
    for problem in source.problems { problems.add("the file \(problem.reason)") }
    self.problems = problems
  }

  private static func describe(
    _ source: PMTilesSource, _ problems: inout ProblemList
  ) -> PackDescription {
    let header = source.header
    var description = PackDescription()
    do throws(PackFault) {
      let text = try source.metadataJSON()
      if !text.isEmpty { try description.addMembers(ofJSON: text) }
    } catch {
      // Said by the source, unless the JSON is not an object.
      if source.problems.isEmpty { problems.add("the metadata \(error.reason)") }
    }
    description.bounds = header.bounds
    description.center = header.center
    description.centerZoom = header.center == nil ? nil : header.centerZoom
    description.minZoom = header.minZoom
    description.maxZoom = header.maxZoom
    description.format =
      ["", "pbf", "png", "jpg", "webp", "avif"][
        header.tileType < 6 ? Int(header.tileType) : 0]
    if description.format?.isEmpty == true { description.format = nil }
    description.compression = header.tileCompression
    return description
  }

  package func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    guard let entry = try nextEntry() else { return nil }
    var stretch = PackStretch(
      first: entry.id, count: UInt64(entry.run), encoding: source.encoding, place: entry.offset)
    guard readsContents else { return stretch }
    do throws(PackFault) {
      guard entry.length > 0 else { throw PackFault("the tile has no bytes") }
      try source.read(entry, into: &buffer)
    } catch {
      // The medium is to blame, and not the tile.
      if error.isTransient { throw PackError(error, file: file) }
      stretch.fault = error.reason
    }
    return stretch
  }

  /// The next entry of tiles; nil after the last.
  private func nextEntry() throws(PackError) -> PMTilesDirectory.Entry? {
    if !hasBegun {
      hasBegun = true
      do throws(PackFault) {
        stack = [Level(directory: try source.uncachedDirectory(of: nil), end: .max)]
      } catch {
        throw PackError(error, file: file)
      }
      try count(stack[0].directory)
    }
    while let level = stack.last {
      guard level.next < level.directory.entries.count else {
        stack.removeLast()
        continue
      }
      let entry = level.directory.entries[level.next]
      stack[stack.count - 1].next += 1
      let following =
        level.next + 1 < level.directory.entries.count
        ? level.directory.entries[level.next + 1].id : level.end
      if entry.run == 0 {
        try descend(into: entry, end: min(following, level.end))
      } else if let checked = check(entry, end: min(following, level.end)) {
        return checked
      }
    }
    return nil
  }

  /// The entry, shortened to its valid part; nil if nothing of it is valid.
  private func check(_ entry: PMTilesDirectory.Entry, end: UInt64) -> PMTilesDirectory.Entry? {
    guard entry.id >= done, entry.id < end else {
      problems.add("entries of the index are out of order", "tile number \(entry.id)")
      return nil
    }
    guard let first = HilbertID.tile(entry.id) else {
      problems.add("tiles are deeper than zoom 24, the deepest that is read", "number \(entry.id)")
      return nil
    }
    var entry = entry
    let last = entry.id + UInt64(entry.run)
    if last > end {
      problems.add("entries of the index overlap", "tile \(first)")
      entry.run = UInt32(end - entry.id)
    }
    if HilbertID.tile(entry.id + UInt64(entry.run) - 1) == nil {
      problems.add("tiles are deeper than zoom 24, the deepest that is read", "from \(first) on")
      entry.run = UInt32(HilbertID.start(ofLevel: TileID.maxLevel + 1) - entry.id)
    }
    done = entry.id + UInt64(entry.run)
    entries += 1
    follow(entry, first)
    return entry
  }

  /// Looks where the content lies.
  private func follow(_ entry: PMTilesDirectory.Entry, _ tile: TileID) {
    let (end, overflow) = entry.offset.addingReportingOverflow(UInt64(entry.length))
    // In a clustered archive, new content begins directly after the previous one.
    if entry.offset > dataEnd { isClustered = false }
    if overflow || (header.tiles.length > 0 && end > header.tiles.length) {
      problems.add("tiles are outside the section that the header states", "\(tile)")
    }
    if !overflow, entry.offset >= dataEnd { dataEnd = end }
  }

  private func descend(into entry: PMTilesDirectory.Entry, end: UInt64) throws(PackError) {
    let place = "the leaf from tile number \(entry.id) on"
    guard stack.count <= PMTilesSource.leafDepth else {
      problems.add("leaf directories are more than \(PMTilesSource.leafDepth) deep", place)
      lostParts += 1
      return
    }
    directoryBytes += UInt64(entry.length)
    guard directoryBytes <= source.reader.size else {
      throw PackError(
        file: file, reason: "has leaf directories that overlap: it is damaged")
    }
    let directory: PMTilesDirectory
    do throws(PackFault) {
      directory = try source.uncachedDirectory(of: entry)
    } catch {
      if error.isTransient { throw PackError(error, file: file) }
      lostParts += 1
      problems.add("leaf directories cannot be read", "\(place) \(error.reason)")
      return
    }
    try count(directory)
    if let first = directory.entries.first, first.id < entry.id {
      problems.add("leaf directories begin before the entry that leads to them", place)
    }
    stack.append(Level(directory: directory, end: end))
  }

  /// Identical entries compress thousandfold, so a small file can hold an enormous index. The
  /// number of entries is limited, far above that of real archives.
  private func count(_ directory: PMTilesDirectory) throws(PackError) {
    indexEntries += UInt64(directory.entries.count)
    let size = source.reader.size
    let limit = entriesOfAnyFile + min(size, 1 << 60) * PMTilesReader.entriesPerByte
    guard indexEntries <= limit else {
      throw PackError(
        file: file,
        reason: "has \(size) bytes and an index of more than \(limit) entries: it is damaged")
    }
  }

  /// Even of an archive of two contents in turn, each byte has at most four entries.
  private static let entriesPerByte: UInt64 = 16
}
