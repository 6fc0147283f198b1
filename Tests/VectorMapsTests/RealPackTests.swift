import MapGeometry
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import VectorMaps

private let packs = TestData.large.map { $0 + "/vector/packs/" }

@Suite struct RealPackTests {
  @Test(
    .enabled(if: packs != nil, "skipped: large data set not at hand"),
    arguments: [
      (
        "perth-protomaps-v4-z0-15.pmtiles", VectorSchema.protomaps,
        GeoPoint(lat: -31.95, lon: 115.83)
      ),
      ("monaco-openmaptiles.mbtiles", .openMapTiles, GeoPoint(lat: 43.737, lon: 7.427)),
      ("monaco-shortbread.pmtiles", .shortbread, GeoPoint(lat: 43.737, lon: 7.427)),
      ("sf-downtown-shortbread.pmtiles", .shortbread, GeoPoint(lat: 37.784, lon: -122.4)),
    ])
  func aRealPackIsPaintedByDayAndNight(name: String, schema: VectorSchema, place: GeoPoint) throws {
    let path = try #require(packs) + name
    let source = try VectorMap.open(SourceSpec(name: "map", location: .path(path)))
    #expect(source.info.drawing?.schema == schema)
    let painter = try #require((source as? any DrawnSource)?.painter)
    let tile = WebMercator.tile(at: place, level: 14)
    guard case .payload(let payload) = try source.read(tile) else {
      Issue.record("there is no tile")
      return
    }
    let edge = 256
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: edge * edge * 4, alignment: 16)
    defer { room.deallocate() }
    let base = try #require(room.baseAddress)
    var pictures: [Set<UInt32>] = []
    for isNight in [false, true] {
      var target = PaintTarget(
        pixels: base, rowBytes: edge * 4, edge: edge, room: room.count, tools: PaintTools())
      target.isNight = isNight
      let outcome = painter.paint(payload, tile, into: &target)
      #expect(outcome == .painted(.xrgb8888))
      pictures.append(Set(room.bindMemory(to: UInt32.self)))
    }
    #expect(pictures[0].count > 8 && pictures[1].count > 8)
    #expect(pictures[0] != pictures[1])
  }
}
