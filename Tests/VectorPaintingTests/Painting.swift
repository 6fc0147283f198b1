import Drawing
import MapGeometry
import MapLabels
import MapStyle
import Pixels
import Testing
import TileLoading
import TileSources

@testable import VectorPainting

/// A painted tile.
struct Painting {
  var outcome: PaintOutcome
  var pixels: [UInt32]
  var edge: Int
  var labels: TileLabels?
  /// What could not be painted although the rest was.
  var faults: [TileError] = []

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * edge + x] }

  /// Paints a tile, or a part of it, with a style's layers.
  init(
    _ tile: [UInt8], layers: String, edge: Int = 64, part: VectorTilePart = .whole,
    zoom: Double = 0, pixelsPerPoint: Double = 1, id: TileID = .world, colors: [ColorFilter] = [],
    images: any VectorImages = NoVectorImages(), opaque: TilePixelFormat = .xrgb8888,
    pictures: [VectorPicture] = []
  ) throws {
    let style = try MapStyle(
      json: Array("{\"version\":8,\"sources\":{},\"layers\":[\(layers)]}".utf8))
    self.init(
      VectorPainter(style: style, images: images), tile, edge: edge, part: part, zoom: zoom,
      pixelsPerPoint: pixelsPerPoint, id: id, colors: colors, opaque: opaque, pictures: pictures)
  }

  /// Paints a tile, or a part of it.
  init(
    _ painter: VectorPainter, _ tile: [UInt8], edge: Int = 64, part: VectorTilePart = .whole,
    zoom: Double = 0, pixelsPerPoint: Double = 1, id: TileID = .world, colors: [ColorFilter] = [],
    opaque: TilePixelFormat = .xrgb8888, pictures: [VectorPicture] = []
  ) {
    self.edge = edge
    var pixels = [UInt32](repeating: 0x1234_5678, count: edge * edge)
    (outcome, labels, faults) = pixels.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return (.nothing, nil, []) }
      var target = PaintTarget(
        pixels: base, rowBytes: edge * 4, edge: edge, room: edge * edge * 4, opaque: opaque,
        colors: ColorTransform(colors), tools: PaintTools())
      let request = VectorPaintRequest(
        tile: id, part: part, zoom: zoom, pixelsPerPoint: pixelsPerPoint)
      let outcome = tile.withUnsafeBytes {
        painter.paint($0, request, pictures: pictures, into: &target)
      }
      return (outcome, target.companion as? TileLabels, target.faults)
    }
    self.pixels = pixels
  }
}
