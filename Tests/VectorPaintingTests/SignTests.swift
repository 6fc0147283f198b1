import Drawing
import MapLabels
import Testing
import VectorTiles

@testable import VectorPainting

/// What a tile shows, for the key of the map. The tile's edge is 64 pixels: a pixel is 64 units.
@Suite struct SignTests {
  private static let style =
    ##"{"id":"wood","type":"fill","source-layer":"land","metadata":{"waypost:key":"forest"},"##
    + ##""paint":{"fill-color":"#c4dbb0"}},"##
    + ##"{"id":"edge","type":"line","source-layer":"roads","metadata":{"waypost:key":"casing"},"##
    + ##""paint":{"line-color":"#c2b9a6","line-width":8}},"##
    + ##"{"id":"road","type":"line","source-layer":"roads","metadata":{"waypost:key":"##
    + ##"["match",["get","class"],"motorway","motorway","street"]},"paint":{"line-color":"##
    + ##"["match",["get","class"],"motorway","#f0a463","#ffffff"],"##
    + ##""line-width":["case",["has","ramp"],3,5]}},"##
    + ##"{"id":"path","type":"line","source-layer":"paths","metadata":{"waypost:key":"path"},"##
    + ##""paint":{"line-color":"#a33b1e","line-width":2,"line-dasharray":[3,1]}},"##
    + ##"{"id":"odd","type":"line","source-layer":"odd","metadata":{"waypost:key":"palace"}},"##
    + ##"{"id":"plain","type":"line","source-layer":"plain"}"##

  private func signs(
    _ layers: [TileWriter.Layer], part: VectorTilePart = .whole, pixelsPerPoint: Double = 1
  ) throws -> [TileSign] {
    let painting = try Painting(
      layers.flatMap(\.bytes), layers: Self.style, part: part, pixelsPerPoint: pixelsPerPoint)
    return painting.labels?.signs ?? []
  }

  private func layer(
    _ name: String, _ kind: VectorGeometryKind, _ parts: [[Int]],
    _ properties: [(String, TileWriter.Value)] = []
  ) -> TileWriter.Layer {
    var layer = TileWriter.Layer(name)
    layer.add(kind, parts, properties)
    return layer
  }

  private let across = [0, 2000, 4096, 2100]

  @Test func anAreaAndALineAreTheirSigns() throws {
    let square = [100, 100, 900, 100, 900, 900, 100, 900]
    let found = try signs([
      layer("land", .polygon, [square]), layer("paths", .line, [across]),
      layer("odd", .line, [across]), layer("plain", .line, [across]),
    ])
    #expect(found.count == 2)
    #expect(found.contains(TileSign(.forest, isArea: true, color: 0xFFC4_DBB0)))
    let path = TileSign(.path, isArea: false, color: 0xFFA3_3B1E, width: 2, dash: [6, 2])
    #expect(found.contains(path))
  }

