import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

private let isThere = ConditionTrait.enabled(
  if: TestData.large != nil, "skipped: large data set not at hand")

/// Extracts of real archives have exactly the tiles that a reader of the whole archive selects.
@Suite(isThere) struct ExtractDataTests {
  private static let archives = [
    "pmtiles/protomaps/stamen_toner(raster)CC-BY+ODbL_z3.pmtiles",
    "pmtiles/protomaps/usgs-mt-whitney-8-15-webp-512.pmtiles",
    "pmtiles/go-pmtiles/unclustered.pmtiles", "pmtiles/gdal/ne_10m_admin_0_france.pmtiles",
    "variants/osm-z3-4-jpeg.pmtiles", "vector/packs/monaco-shortbread.pmtiles",
    "vector/packs/perth-protomaps-v4-z0-15.pmtiles",
    "vector/packs/planet-openmaptiles-z0-1.pmtiles",
    "mbtiles/pyramids/osm-node-density-2013-z0-5.mbtiles",
    "mbtiles/node-mbtiles/plain_3.mbtiles", "vector/natural-earth-z0-4.mbtiles",
    "raster-dirs/osm-standard-z3-5",
  ]

  /// Regions that the archives have parts of.
  private static func regions(_ folder: TemporaryFolder) throws -> [(name: String, Region)] {
    var box = Region()
    box.add(GeoBounds(west: 2, south: 43.5, east: 12, north: 50))
    box.add(GeoBounds(west: -118.3, south: 36.56, east: -118.28, north: 36.58))
    var dateline = Region()
    dateline.add(GeoBounds(west: 115, south: -50, east: -110, north: 40))
    var circles = Region()
    circles.add(center: GeoPoint(lat: 89, lon: 0), radius: 900_000)
    circles.add(center: GeoPoint(lat: 43.73, lon: 7.42), radius: 900)
    circles.add(center: GeoPoint(lat: -31.95, lon: 115.86), radius: 3000)
    let json = """
      {"type":"Polygon","coordinates":[[[-170,-60],[150,-60],[150,75],[-170,75],[-170,-60]],
      [[-100,-35],[100,-35],[100,60],[-100,60],[-100,-35]]]}
      """
    var polygon = Region()
    _ = try polygon.addPolygons(file: try folder.write(json, to: "area.geojson"))
    let track = #"{"type":"LineString","coordinates":[[-118.3,36.57],[7.4,43.7],[115.9,-32]]}"#
    var route = Region()
    _ = try route.addRoutes(file: try folder.write(track, to: "a.geojson"), width: 20_000)
    return [
      ("box", box), ("dateline", dateline), ("circles", circles), ("polygon", polygon),
      ("route", route),
    ]
  }

  @Test(arguments: archives) func extractsHaveWhatABruteForceReaderSelects(
    _ path: String
  ) throws {
    let folder = try TemporaryFolder()
    let input = try #require(TestData.large) + "/" + path
    let whole = try PackTest.tiles(of: input)
    var made = 0
    for (name, region) in try ExtractDataTests.regions(folder) {
      // One at a time, by the tile alone.
      let selector = try region.tiles(zooms: 0...12)
      let wanted = whole.filter { selector.contains($0.key) }
      let output = folder[name + ".pmtiles"]
      let work = try PackExtraction(
        input: input, output: output, selection: ExtractSelection(region: region, zooms: 0...12),
        mayReplace: false)
      if wanted.isEmpty {
        #expect(throws: PackError.self) { try work.run { _ in true } }
        continue
      }
      let result = try work.run { _ in true }
      let found = try PackTest.tiles(of: output)
      #expect(found == wanted, "\(name)")
      #expect(result.tiles == UInt64(wanted.count), "\(name)")
      made += 1
    }
    #expect(made > 0)
  }

  @Test func fourThousandMillionTilesOfTwoEntries() throws {
    let folder = try TemporaryFolder()
    let input = try #require(TestData.large) + "/pmtiles/gdal/run_length_max.pmtiles"
    let work = try PackExtraction(
      input: input, output: folder["a.pmtiles"], selection: ExtractSelection(region: nil),
      mayReplace: false)
    #expect(try work.preview().tiles == 1 << 32)
    #expect(try work.run { _ in true }.tiles == 1 << 32)
    let whole = try SourceSpec(name: "b", location: .path(input)).open()
    let source = try SourceSpec(name: "a", location: .path(folder["a.pmtiles"])).open()
    for (x, y) in [(0, 0), (65535, 0), (0, 65535), (65535, 65535), (40000, 123)] {
      let tile = try #require(TileID(z: 16, x: x, y: y))
      let wanted = try whole.tile(at: tile)
      let found = try source.tile(at: tile)
      #expect(wanted != nil && found == wanted)
    }
  }
}
