import CBundled
import Drawing
import MapOverlays

/// The bundled font.
func hudText() -> TextRenderer? {
  try? TextRenderer(
    font: UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
}

/// A painter with that many pixels a point.
func painter(_ unit: Double = 1) -> SpritePainter {
  let painter = SpritePainter { hudText() }
  painter.unit = unit
  return painter
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
