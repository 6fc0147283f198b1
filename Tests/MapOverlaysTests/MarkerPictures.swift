import Drawing
import Features
import Foundation
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Writes pictures of markers, labels, a callout and lines to the folder of the environment
/// variable WAYPOST_TEST_PICTURES, to be looked at.
@Suite struct MarkerPictures: MarkerLayerCase {
  private static let folder = ProcessInfo.processInfo.environment["WAYPOST_TEST_PICTURES"]

  @Test(arguments: [PictureTheme.Kind.day, .night])
  func markersLabelsAndACallout(_ kind: PictureTheme.Kind) throws {
    guard let folder = Self.folder else { return }
    let painter = SpritePainter { hudText() }
    painter.theme = .of(kind)
    let layer = MarkerLayer(painter)
    for marker in many(60, spread: 0.25) { try layer.set(marker) }
    try layer.set(marker("here", 46, 7.75, "You are here", icon: .here))
    try layer.set(marker("hut", 46.03, 7.80, "Schwarzsee Paradise Bergrestaurant"))
    try layer.set(marker("rtl", 45.97, 7.70, "מסעדת ההר"))
    try layer.set(
      Marker(
        id: "sel", place: GeoPoint(lat: 45.985, lon: 7.83), label: "Selected",
        text: "The way to the hut takes two hours and is steep near the end."))
    layer.select("sel")
    let view = view(46, 7.75, zoom: 12, 800, 480)
    _ = layer.update(view, avoiding: [])
    var words = [UInt32](
      repeating: kind == .day ? 0xFFD8_E0C8 : 0xFF20_2830, count: 800 * 480)
    for sprite in layer.labelSprites + layer.markerSprites + layer.calloutSprites {
      for y in 0..<sprite.image.height {
        for x in 0..<sprite.image.width {
          let (column, row) = (sprite.x + x, sprite.y + y)
          guard column >= 0, row >= 0, column < 800, row < 480 else { continue }
          let over = sprite.image.pixels[y * sprite.image.width + x]
          let under = words[row * 800 + column]
          var mixed: UInt32 = 0
          for shift in [UInt32(0), 8, 16] {
            let rest = (under >> shift & 255) * (255 - over >> 24) / 255
            mixed |= min(255, (over >> shift & 255) + rest) << shift
          }
          words[row * 800 + column] = mixed
        }
      }
    }
    try write(words, 800, 480, to: "\(folder)/markers-\(kind.rawValue).ppm")
  }

  @Test func linesWithCasingsAndDashes() throws {
    guard let folder = Self.folder else { return }
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"stroke":"#c0392b"},"geometry":{"type":"LineString",
      "coordinates":[[-160,-60],[-60,40],[20,-30],[150,60]]}},
      {"type":"Feature","properties":{"stroke":"#2a5fb3"},"geometry":{"type":"LineString",
      "coordinates":[[-150,60],[0,0],[160,-50]]}}]}
      """
    for (name, dash) in [("solid", []), ("trail", [8.0, 5]), ("boundary", [10, 4, 2, 4])] {
      var style = OverlayStyle(strokeWidth: 4)
      (style.casing, style.dash) = (.theme, dash)
      let picture = try OverlayPicture.world(FeatureDrawing(.text(text), style: style), level: 1)
      let words = picture.words.map { over in
        var mixed: UInt32 = 0
        for shift in [UInt32(0), 8, 16] {
          let rest = (0xFF90_A880 >> shift & 255) * (255 - over >> 24) / 255
          mixed |= min(255, (over >> shift & 255) + rest) << shift
        }
        return mixed
      }
      try write(words, picture.edge, picture.edge, to: "\(folder)/lines-\(name).ppm")
    }
  }

  private func write(_ words: [UInt32], _ width: Int, _ height: Int, to path: String) throws {
    var bytes = Array("P6 \(width) \(height) 255\n".utf8)
    for word in words {
      bytes += [
        UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255),
      ]
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
