import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

private let large = TestData.large ?? ""
private let isThere = ConditionTrait.enabled(
  if: TestData.large != nil, "skipped: large data set not at hand")

/// What a pack of the data set must say of itself.
private struct Pack: Sendable, CustomStringConvertible {
  var path: String
  var kind: String
  var format: String?
  var minZoom: Int
  var maxZoom: Int
  /// Tiles per level, from the first that has some.
  var counts: [Int] = []
  var title: String?
  var description: String { path }
}

private let packs: [Pack] = [
  Pack(
    path: "mbtiles/gdal/byte.mbtiles", kind: "mbtiles", format: "png", minZoom: 11, maxZoom: 11,
    title: "byte"),
  Pack(
    path: "mbtiles/gdal/point_polygon.mbtiles", kind: "mbtiles", format: "mvt", minZoom: 0,
    maxZoom: 1, counts: [1, 4]),
  Pack(
    path: "mbtiles/gdal/world_l1.mbtiles", kind: "mbtiles", format: "jpeg", minZoom: 0, maxZoom: 1,
    counts: [1, 4], title: ""),
  Pack(
    path: "mbtiles/martin/bad_hash.mbtiles", kind: "mbtiles", format: "mvt", minZoom: 0, maxZoom: 6),
  Pack(
    path: "mbtiles/martin/invalid-tile-idx.mbtiles", kind: "mbtiles", format: "mvt", minZoom: 0,
    maxZoom: 6, counts: [0, 0, 0, 0, 0, 0, 0]),
  Pack(
    path: "mbtiles/martin/json.mbtiles", kind: "mbtiles", format: nil, minZoom: 0, maxZoom: 0,
    counts: [1]),
  Pack(
    path: "mbtiles/martin/normalized-dedup-id.mbtiles", kind: "mbtiles", format: "jpeg", minZoom: 0,
    maxZoom: 1, counts: [1, 4]),
  Pack(
    path: "mbtiles/martin/webp-no-primary.mbtiles", kind: "mbtiles", format: "webp", minZoom: 0,
    maxZoom: 0, counts: [1], title: "ne2sr"),
  Pack(
    path: "mbtiles/martin/world_cities_modified.mbtiles", kind: "mbtiles", format: "mvt",
    minZoom: 0, maxZoom: 6, counts: [0, 1, 2, 1, 2, 1, 1]),
  Pack(
    path: "mbtiles/mbtiles4j/globe.mbtiles", kind: "mbtiles", format: "png", minZoom: 0, maxZoom: 2,
    counts: [1, 4, 16], title: "Offline"),
  Pack(
    path: "mbtiles/mbtileserver/geography-class-jpg.mbtiles", kind: "mbtiles", format: "jpeg",
    minZoom: 0, maxZoom: 1, counts: [1, 4], title: "Geography Class"),
  Pack(
    path: "mbtiles/mbtileserver/geography-class-png.mbtiles", kind: "mbtiles", format: "png",
    minZoom: 0, maxZoom: 1, counts: [1, 4], title: "Geography Class"),
  Pack(
    path: "mbtiles/mbtileserver/invalid-tile-format.mbtiles", kind: "mbtiles", format: nil,
    minZoom: 0, maxZoom: 1, counts: [1, 1]),
  Pack(
    path: "mbtiles/mbtileserver/world_cities.mbtiles", kind: "mbtiles", format: "mvt", minZoom: 0,
    maxZoom: 6, counts: [1, 4, 7, 17, 38, 57, 72]),
  Pack(
    path: "mbtiles/mbutil/one_tile.mbtiles", kind: "mbtiles", format: "png", minZoom: 0, maxZoom: 1,
    counts: [1, 1]),
  Pack(
    path: "mbtiles/node-mbtiles/corrupt_null_tile.mbtiles", kind: "mbtiles", format: "png",
    minZoom: 0, maxZoom: 4, counts: [1, 4, 16, 56, 208]),
  Pack(
    path: "mbtiles/node-mbtiles/plain_1.mbtiles", kind: "mbtiles", format: "png", minZoom: 0,
    maxZoom: 4, counts: [1, 4, 16, 56, 208], title: "plain_1"),
  Pack(
    path: "mbtiles/node-mbtiles/plain_3.mbtiles", kind: "mbtiles", format: "png", minZoom: 4,
    maxZoom: 8, counts: [12, 42, 143, 504, 1920], title: "plain_3"),
  Pack(
    path: "mbtiles/node-mbtiles/plain_4.mbtiles", kind: "mbtiles", format: "png", minZoom: 0,
    maxZoom: 4, counts: [1, 4, 16, 56, 192], title: "plain_2"),
  Pack(
    path: "mbtiles/node-mbtiles/unindexed.mbtiles", kind: "mbtiles", format: "png", minZoom: 0,
    maxZoom: 4, counts: [1, 4, 16, 56, 208]),
  Pack(
    path: "mbtiles/node-mbtiles/with spaces.mbtiles", kind: "mbtiles", format: nil, minZoom: 0,
    maxZoom: 0, counts: [0]),
  Pack(
    path: "mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles", kind: "mbtiles", format: "jpeg",
    minZoom: 0, maxZoom: 5, counts: [1, 4, 16, 64, 256, 1024]),
  Pack(
    path: "mbtiles/pyramids/osm-node-density-2013-z0-5.mbtiles", kind: "mbtiles", format: "png",
    minZoom: 0, maxZoom: 5, counts: [1, 4, 16, 64, 256, 1024]),
  Pack(
    path: "mbtiles/tilelive/empty.mbtiles", kind: "mbtiles", format: nil, minZoom: 1, maxZoom: 1,
    counts: [0]),
  Pack(
    path: "mbtiles/tilelive/faulty.mbtiles", kind: "mbtiles", format: nil, minZoom: 0, maxZoom: 0,
    counts: [0]),
  Pack(
    path: "pmtiles/gdal/byte_png.pmtiles", kind: "pmtiles", format: "png", minZoom: 9, maxZoom: 11,
    counts: [1, 1, 1]),
  Pack(
    path: "pmtiles/gdal/byte_webp.pmtiles", kind: "pmtiles", format: "webp", minZoom: 11,
    maxZoom: 11, counts: [1]),
  Pack(
    path: "pmtiles/gdal/ne_10m_admin_0_france.pmtiles", kind: "pmtiles", format: "mvt", minZoom: 3,
    maxZoom: 5, counts: [2, 2, 4]),
  Pack(
    path: "pmtiles/gdal/poly.pmtiles", kind: "pmtiles", format: "mvt", minZoom: 0, maxZoom: 5,
    counts: [1, 0, 1, 1, 1, 1]),
  Pack(
    path: "pmtiles/gdal/run_length_max.pmtiles", kind: "pmtiles", format: "mvt", minZoom: 16,
    maxZoom: 16),
  Pack(
    path: "pmtiles/go-pmtiles/unclustered.pmtiles", kind: "pmtiles", format: "png", minZoom: 1,
    maxZoom: 1, counts: [2]),
  Pack(
    path: "pmtiles/protomaps/stamen_toner(raster)CC-BY+ODbL_z3.pmtiles", kind: "pmtiles",
    format: "png", minZoom: 0, maxZoom: 3, counts: [1, 4, 16, 64]),
  Pack(
    path: "pmtiles/protomaps/test_fixture_1.pmtiles", kind: "pmtiles", format: "mvt", minZoom: 0,
    maxZoom: 0, counts: [1]),
  Pack(
    path: "pmtiles/protomaps/test_fixture_2.pmtiles", kind: "pmtiles", format: "mvt", minZoom: 0,
    maxZoom: 0, counts: [1]),
  Pack(
    path: "pmtiles/protomaps/usgs-mt-whitney-8-15-webp-512.pmtiles", kind: "pmtiles",
    format: "webp", minZoom: 8, maxZoom: 15, counts: [1, 1, 1, 2, 2]),
  Pack(
    path: "variants/osm-z3-4-jpeg.pmtiles", kind: "pmtiles", format: "jpeg", minZoom: 3, maxZoom: 4,
    counts: [64, 256]),
  Pack(
    path: "variants/osm-z3-4-palette.pmtiles", kind: "pmtiles", format: "png", minZoom: 3,
    maxZoom: 4, counts: [64, 256]),
  Pack(
    path: "variants/osm-z3-4-webp.mbtiles", kind: "mbtiles", format: "webp", minZoom: 3, maxZoom: 4,
    counts: [64, 256]),
  Pack(
    path: "variants/osm-z3-rgbpng.pmtiles", kind: "pmtiles", format: "png", minZoom: 3, maxZoom: 3,
    counts: [64]),
  Pack(
    path: "vector/natural-earth-z0-4.mbtiles", kind: "mbtiles", format: "mvt", minZoom: 0,
    maxZoom: 4, counts: [1, 4, 16, 64, 256]),
  Pack(
    path: "raster-dirs/bluemarble-labeled-z0-3-jpeg", kind: "directory", format: "jpeg", minZoom: 0,
    maxZoom: 3, counts: [1, 4, 16, 64]),
  Pack(
    path: "raster-dirs/git-lfs-pointers-instead-of-png", kind: "directory", format: nil, minZoom: 5,
    maxZoom: 5, counts: [10]),
  Pack(
    path: "raster-dirs/natural-earth-z0-1-with-stray-rows", kind: "directory", format: "png",
    minZoom: 0, maxZoom: 1, counts: [1, 4]),
  Pack(
    path: "raster-dirs/osm-standard-z3-5", kind: "directory", format: "png", minZoom: 3, maxZoom: 5,
    counts: [64, 256, 1000]),
  Pack(
    path: "raster-dirs/osmdroid-fr-mapnik-z0-2-sparse", kind: "directory", format: "png",
    minZoom: 0, maxZoom: 2, counts: [1, 2, 2]),
  Pack(
    path: "raster-dirs/osmdroid-mapnik-z0-1", kind: "directory", format: "png", minZoom: 0,
    maxZoom: 1, counts: [1, 4]),
  Pack(
    path: "raster-dirs/partial-regional-z0-5-rgba", kind: "directory", format: "png", minZoom: 0,
    maxZoom: 5, counts: [1, 2, 2, 4, 6, 15]),
  Pack(
    path: "variants/osm-z3-2x", kind: "directory", format: "png", minZoom: 3, maxZoom: 3,
    counts: [64]),
]

