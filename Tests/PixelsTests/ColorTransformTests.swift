import Pixels
import Testing

private func applied(_ filters: [ColorFilter], _ words: [UInt32]) -> [UInt32] {
  var words = words
  words.withUnsafeMutableBufferPointer {
    guard let base = $0.baseAddress else { return }
    ColorTransform(filters).apply(to: base, count: $0.count)
  }
  return words
}

private struct KnownColor: Sendable {
  var filters: [ColorFilter]
  var before: UInt32
  var after: UInt32

  static let all: [KnownColor] = [
    KnownColor(filters: [.invert], before: 0xff00_40ff, after: 0xffff_bf00),
    KnownColor(filters: [.brightness(0.5)], before: 0xffff_6403, after: 0xff80_3202),
    KnownColor(filters: [.brightness(0)], before: 0xff12_3456, after: 0xff00_0000),
    KnownColor(filters: [.brightness(4)], before: 0xff10_20ff, after: 0xff40_80ff),
    // 0.2126 * 255 = 54.2, 0.7152 * 255 = 182.4, 0.0722 * 255 = 18.4
    KnownColor(filters: [.grayscale], before: 0xffff_0000, after: 0xff36_3636),
    KnownColor(filters: [.grayscale], before: 0xff00_ff00, after: 0xffb6_b6b6),
    KnownColor(filters: [.grayscale], before: 0xff00_00ff, after: 0xff12_1212),
    // 51/255 = 0.2 of red over white, over black.
    KnownColor(filters: [.tint(0x33ff_0000)], before: 0xffff_ffff, after: 0xffff_cccc),
    KnownColor(filters: [.tint(0x33ff_0000)], before: 0xff00_0000, after: 0xff33_0000),
    KnownColor(filters: [.tint(0xff12_3456)], before: 0xffab_cdef, after: 0xff12_3456),
    // Filters follow each other, white cut off in between.
    KnownColor(filters: [.invert, .brightness(0.5)], before: 0xff00_ff37, after: 0xff80_0064),
    KnownColor(filters: [.brightness(0.5), .invert], before: 0xff00_fe38, after: 0xffff_80e3),
    KnownColor(filters: [.brightness(2), .invert], before: 0xff80_1000, after: 0xff00_dfff),
    KnownColor(
      filters: [.brightness(2), .brightness(0.5)], before: 0xffff_8040, after: 0xff80_8040),
  ]
}

@Test(arguments: KnownColor.all)
private func aFilterGivesItsKnownColor(_ known: KnownColor) {
  #expect(applied(known.filters, [known.before]) == [known.after])
  #expect(ColorTransform(known.filters).apply(known.before) == known.after)
}

@Test func noFilterAndFiltersThatChangeNothingLeaveEveryPixelAsItIs() {
  let words = (UInt32(0)...255).flatMap { v in
    [UInt32(0), 77, 254, 255].map { a in a << 24 | min(v, a) * 0x10101 }
  }
  for filters: [ColorFilter] in [[], [.brightness(1)], [.tint(0x00ff_ffff)]] {
    #expect(ColorTransform(filters).isIdentity)
    #expect(applied(filters, words) == words)
  }
  // Twice inverted is what it was, to the last bit, though it is no empty list.
  #expect(applied([.invert, .invert], words) == words)
}

@Test func grayStaysTheSameGrayUnderGrayscale() {
  let words = (UInt32(0)...255).map { 0xff00_0000 | $0 * 0x10101 }
  #expect(applied([.grayscale], words) == words)
}

@Test func alphaStaysAndTransparentPixelsTakeTheirShareOfEveryFilter() {
  // Half red: inverted it is half cyan; tinted with opaque blue half blue; nothing stays nothing.
  let half: [UInt32] = [0x8080_0000, 0, 0x0100_0100]
  #expect(applied([.invert], half) == [0x8000_8080, 0, 0x0101_0001])
  #expect(applied([.tint(0xff00_00ff)], half) == [0x8000_0080, 0, 0x0100_0001])
  #expect(applied([.brightness(4)], [0x8040_2010]) == [0x8080_8040])
  #expect(ColorTransform([.tint(0xff00_00ff)]).apply(0x80ff_0000) == 0x8000_00ff)
}

