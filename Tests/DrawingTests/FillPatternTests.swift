import Testing

@testable import Drawing

/// Areas filled with a picture that is repeated.
@Suite struct FillPatternTests {
  /// A picture of 3 x 2 pixels, each different.
  private let pixels: [UInt32] = [
    0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004, 0xFF00_0005, 0xFF00_0006,
  ]

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Path {
    var path = Path()
    path.addRect(x, y, width, height)
    return path
  }

  @Test func aPictureIsRepeatedFromItsOrigin() throws {
    for (x, y) in [(0, 0), (1, 1), (-1, -5), (7, 100), (-3_000_001, Int.max), (Int.min, 5)] {
      let pattern = try #require(
        FillPattern(pixels: pixels, width: 3, height: 2, originX: x, originY: y))
      let sheet = Sheet(16, 16)
      sheet.rasteriser.fill(
        box(0, 0, 16, 16), rule: .nonZero, pattern: pattern, opacity: 1, on: sheet.canvas)
      var wrong = 0
      for row in 0..<16 {
        for column in 0..<16 {
          let pictureX = ((column - x % 3) % 3 + 3) % 3
          let pictureY = ((row - y % 2) % 2 + 2) % 2
          if sheet.pixels[row * 16 + column] != pixels[pictureY * 3 + pictureX] { wrong += 1 }
        }
      }
      #expect(wrong == 0, "origin \(x) \(y)")
      #expect(sheet.isWhole)
    }
  }

  @Test func tilesMeetIfTheirOriginsDifferAsTheyDo() throws {
    let whole = Sheet(32, 16)
    var pattern = try #require(FillPattern(pixels: pixels, width: 3, height: 2, originX: 5))
    whole.rasteriser.fill(
      box(2.5, 1.5, 28, 12), rule: .nonZero, pattern: pattern, opacity: 0.5, on: whole.canvas)
    let part = Sheet(16, 16)
    pattern.originX = 5 - 16
    part.rasteriser.fill(
      box(2.5 - 16, 1.5, 28, 12), rule: .nonZero, pattern: pattern, opacity: 0.5, on: part.canvas)
    for row in 0..<16 {
      for column in 0..<16 {
        #expect(part.pixels[row * 16 + column] == whole.pixels[row * 32 + 16 + column])
      }
    }
  }

  @Test func edgesOpacityAndThePicturesOwnAlphaAreBlended() throws {
    let half = try #require(FillPattern(pixels: [0x8040_0000], width: 1, height: 1))
    let sheet = Sheet(8, 8)
    sheet.fill(box(0, 0, 8, 8), color: 0xFF00_FF00)
    sheet.rasteriser.fill(
      box(1.5, 1, 5, 5), rule: .nonZero, pattern: half, opacity: 1, on: sheet.canvas)
    #expect(sheet.pixels[2 * 8 + 3] == 0xFF40_7F00)
    #expect(sheet.pixels[2 * 8 + 1] == 0xFF20_BF00)
    let faint = Sheet(8, 8)
    faint.rasteriser.fill(
      box(0, 0, 8, 8), rule: .nonZero, pattern: half, opacity: 0.5, on: faint.canvas)
    #expect(faint.pixels[0] == 0x4020_0000)
    for opacity in [0, -1, Double.nan, -Double.infinity] {
      let clear = Sheet(8, 8)
      clear.rasteriser.fill(
        box(0, 0, 8, 8), rule: .nonZero, pattern: half, opacity: opacity, on: clear.canvas)
      #expect(clear.words.allSatisfy { $0 == 0 })
    }
  }

  @Test func aPictureHasPixelsForItsSize() {
    #expect(FillPattern(pixels: [], width: 0, height: 0) == nil)
    #expect(FillPattern(pixels: [1], width: 1, height: 2) == nil)
    #expect(FillPattern(pixels: [1], width: -1, height: -1) == nil)
    #expect(FillPattern(pixels: [1], width: Int.max, height: 2) == nil)
  }
}
