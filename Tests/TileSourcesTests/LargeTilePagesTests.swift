import TestSupport
import Testing

@testable import TileSources

/// The pages of a large tile do not stay in SQLite's cache: nobody reads them again.
@Test func aLargeTileLeavesFewPagesBehind() throws {
  let scratch = try Scratch()
  let path = scratch + "large.mbtiles"
  let writer = try Writer(path)
  try writer.run(
    """
    CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX place ON tiles (zoom_level, tile_column, tile_row);
    INSERT INTO tiles VALUES (0, 0, 0, zeroblob(300000)), (1, 0, 0, zeroblob(1000));
    """)
  writer.close()
  let file = try SQLiteFile(path: path, access: .locked)
  let pack = try MBTilesPack(file)
  var buffer = TileBuffer()
  for _ in 0..<2 {
    let hasLarge = try pack.tile(z: 0, column: 0, row: 0, into: &buffer)
    let large = buffer.count
    #expect(hasLarge && large == 300_000)
    #expect(file.pageBytes < SQLiteFile.largeValue)
    let hasSmall = try pack.tile(z: 1, column: 0, row: 0, into: &buffer)
    let small = buffer.count
    #expect(hasSmall && small == 1000)
    // What a small tile needed stays.
    #expect(file.pageBytes > 0)
  }
}
