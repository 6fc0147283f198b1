import Drawing
import MapGeometry
import MapStyle
import Pixels
import Testing
import VectorTiles

@testable import VectorPainting

/// What each type of layer paints. The tile's edge is 64 pixels: a pixel is 64 units.
@Suite struct LayerTests {
  private let ground =
    ##"{"id":"ground","type":"background","paint":{"background-color":"#102030"}}"##

  private func tile(_ build: (inout TileWriter.Layer) -> Void) -> [UInt8] {
    var layer = TileWriter.Layer("l")
    build(&layer)
    return layer.bytes
  }

  private func square(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> [Int] {
    [left, top, right, top, right, bottom, left, bottom].map { $0 * 64 }
  }

  @Test func aBackgroundMakesATileOpaque() throws {
    let painting = try Painting([], layers: ground)
    #expect(painting.outcome == .painted(.xrgb8888))
    #expect(painting.pixels.allSatisfy { $0 == 0xFF10_2030 })
  }

  @Test func aTileWithoutAnythingIsNothing() throws {
    #expect(try Painting([], layers: "").outcome == .nothing)
  }

  @Test func aFillCoversItsPixelsAndLeavesTheRestTransparent() throws {
    let bytes = tile { $0.add(.polygon, [square(8, 8, 16, 24)]) }
    let painting = try Painting(
      bytes,
      layers: ##"{"id":"a","type":"fill","source-layer":"l","paint":{"##
        + ##""fill-color":"#ff0000","fill-antialias":false}}"##)
    #expect(painting.outcome == .painted(.argb8888))
    for y in 0..<64 {
      for x in 0..<64 {
        let isInside = (8..<16).contains(x) && (8..<24).contains(y)
        #expect(painting[x, y] == (isInside ? 0xFFFF_0000 : 0))
      }
    }
  }

  @Test func aSoftEdgeReachesHalfAPixelBeyondAnArea() throws {
    let hole = [20, 20, 20, 40, 40, 40, 40, 20].map { $0 * 64 }
    let layers = #"{"id":"a","type":"fill","source-layer":"l","paint":{}}"#
    let outer = square(8, 8, 56, 56)
    // Rings of either direction, for not all writers keep to the specification.
    let backwards = stride(from: 6, through: 0, by: -2).flatMap { Array(outer[$0...$0 + 1]) }
    let turned = stride(from: 6, through: 0, by: -2).flatMap { Array(hole[$0...$0 + 1]) }
    for rings in [[outer, hole], [backwards, turned]] {
      let painting = try Painting(tile { $0.add(.polygon, rings) }, layers: layers)
      #expect(painting[6, 30] == 0)
      #expect((0x7E...0x81).contains(painting[7, 30] >> 24))
      #expect(painting[8, 30] == 0xFF00_0000)
      // The hole is narrower.
      #expect((0x7E...0x81).contains(painting[20, 30] >> 24))
      #expect(painting[21, 30] == 0)
    }
  }

  @Test func aNarrowAreaStaysVisible() throws {
    // A tenth of a pixel wide.
    let ring = [100, 500, 3900, 500, 3900, 506, 100, 506]
    let layers = #"{"id":"a","type":"fill","source-layer":"l","paint":{}}"#
    let painting = try Painting(tile { $0.add(.polygon, [ring]) }, layers: layers)
    #expect((0..<64).map { painting[30, $0] >> 24 }.reduce(0, +) > 240)
  }

  @Test func aHardEdgeHasNoHalfCoveredPixels() throws {
    let ring = [500, 500, 3000, 700, 2900, 3100, 600, 3000]
    let layers =
      #"{"id":"a","type":"fill","source-layer":"l","paint":{"fill-antialias":false}}"#
    let painting = try Painting(tile { $0.add(.polygon, [ring]) }, layers: layers)
    #expect(Set(painting.pixels) == [0, 0xFF00_0000])
  }

  @Test func aHoleStaysOpen() throws {
    let hole = [20, 20, 20, 40, 40, 40, 40, 20].map { $0 * 64 }
    let bytes = tile { $0.add(.polygon, [square(8, 8, 56, 56), hole]) }
    let painting = try Painting(
      bytes, layers: #"{"id":"a","type":"fill","source-layer":"l","paint":{}}"#)
    #expect(painting[10, 10] == 0xFF00_0000)
    #expect(painting[30, 30] == 0)
  }

  @Test func opacityAndTranslationOfAFill() throws {
    let bytes = tile { $0.add(.polygon, [square(0, 0, 10, 10)]) }
    let painting = try Painting(
      bytes,
      layers: ground + ##",{"id":"a","type":"fill","source-layer":"l","paint":{"##
        + ##""fill-color":"#ffffff","fill-opacity":0.5,"fill-antialias":false,"##
        + ##""fill-translate":[4,2]}}"##)
    #expect(painting[3, 5] == 0xFF10_2030)
    #expect(painting[4, 1] == 0xFF10_2030)
    let mixed = painting[4, 2]
    #expect(mixed == painting[13, 11])
    #expect((0x87...0x89).contains(mixed >> 16 & 255))
    #expect(painting[14, 11] == 0xFF10_2030)
  }

  @Test func anOutlineIsOnePixelWide() throws {
    let bytes = tile { $0.add(.polygon, [square(8, 8, 24, 24)]) }
    let painting = try Painting(
      bytes,
      layers: ##"{"id":"a","type":"fill","source-layer":"l","paint":{"##
        + ##""fill-color":"#00ff00","fill-outline-color":"#ff0000"}}"##)
    #expect(painting[16, 16] == 0xFF00_FF00)
    // Half of the line lies on each side of the edge.
    #expect((0x7E...0x81).contains(painting[7, 16] >> 24))
    #expect((0x7E...0x81).contains(painting[8, 16] >> 16 & 255))
  }

  @Test func aPatternIsAnchoredToTheWorld() throws {
    struct Stripes: VectorImages {
      var names: Set<String>? { ["stripes"] }
      func pattern(_ name: String, pixelsPerPoint: Double) -> FillPattern? {
        guard name == "stripes" else { return nil }
        return FillPattern(
          pixels: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF], width: 3, height: 1)
      }
    }
    let bytes = tile { $0.add(.polygon, [square(-1, -1, 65, 65)]) }
    let layers = #"{"id":"a","type":"fill","source-layer":"l","paint":{"fill-pattern":"stripes"}}"#
    let id = try #require(TileID(z: 1, x: 1, y: 0))
    let painting = try Painting(bytes, layers: layers, id: id, images: Stripes())
    // Its left edge is pixel 64 of the world: 64 mod 3 is 1.
    #expect(painting[0, 0] == 0xFF00_FF00)
    #expect(painting[1, 0] == 0xFF00_00FF)
    #expect(painting[2, 5] == 0xFFFF_0000)
  }

  @Test func aMissingPatternHidesTheFill() throws {
    let bytes = tile { $0.add(.polygon, [square(0, 0, 64, 64)]) }
    let painting = try Painting(
      bytes,
      layers: ground
        + #",{"id":"a","type":"fill","source-layer":"l","paint":{"fill-pattern":"none"}}"#)
    #expect(painting.pixels.allSatisfy { $0 == 0xFF10_2030 })
  }

  @Test func anExtrusionIsDrawnFlat() throws {
    let bytes = tile { $0.add(.polygon, [square(8, 8, 16, 16)]) }
    let painting = try Painting(
      bytes,
      layers: ##"{"id":"a","type":"fill-extrusion","source-layer":"l","paint":{"##
        + ##""fill-extrusion-color":"#0000ff","fill-extrusion-height":10}}"##)
    #expect(painting[10, 10] == 0xFF00_00FF)
    #expect(painting[6, 10] == 0)
  }

  @Test func aLineHasItsWidthInPointsTimesTheScale() throws {
    let bytes = tile { $0.add(.line, [[-640, 2048, 5000, 2048]]) }
    let layers = ##"{"id":"a","type":"line","source-layer":"l","paint":{"line-width":2}}"##
    let single = try Painting(bytes, layers: layers)
    #expect((0..<64).filter { single[5, $0] >> 24 > 127 } == [31, 32])
    let double = try Painting(bytes, layers: layers, pixelsPerPoint: 2)
    #expect((0..<64).filter { double[5, $0] >> 24 > 127 } == [30, 31, 32, 33])
  }

  @Test func anAreaIsALinesRing() throws {
    let bytes = tile { $0.add(.polygon, [square(8, 8, 24, 24)]) }
    let painting = try Painting(
      bytes, layers: #"{"id":"a","type":"line","source-layer":"l","paint":{"line-width":2}}"#)
    #expect(painting[16, 16] == 0)
    for (x, y) in [(8, 16), (23, 16), (16, 8), (16, 23), (7, 7), (24, 24)] {
      #expect(painting[x, y] == 0xFF00_0000, "\(x), \(y)")
    }
  }

  @Test func dashesAreCountedInWidthsOfTheWholeZoom() throws {
    let bytes = tile { $0.add(.line, [[0, 2048, 4096, 2048]]) }
    let layers =
      #"{"id":"a","type":"line","source-layer":"l","paint":{"line-dasharray":[4,4],"#
      + #""line-width":["step",["zoom"],2,0.4,4]}}"#
    let painting = try Painting(bytes, layers: layers, zoom: 0.5)
    // Width 4 at zoom 0.5, but 2 at zoom 0: dashes of 8 points at zoom 0, √2 as long here.
    let row = (0..<64).map { painting[$0, 32] >> 24 > 127 }
    #expect(row.firstIndex(of: false) == 11)
    #expect(row[11...].firstIndex(of: true) == 23)
  }

  @Test func aCircleHasItsRadiusAndStroke() throws {
    let bytes = tile { $0.add(.point, [[2048, 2048]]) }
    let painting = try Painting(
      bytes,
      layers: ##"{"id":"a","type":"circle","source-layer":"l","paint":{"circle-radius":6,"##
        + ##""circle-color":"#ff0000","circle-stroke-width":3,"circle-stroke-color":"#0000ff"}}"##)
    #expect(painting[32, 32] == 0xFFFF_0000)
    #expect(painting[36, 32] == 0xFFFF_0000)
    #expect(painting[39, 32] == 0xFF00_00FF)
    #expect(painting[42, 32] == 0)
  }

  @Test func sortKeysDecideWhichFeatureLiesAbove() throws {
    let bytes = tile {
      $0.add(.polygon, [square(0, 0, 64, 64)], [("k", .whole(2)), ("c", .text("#ff0000"))])
      $0.add(.polygon, [square(0, 0, 64, 64)], [("k", .whole(1)), ("c", .text("#00ff00"))])
    }
    let layers =
      #"{"id":"a","type":"fill","source-layer":"l","layout":{"fill-sort-key":["get","k"]},"#
      + #""paint":{"fill-color":["to-color",["get","c"]]}}"#
    #expect(try Painting(bytes, layers: layers)[9, 9] == 0xFFFF_0000)
  }

  @Test func layersAreDrawnInTheStylesOrder() throws {
    var water = TileWriter.Layer("water")
    water.add(.polygon, [square(0, 0, 64, 64)])
    var land = TileWriter.Layer("land")
    land.add(.polygon, [square(0, 0, 64, 64)])
    func fill(_ name: String, _ color: String) -> String {
      "{\"id\":\"\(name)\",\"type\":\"fill\",\"source-layer\":\"\(name)\","
        + "\"paint\":{\"fill-color\":\"\(color)\"}}"
    }
    let styles = fill("land", "#00ff00") + "," + fill("water", "#0000ff")
    #expect(try Painting(water.bytes + land.bytes, layers: styles)[5, 5] == 0xFF00_00FF)
    #expect(try Painting(land.bytes + water.bytes, layers: styles)[5, 5] == 0xFF00_00FF)
  }

  @Test func filtersAndZoomsChooseFeatures() throws {
    let bytes = tile {
      $0.add(.polygon, [square(0, 0, 10, 10)], [("class", .text("park"))])
      $0.add(.polygon, [square(20, 0, 30, 10)], [("class", .text("wood"))])
    }
    let layers =
      #"{"id":"a","type":"fill","source-layer":"l","minzoom":3,"#
      + #""filter":["==",["get","class"],"wood"],"paint":{}}"#
    let drawn = try Painting(bytes, layers: layers, zoom: 3.2)
    #expect(drawn[5, 5] == 0)
    #expect(drawn[25, 5] == 0xFF00_0000)
    #expect(try Painting(bytes, layers: layers, zoom: 2.9).outcome == .nothing)
  }

  @Test func aLayerWithoutLeastZoomIsDrawnBelowZoom0() throws {
    for limit in ["", #""minzoom":0,"#] {
      let layers = #"{"id":"a",\#(limit)"type":"background","paint":{}}"#
      #expect(try Painting([], layers: layers, zoom: -1).outcome == .painted(.xrgb8888))
    }
  }

  @Test func theTargetsColoursAreAppliedLast() throws {
    let painting = try Painting([], layers: ground, colors: [.invert])
    #expect(painting[0, 0] == 0xFFEF_DFCF)
  }

  @Test func aBrokenFeatureIsAnErrorThatNamesIt() throws {
    var layer = TileWriter.Layer("roads")
    layer.add(.line, [[0, 0, 5, 5]])
    var bytes = layer.bytes
    // The first command of the geometry becomes ClosePath.
    let index = try #require(bytes.firstIndex(of: 1 << 3 | 1))
    bytes[index] = 1 << 3 | 7
    let painting = try Painting(
      bytes, layers: #"{"id":"a","type":"line","source-layer":"roads","paint":{}}"#)
    guard case .failed(let reason) = painting.outcome else {
      Issue.record("not refused: \(painting.outcome)")
      return
    }
    #expect(reason.contains("roads"))
    #expect(reason.contains("feature 0"))
  }
}
