import TestSupport
import Testing

@testable import Images
@testable import Pixels

private func fit(
  _ pixels: [UInt32], from: (width: Int, height: Int), to: (width: Int, height: Int)
) -> [UInt32] {
  let fitter = ImageFitter(
    columns: ImageFitAxis(source: from.width, result: to.width),
    rows: ImageFitAxis(source: from.height, result: to.height))
  var result = [UInt32](repeating: 0xdead_beef, count: to.width * to.height)
  result.withUnsafeMutableBytes { target in
    pixels.withUnsafeBufferPointer { source in
      for y in 0..<from.height {
        fitter.push(
          source.baseAddress! + y * from.width, into: target.baseAddress!, rowBytes: to.width * 4)
      }
    }
  }
  return result
}

private let sizes = [1, 2, 3, 5, 8, 13, 16, 31]

@Suite struct ImageFitterTests {
  @Test func weightsOfEveryResultPixelAddUpToOne() {
    for source in sizes + [255, 256, 257, 511, 512, 2047, 2048] {
      for result in sizes + [255, 256, 512, 1024] {
        let axis = ImageFitAxis(source: source, result: result)
        for tap in axis.taps {
          let weights = axis.weights[tap.weightsAt..<tap.weightsAt + tap.count]
          #expect(weights.reduce(0, +) == UInt64(ImageFitAxis.unit))
          #expect(tap.first >= 0 && tap.first + tap.count <= source)
        }
      }
    }
  }

