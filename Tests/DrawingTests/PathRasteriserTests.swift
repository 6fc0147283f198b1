import Testing

@testable import Drawing
@testable import Pixels

private func polygon(_ rings: [(Float, Float)]...) -> Path {
  var path = Path()
  for ring in rings {
    for (index, point) in ring.enumerated() {
      let point = Path.Point(point.0, point.1)
      if index == 0 { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
  }
  return path
}

private func box(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float) -> [(Float, Float)] {
  [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
}

/// Numbers that are the same in every run.
private struct Numbers {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 16
  }
  mutating func float(_ range: ClosedRange<Float>) -> Float {
    let part = Float(next() & 0xFFFF) / 65535
    return range.lowerBound + (range.upperBound - range.lowerBound) * part
  }
}

@Suite struct PathRasteriserTests {
  @Test func aCrowdOfPointsKeepsNoMemory() {
    var pixels = [UInt32](repeating: 0, count: 256 * 256)
    let rasteriser = PathRasteriser()
    var path = Path()
    path.move(to: Path.Point(0, 0))
    for index in 0..<100_000 {
      path.line(to: Path.Point(Float(index % 256), Float(index * 37 % 256)))
    }
    pixels.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      let canvas = PixelCanvas(base, stride: 256, width: 256, height: 256)
      rasteriser.stroke(path, width: 100, color: 0xFF00_00FF, on: canvas)
    }
    #expect(rasteriser.bytes <= 2 << 20)
    #expect(pixels.allSatisfy { $0 == 0xFF00_00FF })
  }

  @Test func aPixelIsAsOpaqueAsItIsCovered() {
    let sheet = Sheet(8, 8)
    sheet.fill(polygon(box(1.5, 2.25, 4.75, 5)))
    #expect(sheet.alpha(2, 3) == 255)
    #expect(sheet.alpha(1, 3) == 128)  // half of its width
    #expect(sheet.alpha(4, 3) == 191)  // three quarters
    #expect(sheet.alpha(2, 2) == 191)
    #expect(sheet.alpha(1, 2) == 96)  // 3/8
    #expect(sheet.alpha(5, 3) == 0 && sheet.alpha(0, 3) == 0 && sheet.alpha(2, 5) == 0)
    #expect(sheet.isWhole)
  }

  @Test func aTriangleHasItsArea() {
    let sheet = Sheet(64, 64)
    sheet.fill(polygon([(3.3, 5.1), (60.2, 20.7), (17.9, 58.6)]))
    let area = abs((60.2 - 3.3) * (58.6 - 5.1) - (17.9 - 3.3) * (20.7 - 5.1)) / 2
    #expect(abs(Double(sheet.sum) / 255 - area) < area * 0.002)
  }

  @Test func aRingInARingIsAHoleWhateverItsDirection() {
    for hole in [box(4, 4, 12, 12), box(4, 4, 12, 12).reversed()] {
      let sheet = Sheet(16, 16)
      sheet.fill(polygon(box(1, 1, 15, 15), hole))
      #expect(sheet.alpha(2, 8) == 255 && sheet.alpha(8, 8) == 0 && sheet.alpha(13, 8) == 255)
    }
    let sheet = Sheet(16, 16)
    sheet.fill(polygon(box(1, 1, 15, 15), box(4, 4, 12, 12)), .nonZero)
    #expect(sheet.alpha(8, 8) == 255)
  }

  @Test func coloursAreBlendedOverWhatIsThere() {
    let sheet = Sheet(4, 4)
    sheet.fill(polygon(box(0, 0, 4, 4)), color: 0xFF00_FF00)
    sheet.fill(polygon(box(0, 0, 4, 4)), color: 0x80FF_0000)
    #expect(sheet.pixels[5] == 0xFF80_7F00)
    let clear = Sheet(4, 4)
    clear.fill(polygon(box(0, 0, 4, 4)), color: 0x80FF_0000)
    #expect(clear.pixels[5] == 0x8080_0000)
  }

  @Test func aPartOfAPictureIsThatPartOfTheWhole() {
    var numbers = Numbers(state: 7)
    for round in 0..<20 {
      var points: [(Float, Float)] = []
      for _ in 0..<40 {
        // Corners in 1/256 pixels, as all are.
        points.append(
          (
            (numbers.float(-100...300) * 256).rounded() / 256,
            (numbers.float(-100...300) * 256).rounded() / 256
          ))
      }
      let whole = Sheet(128, 128)
      let rule: PathRasteriser.Rule = round % 2 == 0 ? .evenOdd : .nonZero
      whole.fill(polygon(points), rule)
      whole.stroke(polygon(points), width: 3.5, color: 0x8012_3456)
      for (x, y) in [(0, 0), (64, 0), (0, 64), (64, 64)] {
        let part = Sheet(64, 64)
        let moved = polygon(points.map { ($0.0 - Float(x), $0.1 - Float(y)) })
        part.fill(moved, rule)
        part.stroke(moved, width: 3.5, color: 0x8012_3456)
        for row in 0..<64 {
          for column in 0..<64 {
            #expect(
              part.pixels[row * 64 + column] == whole.pixels[(y + row) * 128 + x + column],
              "round \(round), part \(x) \(y), pixel \(column) \(row)")
          }
        }
        #expect(part.isWhole)
      }
    }
  }

  @Test func moreThanABandOfRowsIsOnePicture() {
    let sheet = Sheet(1000, 400)
    sheet.fill(polygon(box(10.5, 3.5, 990.5, 396.5)))
    #expect((4..<396).allSatisfy { sheet.alpha(500, $0) == 255 && sheet.alpha(10, $0) == 128 })
    let area = 980 * 393
    // Half covered pixels are 128, not 127.5.
    #expect(abs(Double(sheet.sum) / 255 - Double(area)) < 6)
  }

  @Test func aLineIsAsWideAsItSays() {
    let sheet = Sheet(64, 32)
    sheet.stroke(polygon([(10, 16), (54, 16)]), width: 5)
    #expect((14...17).allSatisfy { sheet.alpha(30, $0) == 255 })
    #expect(sheet.alpha(30, 13) == 128 && sheet.alpha(30, 18) == 128 && sheet.alpha(30, 12) == 0)
    // Its round ends are two halves of a disc.
    let area = 44 * 5 + 3.14159 * 2.5 * 2.5
    #expect(abs(Double(sheet.sum) / 255 - area) < 1)
  }

  @Test func aThinLineIsFainterNotNarrower() {
    let sheet = Sheet(16, 16)
    sheet.stroke(polygon([(2, 8.5), (14, 8.5)]), width: 0.25)
    #expect(sheet.alpha(8, 8) == 64)
  }

  @Test func aLineThatCrossesItselfIsNotDarkerThere() {
    let sheet = Sheet(32, 32)
    let color: UInt32 = 0x80FF_FFFF
    sheet.stroke(polygon([(2, 2), (30, 30), (30, 2), (2, 30)]), width: 4, color: color)
    #expect((0..<32 * 32).allSatisfy { sheet.pixels[$0] >> 24 <= 0x80 })
    #expect(sheet.alpha(16, 16) == 0x80)
  }

  @Test func tightTurnsLeaveNoHoles() {
    // A spiral that turns within its own width.
    var points: [(Float, Float)] = []
    for step in 0..<200 {
      let angle = Float(step) * 0.4
      let radius = Float(step) * 0.02
      points.append((32 + radius * Float(cosine(angle)), 32 + radius * Float(sine(angle))))
    }
    let sheet = Sheet(64, 64)
    sheet.stroke(polygon(points), width: 16)
    for y in 26...38 {
      for x in 26...38 { #expect(sheet.alpha(x, y) == 255, "\(x) \(y)") }
    }
  }

  @Test func aClosedLineIsJoinedAndAnOpenOneIsNot() {
    let closed = Sheet(32, 32)
    closed.stroke(polygon([(8, 8), (24, 8), (24, 24), (8, 24), (8, 8)]), width: 4)
    #expect(closed.alpha(8, 16) == 255 && closed.alpha(16, 16) == 0)
    let open = Sheet(32, 32)
    open.stroke(polygon([(8, 8), (24, 8), (24, 24), (8, 24)]), width: 4)
    #expect(open.alpha(8, 16) == 0 && open.alpha(16, 24) == 255)
  }

  @Test func aPointIsADisc() {
    let sheet = Sheet(32, 32)
    sheet.stroke(polygon([(16, 16)]), width: 10)
    #expect(abs(Double(sheet.sum) / 255 - 3.14159 * 25) < 1.5)
  }

  @Test func pathsOfAnyNumberOfPointsAreFilled() {
    // A comb of 30,000 teeth, 120,000 points; half of each tooth's width is covered.
    var points: [(Float, Float)] = [(0, 64)]
    for tooth in 0..<30_000 {
      let x = Float(tooth) / 30_000 * 64
      let half = x + 0.5 / 30_000 * 64
      points += [(x, 0), (half, 0), (half, 63), (x + 64 / 30_000, 63)]
    }
    points.append((64, 64))
    let sheet = Sheet(64, 64)
    sheet.fill(polygon(points))
    #expect(sheet.alpha(32, 63) == 255)
    #expect(sheet.isWhole)
    let line = Sheet(64, 64)
    line.stroke(polygon(points), width: 2)
    #expect(line.alpha(32, 32) == 255)
  }

  @Test func numbersThatAreNoneAndFarPlacesAreSurvived() {
    let odd: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 1e9, -1e9, 8_388_608, -4_194_304, 0, 5, 1e20,
    ]
    for a in odd {
      for b in odd {
        for c in odd {
          let sheet = Sheet(16, 16)
          let points = [(a, b), (b, c), (c, a), (3, a), (b, 4)]
          sheet.fill(polygon(points), .evenOdd)
          sheet.fill(polygon(points), .nonZero)
          sheet.stroke(polygon(points), width: 3)
          #expect(sheet.isWhole)
        }
      }
    }
    let sheet = Sheet(16, 16)
    for width in [Double.nan, .infinity, -1, 0, 1e300] {
      sheet.stroke(polygon([(1, 1), (8, 8)]), width: width)
    }
    #expect(sheet.isWhole)
  }

  @Test func whatIsFarAwayIsDrawnWhereItShouldBe() {
    // Half planes and a line whose ends are a world away.
    let sheet = Sheet(16, 16)
    sheet.fill(polygon([(-1e8, -1e8), (1e8, 1e8), (-1e8, 1e8)]))
    #expect(sheet.alpha(2, 10) == 255 && sheet.alpha(10, 2) == 0)
    #expect((0..<16).allSatisfy { abs(sheet.alpha($0, $0) - 128) <= 1 })
    let line = Sheet(16, 16)
    line.stroke(polygon([(-3e7, 8.5), (3e7, 8.5)]), width: 1)
    #expect((0..<16).allSatisfy { line.alpha($0, 8) == 255 && line.alpha($0, 7) == 0 })
    let around = Sheet(16, 16)
    around.fill(polygon(box(-1e9, -1e9, 1e9, 1e9)))
    #expect(around.sum == 16 * 16 * 255)
  }

  @Test func itKeepsLittleMemory() {
    let sheet = Sheet(512, 512)
    sheet.fill(polygon(box(0, 0, 512, 512)))
    sheet.stroke(polygon(box(0, 0, 512, 512)), width: 3)
    #expect(sheet.rasteriser.bytes < 256 << 10)
  }
}

// The C library's, by their series: this file imports nothing else.
private func sine(_ x: Float) -> Double { cosine(x - .pi / 2) }

private func cosine(_ x: Float) -> Double {
  let turned = Double(x) - (Double(x) / (2 * .pi)).rounded() * 2 * .pi
  var term = 1.0
  var sum = 1.0
  for n in 1..<12 {
    term *= -turned * turned / Double((2 * n - 1) * (2 * n))
    sum += term
  }
  return sum
}
