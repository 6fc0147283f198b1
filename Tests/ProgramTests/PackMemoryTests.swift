import CSQLite
import Foundation
import MapGeometry
import TestSupport
import Testing

/// No command on packs takes more than 64 MiB of memory, however large the pack is.
@Suite(.serialized) struct PackMemoryTests {
  private static let limit = 64 << 20
  /// So many that 100 bytes for each would be too much: half of the level.
  private static let level = 9
  private static let tiles = 1 << (2 * level - 1)

  /// The most memory that a process had.
  private func peak(_ words: [String]) throws -> Int {
    let program = try Program.built("waypost").start(["pack"] + words)
    let peak = program.peakUntilItsEnd()
    let outcome = program.outcome()
    #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    return peak
  }

  private func expectBounded(
    _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let peak = try peak(words)
    print("pack \(words[0]): \(peak >> 20) MiB")
    #expect(peak > 0 && peak <= Self.limit, "\(words): \(peak)", sourceLocation: sourceLocation)
  }

  /// A level in which seven tenths of the tiles differ, made by SQLite alone.
  private func pack(_ path: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let picture = PlainPNG.tile(7, edge: 8)
    // A chunk that readers skip makes pictures differ. Its checksum is false, which they ignore.
    let start = picture[..<33].map { String(format: "%02x", $0) }.joined()
    let rest = picture[33...].map { String(format: "%02x", $0) }.joined()
    let side = 1 << Self.level
    let sql = """
      PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
      CREATE TABLE metadata (name text, value text);
      INSERT INTO metadata VALUES ('name','made'),('format','png'),('minzoom','\(Self.level)'),
        ('maxzoom','\(Self.level)');
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer,
        tile_data blob);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(Self.tiles))
      INSERT INTO tiles SELECT \(Self.level), i / \(side), i % \(side), CAST(x'\(start)' ||
        CASE WHEN (i / \(side) / 16 * 7 + i % \(side) / 16) % 10 < 3 THEN x'' ELSE
        x'0000000874455874' || CAST(printf('%08d', i) AS BLOB) || x'00000000' END
        || x'\(rest)' AS BLOB) FROM n;
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      """
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
  }

  @Test(.disabled(if: Emulation.isOn, "an emulator's memory is counted as the program's"))
  func ofManyTiles() throws {
    let folder = try TemporaryFolder()
    try pack(folder["a.mbtiles"])
    try expectBounded(["convert", folder["a.mbtiles"], folder["a.pmtiles"]])
    try expectBounded(["convert", folder["a.pmtiles"], folder["b.mbtiles"]])
    try expectBounded(["verify", folder["a.pmtiles"]])
    try expectBounded(
      ["merge", folder["b.mbtiles"], folder["a.pmtiles"], folder["m.pmtiles"]])
    try expectBounded(["extract", folder["a.pmtiles"], folder["e.pmtiles"]])
  }
}
