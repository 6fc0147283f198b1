import Testing

@testable import VectorPainting
@testable import VectorTiles

/// Where the names of areas stand.
@Suite struct AreaCenterTests {
  /// The rings of a feature, each as x, y, x, y, …
  private func centers(_ rings: [[Int]]) throws -> [VectorPoint] {
    var layer = TileWriter.Layer("areas")
    layer.add(.polygon, rings)
    let tile = try layer.bytes.withUnsafeBytes { try VectorTile($0) }
    let geometry = VectorGeometry()
    try tile.layers[0].read(0, into: geometry)
    return AreaCenter.centers(of: geometry)
  }

  private func square(_ x: Int, _ y: Int, edge: Int = 100) -> [Int] {
    [x, y, x + edge, y, x + edge, y + edge, x, y + edge]
  }

  @Test func eachPolygonHasACentreOfItsOwn() throws {
    let found = try centers([square(0, 0), square(1000, 0)])
    #expect(found.map(\.x) == [50, 1050])
  }

  @Test func aRingWithoutAreaDoesNotSwallowThoseAfterIt() throws {
    let line = [0, 0, 100, 100, 200, 200]
    #expect(try centers([line, square(1000, 0), square(2000, 0)]).map(\.x) == [1050, 2050])
    #expect(try centers([square(1000, 0), line, square(2000, 0)]).map(\.x) == [1050, 2050])
    #expect(try centers([line]).isEmpty)
  }
}
