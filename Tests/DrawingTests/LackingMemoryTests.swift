import Pixels
import Platform
import Testing

@testable import Drawing

/// Paths for which the system has no memory: they are left out, and whoever drew them is told.
@Suite struct LackingMemoryTests {
  private static let edge = 256

  /// The pixels after `draw`, and whether memory was lacking.
  private func drawn(
    most: Int, _ draw: (PathRasteriser, PixelCanvas) -> Void
  ) -> (pixels: [UInt32], lacks: Bool) {
    let rasteriser = PathRasteriser()
    let edge = LackingMemoryTests.edge
    var pixels = [UInt32](repeating: 0, count: edge * edge)
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let canvas = PixelCanvas(base, stride: edge, width: edge, height: edge)
      SpareMemory.$most.withValue(most) { draw(rasteriser, canvas) }
    }
    let lacks = rasteriser.takeLack()
    #expect(!rasteriser.takeLack())
    return (pixels, lacks)
  }

  private var area: Path {
    var path = Path()
    path.addCircle(128, 128, 100)
    return path
  }

  private func zigzag(_ count: Int) -> Path {
    var path = Path()
    for index in 0..<count {
      let point = Path.Point(Float(index % 250) + 3, index & 1 == 0 ? 20 : 230)
      if index == 0 { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
    return path
  }

  @Test func anAreaIsDrawnInNarrowerBandsWithLessMemory() {
    func fill(_ rasteriser: PathRasteriser, _ canvas: PixelCanvas) {
      rasteriser.fill(area, rule: .nonZero, color: 0xFF20_4060, on: canvas)
    }
    let whole = drawn(most: .max, fill)
    // A band takes 128 KiB, and a row about one.
    for most in [60_000, 5000, 1100] {
      let narrow = drawn(most: most, fill)
      #expect(!narrow.lacks && narrow.pixels == whole.pixels)
    }
    let none = drawn(most: 1000, fill)
    #expect(none.lacks)
    #expect(none.pixels.allSatisfy { $0 == 0 })
  }

  @Test func aStrokeWithoutMemoryForItsCoverageIsTold() {
    let style = StrokeStyle(width: 8, gapWidth: 6)
    func stroke(_ rasteriser: PathRasteriser, _ canvas: PixelCanvas) {
      rasteriser.stroke(area, style, color: 0xFF20_4060, on: canvas)
    }
    #expect(!drawn(most: .max, stroke).lacks)

    #expect(drawn(most: 1000, stroke).lacks)
  }

  @Test func aPathThatLacksPointsIsNotDrawn() {
    let many = SpareMemory.$most.withValue(40_000) { zigzag(10_000) }
    #expect(many.lacksMemory && !many.isEmpty)
    #expect(!zigzag(10_000).lacksMemory)
    let result = drawn(most: .max) { rasteriser, canvas in
      rasteriser.fill(many, rule: .evenOdd, color: 0xFFFF_FFFF, on: canvas)
      rasteriser.stroke(many, width: 2, color: 0xFFFF_FFFF, on: canvas)
      rasteriser.stroke(many, StrokeStyle(width: 2), color: 0xFFFF_FFFF, on: canvas)
    }
    #expect(result.lacks)
    #expect(result.pixels.allSatisfy { $0 == 0 })
    var path = many
    path.removeAll()
    #expect(!path.lacksMemory && path.isEmpty)
    path.giveUp()
    #expect(path.lacksMemory && !path.isEmpty)
  }

  @Test func anOutlineThatLacksPointsIsNotDrawn() {
    let path = zigzag(10_000)
    let whole = drawn(most: .max) { $0.stroke(path, width: 2, color: 0xFFFF_FFFF, on: $1) }
    #expect(!whole.lacks && whole.pixels.contains { $0 != 0 })
    let result = drawn(most: 150_000) {
      $0.stroke(path, width: 2, color: 0xFFFF_FFFF, on: $1)
    }
    #expect(result.lacks)
    #expect(result.pixels.allSatisfy { $0 == 0 })
  }

  @Test func aPatternAlongALineThatLacksPointsIsNotDrawn() throws {
    let found = FillPattern(pixels: [0xFFFF_FFFF], width: 1, height: 1)
    let pattern = try #require(found)
    let path = zigzag(3000)
    func stroke(_ rasteriser: PathRasteriser, _ canvas: PixelCanvas) {
      rasteriser.stroke(
        path, StrokeStyle(width: 4), pattern: pattern, period: 8, opacity: 1, on: canvas)
    }
    #expect(!drawn(most: .max, stroke).lacks)
    #expect(drawn(most: 33_000, stroke).lacks)
  }
}
