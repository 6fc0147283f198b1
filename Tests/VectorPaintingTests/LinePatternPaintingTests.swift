import Drawing
import Testing

@testable import VectorPainting

/// Lines that a style draws with a picture of its sprite sheet.
@Suite struct LinePatternPaintingTests {
  struct Signs: VectorImages {
    var names: Set<String>? { ["signs"] }
    func pattern(_ name: String, pixelsPerPoint: Double) -> FillPattern? {
      guard name == "signs" else { return nil }
      return FillPattern(pixels: [0xFFFF_0000, 0xFF00_00FF], width: 2, height: 1)
    }
  }

  @Test func aLinePatternIsAsHighAsTheLineAtTheWholeZoomIsWide() throws {
    var layer = TileWriter.Layer("l")
    layer.add(.line, [[0, 2048, 4096, 2048]])
    let bytes = layer.bytes
    func columns(_ zoom: Double, scale: Double = 1, _ paint: String) throws -> [Int] {
      let painting = try Painting(
        bytes,
        layers:
          #"{"id":"a","type":"line","source-layer":"l","paint":{"line-pattern":"signs",\#(paint)}}"#,
        zoom: zoom, pixelsPerPoint: scale, images: Signs())
      // Where red becomes blue.
      return (1..<64).filter {
        painting[$0 - 1, 32] >> 16 & 255 > 127 && painting[$0, 32] >> 16 & 255 < 128
      }
    }
    let wide = #""line-width":8"#
    let found = [
      try columns(0, wide), try columns(0, scale: 2, #""line-width":4"#),
      try columns(0, wide + #","line-dasharray":[1,1]"#),
    ]
    // Twice as long as it is high.
    #expect(found.allSatisfy { $0 == [8, 24, 40, 56] })
    // It grows with the map up to the next whole zoom.
    let grown = try columns(0.585, wide)
    #expect(grown == [12, 36, 60])
    // A picture that the sheet does not have hides the line.
    let hidden = try Painting(
      bytes,
      layers: #"{"id":"a","type":"line","source-layer":"l","paint":{"line-pattern":"none"}}"#,
      images: Signs())
    #expect(hidden.outcome == .nothing || hidden.pixels.allSatisfy { $0 == 0 })
  }
}
