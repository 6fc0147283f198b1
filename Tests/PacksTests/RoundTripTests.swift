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

  @Test(.enabled(if: TestData.large != nil, "the large data set is not there"))
  func everyLargeSetGoesRound() throws {
    let data = try #require(TestData.large)
    var sources = try PackTest.large("mbtiles/pyramids", [".mbtiles"])
    sources += try PackTest.large("variants", [".mbtiles", ".pmtiles"])
    sources += try PackTest.large("pmtiles/protomaps", ["webp-512.pmtiles", "_z3.pmtiles"])
    sources += try PackTest.large("vector", ["z0-4.mbtiles"])
    sources += try PackTest.large("vector/packs", [".mbtiles", ".pmtiles"])
    sources += try PackTest.large("mbtiles/node-mbtiles", ["plain_3.mbtiles", "unindexed.mbtiles"])
    for name in [
      "raster-dirs/osm-standard-z3-5", "raster-dirs/bluemarble-labeled-z0-3-jpeg",
      "raster-dirs/partial-regional-z0-5-rgba", "vector/maplibre-demotiles-sparse-dir",
    ] where FileManager.default.fileExists(atPath: data + "/" + name) {
      sources.append(data + "/" + name)
    }
    #expect(sources.count > 10)
    for source in sources {
      do { try goRound(source) } catch { Issue.record("\(source): \(error)") }
    }
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
