import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

private let schema = """
  CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
  """
private let pictureSQL = "x'89504e470d0a1a0a'"

/// A pack that `sql` fills, closed.
private func pack(_ scratch: Scratch, _ sql: String, name: String = "a.mbtiles") throws -> String {
  let writer = try Writer(scratch + name)
  try writer.run(schema + sql)
  writer.close()
  return scratch + name
}

@Test func rowsCountFromTheSouthUnlessTheConfigurationSaysOtherwise() throws {
  let scratch = try Scratch()
  let path = try pack(scratch, "INSERT INTO tiles VALUES (2, 1, 3, \(pictureSQL))")
  #expect(try source(path).tile(at: tile(2, 1, 0)) == pictureStart)
  #expect(try source(path).tile(at: tile(2, 1, 3)) == nil)
  #expect(try source(path, scheme: .xyz).tile(at: tile(2, 1, 3)) == pictureStart)
  #expect(try source(path, scheme: .xyz).contains(tile(2, 1, 0)) == false)
}

@Test func impossibleRowsNeverStandInForTiles() throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "INSERT INTO tiles VALUES (3, 1, 8, \(pictureSQL)), (3, 1, -1, \(pictureSQL)), "
      + "(3, -7, 1, \(pictureSQL)), (3, 8, 1, \(pictureSQL)), (-1, 0, 0, \(pictureSQL)), "
      + "(40, 0, 0, \(pictureSQL)), (3, 0, 0, \(pictureSQL))")
  for scheme in SourceSpec.Scheme.allCases {
    let map = try source(path, scheme: scheme)
    #expect((map.info.minZoom, map.info.maxZoom) == (3, 3))
    var found: [TileID] = []
    for x in 0..<8 {
      for y in 0..<8 where try map.contains(tile(3, x, y)) { found.append(tile(3, x, y)) }
    }
    #expect(found == [scheme == .tms ? tile(3, 0, 7) : tile(3, 0, 0)])
  }
  #expect(try source(fixture("invalid-tile-idx.mbtiles")).contains(tile(6, 10, 0)) == false)
}

@Test func zoomsAreDerivedWhereTheMetadataSaysNothingOrContradictsItself() throws {
  let tiles =
    "INSERT INTO tiles VALUES (4, 0, 0, \(pictureSQL)), (7, 0, 0, \(pictureSQL));"
  for (metadata, zooms) in [
    ("", (4, 7)), ("('minzoom', '5'), ('maxzoom', '6')", (5, 6)),
    ("('minzoom', '6'), ('maxzoom', '5')", (4, 7)), ("('minzoom', '2')", (4, 7)),
    ("('minzoom', 'nan'), ('maxzoom', 'inf')", (4, 7)),
    ("('minzoom', ' 5.0 '), ('maxzoom', 30)", (5, 24)),
    ("('minzoom', '-1'), ('maxzoom', '1e300')", (4, 7)),
    ("('minzoom', '5'), ('minzoom', '1'), ('maxzoom', '6')", (5, 6)),
  ] {
    let scratch = try Scratch()
    let rows = metadata.isEmpty ? "" : "INSERT INTO metadata VALUES \(metadata);"
    let info = try source(pack(scratch, tiles + rows)).info
    #expect((info.minZoom, info.maxZoom) == zooms, "\(metadata)")
  }
}

@Test func zoomsAreInOrderWhereADamagedIndexHasThemInTheWrongOne() throws {
  let info = try source(TestData.fixtures + "/fuzz/mbtiles/index-out-of-order").info
  #expect((info.minZoom, info.maxZoom) == (0, 3))
}

@Test func aPackWithoutMetadataOpens() throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch, "INSERT INTO tiles VALUES (0, 0, 0, \(pictureSQL)); DROP TABLE metadata")
  let map = try source(path)
  #expect(try map.tile(at: .world) == pictureStart)
  #expect(map.info.format == "png" && map.problems.isEmpty)
}

@Test(arguments: [
  ("'7,46,8,47'", "[7.0, 46.0, 8.0, 47.0]"),
  ("'-180,-100,180,100'", "[-180.0, -90.0, 180.0, 90.0]"),
  ("'170,-20,190,-10'", "[170.0, -20.0, -170.0, -10.0]"),
  ("'7,46,nan,47'", "nil"), ("'7,46,inf,47'", "nil"), ("'7,46,8'", "nil"),
  ("'7,48,8,47'", "nil"), ("'1e9,46,8,47'", "nil"), ("x'00'", "nil"), ("''", "nil"),
])
func boundsAreTakenWhereTheyNameAnArea(value: String, bounds: String) throws {
  let scratch = try Scratch()
  let path = try pack(scratch, "INSERT INTO metadata VALUES ('bounds', \(value))")
  let info = try source(path).info
  #expect((info.bounds.map { "\($0.array)" } ?? "nil") == bounds)
}

@Test(
  arguments: [
    ("7.5,46.5,9", GeoPoint(lat: 46.5, lon: 7.5), 9.0),
    ("7.5,46.5", GeoPoint(lat: 46.5, lon: 7.5), nil),
    ("46.5,7.5,9", nil, nil), ("7.5,99,9", nil, nil), ("x,y,z", nil, nil),
  ] as [(String, GeoPoint?, Double?)])
