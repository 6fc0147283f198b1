import MapGeometry
import TileSources

/// All tiles of an MBTiles file, in the order of PMTiles' numbers.
///
/// The rows' places are listed and sorted first; then tiles are looked up, many in one transaction.
/// In a pack without an index each lookup would read all rows: there the tiles are copied to a
/// temporary file in one go.
package final class MBTilesReader: PackReader {
  package let file: String
  package let kind = PackKind.mbtiles
  package let description: PackDescription
  package private(set) var problems = ProblemList()
  package var readsContents = true
  package private(set) var expectedTiles: UInt64?
  /// Whether a tile can be looked up without reading all rows.
  package let isIndexed: Bool

  /// Which tiles are listed at all, by their numbers. To be set before the first one.
  var isWanted: (UInt64) -> Bool = { _ in true }

  private let source: MBTilesSource
  private let scheme: SourceSpec.Scheme
  private let scratch: String
  private let sorter: RecordSorter
  private var isListed = false
  /// The tiles' bytes, where the pack has no index.
  private var spool: FileWriter?
  private var faults: [UInt64: String] = [:]
  private var last: UInt64?

  /// The next tiles, already read.
  private var ahead: [(number: UInt64, tile: TileID)] = []
  private var batch = MBTilesSource.Batch()
  private var batchStart = 0
  private var place = 0
  private var looks = 0
  private var total = 0

  private static let aheadTiles = 256
  private static let batchBytes = 1 << 20
  /// Faults of single rows that are told apart.
  private static let mostFaults = 10_000

  /// Opens the file at `path`.
  ///
  /// - Throws: `PackError` if it cannot be opened, or is not MBTiles.
  package init(path: String, scratch: String, scheme: SourceSpec.Scheme) throws(PackError) {
    file = path
    self.scratch = scratch
    do throws(SourceError) {
      source = try MBTilesSource(path: path, scheme: scheme)
    } catch {
      throw PackError(error)
    }
    self.scheme = scheme
    sorter = RecordSorter(folder: scratch)
    var problems = ProblemList()
    var description = PackDescription()
    do throws(PackFault) {
      isIndexed = try source.isIndexed()
      let rows = try source.allMetadata()
      for problem in description.add(rows: rows.compactMap { row in row.1.map { (row.0, $0) } }) {
        problems.add(problem)
      }
      for (name, value) in rows where value == nil {
        problems.add("metadata of more than 2 MiB are left out", name)
      }
    } catch {
      throw PackError(error, file: path)
    }
    self.description = description
    self.problems = problems
  }

  /// What SQLite finds wrong with pages and indexes.
  package func integrityProblems() throws(PackError) -> [String] {
    do throws(PackFault) {
      return try source.integrityProblems(upTo: 20)
    } catch {
      throw PackError(error, file: file)
    }
  }

  package func next(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    if !isListed { try list() }
    if spool != nil || !readsContents { return try nextSorted(into: &buffer) }
    while true {
      if place == batch.tiles.count, try !refill() { return nil }
      let index = place
      place += 1
      let (number, tile) = ahead[batchStart + index]
      var stretch = PackStretch(first: number, encoding: source.encoding)
      switch batch.tiles[index] {
      case .bytes(let range):
        batch.bytes.withUnsafeBytes { bytes in
          let tile = UnsafeRawBufferPointer(rebasing: bytes[range])
          buffer.room(for: range.count).copyMemory(from: tile)
        }
      case .fault(let fault): stretch.fault = fault.reason
      case .nothing:
        problems.add("tiles disappeared while the pack was read", "\(tile)")
        continue
      }
      return stretch
    }
  }

  /// Reads the next tiles; false where there are none.
  private func refill() throws(PackError) -> Bool {
    batchStart += batch.tiles.count
    if batchStart >= ahead.count {
      ahead.removeAll(keepingCapacity: true)
      batchStart = 0
      while ahead.count < MBTilesReader.aheadTiles, let record = try sorter.next() {
        guard let tile = HilbertID.tile(record.key), isNew(record.key, tile) else { continue }
        ahead.append((record.key, tile))
      }
    }
    batch.tiles.removeAll(keepingCapacity: true)
    place = 0
    guard batchStart < ahead.count else { return false }
    let tiles = ahead[batchStart...].map(\.tile)
    do throws(PackFault) {
      try source.readBatch(
        tiles[...], limit: MBTilesReader.batchBytes, total: total, looks: &looks, into: &batch)
    } catch {
      throw PackError(error, file: file)
    }
    total += batch.tiles.count
    return true
  }

  private func isNew(_ number: UInt64, _ tile: TileID) -> Bool {
    defer { last = number }
    guard number == last else { return true }
    problems.add("tiles have more than one row; only the first is used", "\(tile)")
    return false
  }

  // MARK: Listing

  private func list() throws(PackError) {
    isListed = true
    // Sorting may fail for want of space, which is not the pack's fault.
    var failure: PackError?
    let kept = problems
    do throws(PackFault) {
      if isIndexed || !readsContents {
        try source.eachPlace(
          restart: { [self] in restart(kept) },
          { place throws(PackFault) in
            guard let number = number(of: place) else { return }
            do throws(PackError) { try sorter.add(RecordSorter.Record(key: number)) } catch {
              failure = error
              throw PackFault(error.reason)
            }
          })
      } else {
        let spool = try MBTilesReader.spool(in: scratch)
        self.spool = spool
        try source.eachTile(
          restart: { [self] in restart(kept) },
          { place, data throws(PackFault) in
            guard let number = number(of: place) else { return }
            do throws(PackError) { try keep(number, data, in: spool) } catch {
              failure = error
              throw PackFault(error.reason)
            }
          })
      }
    } catch {
      throw failure ?? PackError(error, file: file)
    }
    expectedTiles = sorter.count
  }

  private func restart(_ kept: ProblemList) {
    sorter.removeAll()
    faults = [:]
    problems = kept
  }

  private static func spool(in folder: String) throws(PackFault) -> FileWriter {
    do { return try FileWriter(temporaryIn: folder) } catch { throw PackFault(error.description) }
  }

  private func number(of place: MBTilesSource.Place?) -> UInt64? {
    guard let place else {
      problems.add("rows of 'tiles' name no zoom, column and row in whole numbers")
      return nil
    }
    guard let tile = place.tile(scheme) else {
      problems.add(
        "rows of 'tiles' are outside the map",
        "zoom_level=\(place.z) tile_column=\(place.column) tile_row=\(place.row)")
      return nil
    }
    let number = HilbertID.number(of: tile)
    return isWanted(number) ? number : nil
  }

  /// Copies a tile to the temporary file.
  private func keep(
    _ number: UInt64, _ data: Result<UnsafeRawBufferPointer, PackFault>, in spool: FileWriter
  ) throws(PackError) {
    let offset = spool.end
    switch data {
    case .success(let bytes):
      try spool.append(bytes)
      try sorter.add(RecordSorter.Record(key: number, a: offset, b: UInt64(bytes.count)))
    case .failure(let fault):
      if faults.count < MBTilesReader.mostFaults { faults[number] = fault.reason }
      try sorter.add(RecordSorter.Record(key: number, a: offset, b: .max))
    }
  }

  /// The next tile of the temporary file, or without its contents.
  private func nextSorted(into buffer: inout TileBuffer) throws(PackError) -> PackStretch? {
    while let record = try sorter.next() {
      guard let tile = HilbertID.tile(record.key), isNew(record.key, tile) else { continue }
      var stretch = PackStretch(first: record.key, encoding: source.encoding)
      guard readsContents else { return stretch }
      if record.b == .max {
        stretch.fault = faults[record.key] ?? "the tile holds no data"
      } else {
        try spool?.read(at: record.a, into: buffer.room(for: Int(record.b)))
      }
      return stretch
    }
    return nil
  }
}
