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

  /// Reads a.mbtiles, c.pmtiles and the folder that mbutil makes of the first; each tile as
  /// "z x y sha256", what was read by whom in front.
  private static let readers = """
    import hashlib, os, sqlite3, sys
    folder = sys.argv[1]
    def say(who, z, x, y, data):
      print(who, z, x, y, hashlib.sha256(data).hexdigest())
    db = sqlite3.connect(folder + '/a.mbtiles')
    assert db.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
    for z, x, row, data in db.execute(
        'SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles'):
      say('sqlite3', z, x, 2 ** z - 1 - row, data)
    try:
      from pmtiles.reader import Reader, MmapSource, all_tiles
      source = MmapSource(open(folder + '/c.pmtiles', 'rb'))
      Reader(source).metadata()
      for (z, x, y), data in all_tiles(source):
        say('pmtiles', z, x, y, data)
    except ImportError:
      print('without pmtiles')
    try:
      from mbutil import mbtiles_to_disk
      out = folder + '/mbutil'
      mbtiles_to_disk(folder + '/a.mbtiles', out, silent=True, scheme='xyz')
      for top, _, names in os.walk(out):
        for name in names:
          parts = os.path.relpath(os.path.join(top, name), out).split('/')
          if len(parts) == 3 and parts[0].isdigit():
            say('mbutil', parts[0], parts[1], parts[2].split('.')[0],
              open(os.path.join(top, name), 'rb').read())
    except ImportError:
      print('without mbutil')
    """

  @Test(
    .enabled(if: TestData.large != nil, "skipped: large data set not at hand"),
    arguments: (try? PackTest.largeSets()) ?? [])
  func othersReadWhatWasMadeOfARealSet(_ source: String) throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([source], to: folder["b"])
    try PackTest.convert([folder["b"]], to: folder["a.mbtiles"])
    try PackTest.convert([folder["a.mbtiles"]], to: folder["c.pmtiles"])
    guard
      let text = try Shell.python(Self.readers, [folder.path], needs: "sqlite3")
    else { return print("skipped: there is no Python with sqlite3") }
    let wanted = try TilePacks.tiles(of: folder["b"]).map { id, bytes in
      "\(id.z) \(id.x) \(id.y) \(sha256Hex(bytes))"
    }.sorted()
    let lines = text.split(separator: "\n").map(String.init)
    for reader in ["sqlite3", "pmtiles", "mbutil"] {
      if lines.contains("without " + reader) {
        print("skipped: the Python package \(reader) is not installed")
        continue
      }
      let read = lines.filter { $0.hasPrefix(reader + " ") }.map {
        String($0.dropFirst(reader.count + 1))
      }.sorted()
      #expect(read == wanted, "\(reader)")
    }
  }
}
