import MapGeometry
import TileSources

/// The tiles of a pack that are in a set: the pack's index tells which there are, and only those in
/// the set are read.
package final class SelectedReader: PackReader {
  package var file: String { listing.file }
  package var kind: PackKind { listing.kind }
  package let description: PackDescription
  package var expectedTiles: UInt64? { nil }
  package var problems: ProblemList { listing.problems }
  package var lostParts: UInt64 { listing.lostParts }
  package var readsContents = true { didSet { showReadsContents() } }

  private let listing: any PackReader
  /// Looks tiles up; nil: the listing reads the wanted tiles itself.
  private let source: (any StoredTileSource)?
  private let tiles: TileSet
  /// The rest of a stretch of which only parts are in the set; the last one is next.
  private var pending: [PackStretch] = []

  /// Opens the pack at `path`.
  ///
  /// - Throws: `PackError` if it cannot be opened.
  package init(path: String, _ selection: ExtractSelection) throws(PackError) {
    listing = try PackReaders.open(path)
    if let folder = listing as? FolderReader {
      // Each tile is a file, which the listing reads if it is wanted.
      source = nil
      let tiles = try selection.tiles(levels: folder.levels)
      self.tiles = tiles
      folder.isWanted = { tiles.overlaps($0..<($0 + 1)) }
    } else {
      let (opened, levels) = try SelectedReader.open(path)
      let tiles = try selection.tiles(levels: levels)
      self.tiles = tiles
      if let pack = listing as? MBTilesReader, !pack.isIndexed {
        // Each look would read all rows.
        source = nil
        pack.isWanted = { tiles.overlaps($0..<($0 + 1)) }
      } else {
        source = opened
      }
    }
    description = SelectedReader.describe(listing.description, selection)
    showReadsContents()
  }

  private func showReadsContents() { listing.readsContents = source == nil && readsContents }

  private static func open(
    _ path: String
  ) throws(PackError) -> (any StoredTileSource, ClosedRange<Int>) {
    do throws(SourceError) {
      let opened = try SourceSpec(name: path, location: .path(path)).open()
      guard let stored = opened as? any StoredTileSource else {
        throw SourceError(file: path, reason: "cannot return tiles as they are stored")
      }
      let info = opened.info
      return (stored, info.minZoom...max(info.minZoom, info.maxZoom))
    } catch {
      throw PackError(error)
    }
  }

  /// What an extract says: what the pack says, of its own area.
  private static func describe(
    _ whole: PackDescription, _ selection: ExtractSelection
  ) -> PackDescription {
    var description = whole
    let bounds = selection.bounds(within: whole.bounds)
    // The formats' boxes do not cross the dateline.
    description.bounds =
      bounds.west > bounds.east
      ? GeoBounds(west: -180, south: bounds.south, east: 180, north: bounds.north) : bounds
    if let center = whole.center, !bounds.contains(center) { description.center = bounds.center }
    return description
  }

  package func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    guard let source else { return try listing.next(into: &buffer) }
    while pending.isEmpty {
      guard let stretch = try listing.next(into: &buffer) else { return nil }
      tiles.forEachPart(of: stretch.first..<(stretch.first + stretch.count)) { part in
        var piece = stretch
        (piece.first, piece.count) = (part.lowerBound, UInt64(part.count))
        pending.append(piece)
      }
      pending.reverse()
    }
    guard var stretch = pending.popLast() else { return nil }
    guard readsContents, stretch.fault == nil else { return stretch }
    guard let tile = HilbertID.tile(stretch.first) else {
      stretch.fault = "the tile is deeper than zoom \(TileID.maxLevel)"
      return stretch
    }
    do throws(TileError) {
      if let encoding = try source.readStored(tile, into: &buffer) {
        stretch.encoding = encoding
      } else {
        stretch.fault = "the tile is in the index, and not there"
      }
    } catch {
      // The medium failed, not the tile.
      if error.isTransient { throw PackError(file: file, reason: error.reason) }
      stretch.fault = error.reason
    }
    return stretch
  }
}