private let refused: [(String, String)] = [
  ("mbtiles/mbtiles-go/incomplete.mbtiles", "with a -journal beside it"),
  ("mbtiles/mbtileserver/invalid.mbtiles", "neither of the tables 'tiles' and 'metadata'"),
  ("mbtiles/node-mbtiles/corrupt.mbtiles", "database disk image is malformed"),
  ("pmtiles/protomaps/empty.pmtiles", "is empty"),
  ("pmtiles/protomaps/invalid.pmtiles", "does not begin like a PMTiles archive"),
  ("pmtiles/protomaps/invalid_v4.pmtiles", "version 4"),
  ("raster-archives-other-formats/fr_mapnik_12.gemf", "GEMF"),
  ("raster-archives-other-formats/fr_mapnik_12.zip", "ZIP"),
]

@Test(isThere, arguments: packs)
private func everyPackOfTheDataSetGivesItsTruth(pack: Pack) throws {
  let map = try source(large + "/" + pack.path)
  let info = map.info
  #expect((info.kind, info.format) == (pack.kind, pack.format))
  #expect((info.minZoom, info.maxZoom) == (pack.minZoom, pack.maxZoom))
  #expect(map.problems.isEmpty)
  if let title = pack.title { #expect(info.title == title) }
  // Deeper than level 12 the samples below have to do.
  for (index, count) in pack.counts.enumerated() {
    let z = pack.minZoom + index
    #expect(try held(map, level: z).count == count, "level \(z)")
  }
}

/// The tiles of level `z` that `map` holds; at deep levels, where its bounds say.
private func held(_ map: any TileSource, level z: Int) throws -> [TileID] {
  var columns = 0..<(1 << z)
  var rows = columns
  if z > 8, let box = map.info.bounds {
    let first = WebMercator.tile(at: GeoPoint(lat: box.north, lon: box.west), level: z)
    let last = WebMercator.tile(at: GeoPoint(lat: box.south, lon: box.east), level: z)
    columns = max(first.x - 2, 0)..<min(last.x + 3, 1 << z)
    rows = max(first.y - 2, 0)..<min(last.y + 3, 1 << z)
  }
  var ids: [TileID] = []
  for x in columns {
    for y in rows where try map.contains(tile(z, x, y)) { ids.append(tile(z, x, y)) }
  }
  return ids
}

@Test(isThere, arguments: refused)
func whatIsNoMapInTheDataSetIsRefused(path: String, reason: String) {
  #expect(refusal(large + "/" + path).hasPrefix(large + "/" + path + ": "))
  #expect(refusal(large + "/" + path).contains(reason))
}

@Test(isThere)
func noPackOfTheDataSetIsLeftOut() throws {
  let known = Set(packs.map(\.path) + refused.map(\.0))
  for folder in ["mbtiles", "pmtiles", "variants", "raster-archives-other-formats"] {
    for name in try FileManager.default.subpathsOfDirectory(atPath: "\(large)/\(folder)") {
      guard [".mbtiles", ".pmtiles", ".zip", ".gemf"].contains(where: name.hasSuffix) else {
        continue
      }
      #expect(known.contains("\(folder)/\(name)"))
    }
  }
  for name in try FileManager.default.contentsOfDirectory(atPath: "\(large)/raster-dirs") {
    #expect(known.contains("raster-dirs/\(name)"))
  }
}

/// The rows of a table of facts, without its head.
private func facts(_ name: String) throws -> [[String]] {
  try String(contentsOfFile: "\(large)/facts/\(name)", encoding: .utf8).split(separator: "\n")
    .dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}

@Test(isThere)
func everySampleTileHasItsSum() throws {
  var checked = 0
  var impossible = 0
  var sources: [String: any TileSource] = [:]
  let known = Set(packs.map(\.path))
  for row in try facts("tile-samples.tsv") where known.contains(row[0]) {
    let map = try sources[row[0]] ?? source(large + "/" + row[0])
    sources[row[0]] = map
    let stored = try #require(map as? any StoredTileSource)
    guard let z = Int(row[1]), let x = Int(row[2]), let y = Int(row[3]),
      let id = TileID(z: z, x: x, y: y)
    else {
      impossible += 1
      continue
    }
    let bytes = try #require(try stored.storedTile(at: id)?.bytes, "\(row)")
    #expect(bytes.count == Int(row[4]) && sha256Hex(bytes) == row[5], "\(row)")
    checked += 1
  }
  // Two stray rows of a folder and the tile whose row lies off the map.
  #expect(impossible == 3)
  #expect(checked > 200)
}

@Test(isThere)
func theImagesThatNodeMBTilesExpectsAreWhatIsRead() throws {
  for name in ["plain_1", "unindexed"] {
    let map = try source("\(large)/mbtiles/node-mbtiles/\(name).mbtiles")
    var checked = 0
    for row in try facts("node-mbtiles-plain_1-expected.tsv") {
      let id = tile(try #require(Int(row[0])), try #require(Int(row[1])), try #require(Int(row[2])))
      #expect(sha256Hex(try map.tile(at: id) ?? []) == row[4], "\(row)")
      checked += 1
    }
    #expect(checked == 285)
    // What its own tests call "Tile does not exist", as far as such an address can be named.
    for id in [tile(4, 0, 15), tile(18, 2, 262140)] { #expect(try map.tile(at: id) == nil) }
    for (z, x, y) in [(0, 1, 0), (-1, 0, 0), (0, 0, 1), (3, 1, -1), (2, -3, 3)] {
      #expect(TileID(z: z, x: x, y: y) == nil)
    }
  }
}

@Test(isThere)
func aNullTileIsATileErrorAndTheOthersAreThere() throws {
  let map = try source("\(large)/mbtiles/node-mbtiles/corrupt_null_tile.mbtiles")
  var (good, bad): (Int, [TileID]) = (0, [])
  for z in 0...4 {
    for id in try held(map, level: z) {
      do throws(TileError) {
        if try map.tile(at: id) != nil { good += 1 }
      } catch {
        bad.append(id)
      }
    }
  }
  #expect(good == 284 && bad == [tile(1, 0, 1)])
}

@Test(isThere)
func rowsOfTheTileMillSampleAreTurnedAround() throws {
  let map = try source("\(large)/mbtiles/mbtileserver/geography-class-png.mbtiles")
  #expect(try map.tile(at: .world)?.count == 21_246)
  #expect(try map.tile(at: tile(1, 0, 1))?.count == 13_843)
  #expect(try map.tile(at: tile(1, 0, 0))?.count == 21_130)
  #expect(try map.tile(at: tile(10, 0, 0)) == nil)
}

@Test(isThere, arguments: ["0_0_0", "2_2_2", "3_4_5"])
func theStamenTilesAreThoseOfAnotherReader(name: String) throws {
  let map = try source("\(large)/pmtiles/protomaps/stamen_toner(raster)CC-BY+ODbL_z3.pmtiles")
  let parts = name.split(separator: "_").compactMap { Int($0) }
  let expected = try bytes(of: "\(large)/pmtiles/stamen-expected-tiles/\(name).png")
  #expect(try map.tile(at: tile(parts[0], parts[1], parts[2])) == expected)
}

@Test(isThere)
func theFolderAndTheArchiveOfTheSameTilesAreOneMap() throws {
  let folder = try source("\(large)/raster-dirs/osm-standard-z3-5")
  let archive = try source("\(large)/variants/osm-z3-4-palette.pmtiles")
  var same = 0
  for z in 3...4 {
    for id in try held(archive, level: z) where try folder.tile(at: id) == archive.tile(at: id) {
      same += 1
    }
  }
  #expect(same == 320)
  // The 24 holes of level 5 are holes.
  let holes = (16...31).map { tile(5, 9, $0) } + (0...7).map { tile(5, 10, $0) }
  for hole in holes { #expect(try folder.tile(at: hole) == nil) }
  #expect(try folder.nearestAncestor(of: holes[0]) == tile(4, 4, 8))
}

@Test(
  isThere,
  arguments: [
    "pmtiles/protomaps/usgs-mt-whitney-8-15-webp-512.pmtiles", "variants/osm-z3-2x",
  ])
func tilesOf512PixelsSayThatTheyAre(path: String) throws {
  #expect(try source("\(large)/\(path)").info.tilePixels == 512)
}

@Test(isThere)
func theWholeDataSetIsOnlyRead() throws {
  // What lies beside the packs afterwards is what lay there before: no -wal, no -shm, no -journal.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(large)/mbtiles").sorted()
  }
  let before = try names()
  for pack in packs where pack.kind == "mbtiles" {
    let path = large + "/" + pack.path
    let sum = sha256Hex(try bytes(of: path).suffix(200_000).map { $0 })
    let map = try source(path)
    for z in 0...2 { _ = try held(map, level: z) }
    #expect(sha256Hex(try bytes(of: path).suffix(200_000).map { $0 }) == sum)
  }
  #expect(try names() == before)
}

@Test(isThere)
func everyVectorPackOfTheDataSetIsReadAndToldAsSuch() throws {
  let folder = large + "/vector/packs"
  let names = try FileManager.default.contentsOfDirectory(atPath: folder)
  #expect(!names.isEmpty)
  for name in names {
    let pack = try SourceSpec(name: name, location: .path("\(folder)/\(name)")).open()
    #expect(pack.info.format == "mvt", "\(name)")
  }
}
