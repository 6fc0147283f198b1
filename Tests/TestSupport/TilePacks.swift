import CSQLite
import Foundation
import MapGeometry

/// Puts the tiles of a folder into other containers, byte for byte, for tests that compare them.
public enum TilePacks {
  struct Failed: Error { var reason: String }

  /// The tiles `{z}/{x}/{y}.ENDING` of `folder`, in the order of PMTiles.
  public static func tiles(of folder: String) throws -> [(id: TileID, bytes: [UInt8])] {
    let manager = FileManager.default
    var found: [(id: TileID, bytes: [UInt8])] = []
    for path in try manager.subpathsOfDirectory(atPath: folder) {
      let parts = path.split(separator: "/")
      guard parts.count == 3, let z = Int(parts[0]), let x = Int(parts[1]),
        let y = Int(parts[2].prefix { $0 != "." }), let id = TileID(z: z, x: x, y: y)
      else { continue }
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
      found.append((id, [UInt8](data)))
    }
    return found.sorted { hilbert($0.id) < hilbert($1.id) }
  }

  // MARK: MBTiles

  /// Writes an MBTiles 1.3 file: rows count from the south.
  public static func writeMBTiles(
    _ tiles: [(id: TileID, bytes: [UInt8])], to path: String, format: String = "png"
  ) throws {
    var connection: OpaquePointer?
    guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failed(reason: path) }
    defer { sqlite3_close(connection) }
    func run(_ sql: String) throws {
      guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
        throw Failed(reason: String(cString: sqlite3_errmsg(connection)))
      }
    }
    let levels = tiles.map(\.id.z)
    try run(
      """
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      INSERT INTO metadata VALUES ('name', 'test'), ('format', '\(format)'),
        ('minzoom', '\(levels.min() ?? 0)'), ('maxzoom', '\(levels.max() ?? 0)');
      BEGIN;
      """)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, "INSERT INTO tiles VALUES (?, ?, ?, ?)", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    for (id, bytes) in tiles {
      sqlite3_reset(statement)
      sqlite3_bind_int64(statement, 1, Int64(id.z))
      sqlite3_bind_int64(statement, 2, Int64(id.x))
      sqlite3_bind_int64(statement, 3, Int64((1 << id.z) - 1 - id.y))
      // The bytes outlive the step: no copy.
      let stepped = bytes.withUnsafeBytes {
        sqlite3_bind_blob(statement, 4, $0.baseAddress, Int32($0.count), nil)
        return sqlite3_step(statement)
      }
      guard stepped == SQLITE_DONE else { throw Failed(reason: "no row for \(id)") }
    }
    try run("COMMIT")
  }

  // MARK: PMTiles

  /// Writes a PMTiles 3 archive, clustered, nothing compressed, equal tiles stored once.
  ///
  /// - Parameter leaf: entries of a leaf directory; nil: everything in the root, as long as it
  ///   fits.
  public static func writePMTiles(
    _ tiles: [(id: TileID, bytes: [UInt8])], to path: String, leaf: Int? = nil, type: UInt8 = 2
  ) throws {
    let file = pmtiles(tiles, leaf: leaf, type: type)
    try Data(file).write(to: URL(fileURLWithPath: path))
  }

  /// The bytes of such an archive.
  ///
  /// - Parameter metadata: JSON.
  public static func pmtiles(
    _ tiles: [(id: TileID, bytes: [UInt8])], leaf: Int? = nil, type: UInt8 = 2,
    metadata: String = "{}"
  ) -> [UInt8] {
    var data: [UInt8] = []
    var places: [[UInt8]: (offset: Int, length: Int)] = [:]
    var entries: [Entry] = []
    for (id, bytes) in tiles.sorted(by: { hilbert($0.id) < hilbert($1.id) }) {
      let number = hilbert(id)
      let place = places[bytes] ?? (data.count, bytes.count)
      if places[bytes] == nil {
        places[bytes] = place
        data += bytes
      }
      if let last = entries.last, last.offset == place.offset, last.id + UInt64(last.run) == number
      {
        entries[entries.count - 1].run += 1
      } else {
        entries.append(Entry(id: number, run: 1, length: place.length, offset: place.offset))
      }
    }
    var root = directory(entries)
    var leaves: [UInt8] = []
    if let size = leaf ?? (root.count > 16257 ? 512 : nil) {
      var pointers: [Entry] = []
      for start in stride(from: 0, to: entries.count, by: size) {
        let part = directory(Array(entries[start..<min(start + size, entries.count)]))
        pointers.append(
          Entry(id: entries[start].id, run: 0, length: part.count, offset: leaves.count))
        leaves += part
      }
      root = directory(pointers)
    }
    let metadata = Array(metadata.utf8)
    var file = Array("PMTiles".utf8) + [3]
    func add(_ value: Int, _ count: Int = 8) {
      for i in 0..<count { file.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    let sections = [root.count, metadata.count, leaves.count, data.count]
    var offset = 127
    for length in sections {
      add(offset)
      add(length)
      offset += length
    }
    add(tiles.count)
    add(entries.count)
    add(places.count)
    // Clustered; directories and tiles uncompressed.
    file += [1, 1, 1, type]
    let levels = tiles.map(\.id.z)
    file += [UInt8(levels.min() ?? 0), UInt8(levels.max() ?? 0)]
    for degrees in [-180, -85, 180, 85] { add(degrees * 10_000_000, 4) }
    file.append(UInt8(levels.min() ?? 0))
    add(0)
    return file + root + metadata + leaves + data
  }

  private struct Entry {
    var id: UInt64
    /// 0: it points to a leaf directory.
    var run: Int
    var length: Int
    var offset: Int
  }

  /// A directory as section 4 of the specification lays it out, column by column.
  private static func directory(_ entries: [Entry]) -> [UInt8] {
    var out: [UInt8] = []
    func add(_ number: UInt64) {
      var left = number
      while left > 127 {
        out.append(UInt8(left & 127) | 128)
        left >>= 7
      }
      out.append(UInt8(left))
    }
    add(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      add(entry.id - last)
      last = entry.id
    }
    for entry in entries { add(UInt64(entry.run)) }
    for entry in entries { add(UInt64(entry.length)) }
    for (i, entry) in entries.enumerated() {
      let follows = i > 0 && entry.offset == entries[i - 1].offset + entries[i - 1].length
      add(follows ? 0 : UInt64(entry.offset) + 1)
    }
    return out
  }

  /// The number of a tile along the Hilbert curves of all levels (PMTiles 3, section 4.1).
  static func hilbert(_ id: TileID) -> UInt64 {
    var number = ((UInt64(1) << UInt64(2 * id.z)) - 1) / 3
    var (x, y) = (id.x, id.y)
    var side = (1 << id.z) / 2
    while side > 0 {
      let (rx, ry) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
      number += UInt64(side) * UInt64(side) * UInt64((3 * rx) ^ ry)
      if ry == 0 {
        if rx == 1 { (x, y) = (side - 1 - (x & (side - 1)), side - 1 - (y & (side - 1))) }
        (x, y) = (y, x)
      }
      side /= 2
    }
    return number
  }
}

/// A program that writes into an MBTiles file. While it does, no other can read it.
public final class PackLock {
  private var connection: OpaquePointer?

  /// Opens the file at `path`.
  public init(_ path: String) throws {
    guard sqlite3_open(path, &connection) == SQLITE_OK else {
      throw TilePacks.Failed(reason: path)
    }
  }

  /// Begins to write.
  public func lock() throws { try run("BEGIN EXCLUSIVE") }

  /// Has written.
  public func unlock() throws { try run("COMMIT") }

  private func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw TilePacks.Failed(reason: String(cString: sqlite3_errmsg(connection)))
    }
  }

  deinit { sqlite3_close(connection) }
}