@Test func pixelsAreWithinOneStepOfTheSumsInFullPrecision() {
  let filters: [ColorFilter] = [.brightness(0.55), .tint(0x22ff_0000), .grayscale, .invert]
  var words: [UInt32] = []
  var seed: UInt32 = 1
  for _ in 0..<5000 {
    seed = seed &* 1_664_525 &+ 1_013_904_223
    words.append(0xff00_0000 | seed >> 8)
  }
  let results = applied(filters, words)
  for (before, after) in zip(words, results) {
    var c = [16, 8, 0].map { Double(before >> UInt32($0) & 255) * 0.55 }
    let share = Double(0x22) / 255
    c = [c[0] * (1 - share) + 255 * share, c[1] * (1 - share), c[2] * (1 - share)]
    let gray = 255 - (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2])
    for shift: UInt32 in [16, 8, 0] {
      #expect(abs(Double(after >> shift & 255) - gray) < 0.51)
    }
  }
}

@Test func transformsFollowOneAnother() {
  let a = ColorTransform([.brightness(0.5)])
  let b = ColorTransform([.invert])
  #expect(a.followed(by: b) == ColorTransform([.brightness(0.5), .invert]))
  #expect(a.followed(by: .identity) == a)
  #expect(ColorTransform.identity.followed(by: b) == b)
}

@Test func pixelsThatAreNotPremultipliedSpoilNoNeighbour() {
  // Channels above alpha are taken as alpha.
  #expect(applied([.invert], [0x10ff_00ff, 0xff00_0000]) == [0x1000_1000, 0xffff_ffff])
}

/// The luma of ITU-R BT.709, 0 ... 255.
private func luma(_ word: UInt32) -> Double {
  0.2126 * Double(word >> 16 & 255) + 0.7152 * Double(word >> 8 & 255)
    + 0.0722 * Double(word & 255)
}

@Test func darkInvertsTheLightnessAndKeepsTheHue() {
  // Paper, words, a wood and a lake of a map.
  #expect(applied([.dark], [0xffff_ffff, 0xff00_0000]) == [0xff1c_1c1c, 0xffd4_d4d4])
  let (wood, lake) = (
    ColorTransform([.dark]).apply(0xffad_d19e), ColorTransform([.dark]).apply(0xffaa_d3df)
  )
  #expect(luma(wood) < 80 && luma(lake) < 80)
  #expect(wood >> 8 & 255 > wood >> 16 & 255 && wood >> 8 & 255 > wood & 255)
  #expect(lake & 255 > lake >> 8 & 255 && lake >> 8 & 255 > lake >> 16 & 255)
  var last = 255.0
  for gray in UInt32(0)...255 {
    let now = luma(ColorTransform([.dark]).apply(0xff00_0000 | gray &* 0x10101))
    #expect(now <= last)
    last = now
  }
}

@Test func darkCutsOffWhatLeavesTheRangeAndSpoilsNoNeighbour() {
  let corners: [UInt32] = [
    0xff00_0000, 0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xffff_ff00, 0xff00_ffff, 0xffff_00ff,
    0xffff_ffff,
  ]
  for (before, after) in zip(corners, applied([.dark], corners)) {
    let y = luma(before) / 255
    for shift: UInt32 in [16, 8, 0] {
      let channel = Double(before >> shift & 255) / 255
      let exact: Double = 212.0 - 184.0 * y + 229.5 * (channel - y)
      let cut = min(max(exact, 0), 255)
      let error = abs(Double(after >> shift & 255) - cut)
      #expect(error < 0.51)
    }
  }
  // Transparent pixels take their share.
  #expect(applied([.dark], [0, 0x8080_8080, 0x8000_0000]) == [0, 0x800e_0e0e, 0x806a_6a6a])
}

@Test func redLeavesNothingButRed() {
  #expect(applied([.red], [0xffff_ffff, 0xff00_0000]) == [0xffff_0000, 0xff00_0000])
  for word: UInt32 in [0xff12_3456, 0xff00_ff00, 0x8010_8020] {
    #expect(applied([.red], [word])[0] & 0xffff == 0)
  }
  #expect(applied([.dark, .red], [0xffff_ffff]) == [0xff1c_0000])
}
