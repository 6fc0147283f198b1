import Drawing
import MapGeometry
import MapStyle
import Testing
import TileLoading
import VectorTiles

@testable import VectorPainting

/// Tiles and styles that ask for too much.
@Suite struct HostileTests {
  @Test func pointsFarAwayStayOnTheirSide() throws {
    let part = try #require(VectorTilePart(levels: 12, column: 4095, row: 0))
    for extent in [1, 2, 4096, 1 << 24] {
      let projection = TileProjection(extent: extent, edge: 256, part: part)
      var last = -Float.infinity
      for x in [Int32.min, -(1 << 25), -4096, 0, 1, 4096, 1 << 20, 1 << 25, Int32.max] {
        let place = projection.point(VectorPoint(x: x, y: x))
        #expect(place.x >= last && place.x.isFinite, "extent \(extent), \(x)")
        last = place.x
      }
      #expect(projection.point(VectorPoint(x: 0, y: 0)).x < 0)
      #expect(projection.point(VectorPoint(x: .max, y: 0)).x >= 0)
    }
  }

  private func tile(_ count: Int) -> [UInt8] {
    var layer = TileWriter.Layer("l")
    for index in 0..<count {
      layer.add(
        .line, [[0, index, 4096, index]],
        [("n", .whole(UInt64(index))), ("a", .whole(UInt64(index)))])
    }
    return layer.bytes
  }

  private func layers(_ count: Int, _ paint: String) -> String {
    (0..<count).map {
      "{\"id\":\"\($0)\",\"type\":\"line\",\"source-layer\":\"l\",\"paint\":{\(paint)}}"
    }.joined(separator: ",")
  }

  private func reason(_ outcome: PaintOutcome) -> String? {
    if case .failed(let reason) = outcome { reason } else { nil }
  }

  @Test func aStyleWithTooManyLooksFails() throws {
    let wide = "\"line-width\":[\"get\",\"n\"]"
    let bytes = tile(700)
    #expect(try Painting(bytes, layers: layers(2, wide)).outcome == .painted(.argb8888))
    let failed = try Painting(bytes, layers: layers(100, wide))
    let said = reason(failed.outcome) ?? ""
    #expect(said.contains("layer \"l\"") && said.contains("too much"))
  }

  @Test func looksAreCountedAsMemory() throws {
    let tile = try tile(500).withUnsafeBytes { try VectorTile($0) }
    func bytes(_ paint: String) throws -> Int {
      let style = try MapStyle(
        json: Array("{\"version\":8,\"sources\":{},\"layers\":[\(layers(1, paint))]}".utf8))
      let key = PreparedTile.Key(zoom: 0, pixelsPerPoint: 1, hasLabels: false)
      let prepared = try PreparedTile.prepare(
        tile, CompiledStyle(style), key, NoVectorImages(), VectorGeometry(),
        isCancelled: { false })
      return prepared?.memoryBytes ?? 0
    }
    let plain = try bytes("\"line-width\":2")
    let many = try bytes("\"line-width\":[\"get\",\"n\"]")
    #expect(many - plain >= 490 * MemoryLayout<LineLook>.stride)
  }
}
