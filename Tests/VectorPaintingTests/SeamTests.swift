import MapGeometry
import MapStyle
import TestSupport
import Testing
import VectorTiles

@testable import VectorPainting

/// Tiles and parts of tiles that lie side by side meet without a seam.
@Suite struct SeamTests {
  private let layers = ##"""
    {"id":"g","type":"background","paint":{"background-color":"#eeeeee"}},
    {"id":"f","type":"fill","source-layer":"l","filter":["==",["geometry-type"],"Polygon"],
     "paint":{"fill-color":"#336699","fill-opacity":0.7,"fill-outline-color":"#ff0000"}},
    {"id":"c","type":"line","source-layer":"l","layout":{"line-join":"round","line-cap":"round"},
     "paint":{"line-color":"#aa2222","line-width":5,"line-dasharray":[3,2]}},
    {"id":"d","type":"line","source-layer":"l","paint":{"line-color":"#ffffff","line-width":1.5}}
    """##

  /// Lines and areas all over an area of `width` units.
  private func shapes(_ width: Int) -> [(VectorGeometryKind, [Int])] {
    var numbers = SeededNumbers(11)
    var shapes: [(VectorGeometryKind, [Int])] = []
    for index in 0..<24 {
      let count = numbers.next(3..<7)
      let points = (0..<(2 * count)).map { _ in numbers.next(0..<width) }
      shapes.append((index % 3 == 0 ? .polygon : .line, points))
    }
    return shapes
  }

  private func layer(_ shapes: [(VectorGeometryKind, [Int])], left: Int, extent: UInt64) -> [UInt8]
  {
    var layer = TileWriter.Layer("l", extent: extent)
    for (kind, points) in shapes {
      let moved = points.enumerated().map { $0.offset % 2 == 0 ? $0.element - left : $0.element }
      layer.add(kind, [moved])
    }
    return layer.bytes
  }

  @Test(arguments: [64, 90])
  func partsOfATileAreThePixelsOfTheWhole(edge: Int) throws {
    let bytes = layer(shapes(4096), left: 0, extent: 4096)
    let whole = try Painting(bytes, layers: layers, edge: edge * 2)
    for row in 0..<2 {
      for column in 0..<2 {
        let part = try #require(VectorTilePart(levels: 1, column: column, row: row))
        let painting = try Painting(bytes, layers: layers, edge: edge, part: part)
        var differences = 0
        for y in 0..<edge {
          for x in 0..<edge {
            let other = whole[column * edge + x, row * edge + y]
            differences += painting[x, y] == other ? 0 : 1
          }
        }
        #expect(differences == 0)
      }
    }
  }

  @Test(arguments: [64, 91])
  func neighboursAreThePixelsOfAWiderTile(edge: Int) throws {
    let shapes = shapes(8192)
    let whole = try Painting(
      layer(shapes, left: 0, extent: 8192), layers: layers, edge: edge * 2)
    for column in 0..<2 {
      let id = try #require(TileID(z: 1, x: column, y: 0))
      let tile = layer(shapes, left: column * 4096, extent: 4096)
      let painting = try Painting(tile, layers: layers, edge: edge, id: id)
      var differences = 0
      for y in 0..<edge {
        for x in 0..<edge {
          differences += painting[x, y] == whole[column * edge + x, y] ? 0 : 1
        }
      }
      #expect(differences == 0)
    }
  }
}