  @Test func everyWeightIsTheNearestToTheAreaThatItsPixelCovers() {
    for source in 2...40 {
      for result in 1..<source {
        let axis = ImageFitAxis(source: source, result: result)
        for (i, tap) in axis.taps.enumerated() {
          var sum = 0
          for k in 0..<tap.count {
            sum += Int(axis.weights[tap.weightsAt + k])
            let covered = min((i + 1) * source, (tap.first + k + 1) * result) - i * source
            // Up to here, in units of 1/`unit` of the result pixel: off by half a unit at most.
            #expect(
              abs(2 * (sum * source - covered * ImageFitAxis.unit)) <= source,
              "\(source) to \(result), pixel \(i), \(k)")
          }
        }
      }
    }
  }

  @Test func everyEnlargedPixelLiesNearestToItsPlace() {
    for source in 1...20 {
      for result in source...(4 * source) {
        let axis = ImageFitAxis(source: source, result: result)
        for (i, tap) in axis.taps.enumerated() {
          let exact = (Double(2 * i + 1) * Double(source) / Double(result) - 1) / 2
          let place = min(max(exact, 0), Double(source - 1))
          let second = tap.count == 2 ? Double(axis.weights[tap.weightsAt + 1]) : 0
          let drawn = Double(tap.first) + second / Double(ImageFitAxis.unit)
          #expect(
            abs(drawn - place) <= 0.5 / Double(ImageFitAxis.unit) + 1e-12,
            "\(source) to \(result), pixel \(i)")
        }
      }
    }
  }

  @Test func theMeanIsRoundedNotCutOff() {
    // Between 100 and 101 in every share of thirds and fifths.
    for from in [3, 5] {
      for share in 0...from {
        let row = (0..<from).map { UInt32($0 < share ? 101 : 100) * 0x0101_0101 }
        let mean = (100 * Double(from) + Double(share)) / Double(from)
        let expected = UInt32(mean.rounded()) * 0x0101_0101
        #expect(fit(row, from: (from, 1), to: (1, 1)) == [expected], "\(share) of \(from)")
        let column = fit(row, from: (1, from), to: (1, 1))
        #expect(column == [expected], "\(share) of \(from), upright")
      }
    }
  }

  @Test(arguments: sizes, sizes)
  func flatAreaKeepsItsColourInEverySize(from: Int, to: Int) {
    for colour: UInt32 in [0xffff_ffff, 0xff00_0000, 0x8040_2010, 0] {
      let result = fit(
        Array(repeating: colour, count: from * (from + 1)), from: (from, from + 1), to: (to, to))
      #expect(result.allSatisfy { $0 == colour })
    }
  }

  @Test func halvingIsTheRoundedMeanOfFour() {
    var random = Seeded(state: 1)
    let source = (0..<32 * 32).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
    let result = fit(source, from: (32, 32), to: (16, 16))
    for y in 0..<16 {
      for x in 0..<16 {
        var mean: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
          let at = 2 * y * 32 + 2 * x
          let sum = [at, at + 1, at + 32, at + 33].map { source[$0] >> shift & 255 }.reduce(0, +)
          mean |= ((sum + 2) / 4) << shift
        }
        #expect(result[y * 16 + x] == mean)
      }
    }
  }

  @Test(arguments: [(7, 3), (16, 5), (5, 16), (3, 7), (31, 30), (30, 31)])
  func anySizeIsWithinOneOfTheExactSum(from: Int, to: Int) {
    var random = Seeded(state: UInt64(from))
    let source = (0..<from * from).map { _ in UInt32.random(in: 0...255, using: &random) }
    let result = fit(source, from: (from, from), to: (to, to))
    func weights(_ i: Int) -> [Double] {
      var weights = [Double](repeating: 0, count: from)
      let scale = Double(from) / Double(to)
      if from > to {
        for k in 0..<from {
          let covered =
            min(Double(k + 1), Double(i + 1) * scale) - max(Double(k), Double(i) * scale)
          weights[k] = max(0, covered) / scale
        }
      } else {
        let at = min(max(0, (Double(i) + 0.5) * scale - 0.5), Double(from - 1))
        let first = min(Int(at), from - 1)
        weights[first] += 1 - (at - Double(first))
        if first + 1 < from { weights[first + 1] += at - Double(first) }
      }
      return weights
    }
    for y in 0..<to {
      for x in 0..<to {
        let (columns, rows) = (weights(x), weights(y))
        var exact = 0.0
        for (j, row) in rows.enumerated() where row > 0 {
          for (k, column) in columns.enumerated() {
            exact += row * column * Double(source[j * from + k])
          }
        }
        #expect(abs(exact - Double(result[y * to + x])) <= 1, "\(x) \(y)")
      }
    }
  }

  @Test func noColourExceedsItsAlpha() {
    var random = Seeded(state: 3)
    let source = (0..<33 * 33).map { _ in
      ImagePremultiply.pixel(UInt32.random(in: 0...UInt32.max, using: &random))
    }
    for to in [7, 33, 50] {
      for pixel in fit(source, from: (33, 33), to: (to, to + 1)) {
        #expect((0..<3).allSatisfy { pixel >> (8 * $0) & 255 <= pixel >> 24 })
      }
    }
  }

  @Test(arguments: [
    "osm-3-4-2.png", "basi6a08.png", "basi2c16.png", "testorig.jpg", "alpha_color_cache.webp",
  ])
  func decodingToAnotherSizeIsFittingTheWholePicture(name: String) throws {
    let file = try TestFile.fixture(name)
    let whole = try Picture(file, straight: false)
    // No reduction of JPEG by its own transform at these sizes.
    for size in [(whole.width * 3 / 4, whole.height - 1), (whole.width + 9, whole.height * 2)] {
      let fitted = try Picture(file, width: size.0, height: size.1)
      let isFitted =
        fitted.pixels == fit(whole.pixels, from: (whole.width, whole.height), to: size)
      #expect(isFitted, "\(size)")
      #expect(fitted.isOpaque == whole.isOpaque)
    }
  }

  @Test func oneDecoderFitsPictureAfterPictureAlike() throws {
    let decoder = TileDecoder()
    let first = try Picture(TestFile.fixture("osm-3-4-2.png"), width: 100, height: 100)
    for _ in 0..<3 {
      let again = try Picture(
        TestFile.fixture("osm-3-4-2.png"), width: 100, height: 100, decoder: decoder)
      #expect(again == first)
      // A file that fails half-way leaves nothing behind.
      let cut = Array(try TestFile.fixture("osm-3-4-2.png").dropLast(400))
      #expect(throws: ImageError.self) {
        _ = try Picture(cut, width: 100, height: 100, decoder: decoder)
      }
    }
  }

  @Test func jpegReducedByItsTransformIsNearTheAreaMean() throws {
    let file = try TestFile.fixture("derived-progressive.jpg")
    let whole = try Picture(file)
    let fast = try Picture(file, width: 20, height: 16)
    let slow = fit(whole.pixels, from: (whole.width, whole.height), to: (20, 16))
    var apart = 0
    for (a, b) in zip(fast.rgb, Picture(width: 20, height: 16, pixels: slow).rgb) {
      apart += abs(Int(a) - Int(b))
    }
    #expect(apart <= 3 * fast.rgb.count)
  }
}
