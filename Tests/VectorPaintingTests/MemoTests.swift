import Glibc
import MapGeometry
import MapStyle
import TestSupport
import Testing
import TileSources
import VectorTiles

@testable import VectorPainting

/// Evaluating rules once for each tuple paints the same as evaluating them for each feature.
@Suite struct MemoTests {
  private func same(_ style: MapStyle, _ bytes: [UInt8], zoom: Double, edge: Int = 128) {
    let memoised = VectorPainter(style: style)
    let naive = VectorPainter(
      style: style, images: NoVectorImages(), cache: ParsedTileCache(),
      limits: VectorTileLimits(), memoises: false)
    let a = Painting(memoised, bytes, edge: edge, zoom: zoom)
    let b = Painting(naive, bytes, edge: edge, zoom: zoom)
    #expect(a.outcome == b.outcome)
    #expect(a.pixels == b.pixels)
    #expect(a.labels?.count == b.labels?.count)
  }

  @Test func tuplesOfValuesKindsAndIDsAreKeptApart() throws {
    var numbers = SeededNumbers(5)
    var layer = TileWriter.Layer("l")
    for index in 0..<200 {
      var properties: [(String, TileWriter.Value)] = []
      for key in ["a", "b", "c"] where numbers.next(0..<3) > 0 {
        properties.append((key, .whole(UInt64(numbers.next(0..<4)))))
      }
      let points = (0..<8).map { _ in numbers.next(0..<4096) }
      layer.add(
        index % 2 == 0 ? .line : .polygon, [points], id: index % 5 == 0 ? UInt64(index) : nil,
        properties)
    }
    let style = try MapStyle(
      json: Array(
        ##"""
        {"version":8,"sources":{},"layers":[
        {"id":"1","type":"fill","source-layer":"l","filter":["==",["get","a"],1],
         "paint":{"fill-color":["match",["get","b"],1,"#ff0000",2,"#00ff00","#0000ff"]}},
        {"id":"2","type":"line","source-layer":"l","filter":["any",["!",["has","c"]],["==",["id"],5]],
         "paint":{"line-width":["coalesce",["get","b"],1],"line-color":"#123456"}},
        {"id":"3","type":"line","source-layer":"l","filter":["==",["geometry-type"],"Polygon"],
         "paint":{"line-color":["case",["==",["get","c"],0],"#777777","#999999"]}}
        ]}
        """##.utf8))
    same(style, layer.bytes, zoom: 0)
  }

  @Test func testsOfSinglePropertiesDecideAsWholeFiltersDo() throws {
    var numbers = SeededNumbers(11)
    var layer = TileWriter.Layer("l")
    let kinds: [VectorGeometryKind] = [.point, .line, .polygon]
    for index in 0..<300 {
      var properties: [(String, TileWriter.Value)] = [("rank", .whole(UInt64(index)))]
      if numbers.next(0..<3) > 0 { properties.append(("name", .text("n\(index)"))) }
      if numbers.next(0..<2) > 0 { properties.append(("class", .text("c\(index % 4)"))) }
      let points = (0..<8).map { _ in numbers.next(0..<4096) }
      layer.add(kinds[index % 3], [points], properties)
    }
    let filters = [
      ##"["all",["==","$type","LineString"],["<=","rank",140],["has","name"]]"##,
      ##"["any",["!has","class"],["in","class","c1","c2"],[">","rank",250]]"##,
      ##"["none",["has","name"],["!in","class","c0"],["==","missing",1]]"##,
      ##"["all",["has","name"],["<",["get","rank"],99],["!=",["get","class"],"c3"]]"##,
      ##"["any",["!",["has","class"]],["all",["<",["zoom"],3],[">",["get","class"],"c1"]]]"##,
      ##"["all",["<",["get","name"],"n2"],["any",true,["==",["get","class"],["get","name"]]]]"##,
    ]
    let layers = filters.enumerated().map { number, filter in
      ##"{"id":"\##(number)","type":"line","source-layer":"l","filter":\##(filter),"##
        + ##""paint":{"line-color":"#\##(number)\##(number)f0\##(number)0","line-width":2}}"##
    }
    let style = ##"{"version":8,"sources":{},"layers":["## + layers.joined(separator: ",") + "]}"
    same(try MapStyle(json: Array(style.utf8)), layer.bytes, zoom: 1)
  }

  @Test(
    .enabled(if: TestData.large != nil, "skipped: large data set not at hand"),
    arguments: [(0, 0, 0), (3, 4, 2)])
  func realTilesAreTheSame(z: Int, x: Int, y: Int) throws {
    let large = try #require(TestData.large) + "/vector"
    let pack = large + "/packs/paris-ruhr-openmaptiles-z0-14.mbtiles"
    let source = try MBTilesSource(path: pack)
    let id = try #require(TileID(z: z, x: x, y: y))
    guard case .payload(let payload) = try source.read(id) else {
      Issue.record("no tile \(id)")
      return
    }
    let style = try MapStyle(json: try contents(large + "/styles/omt-osm-bright.json"))
    same(style, Array(payload.bytes), zoom: Double(z), edge: 256)
  }
}

private func contents(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"), "\(path)")
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}
