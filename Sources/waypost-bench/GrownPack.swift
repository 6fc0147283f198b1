import CSQLite
import Glibc
import MapGeometry

/// Makes packs with any number of tiles out of a few.
enum GrownPack {
  /// The level in whose middle `size` tiles fit.
  static func level(_ size: Int) -> Int {
    var level = 0
    while 1 << (2 * level) < size { level += 1 }
    return level
  }

  /// The square of at least `size` tiles in the middle of its level.
  private static func square(_ size: Int) -> (level: Int, first: Int, side: Int) {
    let level = level(size)
    let side = min(1 << level, Int(Double(size).squareRoot().rounded(.up)))
    return (level, ((1 << level) - side) / 2, side)
  }

  /// Writes MBTiles in which a small table of pictures serves all tiles, as tools write it.
  static func mbtiles(_ size: Int, _ tiles: [[UInt8]], to path: String) {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let file = opened else { stop(path) }
    defer { sqlite3_close(file) }
    let (level, first, side) = square(size)
    run(
      file,
      """
      PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
      CREATE TABLE metadata (name text, value text);
      INSERT INTO metadata VALUES ('name','grown'),('format','png'),('minzoom','\(level)'),
        ('maxzoom','\(level)');
      CREATE TABLE images (tile_id integer PRIMARY KEY, tile_data blob);
      CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id integer,
        PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
        FROM map JOIN images ON map.tile_id = images.tile_id;
      BEGIN;
      """)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(file, "INSERT INTO images VALUES (?, ?)", -1, &statement, nil)
    for (number, tile) in tiles.enumerated() {
      sqlite3_reset(statement)
      sqlite3_bind_int64(statement, 1, Int64(number))
      tile.withUnsafeBytes {
        _ = sqlite3_bind_blob(statement, 2, $0.baseAddress, Int32($0.count), nil)
        _ = sqlite3_step(statement)
      }
    }
    sqlite3_finalize(statement)
    sqlite3_prepare_v2(file, "INSERT INTO map VALUES (\(level), ?, ?, ?)", -1, &statement, nil)
    for x in first..<(first + side) {
      for y in first..<(first + side) {
        sqlite3_reset(statement)
        sqlite3_bind_int64(statement, 1, Int64(x))
        sqlite3_bind_int64(statement, 2, Int64(y))
        sqlite3_bind_int64(statement, 3, Int64((x * 7 + y) % tiles.count))
        sqlite3_step(statement)
      }
    }
    sqlite3_finalize(statement)
    run(file, "COMMIT")
  }

  private static func run(_ file: OpaquePointer, _ sql: String) {
    guard sqlite3_exec(file, sql, nil, nil, nil) == SQLITE_OK else {
      stop(String(cString: sqlite3_errmsg(file)))
    }
  }

  /// Writes PMTiles with a complete level, in runs of 16 tiles and leaf directories of 4,096
  /// entries.
  static func pmtiles(_ size: Int, _ tiles: [[UInt8]], to path: String) {
    let level = level(size)
    let count = 1 << (2 * level)
    let run = count >= 65536 ? 16 : 1
    var offsets: [Int] = []
    var data: [UInt8] = []
    for tile in tiles {
      offsets.append(data.count)
      data += tile
    }
    let start = (count - 1) / 3
    var leaves: [UInt8] = []
    var pointers: [(id: Int, run: Int, length: Int, offset: Int)] = []
    var entries: [(id: Int, run: Int, length: Int, offset: Int)] = []
    func flush() {
      let leaf = directory(entries)
      pointers.append((entries[0].id, 0, leaf.count, leaves.count))
      leaves += leaf
      entries.removeAll(keepingCapacity: true)
    }
    for at in stride(from: 0, to: count, by: run) {
      let n = at / run % tiles.count
      entries.append((start + at, min(run, count - at), tiles[n].count, offsets[n]))
      if entries.count == 4096 { flush() }
    }
    if !entries.isEmpty { flush() }
    let root = directory(pointers)
    var file = Array("PMTiles".utf8) + [3]
    func add(_ value: Int, _ bytes: Int = 8) {
      for i in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    var offset = 127
    for length in [root.count, 2, leaves.count, data.count] {
      add(offset)
      add(length)
      offset += length
    }
    add(count)
    add(count / run)
    add(tiles.count)
    file += [1, 1, 1, 2, UInt8(level), UInt8(level)]
    for degrees in [-180, -85, 180, 85] { add(degrees * 10_000_000, 4) }
    file.append(UInt8(level))
    add(0)
    Files.write(file + root + Array("{}".utf8) + leaves + data, to: path)
  }

  /// Writes a directory (PMTiles 3, section 4).
  private static func directory(
    _ entries: [(id: Int, run: Int, length: Int, offset: Int)]
  ) -> [UInt8] {
    var out: [UInt8] = []
    func add(_ number: Int) {
      var left = UInt64(number)
      while left > 127 {
        out.append(UInt8(left & 127) | 128)
        left >>= 7
      }
      out.append(UInt8(left))
    }
    add(entries.count)
    var last = 0
    for entry in entries {
      add(entry.id - last)
      last = entry.id
    }
    for entry in entries { add(entry.run) }
    for entry in entries { add(entry.length) }
    for entry in entries { add(entry.offset + 1) }
    return out
  }
}