func theCenterIsTakenWhereThePackHasIt(value: String, center: GeoPoint?, zoom: Double?) throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "INSERT INTO metadata VALUES ('bounds', '7,46,8,47'), ('center', '\(value)')")
  let info = try source(path).info
  #expect(info.center == center && info.centerZoom == zoom)
}

@Test func attributionLosesItsHTML() throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "INSERT INTO metadata VALUES ('attribution', "
      + "'&copy; <a href=\"https://x/?a>b\">OpenStreetMap</a>  contributors'), ('name', '<b>Alps</b>')"
  )
  let info = try source(path).info
  #expect(info.attribution == "© OpenStreetMap contributors" && info.title == "Alps")
}

@Test func aTileThatIsNoBlobIsAnErrorOfThatTileAlone() throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "INSERT INTO tiles VALUES (1, 0, 0, NULL), (1, 0, 1, 'text'), (1, 1, 0, 7), "
      + "(1, 1, 1, x''), (2, 0, 0, zeroblob(17000000)), (0, 0, 0, \(pictureSQL))")
  let map = try source(path, scheme: .xyz)
  #expect(
    refusal(map, tile(1, 0, 0)) == "\(path): tile 1/0/0: the tile is there but holds no data: NULL")
  #expect(refusal(map, tile(1, 0, 1)).contains("not a blob"))
  #expect(refusal(map, tile(1, 1, 0)).contains("not a blob"))
  #expect(refusal(map, tile(1, 1, 1)).contains("empty"))
  #expect(refusal(map, tile(2, 0, 0)).contains("17000000 bytes"))
  #expect(try map.tile(at: .world) == pictureStart)
}

@Test func aGzippedPictureIsUnpackedAndAGzippedVectorTileRefused() throws {
  func hex(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
  }
  let vector: [UInt8] = [0x1a, 5, 0x0a, 1, 0x61, 0x78, 2]
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "INSERT INTO tiles VALUES (0, 0, 0, \(hex(gzipStored(pictureStart)))), "
      + "(1, 0, 0, \(hex(gzipStored(vector)))), (1, 1, 0, \(hex(vector)))")
  let map = try source(path, scheme: .xyz)
  #expect(try map.tile(at: .world) == pictureStart)
  #expect(refusal(map, tile(1, 0, 0)).contains("vector tile (MVT)"))
  #expect(refusal(map, tile(1, 1, 0)).contains("vector tile (MVT)"))
  let stored = try #require(map as? any StoredTileSource)
  #expect(try stored.storedTile(at: tile(1, 0, 0))?.format == .mvt)
}

@Test(arguments: [
  ("invalid.mbtiles", "neither of the tables 'tiles' and 'metadata'"),
  ("corrupt.mbtiles", "is damaged: database disk image is malformed"),
])
func whatIsNoReadableMBTilesIsRefused(name: String, reason: String) {
  #expect(refusal(fixture(name)).hasPrefix(fixture(name) + ": "))
  #expect(refusal(fixture(name)).contains(reason))
}

@Test func anotherProgramsTablesAreRefusedWithTheColumnsThatAreMissing() throws {
  let scratch = try Scratch()
  let writer = try Writer(scratch + "a.sqlitedb")
  try writer.run("CREATE TABLE tiles (x int, y int, z int, image blob)")
  writer.close()
  #expect(refusal(scratch + "a.sqlitedb").contains("without the columns zoom_level"))
}

@Test func anEmptyFileIsRefusedAndSoIsOneWhoseWriterWasCutOff() throws {
  let scratch = try Scratch()
  let path = try scratch.write([], to: "incomplete.mbtiles")
  #expect(refusal(path) == "\(path): is empty: 0 bytes. Copy or make the pack again")
  _ = try scratch.write([], to: "incomplete.mbtiles-journal")
  #expect(refusal(path).contains("with a -journal beside it"))
  #expect(try scratch.contents().count == 2)
}

@Test func namesWithSpacesAndSignsOfURLsOpen() throws {
  #expect(try source(fixture("with spaces.mbtiles")).info.kind == "mbtiles")
  let scratch = try Scratch()
  let path = try pack(
    scratch, "INSERT INTO tiles VALUES (0, 0, 0, \(pictureSQL))", name: "a?b=c&%41#é.mbtiles")
  #expect(try source(path).tile(at: .world) == pictureStart)
}

@Test func aViewThatNeverEndsIsEnded() throws {
  let scratch = try Scratch()
  let path = try pack(
    scratch,
    "DROP TABLE tiles; \(thousandRows); CREATE VIEW tiles AS SELECT 0 AS zoom_level, "
      + "a.n AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM t a, t b, t c, t d "
      + "WHERE a.n + b.n + c.n + d.n < 0")
  #expect(refusal(path).contains("a view that takes too long"))
}

@Test func aPackThatStatesItsLevelsIsNotScanned() throws {
  let scratch = try Scratch()
  // To look at all of these rows takes for ever.
  let path = try pack(
    scratch,
    "DROP TABLE tiles; \(thousandRows); CREATE VIEW tiles AS SELECT 3 AS zoom_level, "
      + "a.n AS tile_column, 0 AS tile_row, \(pictureSQL) AS tile_data FROM t a, t b, t c, t d; "
      + "INSERT INTO metadata VALUES ('minzoom', '3'), ('maxzoom', '4')")
  let info = try source(path).info
  #expect((info.minZoom, info.maxZoom, info.format) == (3, 4, "png"))
}
