import CBundled
import Drawing
import MapGeometry
import MapOverlays
import MapScene
import Pixels
import Testing
import TileLoading

private func gridText() throws -> TextRenderer {
  try TextRenderer(
    font: UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
}

private func drawn(
  _ tile: TileID, name: String = "osm", scale: Int = 1, edge: Int = 256, text: TextRenderer?
) throws -> [UInt32] {
  let drawing = GridSource(name: name, scale: scale, text: text).painter
  var words = [UInt32](repeating: 0, count: edge * edge)
  let hasDrawn = words.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return false }
    var target = PaintTarget(
      pixels: base, rowBytes: edge * 4, edge: edge, room: edge * edge * 4, scale: scale,
      tools: PaintTools())
    return drawing.paint(nil, tile, into: &target) == .painted(.argb8888)
  }
  #expect(hasDrawn)
  return words
}

private let line: UInt32 = 0xff14_1c26

@Test(arguments: [(1, 256), (2, 512), (1, 512)])
func theGridsLineLiesOnTheUpperAndLeftEdge(_ scale: Int, _ edge: Int) throws {
  let words = try drawn(.world, scale: scale, edge: edge, text: nil)
  for i in 0..<edge {
    for j in 0..<scale {
      #expect(words[j * edge + i] == line && words[i * edge + j] == line)
    }
    // Set off by what a dark map shows, on both sides.
    if i >= 2 * scale, i < edge - scale {
      #expect(words[scale * edge + i] >> 24 > 0x80 && words[scale * edge + i] != line)
      #expect(words[(edge - 1) * edge + i] >> 24 > 0x80)
    }
  }
  #expect(words[edge / 2 * edge + edge / 3] == 0)
}

@Test func everyTileShowsItsOwnAddressAndTheName() throws {
  let text = try gridText()
  let a = try #require(TileID(z: 5, x: 17, y: 11))
  let b = try #require(TileID(z: 5, x: 17, y: 12))
  let first = try drawn(a, text: text)
  #expect(try first != drawn(b, text: text))
  #expect(try first != drawn(a, name: "topo", text: text))
  #expect(try first == drawn(a, text: text))
  // Readable at arm's length: letters of 14 pixels and more, dark on light.
  func hasInk(_ y: Int) -> Bool { (4..<252).contains { x in first[y * 256 + x] == line } }
  let rows: [Int] = (0..<256).filter(hasInk)
  let inside = rows.filter { $0 > 2 && $0 < 250 }
  #expect((inside.last ?? 0) - (inside.first ?? 0) >= 30)
  let halo = first.filter { (word: UInt32) in word >> 24 > 0xc0 && word & 0xff > 0xc0 }.count
  #expect(halo > 200)
}

@Test func aNameThatIsTooLongIsCutAtTheTilesWidth() throws {
  let text = try gridText()
  let name = String(repeating: "a very long name ", count: 6)
  let words = try drawn(.world, name: name, text: text)
  for y in 4..<252 { #expect(words[y * 256 + 3] == 0 && words[y * 256 + 252] == 0) }
}
