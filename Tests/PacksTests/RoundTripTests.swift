import Foundation
import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// Tiles keep their bytes on every way from one kind of pack to another.
struct RoundTripTests {
  /// Folder → MBTiles → PMTiles → folder, for what `source` holds.
  private func goRound(_ source: String) throws {
    let folder = try TemporaryFolder()
    let tiles = try PackTest.tiles(of: source)
    let first = try PackTest.convert([source], to: folder["a/"])
    try PackTest.convert([folder["a"]], to: folder["b.mbtiles"])
    try PackTest.convert([folder["b.mbtiles"]], to: folder["c.pmtiles"])
    try PackTest.convert([folder["c.pmtiles"]], to: folder["d/"])
    #expect(first.totals.addressed == UInt64(tiles.count))
    #expect(try PackTest.folderTiles(of: folder["a"]) == tiles)
    #expect(try PackTest.tiles(of: folder["b.mbtiles"]) == tiles)
    #expect(try PackTest.tiles(of: folder["c.pmtiles"]) == tiles)
    let last = try PackTest.folderTiles(of: folder["d"])
    #expect(last == tiles)
  }

  @Test(arguments: [
    "byte.mbtiles", "byte_png.pmtiles", "byte_webp.pmtiles", "point_polygon.mbtiles",
    "poly.pmtiles", "sparse-folder", "test_fixture_1.pmtiles", "unclustered.pmtiles",
    "world_l1.mbtiles",
  ])
  func aFixtureGoesRound(_ name: String) throws { try goRound(PackTest.packs + "/" + name) }

  @Test func aFolderGoesRound() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["b.mbtiles"])
    try PackTest.convert([folder["b.mbtiles"]], to: folder["c.pmtiles"])
    try PackTest.convert([folder["c.pmtiles"]], to: folder["d"])
    let before = try PackTest.folderTiles(of: PackTest.osm)
    let after = try PackTest.folderTiles(of: folder["d"])
    #expect(before == after && !before.isEmpty)
  }

  @Test(
    .enabled(if: TestData.large != nil, "skipped: large data set not at hand"),
    arguments: (try? PackTest.largeSets()) ?? [])
  func aRealSetGoesRound(_ source: String) throws { try goRound(source) }

  @Test(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
  func thereAreSetsOfEveryKind() throws {
    let sets = try PackTest.largeSets()
    for ending in [".mbtiles", ".pmtiles"] {
      #expect(sets.filter { $0.hasSuffix(ending) }.count >= 10, "\(ending)")
    }
    #expect(sets.filter { $0.contains("/raster-dirs/") }.count >= 5)
    #expect(sets.filter { $0.contains("/vector/") }.count >= 8)
  }

  @Test func metadataGoAlong() throws {
    let folder = try TemporaryFolder()
    let writer = try MBTilesWriter(target: folder["a.mbtiles"])
    var description = PackDescription()
    description["name"] = .text("Valley")
    description["attribution"] = .text("<a href=\"x\">© Somebody</a>")
    description["vector_layers"] = .json("[{\"id\":\"water\",\"fields\":{\"kind\":\"String\"}}]")
    description["level"] = .json("3")
    description.bounds = GeoBounds(west: -1, south: -2, east: 3, north: 4)
    let tile = try PackTest.bytes(of: TestData.fixtures + "/images/valid-007.mvt")
    try PackTest.write([(0, Gzip.compress(tile))], into: writer, description)
    try PackTest.convert([folder["a.mbtiles"]], to: folder["b.pmtiles"])
    try PackTest.convert([folder["b.pmtiles"]], to: folder["c"])
    try PackTest.convert([folder["c"]], to: folder["d.mbtiles"])
    for name in ["a.mbtiles", "b.pmtiles", "d.mbtiles"] {
      let found = try PackReaders.open(folder[name]).description
      for (key, value) in description.values { #expect(found[key] == value, "\(name) \(key)") }
      #expect(found.bounds == description.bounds, "\(name)")
    }
    let header = try PMTilesReader(path: folder["b.pmtiles"]).header
    #expect(header.tileType == 1 && header.tileCompression == .gzip)
  }

  @Test func aRunOfFourBillionTilesStaysOneEntry() throws {
    let folder = try TemporaryFolder()
    let source = PackTest.packs + "/run_length_max.pmtiles"
    let result = try PackTest.convert([source], to: folder["a.pmtiles"])
    #expect(result.totals.addressed == 1 << 32 && result.totals.contents == 1)
    let before = try PackTest.verify(source).verification?.checksum
    let after = try PackTest.verify(folder["a.pmtiles"]).verification?.checksum
    #expect(before == after)
    // Containers with a row or a file for each tile say what would be right.
    for name in ["b.mbtiles", "c"] {
      let error = packError {
        try PackTest.convert([source], to: folder[name])
      }
      #expect(error?.reason.contains("do not fit on its medium") == true)
    }
    let names = try PackTest.names(in: folder.path)
    #expect(names == ["a.pmtiles"])
  }
}
