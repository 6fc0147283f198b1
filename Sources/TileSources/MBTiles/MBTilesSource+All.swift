import Glibc
import MapGeometry

/// All tiles of a pack, for tools that convert and check it.
extension MBTilesSource {
  /// A row of `tiles` without its data, as stored.
  package struct Place: Sendable {
    package var z, column, row: Int
  }

  /// What was read of one tile.
  package enum BatchTile: Sendable {
    /// Bytes of `Batch.bytes`.
    case bytes(Range<Int>)
    /// The tile is there but cannot be read.
    case fault(PackFault)
    /// It has gone since the pack was listed.
    case nothing
  }

  /// Several tiles that were read at once.
  package struct Batch: Sendable {
    package var bytes: [UInt8] = []
    package var tiles: [BatchTile] = []

    package init() {}
  }

  /// The most rows that are read: a row takes at least eight bytes of the file (SQLite file format,
  /// section 2.1), and views that multiply rows have more. Half of that for pages that are shared.
  private var rowLimit: Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return Int(status.st_size) / 4
  }

  /// How many looks at SQLite's budget all lookups together may take: some, and one in ten.
  private static let looks = 400
  private static let lookupsPerLook = 10

  /// The rows of `metadata` with texts and numbers, in the file's order; nil for a text of more
  /// than 2 MiB.
  ///
  /// - Throws: a fault if they cannot be read.
  package func allMetadata() throws(PackFault) -> [(String, String?)] {
    try reading { pack throws(PackFault) in
      guard pack.hasMetadata else { return [] }
      var found: [(String, String?)] = []
      let query = try pack.file.query("SELECT name, value FROM metadata")
      for row in try query.rows(upTo: 1000, limit: Int(PMTilesSource.metadataLimit)) {
        guard row.count == 2, case .text(let name) = row[0] else { continue }
        switch row[1] {
        case .text(let text): found.append((name, text))
        case .integer(let number): found.append((name, String(number)))
        case .real(let number): found.append((name, String(number)))
        case .tooLong: found.append((name, nil))
        case .blob, .null: break
        }
      }
      return found
    }
  }

  /// Whether one tile can be looked up without reading all rows.
  ///
  /// - Throws: a fault if the pack cannot be asked.
  package func isIndexed() throws(PackFault) -> Bool {
    try reading { pack throws(PackFault) in
      let plan = try pack.file.query(
        "EXPLAIN QUERY PLAN SELECT tile_data FROM tiles "
          + "WHERE zoom_level=1 AND tile_column=1 AND tile_row=1")
      for row in try plan.rows(upTo: 64, limit: 4096) {
        guard case .text(let detail)? = row.last else { continue }
        if detail.hasPrefix("SCAN") || detail.contains("AUTOMATIC") { return false }
      }
      return true
    }
  }

  /// Calls `body` with the place of every row.
  ///
  /// - Parameters:
  ///   - restart: is called before the first row, and again where the pack changed meanwhile: what
  ///     came is void.
  ///   - body: gets a row's place; nil if it is not made of whole numbers.
  /// - Throws: a fault if they cannot be read; what `body` throws.
  package func eachPlace(
    restart: () -> Void, _ body: (Place?) throws(PackFault) -> Void
  ) throws(PackFault) {
    let limit = rowLimit
    try reading { pack throws(PackFault) in
      restart()
      try pack.file.query("SELECT zoom_level, tile_column, tile_row FROM tiles").each(upTo: limit) {
        row throws(PackFault) in try body(Place(row))
      }
    }
  }

  /// Calls `body` with every row and its data, in the file's order: for a pack in which a single
  /// tile cannot be looked up quickly.
  ///
  /// - Parameters:
  ///   - restart: as for `eachPlace`.
  ///   - body: gets the place, and the blob, valid during the call, or why there is none.
  /// - Throws: a fault if they cannot be read; what `body` throws.
  package func eachTile(
    restart: () -> Void,
    _ body: (Place?, Result<UnsafeRawBufferPointer, PackFault>) throws(PackFault) -> Void
  ) throws(PackFault) {
    let limit = rowLimit
    try reading { pack throws(PackFault) in
      restart()
      let sql = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"
      try pack.file.query(sql).each(upTo: limit) { row throws(PackFault) in
        try body(Place(row), row.tile(3))
      }
    }
  }

  /// Reads tiles in one transaction, as many as fit.
  ///
  /// - Parameters:
  ///   - tiles: the tiles to read.
  ///   - limit: the number of bytes after which no further tile is read.
  ///   - total: how many tiles of this pack were read so far; it limits `looks`.
  ///   - looks: the cost of all lookups so far.
  ///   - batch: set to the first of the tiles, at least one.
  /// - Throws: a fault of the whole pack.
  package func readBatch(
    _ tiles: ArraySlice<TileID>, limit: Int, total: Int, looks: inout Int, into batch: inout Batch
  ) throws(PackFault) {
    var read = batch
    var taken = 0
    try reading { pack throws(PackFault) in
      read.bytes.removeAll(keepingCapacity: true)
      read.tiles.removeAll(keepingCapacity: true)
      taken = 0
      var buffer = TileBuffer()
      try pack.file.query("SELECT 1 FROM sqlite_master").holding { () throws(PackFault) in
        for tile in tiles {
          if !read.tiles.isEmpty, read.bytes.count >= limit { break }
          let row = scheme == .tms ? tile.tmsRow : tile.y
          do throws(PackFault) {
            let isThere = try pack.tile(z: tile.z, column: tile.x, row: row, into: &buffer)
            let start = read.bytes.count
            if isThere { read.bytes.append(contentsOf: buffer.bytes) }
            read.tiles.append(isThere ? .bytes(start..<read.bytes.count) : .nothing)
          } catch {
            if error.isTransient { throw error }
            read.tiles.append(.fault(error))
          }
          taken += pack.file.looksTaken
        }
      }
    }
    batch = read
    looks += taken
    guard looks <= MBTilesSource.looks + total / MBTilesSource.lookupsPerLook else {
      throw PackFault("has a view that takes too long for each tile: make 'tiles' a table")
    }
  }

  /// What SQLite finds wrong with the file's pages and indexes.
  ///
  /// - Parameter limit: the most findings.
  /// - Returns: its words; none if nothing is wrong.
  /// - Throws: a fault if the file cannot be checked.
  package func integrityProblems(upTo limit: Int) throws(PackFault) -> [String] {
    try reading { pack throws(PackFault) in
      try pack.file.integrityProblems(upTo: limit)
    }
  }
}

extension MBTilesSource.Place {
  fileprivate init?(_ row: SQLiteQuery.Row) {
    guard let z = row.integer(0), let column = row.integer(1), let tileRow = row.integer(2) else {
      return nil
    }
    (self.z, self.column, self.row) = (z, column, tileRow)
  }

  /// The tile, or nil if there is none on the map.
  package func tile(_ scheme: SourceSpec.Scheme) -> TileID? {
    scheme == .tms ? TileID(z: z, x: column, tmsRow: row) : TileID(z: z, x: column, y: row)
  }
}

extension SQLiteQuery.Row {
  /// The tile's data in `column`, or why it cannot be used.
  fileprivate func tile(_ column: Int32) -> Result<UnsafeRawBufferPointer, PackFault> {
    if isNull(column) { return .failure(PackFault("the tile is there but holds no data: NULL")) }
    guard let blob = blob(column) else {
      return .failure(PackFault("the tile is not a blob: tile_data holds text or a number"))
    }
    guard blob.count <= StoredTile.sizeLimit else {
      return .failure(
        PackFault("the tile has \(blob.count) bytes: at most \(StoredTile.sizeLimit) are read"))
    }
    return .success(blob)
  }
}
