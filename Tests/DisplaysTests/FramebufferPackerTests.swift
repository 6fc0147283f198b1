import Pixels
import Testing

@testable import Displays

/// The formats that drivers state, and some that they could.
private let formats: [FramebufferFormat] = [
  format(32, (16, 8), (8, 8), (0, 8)),
  format(32, (0, 8), (8, 8), (16, 8)),
  format(32, (16, 8), (8, 8), (0, 8), (24, 8)),
  format(32, (20, 10), (10, 10), (0, 10), (30, 2)),
  format(32, (16, 6), (8, 6), (0, 6)),
  format(32, (16, 16), (8, 8), (0, 1)),
  format(24, (16, 8), (8, 8), (0, 8)),
  format(24, (0, 8), (8, 8), (16, 8)),
  format(16, (11, 5), (5, 6), (0, 5)),
  format(16, (0, 5), (5, 6), (11, 5)),
  format(16, (10, 5), (5, 5), (0, 5), (15, 1)),
  format(16, (8, 4), (4, 4), (0, 4), (12, 4)),
]

private func format(
  _ bits: Int, _ red: (Int, Int), _ green: (Int, Int), _ blue: (Int, Int),
  _ alpha: (Int, Int) = (0, 0)
) -> FramebufferFormat {
  FramebufferFormat(
    bits: bits, red: .init(red.0, red.1), green: .init(green.0, green.1),
    blue: .init(blue.0, blue.1), alpha: .init(alpha.0, alpha.1))!
}

/// Eight bits as `length` bits, bit by bit from the highest, beginning again when they are used up.
private func resized(_ value: UInt32, _ length: Int) -> UInt32 {
  var result: UInt32 = 0
  for i in 0..<length { result = result << 1 | (value >> UInt32(7 - i % 8)) & 1 }
  return result
}

/// A pixel put together channel by channel.
private func reference(_ word: UInt32, _ f: FramebufferFormat) -> UInt32 {
  var pixel: UInt32 = 0
  for (value, channel) in [
    (word >> 16 & 255, f.red), (word >> 8 & 255, f.green), (word & 255, f.blue), (255, f.alpha),
  ] {
    pixel |= resized(value, channel.length) << UInt32(channel.offset)
  }
  return pixel
}

@Suite struct FramebufferPackerTests {
  @Test(arguments: formats)
  func everyValueOfEveryChannelComesOutWithItsHighestBits(_ format: FramebufferFormat) {
    let packer = FramebufferPacker(format)
    for value in UInt32(0)...255 {
      for shift in [UInt32(0), 8, 16] {
        // The other channels all zeros and all ones: none leaks into another.
        for others in [UInt32(0), 0xff_ffff] {
          let word = others & ~(255 << shift) | value << shift
          #expect(packer.pack(word) == reference(word, format))
          #expect(packer.pack(word | 0xff00_0000) == packer.pack(word))
        }
      }
    }
  }

  @Test(arguments: formats)
  func aRowIsItsPixelsInOrderAsLittleEndianBytesAndNothingMore(_ format: FramebufferFormat) {
    let packer = FramebufferPacker(format)
    var seed: UInt32 = 7
    for count in [0, 1, 2, 3, 5, 16, 63, 200] {
      let words = (0..<count).map { _ -> UInt32 in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return seed
      }
      let row = UnsafeMutableRawBufferPointer.allocate(
        byteCount: count * format.bytes + 16, alignment: 16)
      defer { row.deallocate() }
      for i in row.indices { row[i] = 0xA5 }
      packer.pack(words, to: row.baseAddress!, count: count)
      var expected: [UInt8] = []
      for word in words {
        let pixel = reference(word, format)
        for i in 0..<format.bytes { expected.append(UInt8(pixel >> UInt32(8 * i) & 255)) }
      }
      expected += [UInt8](repeating: 0xA5, count: 16)
      #expect(Array(row) == expected)
    }
  }

  @Test func everyRGB565PixelWidenedAndPackedForTheOtherOrderOnlyChangesPlaces() {
    let packer = FramebufferPacker(format(16, (0, 5), (5, 6), (11, 5)))
    for value in UInt16.min...UInt16.max {
      let swapped = value >> 11 | value & 0x07e0 | value << 11
      #expect(packer.pack(expand565(value)) == UInt32(swapped))
    }
  }

  @Test func whatAPixelCannotHoldIsNoFormat() {
    typealias Channel = FramebufferFormat.Channel
    let (red, green, blue) = (Channel(16, 8), Channel(8, 8), Channel(0, 8))
    let none = Channel(0, 0)
    func made(_ bits: Int, _ r: Channel, _ a: Channel) -> FramebufferFormat? {
      FramebufferFormat(bits: bits, red: r, green: green, blue: blue, alpha: a)
    }
    #expect(made(32, red, none) != nil)
    for bits in [0, 1, 8, 15, 18, 31, 33, 64] { #expect(made(bits, red, none) == nil) }
    for wrong in [Channel(25, 8), Channel(0, 0), Channel(0, 17), Channel(-1, 8), Channel(.max, 8)] {
      #expect(made(32, wrong, none) == nil)
    }
    #expect(made(24, red, Channel(24, 8)) == nil)
    #expect(made(32, red, Channel(24, 8)) != nil)
    #expect(made(16, red, none) == nil)
  }

  @Test func onlyTheSameBitsInTheSamePlacesNeedNoConversion() {
    let exact = formats.map(\.scanout)
    let expected: [PixelFormat?] = [
      .xrgb8888, nil, nil, nil, nil, nil, nil, nil, .rgb565, nil, nil, nil,
    ]
    #expect(exact == expected)
  }

  @Test func whatHoldsNoMoreThanRGB565IsDrawnInIt() {
    let drawn = formats.map(\.drawing)
    #expect(drawn == Array(repeating: .xrgb8888, count: 8) + Array(repeating: .rgb565, count: 4))
  }
}
