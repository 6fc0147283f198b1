import Pixels
import Testing

/// Bayer's 4x4 matrix as it is usually printed.
let bayer: [[Int]] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]

/// The dither's formula, channel by channel.
func referencePack(_ argb: UInt32, x: Int, y: Int) -> UInt16 {
  let level = bayer[y & 3][x & 3]
  let red = Int(argb >> 16 & 255)
  let green = Int(argb >> 8 & 255)
  let blue = Int(argb & 255)
  let r = (red - red / 32 + level / 2) / 8
  let g = (green - green / 64 + level / 4) / 4
  let b = (blue - blue / 32 + level / 2) / 8
  return UInt16(r << 11 | g << 5 | b)
}

/// Bit replication, channel by channel.
func referenceExpand(_ value: UInt16) -> UInt32 {
  let r = UInt32(value >> 11)
  let g = UInt32(value >> 5 & 63)
  let b = UInt32(value & 31)
  return 0xff00_0000 | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2)
}

@Test func everyColourThat565HoldsStaysExactAtEveryPlaceOfThePattern() {
  var wrong = 0
  for value in UInt16.min...UInt16.max {
    let argb = referenceExpand(value)
    for place in 0..<16 where RGB565Dither.pack(argb, x: place & 3, y: place >> 2) != value {
      wrong += 1
    }
  }
  #expect(wrong == 0)
}

@Test func eachChannelFollowsTheFormulaForEveryValueAndPlace() {
  var wrong = 0
  for value in UInt32(0)...255 {
    // Different values in the three channels, so that a swapped channel is seen.
    let argb = value << 16 | (255 - value) << 8 | (value ^ 0x55)
    for y in -5..<6 {
      for x in -5..<6 where RGB565Dither.pack(argb, x: x, y: y) != referencePack(argb, x: x, y: y) {
        wrong += 1
      }
    }
  }
  #expect(wrong == 0)
}

@Test func theMeanOverThePatternIsTheScaledValue() {
  for value in 0...255 {
    let argb = UInt32(value) << 16 | UInt32(value) << 8 | UInt32(value)
    var red = 0
    var green = 0
    for place in 0..<16 {
      let packed = RGB565Dither.pack(argb, x: place & 3, y: place >> 2)
      red += Int(packed >> 11)
      green += Int(packed >> 5 & 63)
    }
    #expect(red == 2 * (value - value / 32))
    #expect(green == 4 * (value - value / 64))
  }
}
