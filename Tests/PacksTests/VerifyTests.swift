import Foundation
import MapGeometry
import Packs
import TestSupport
import Testing
import TileFormats
import TileSources

/// What verifying finds, and that it finds nothing else.
struct VerifyTests {
  @Test func theChecksumIsTheSameForEveryContainer() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["a.mbtiles"])
    try PackTest.convert([PackTest.osm], to: folder["a.pmtiles"])
    let sums = try [PackTest.osm, folder["a.mbtiles"], folder["a.pmtiles"]].map {
      try #require(try PackTest.verify($0).verification).checksum
    }
    #expect(Set(sums).count == 1)
    let other = try PackTest.verify(PackTest.packs + "/world_l1.mbtiles").verification?.checksum
    #expect(other != sums[0])
  }

  @Test func theChecksumIsWhatItsDefinitionSays() throws {
    let folder = try TemporaryFolder()
    let tile = try PackTest.bytes(of: TestData.fixtures + "/images/osm-3-4-2.png")
    let writer = try PMTilesWriter(target: folder["a.pmtiles"])
    try PackTest.write([(1, tile), (2, tile), (9, tile)], into: writer)
    let digest = hex(sha256Hex(tile))
    func record(_ first: UInt8, _ count: UInt8) -> [UInt8] {
      [0, 0, 0, 0, 0, 0, 0, first, 0, 0, 0, 0, 0, 0, 0, count] + digest
    }
    let found = try PackTest.verify(folder["a.pmtiles"]).verification?.checksum
    #expect(found == "sha256:" + sha256Hex(record(1, 2) + record(9, 1)))
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  @Test func compressionAroundATileDoesNotCount() throws {
    let folder = try TemporaryFolder()
    let tile = try PackTest.bytes(of: TestData.fixtures + "/images/valid-007.mvt")
    try PackTest.write([(0, tile)], into: try PMTilesWriter(target: folder["a.pmtiles"]))
    try PackTest.write(
      [(0, Gzip.compress(tile))], into: try PMTilesWriter(target: folder["b.pmtiles"]))
    let one = try PackTest.verify(folder["a.pmtiles"])
    let other = try PackTest.verify(folder["b.pmtiles"])
    #expect(one.compression == "none" && other.compression == "gzip")
    #expect(one.verification?.checksum == other.verification?.checksum)
    #expect(one.verification?.isGood == true && other.verification?.isGood == true)
  }

  @Test func newPacksAreGood() throws {
    let folder = try TemporaryFolder()
    for name in ["a.mbtiles", "a.pmtiles", "a"] {
      try PackTest.convert([PackTest.osm], to: folder[name])
      let report = try PackTest.verify(folder[name])
      let found = try #require(report.verification)
      #expect(found.isGood, "\(name): \(found.problems)")
      #expect(report.format == "png" && report.tilePixels == 256)
    }
  }

  @Test func aBrokenTileIsNamed() throws {
    let folder = try TemporaryFolder()
    let good = try PackTest.bytes(of: TestData.fixtures + "/images/osm-3-4-2.png")
    let cut = Array(good.prefix(good.count / 2))
    let page = Array("<html>404</html>".utf8)
    try PackTest.write(
      [(1, good), (2, cut), (3, page)], into: try PMTilesWriter(target: folder["a.pmtiles"]))
    let found = try #require(try PackTest.verify(folder["a.pmtiles"]).verification)
    #expect(!found.isGood && found.broken == 2)
    #expect(found.brokenTiles.map { "\($0.tile)" } == ["1/0/1", "1/1/1"])
    #expect(found.brokenTiles[1].reason.contains("HTML"))
  }

  @Test func falseMetadataAreBad() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    try PackTest.convert([PackTest.osm], to: path)
    try Shell.sqlite(path, "UPDATE metadata SET value='9' WHERE name='maxzoom'")
    try Shell.sqlite(path, "UPDATE metadata SET value='jpg' WHERE name='format'")
    let found = try #require(try PackTest.verify(path).verification)
    let kinds = found.problems.kinds.map(\.what)
    #expect(kinds == ["the metadata's last zoom is wrong", "the metadata's format is wrong"])
    #expect(found.warnings.kinds.contains { $0.what.contains("are not there") })
  }

  @Test func aDamagedDatabaseIsBad() throws {
    let path = PackTest.packs + "/corrupt.mbtiles"
    var isBad = false
    do {
      isBad = try PackTest.verify(path).verification?.isGood == false
    } catch let error as PackError {
      isBad = error.reason.contains("damaged")
    }
    #expect(isBad)
  }

  @Test func rowsOutsideOfTheMapAreReported() throws {
    let found = try PackTest.verify(PackTest.packs + "/invalid-tile-idx.mbtiles").verification
    let problem = found?.problems.kinds.first { $0.what.contains("outside the map") }
    #expect(problem?.examples == ["zoom_level=6 tile_column=10 tile_row=64"])
  }

  @Test func missingTilesAreCountedWithinBoundsAndZooms() throws {
    let bounds = GeoBounds(west: -180, south: -85.06, east: 180, north: 85.06)
    var holes = CoverageHoles(bounds: bounds, zooms: 1...3)
    // Level 1 whole, level 2 without its first tile, level 3 without all.
    holes.add(first: 1, count: 4)
    holes.add(first: 6, count: 15)
    holes.finish()
    #expect(holes.levels.map(\.missing) == [0, 1, 64])
    #expect(holes.levels.map(\.expected) == [4, 16, 64])
    #expect(holes.levels[1].examples.map { "\($0)" } == ["2/0/0"])
    #expect(holes.levels[2].examples.count == 5)
  }

  @Test func anAreaAcrossTheDatelineHasItsTilesOnBothSides() throws {
    let bounds = GeoBounds(west: 170, south: -10, east: -170, north: 10)
    var holes = CoverageHoles(bounds: bounds, zooms: 0...4)
    holes.finish()
    // 22.5 degrees a tile on level 4: one on each side, in two rows.
    #expect(holes.levels.map(\.expected) == [1, 4, 4, 4, 4])
  }

  @Test func edgesOnTilesDoNotTouchTheNextOnes() throws {
    let tile = try #require(TileID(z: 12, x: 2000, y: 1500))
    var holes = CoverageHoles(bounds: GeoBounds(tile), zooms: 12...13)
    holes.finish()
    #expect(holes.levels.map(\.expected) == [1, 4])
  }
}
