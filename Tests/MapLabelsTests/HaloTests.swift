import Drawing
import TestSupport
import Testing

@testable import MapLabels

/// The area around letters, compared with its definition.
@Suite struct HaloTests {
  /// A few strokes of different weights.
  private func mask(_ seed: UInt64) -> GlyphMask {
    var numbers = SeededNumbers(seed)
    var mask = GlyphMask(width: 48, height: 32)
    for _ in 0..<6 {
      let (x, y) = (numbers.next(4..<44), numbers.next(4..<28))
      for n in 0..<numbers.integer(1...8) where x + n < mask.width {
        mask.coverage[y * mask.width + x + n] = UInt8(numbers.integer(1...255))
      }
    }
    return mask
  }

  /// The greatest of what is around a pixel, weighted by its distance.
  private func spread(_ mask: GlyphMask, _ radius: Float) -> [Int] {
    (0..<mask.width * mask.height).map { place in
      var most = 0
      for other in mask.coverage.indices where mask.coverage[other] != 0 {
        let dx = Float(place % mask.width - other % mask.width)
        let dy = Float(place / mask.width - other / mask.width)
        let weight = min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
        most = max(most, Int(mask.coverage[other]) * Int((weight * 256).rounded()) / 256)
      }
      return most
    }
  }

  /// The mean of `size` + 1 pixels, on one axis.
  private func mean(_ values: [Int], _ width: Int, _ size: Int, isAcross: Bool) -> [Int] {
    let height = values.count / width
    return values.indices.map { place in
      let (x, y) = (place % width, place / width)
      var sum = 0
      for n in -(size / 2)...(size - size / 2) {
        let (column, row) = isAcross ? (x + n, y) : (x, y + n)
        if column >= 0, column < width, row >= 0, row < height {
          sum += values[row * width + column]
        }
      }
      return sum / (size + 1)
    }
  }

  @Test(arguments: [0, 0.4, 0.5, 1, 1.5, 2, 3, 6] as [Float])
  func aHaloIsWhatLiesAroundBlurred(blur: Float) {
    for (seed, radius) in [(1, 1), (2, 1.8), (3, 2.5), (4, 3.75)] as [(UInt64, Float)] {
      let mask = mask(seed)
      var wanted = spread(mask, radius)
      if blur >= 0.5 {
        let size = Int(blur.rounded())
        wanted = mean(wanted, mask.width, size, isAcross: true)
        wanted = mean(wanted, mask.width, size, isAcross: false)
      }
      let halo = MaskHalo.around(mask, radius: radius, blur: blur)
      let worst = zip(halo.coverage, wanted).map { abs(Int($0.0) - $0.1) }.max()
      #expect(worst == 0, "radius \(radius)")
      #expect(wanted.contains { $0 > 20 })
    }
  }
}
