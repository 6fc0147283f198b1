import CBundled
import Drawing
import Features
import MapOverlays

/// The bundled fonts, as the program has them.
func hudText() -> TextRenderer? {
  func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
    .memory(UnsafeRawBufferPointer(start: start, count: count))
  }
  return try? TextRenderer(
    fonts: [
      font(waypost_noto_regular_bytes(), waypost_noto_regular_size()),
      font(waypost_font_bytes(), waypost_font_size()),
    ],
    semibold: (0, font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size())))
}

/// A painter with that many pixels a point.
func painter(_ unit: Double = 1) -> SpritePainter {
  let painter = SpritePainter { hudText() }
  painter.unit = unit
  return painter
}

/// Lines given by longitudes and latitudes, each a feature.
func lineDrawing(_ lines: [[(Double, Double)]]) throws -> FeatureDrawing {
  let features = lines.map { line in
    let positions = line.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return
      "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\","
      + "\"coordinates\":[\(positions)]}}"
  }
  let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  return FeatureDrawing(try FeatureSet(bytes: Array(text.utf8), name: "inline"))
}

/// Numbers that look random and are the same every time.
struct Numbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next(_ range: Range<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % range.count
  }

  mutating func unit() -> Double { Double(next(0..<1 << 30)) / Double(1 << 30) }
}
