import Pixels
import TestSupport
import Testing

/// `value / divisor`, to the nearest.
private func rounded(_ value: Int, _ divisor: Int) -> Int { (2 * value + divisor) / (2 * divisor) }

private func referenceOver(_ source: UInt32, _ under: UInt32, opacity: Int) -> UInt32 {
  let faded = channels(source).map { rounded($0 * opacity, 256) }
  return word(
    zip(faded, channels(under)).map { min(255, $0 + rounded($1 * (255 - faded[3]), 255)) })
}

@Test(arguments: counts)
func blendingOverRoundsEveryChannelExactly(count: Int) {
  var numbers = SeededNumbers(UInt64(count) + 1)
  for opacity in [0, 1, 77, 128, 255, 256] {
    let source = numbers.premultiplied(count)
    let under = numbers.opaque(count)
    let expected = zip(source, under).map { referenceOver($0, $1, opacity: opacity) }
    let result = written(count, over: under) {
      blendOver(source, into: $0, count, opacity: opacity)
    }
    #expect(result == expected)
    #expect(result?.allSatisfy { $0 >> 24 == 255 } == true)
  }
}

@Test func everyAlphaOverEveryValueIsTheNearestWholeNumber() {
  for alpha in UInt32(0)...255 {
    let source = [UInt32](repeating: alpha << 24 | alpha / 3, count: 256)
    let under = (UInt32(0)...255).map { 0xff00_0000 | $0 << 16 | (255 - $0) << 8 | $0 }
    let expected = zip(source, under).map { referenceOver($0, $1, opacity: 256) }
    #expect(
      written(256, over: under) { blendOver(source, into: $0, 256, opacity: 256) } == expected)
  }
}

@Test func pixelsThatAreNotPremultipliedSaturateAndSpoilNoNeighbour() {
  var numbers = SeededNumbers(99)
  let source = numbers.words(1003)
  let under = numbers.opaque(1003)
  for opacity in [256, 200] {
    let expected = zip(source, under).map { referenceOver($0, $1, opacity: opacity) }
    #expect(
      written(1003, over: under) { blendOver(source, into: $0, 1003, opacity: opacity) }
        == expected)
  }
}
