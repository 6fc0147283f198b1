import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// Programs that nobody here wrote read the packs that Waypost writes.
struct ForeignReaderTests {
  /// "z x y length crc32" of every tile, sorted, rows from the north.
  private func expected(_ path: String) throws -> [String] {
    try TilePacks.tiles(of: path).map { id, bytes in
      "\(id.z) \(id.x) \(id.y) \(bytes.count) \(sha256Hex(bytes))"
    }.sorted()
  }

  @Test func pythonsSQLiteReadsTheMBTiles() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["a.mbtiles"])
    let program = """
      import hashlib, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      assert db.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
      for z, x, row, data in db.execute(
          'SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles'):
        print(z, x, 2 ** z - 1 - row, len(data), hashlib.sha256(data).hexdigest())
      """
    guard
      let text = try Shell.python(program, [folder["a.mbtiles"]], needs: "sqlite3")
    else { return print("skipped: there is no Python with sqlite3") }
    let read = text.split(separator: "\n").map(String.init).sorted()
    let wanted = try expected(PackTest.osm)
    #expect(read == wanted)
  }

  @Test func thePMTilesPackageReadsTheArchive() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["a.pmtiles"])
    let program = """
      import hashlib, sys
      from pmtiles.reader import Reader, MmapSource, all_tiles
      source = MmapSource(open(sys.argv[1], 'rb'))
      Reader(source).metadata()
      for (z, x, y), data in all_tiles(source):
        print(z, x, y, len(data), hashlib.sha256(data).hexdigest())
      """
    guard let text = try Shell.python(program, [folder["a.pmtiles"]], needs: "pmtiles") else {
      return print("skipped: the Python package pmtiles is not installed")
    }
    let read = text.split(separator: "\n").map(String.init).sorted()
    let wanted = try expected(PackTest.osm)
    #expect(read == wanted)
  }
}
