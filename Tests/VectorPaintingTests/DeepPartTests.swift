import MapGeometry
import MapStyle
import TestSupport
import Testing
import VectorTiles

@testable import VectorPainting

/// Parts of a tile far below its level, of which the whole would have millions of pixels across.
@Suite struct DeepPartTests {
  private let layers = ##"""
    {"id":"g","type":"background","paint":{"background-color":"#eeeeee"}},
    {"id":"f","type":"fill","source-layer":"l","filter":["==",["geometry-type"],"Polygon"],
     "paint":{"fill-color":"#336699","fill-opacity":0.7,"fill-outline-color":"#ff0000"}},
    {"id":"s","type":"fill","source-layer":"l","filter":["==",["geometry-type"],"Polygon"],
     "paint":{"fill-color":"#226622","fill-opacity":0.3}},
    {"id":"c","type":"line","source-layer":"l","layout":{"line-join":"round","line-cap":"round"},
     "paint":{"line-color":"#aa2222","line-width":5,"line-dasharray":[3,2]}},
    {"id":"d","type":"line","source-layer":"l","paint":{"line-color":"#ffffff","line-width":1.5}},
    {"id":"p","type":"circle","source-layer":"l","filter":["==",["geometry-type"],"Point"],
     "paint":{"circle-color":"#0000aa","circle-radius":9,"circle-stroke-width":2}}
    """##

  @Test(arguments: [3, 10, 12, 16])
  func theEdgeOfAnAreaIsSharpHoweverDeepAPartIs(levels: Int) throws {
    var layer = TileWriter.Layer("l")
    layer.add(.polygon, [[0, 0, 4096, 0, 0, 4096]])
    let fill = ##"""
      {"id":"f","type":"fill","source-layer":"l","paint":{"fill-color":"#000000"}}
      """##
    let edge = 512
    for column in [0, (1 << levels) / 3, (1 << levels) - 1] {
      // The area's long edge is this part's diagonal, from the upper right to the lower left.
      let part = try #require(
        VectorTilePart(levels: levels, column: column, row: (1 << levels) - 1 - column))
      let painting = try Painting(layer.bytes, layers: fill, edge: edge, part: part)
      #expect(painting.outcome == .painted(.argb8888))
      var wrong = 0
      for y in 0..<edge {
        for x in 0..<edge {
          // The soft edge reaches half a pixel beyond the area, 0.7 pixels in a row.
          let beyond = x + y - (edge - 1)
          let alpha = painting[x, y] >> 24
          if beyond <= -1, alpha != 255 { wrong += 1 }
          if beyond >= 3, alpha != 0 { wrong += 1 }
        }
      }
      #expect(wrong == 0, "column \(column)")
    }
  }

  /// A tile with shapes around a place, and the tile that its square at `levels` is.
  private func tiles(
    around place: (x: Int, y: Int), _ levels: Int, _ column: Int, _ row: Int
  ) -> (whole: [UInt8], square: [UInt8]) {
    var numbers = SeededNumbers(7)
    var (whole, square) = (TileWriter.Layer("l"), TileWriter.Layer("l"))
    for index in 0..<24 {
      let count = numbers.next(3..<7)
      let kind: VectorGeometryKind =
        index % 4 == 0 ? .point : index % 3 == 0 ? .polygon : .line
      var (points, moved): ([Int], [Int]) = ([], [])
      for _ in 0..<count {
        let (x, y) = (place.x + numbers.next(-2..<3), place.y + numbers.next(-2..<3))
        points += [x, y]
        moved += [x << levels - column << 12, y << levels - row << 12]
      }
      whole.add(kind, [points])
      square.add(kind, [moved])
    }
    return (whole.bytes, square.bytes)
  }

  /// A unit of the tile has 512 pixels, and a window 2048 parts.
  @Test(arguments: [(2047, 3000), (2048, 3000), (4095, 2047), (4096, 2048), (0, 0), (8191, 5)])
  func partsAreThePixelsOfTheSquareThatTheyLieIn(column: Int, row: Int) throws {
    let (levels, inner, edge) = (13, 3, 256)
    let tiles = tiles(
      around: (column / 2, row / 2), levels - inner, column >> inner, row >> inner)
    let deep = try #require(VectorTilePart(levels: levels, column: column, row: row))
    let near = try #require(
      VectorTilePart(levels: inner, column: column & 7, row: row & 7))
    #expect(PartWindow(deep, edge: edge) != nil && PartWindow(near, edge: edge) == nil)
    let painting = try Painting(tiles.whole, layers: layers, edge: edge, part: deep)
    let other = try Painting(tiles.square, layers: layers, edge: edge, part: near)
    #expect(Set(other.pixels).count > 2)
    let differences = zip(painting.pixels, other.pixels).filter { $0 != $1 }
    #expect(differences.isEmpty)
  }

  @Test func aLineAcrossTheTileRunsStraightThroughItsDeepestParts() throws {
    var layer = TileWriter.Layer("l")
    layer.add(.line, [[-80, 2048, 4176, 2048]])
    layer.add(.line, [[2048, 4096, 2048, 0, 100, 0]])
    let line = ##"""
      {"id":"d","type":"line","source-layer":"l",
       "paint":{"line-color":"#000000","line-width":6}}
      """##
    let part = try #require(VectorTilePart(levels: 16, column: 12_345, row: 1 << 15))
    let across = try Painting(layer.bytes, layers: line, edge: 256, part: part)
    let down = try Painting(
      layer.bytes, layers: line, edge: 256,
      part: try #require(VectorTilePart(levels: 16, column: 1 << 15, row: 54_321)))
    for at in 0..<256 {
      #expect(across[at, 0] >> 24 == 255 && across[at, 5] >> 24 == 0)
      #expect(down[0, at] >> 24 == 255 && down[5, at] >> 24 == 0)
    }
  }

  @Test func anAreaAllAroundAPartCoversIt() throws {
    var layer = TileWriter.Layer("l")
    layer.add(.polygon, [[-64, -64, 4160, -64, 4160, 4160, -64, 4160]])
    let fill = ##"{"id":"f","type":"fill","source-layer":"l","paint":{"fill-color":"#000000"}}"##
    for (column, row) in [(0, 0), (65_535, 65_535), (40_000, 3)] {
      let part = try #require(VectorTilePart(levels: 16, column: column, row: row))
      let painting = try Painting(layer.bytes, layers: fill, edge: 64, part: part)
      #expect(painting.pixels.allSatisfy { $0 == 0xff00_0000 }, "\(column) \(row)")
    }
  }

  @Test func whatTheCutLeavesLiesInTheWindowAndItsMargin() throws {
    let part = try #require(VectorTilePart(levels: 16, column: 30_000, row: 30_000))
    let window = try #require(PartWindow(part, edge: 1024))
    let cutter = window.cutter(extent: 4096)
    var numbers = SeededNumbers(3)
    var layer = TileWriter.Layer("l")
    for index in 0..<60 {
      // Also coordinates that no tile has.
      let size = index % 2 == 0 ? 8192 : Int(Int32.max)
      let points = (0..<12).map { _ in numbers.next(-size..<size) }
      layer.add([.line, .polygon, .point][index % 3], [points])
    }
    let tile = try layer.bytes.withUnsafeBytes { try VectorTile($0, layers: ["l"]) }
    let geometry = VectorGeometry()
    let (least, greatest) = (-GeometryCutter.extent / 2, GeometryCutter.extent * 3 / 2)
    for index in 0..<60 {
      try tile.layers[0].read(index, into: geometry)
      #expect(cutter.cut(geometry, [.lines, .rings, .points][index % 3]))
      #expect(geometry.ends.last ?? 0 == geometry.points.count)
      for point in geometry.points {
        #expect((least...greatest).contains(Int(point.x)))
        #expect((least...greatest).contains(Int(point.y)))
      }
    }
  }
}