  @Test func aRoadHasTheNameOfItsClassAndTheEdgeUnderIt() throws {
    var roads = TileWriter.Layer("roads")
    roads.add(.line, [across], [("class", .text("motorway")), ("ramp", .whole(1))])
    roads.add(.line, [across], [("class", .text("motorway"))])
    roads.add(.line, [across], [("class", .text("minor"))])
    let found = try signs([roads])
    // A ramp is no sign of its own.
    #expect(
      found == [
        TileSign(.motorway, isArea: false, color: 0xFFF0_A463, edge: 0xFFC2_B9A6, width: 5),
        TileSign(.street, isArea: false, color: 0xFFFF_FFFF, edge: 0xFFC2_B9A6, width: 5),
      ])
  }

  @Test(arguments: [1.0, 2]) func widthsAreInPoints(scale: Double) throws {
    let found = try signs([layer("paths", .line, [across])], pixelsPerPoint: scale)
    #expect(found == [TileSign(.path, isArea: false, color: 0xFFA3_3B1E, width: 2, dash: [6, 2])])
  }

  @Test func onlyWhatIsInThePartCounts() throws {
    // In the north-western quarter there are only the line's and the ring's boxes, and nothing of
    // them.
    let around = [0, 4000, 4000, 4000, 4000, 0]
    let corner = [4096, 0, 4096, 4096, 0, 4096, 3500, 3500]
    let layers = [layer("paths", .line, [around]), layer("land", .polygon, [corner])]
    let part = try #require(VectorTilePart(levels: 1, column: 0, row: 0))
    #expect(try signs(layers, part: part).isEmpty)
    let other = try #require(VectorTilePart(levels: 1, column: 1, row: 1))
    #expect(try signs(layers, part: other).count == 2)
    // An area without an edge in the part covers it all the same.
    let all = layer("land", .polygon, [[-100, -100, 4200, -100, 4200, 4200, -100, 4200]])
    #expect(try signs([all], part: part).count == 1)
  }

  @Test func aLineOfAnAreaIsItsEdge() {
    var all: [TileSign] = []
    all.merge(TileSign(.protectedArea, isArea: false, color: 0xFF00_FF00, width: 2))
    all.merge(TileSign(.protectedArea, isArea: true, color: 0xFF11_2233))
    all.merge(TileSign(.water, isArea: true, color: 0xFF00_00FF))
    #expect(
      all == [
        TileSign(.protectedArea, isArea: true, color: 0xFF11_2233, edge: 0xFF00_FF00),
        TileSign(.water, isArea: true, color: 0xFF00_00FF),
      ])
  }

  /// The ground of a style with a background, an area and further layers.
  private func ground(
    _ more: String = "", area: String = ##""fill-color":"#f5f1e4""##, key: String = "ground",
    zoom: Double = 0
  ) throws -> UInt32? {
    let layers =
      ##"{"id":"sea","type":"background","paint":{"background-color":"#a9d0e6"}},"##
      + ##"{"id":"earth","type":"fill","source-layer":"earth","metadata":{"waypost:key":"##
      + ##""\##(key)"},"paint":{\##(area)}}\##(more),\##(Self.style)"##
    let square = [100, 100, 900, 100, 900, 900, 100, 900]
    let tile = [layer("earth", .polygon, [square]), layer("paths", .line, [across])]
    let painting = try Painting(tile.flatMap(\.bytes), layers: layers, zoom: zoom)
    // The ground is no sign of its own.
    #expect(painting.labels?.signs.count == 1)
    return painting.labels?.ground
  }

  @Test func theGroundIsWhatTheStyleCallsSoElseTheBackground() throws {
    #expect(try ground() == 0xFFF5_F1E4)
    #expect(try ground(key: "palace") == 0xFFA9_D0E6)
    // Only from its zoom on.
    let late =
      ##",{"id":"town","type":"fill","source-layer":"earth","minzoom":9,"metadata":{"##
      + ##""waypost:key":"ground"},"paint":{"fill-color":"#102030"}}"##
    #expect(try ground(late) == 0xFFF5_F1E4)
    #expect(try ground(late, zoom: 9) == 0xFF10_2030)
  }

  @Test func aGroundWithoutOneOpaqueColourIsNone() throws {
    #expect(try ground(area: ##""fill-color":"#f5f1e4","fill-opacity":0.5"##) == 0)
    let pictures = ##",{"id":"air","type":"raster","source":"air"}"##
    #expect(try ground(pictures) == 0)
    let shade =
      ##",{"id":"air","type":"raster","source":"air","paint":{"raster-opacity":0.2}}"##
    #expect(try ground(shade) == 0xFFF5_F1E4)
  }

  @Test func aTileOfManyLooksIsBounded() throws {
    var roads = TileWriter.Layer("roads")
    for n in 0..<500 { roads.add(.line, [across], [("class", .text("c\(n)"))]) }
    #expect(try signs([roads]).count == 1)
  }
}
