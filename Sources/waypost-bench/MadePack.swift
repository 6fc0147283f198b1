import CSQLite
import Glibc
import MapGeometry

/// Makes an MBTiles pack with any number of tiles that can be decoded, as a map has them: three
/// tenths are sea, which is one picture in large areas, and all others differ.
///
/// The pictures are those of `pictures`. Each gets a text chunk with its address, so that no two
/// are equal and each still decodes.
struct MadePack {
  /// Pictures on land, PNG.
  let pictures: [[UInt8]]
  /// The picture of the sea.
  let sea: [UInt8]

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    return value
  }

  /// - Parameter tiles: PNG pictures, of which the smallest are used.
  init(_ tiles: [[UInt8]]) {
    let sorted = tiles.filter { $0.count > 33 }.sorted { $0.count < $1.count }
    sea = sorted.first ?? []
    pictures = Array(sorted.dropFirst().prefix(24))
  }

  /// Which tiles: `columns` by `rows` in the middle of the deepest level, and all above them.
  private static func levels(_ count: Int) -> [(z: Int, columns: Range<Int>, rows: Range<Int>)] {
    var deepest = 0
    while 1 << (2 * deepest) < count * 3 / 4 { deepest += 1 }
    let world = 1 << deepest
    let side = min(world, max(1, Int((Double(count) * 0.75).squareRoot())))
    let first = (world - side) / 2
    var levels: [(z: Int, columns: Range<Int>, rows: Range<Int>)] = []
    var above = 0
    for z in 0..<deepest {
      let shift = deepest - z
      let part = (first >> shift)..<(((first + side - 1) >> shift) + 1)
      levels.append((z, part, part))
      above += part.count * part.count
    }
    // As many columns of the deepest level as the count leaves.
    let columns = max(1, min(world - first, (count - above) / side))
    levels.append((deepest, first..<(first + columns), first..<(first + side)))
    return levels
  }

  /// Whether the tile is sea: areas of 16 by 16 tiles, three tenths of them.
  private static func isSea(_ z: Int, _ x: Int, _ y: Int) -> Bool {
    let area = UInt64(z) << 40 | UInt64(x >> 4) << 20 | UInt64(y >> 4)
    return (area &* 0x9e37_79b9_7f4a_7c15) >> 32 % 10 < 3
  }

  /// The picture of a tile on land: one of `pictures` with a chunk `tEXt` behind its header
  /// (PNG, section 11.3.3.3).
  private func land(_ z: Int, _ x: Int, _ y: Int) -> [UInt8] {
    let picture = pictures[(x &* 7 &+ y) % pictures.count]
    let chunk = Array("tEXtTile\0\(z)/\(x)/\(y)".utf8)
    var tile = Array(picture[..<33])
    func add(_ value: UInt32) {
      for shift: UInt32 in [24, 16, 8, 0] { tile.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    add(UInt32(chunk.count - 4))
    tile += chunk
    var sum = UInt32.max
    for byte in chunk { sum = MadePack.table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
    add(~sum)
    tile += picture[33...]
    return tile
  }

  /// Writes about `count` tiles as one table with an index, as most tools do.
  ///
  /// - Parameters:
  ///   - count: how many tiles; a few less come, so that the deepest level is a rectangle.
  ///   - part: only the columns of each level in this part of the whole, 0 to 1.
  ///   - path: the new file.
  /// - Returns: how many tiles there are.
  @discardableResult
  func write(_ count: Int, part: ClosedRange<Double> = 0...1, to path: String) -> Int {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let file = opened else { stop(path) }
    defer { sqlite3_close(file) }
    let levels = MadePack.levels(count)
    run(
      file,
      """
      PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
      CREATE TABLE metadata (name text, value text);
      INSERT INTO metadata VALUES ('name','made'),('format','png'),('minzoom','0'),
        ('maxzoom','\(levels.count - 1)'),('type','baselayer'),('version','1'),
        ('description','made'),('bounds','-180,-85,180,85');
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer,
        tile_data blob);
      BEGIN;
      """)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(file, "INSERT INTO tiles VALUES (?, ?, ?, ?)", -1, &statement, nil)
    var written = 0
    for (z, columns, rows) in levels {
      let side = Double(columns.count)
      for x in columns {
        guard part.contains(Double(x - columns.lowerBound) / side) else { continue }
        for y in rows {
          let tile = MadePack.isSea(z, x, y) ? sea : land(z, x, y)
          sqlite3_reset(statement)
          sqlite3_bind_int64(statement, 1, Int64(z))
          sqlite3_bind_int64(statement, 2, Int64(x))
          sqlite3_bind_int64(statement, 3, Int64((1 << z) - 1 - y))
          tile.withUnsafeBytes {
            _ = sqlite3_bind_blob(statement, 4, $0.baseAddress, Int32($0.count), nil)
            _ = sqlite3_step(statement)
          }
          written += 1
        }
      }
    }
    sqlite3_finalize(statement)
    run(
      file,
      """
      COMMIT;
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      """)
    return written
  }

  private func run(_ file: OpaquePointer, _ sql: String) {
    guard sqlite3_exec(file, sql, nil, nil, nil) == SQLITE_OK else {
      stop(String(cString: sqlite3_errmsg(file)))
    }
  }
}
