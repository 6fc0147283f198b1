import Testing

@testable import Drawing

/// Lines drawn with a picture that is repeated along them.
@Suite struct LinePatternTests {
  /// A picture of 4 x 2 pixels, each different.
  private let pixels: [UInt32] = [
    0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004, 0xFF00_0005, 0xFF00_0006, 0xFF00_0007,
    0xFF00_0008,
  ]

  private var pattern: FillPattern {
    get throws { try #require(FillPattern(pixels: pixels, width: 4, height: 2)) }
  }

  private func line(_ points: [(Float, Float)]) -> Path {
    var path = Path()
    for (n, point) in points.enumerated() {
      let point = Path.Point(point.0, point.1)
      if n == 0 { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
    return path
  }

  private func drawn(
    _ points: [(Float, Float)], _ style: StrokeStyle, period: Double = 4, opacity: Double = 1,
    edge: Int = 32
  ) throws -> Sheet {
    let sheet = Sheet(edge, edge)
    sheet.rasteriser.stroke(
      line(points), style, pattern: try pattern, period: period, opacity: opacity,
      on: sheet.canvas)
    #expect(sheet.isWhole)
    return sheet
  }

  private func column(_ sheet: Sheet, _ x: Int, _ rows: Range<Int>) -> [UInt32] {
    rows.map { sheet.pixels[$0 * sheet.width + x] & 255 }
  }

  @Test func aPictureIsRepeatedFromTheBeginningWithItsTopOnTheRight() throws {
    let east = try drawn([(2, 8), (30, 8)], StrokeStyle(width: 2))
    for x in 2..<30 {
      let n = UInt32((x - 2) % 4)
      #expect(column(east, x, 6..<10) == [0, 5 + n, 1 + n, 0])
    }
    let west = try drawn([(30, 8), (2, 8)], StrokeStyle(width: 2))
    for x in 2..<30 {
      let n = UInt32((29 - x) % 4)
      #expect(column(west, x, 6..<10) == [0, 1 + n, 5 + n, 0])
    }
    let south = try drawn([(8, 2), (8, 30)], StrokeStyle(width: 2))
    for y in 2..<30 {
      let n = UInt32((y - 2) % 4)
      #expect(south.pixels[y * 32 + 8] & 255 == 5 + n && south.pixels[y * 32 + 7] & 255 == 1 + n)
    }
  }

  @Test func aPictureGoesOnAroundCornersAndBeginsAnewWithEachLine() throws {
    let corner = try drawn([(2, 8), (21, 8), (21, 30)], StrokeStyle(width: 2))
    // 19 pixels to the corner.
    for y in 12..<30 {
      let n = UInt32((19 + y - 8) % 4)
      #expect(corner.pixels[y * 32 + 21] & 255 == 5 + n)
    }
    var two = line([(2, 8), (21, 8)])
    two.move(to: Path.Point(1, 20))
    two.line(to: Path.Point(30, 20))
    two.finish()
    let sheet = Sheet(32, 32)
    sheet.rasteriser.stroke(
      two, StrokeStyle(width: 2), pattern: try pattern, period: 4, opacity: 1, on: sheet.canvas)
    #expect(column(sheet, 2, 19..<21) == [6, 2])
  }

  @Test func aPictureCoversTheWholeWidthWithGapAndOffset() throws {
    let gap = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 1, gapWidth: 2))
    #expect(column(gap, 4, 5..<11) == [0, 5, 0, 0, 1, 0])
    let moved = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2, offset: 5))
    #expect(column(moved, 4, 11..<15) == [0, 5, 1, 0])
    // Dashes do not interrupt it.
    let dashed = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2, dashes: [2, 2]))
    #expect((0..<32).allSatisfy { dashed.pixels[8 * 32 + $0] != 0 })
  }

  @Test func aPictureIsStretchedToItsPeriodAndFadedByItsOpacity() throws {
    let long = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2), period: 16)
    // The middles of the picture's columns.
    for n in 0..<4 {
      #expect([UInt32(1 + n), UInt32(2 + n)].contains(long.pixels[8 * 32 + 4 * n + 2] & 255))
    }
    let faint = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2), opacity: 0.5)
    #expect((0x7F...0x80).contains(faint.alpha(8, 8)))
    let periods: [Double] = [0, -1, .nan, .infinity, 1e-300]
    for period in periods {
      _ = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2), period: period)
    }
    let none = try drawn([(0, 8), (32, 8)], StrokeStyle(width: 2), opacity: 0)
    #expect(none.sum == 0)
  }

  @Test func canvasesBesideEachOtherShowOneLine() throws {
    let points: [(Float, Float)] = [(3, 5), (20, 11), (27, 28), (44, 20)]
    let whole = try drawn(points, StrokeStyle(width: 6, cap: .round, join: .round), edge: 48)
    let part = try drawn(
      points.map { ($0.0 - 16, $0.1) }, StrokeStyle(width: 6, cap: .round, join: .round))
    for row in 0..<32 {
      for column in 0..<32 {
        #expect(part.pixels[row * 32 + column] == whole.pixels[row * 48 + column + 16])
      }
    }
  }

  @Test func anyLineEndsSoon() throws {
    let odd: [[(Float, Float)]] = [
      [], [(3, 3)], [(3, 3), (3, 3)], [(.nan, 1), (.infinity, 2), (3, 4), (9, 9)],
      [(-1e30, 4), (1e30, 4)], [(-3e38, -3e38), (3e38, 3e38), (4, 4), (4, 20)],
    ]
    let widths: [Double] = [0, 0.1, 3, 1e9, .nan, .infinity]
    for points in odd {
      for width in widths {
        _ = try drawn(points, StrokeStyle(width: width, cap: .round))
        _ = try drawn(points, StrokeStyle(width: width, gapWidth: width, offset: width, blur: 2))
      }
    }
    // More segments than any square has room for.
    var crowd: [(Float, Float)] = []
    for n in 0..<20_000 { crowd.append((Float(n * 37 % 256), Float(n * 91 % 256))) }
    let sheet = try drawn(crowd, StrokeStyle(width: 4), edge: 256)
    #expect(sheet.alpha(128, 128) > 0)
  }
}
