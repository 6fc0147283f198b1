import Drawing
import Features
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// A square picture of some tiles.
struct OverlayPicture {
  let edge: Int
  var words: [UInt32]

  subscript(_ x: Int, _ y: Int) -> UInt32 { words[y * edge + x] }

  /// The pixel that shows a place, in a picture of the whole world.
  func at(lon: Double, lat: Double) -> UInt32 {
    let place = WebMercator.project(GeoPoint(lat: lat, lon: lon))
    let x = min(edge - 1, Int(place.x * Double(edge)))
    return self[x, min(edge - 1, Int(place.y * Double(edge)))]
  }

  /// The world at a tile level, tile by tile.
  static func world(
    _ drawing: FeatureDrawing, level: Int, tileEdge: Int = 256
  ) throws -> OverlayPicture {
    let side = 1 << level
    return try tiles(drawing, level: level, x: 0..<side, y: 0..<side, tileEdge: tileEdge)
  }

  static func tiles(
    _ drawing: FeatureDrawing, level: Int, x: Range<Int>, y: Range<Int>, tileEdge: Int = 256
  ) throws -> OverlayPicture {
    let edge = x.count * tileEdge
    var picture = OverlayPicture(edge: edge, words: Array(repeating: 0, count: edge * edge))
    let rasteriser = PathRasteriser()
    for row in y {
      for column in x {
        let tile = try #require(TileID(z: level, x: column, y: row))
        let start = (row - y.lowerBound) * tileEdge * edge + (column - x.lowerBound) * tileEdge
        picture.words.withUnsafeMutableBufferPointer { words in
          guard let base = words.baseAddress else { return }
          let canvas = PixelCanvas(
            base + start, stride: edge, width: tileEdge, height: tileEdge)
          let drew = drawing.draw(tile, scale: tileEdge / 256, on: canvas, with: rasteriser)
          if drew { #expect(drawing.mayDraw(tile)) }
        }
      }
    }
    return picture
  }

  /// How many pixels differ by more than `tolerance` in a channel.
  func differences(from other: OverlayPicture, tolerance: Int) -> Int {
    if words == other.words { return 0 }
    return zip(words, other.words).filter { a, b in
      a != b
        && (0..<4).contains { channel in
          let shift = UInt32(channel) * 8
          return abs(Int(a >> shift & 255) - Int(b >> shift & 255)) > tolerance
        }
    }.count
  }
}

extension FeatureSet {
  static func text(_ text: String, label: String? = nil) throws -> FeatureSet {
    try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: label))
  }

  static func fixture(_ name: String, label: String? = nil) throws -> FeatureSet {
    try FeatureSet(
      path: TestData.fixtures + "/overlays/" + name, options: FeatureOptions(labelKey: label))
  }
}

extension OverlayStyle {
  static let red = OverlayStyle(stroke: 0xFFFF_0000, strokeWidth: 2, fill: 0xFF00_FF00)
  static let filled = OverlayStyle(stroke: 0, strokeWidth: 0, fill: 0xFFFF_FFFF)
}
