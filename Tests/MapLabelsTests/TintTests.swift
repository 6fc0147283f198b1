import MapStyle
import Pixels
import Testing

@testable import MapLabels

/// Labels change their colours as the map below them does, and stay legible.
@Suite struct TintTests {
  private static let dark = LabelTint(ColorTransform([.dark]))
  private static let red = LabelTint(ColorTransform([.red]))
  private static let white: UInt32 = 0xFFFF_FFFF

  @Test(
    arguments: [
      0xFF00_0000, 0xFF33_3333, 0xFF66_6666, 0xFF99_9999, 0xFFFF_FFFF, 0xFF7A_5A2B, 0xFF00_60A0,
      0xFF80_0080, 0xFFD0_2020, 0xFF20_8020, 0xFF80_8080,
    ] as [UInt32])
  func wordsCanBeReadOnTheirHalo(_ color: UInt32) {
    for tint in [Self.dark, Self.red, LabelTint(ColorTransform([.dark, .red]))] {
      for halo in [Self.white, 0xFF00_0000] {
        var day = LabelSettings()
        day.textColor = color
        day.textHaloColor = halo
        day.textHaloWidth = 1
        let night = tint.settings(day)
        let contrast = LabelTint.contrast(night.textColor, night.textHaloColor)
        // A halo of the darkest paper's red leaves no more.
        let isDarkened = tint != Self.dark && tint != Self.red
        let most: Float = isDarkened && halo != Self.white ? 3.7 : 4.5
        #expect(contrast >= most, "\(String(color, radix: 16)) on \(String(halo, radix: 16))")
        #expect(night.textColor >> 24 == 0xFF)
      }
    }
  }

  @Test func darkWordsWithLightHalosBecomeLightOnesWithDarkHalos() {
    var day = LabelSettings()
    day.textColor = 0xFF00_4080
    day.textHaloColor = Self.white
    day.textHaloWidth = 2
    let night = Self.dark.settings(day)
    #expect(LabelTint.luminance(night.textColor) > 0.3)
    #expect(LabelTint.luminance(night.textHaloColor) < 0.02)
    // The hue stays.
    #expect(night.textColor & 0xFF > night.textColor >> 16 & 0xFF)
    #expect(night.textHaloWidth == 2)
  }

  @Test func opacityStays() {
    #expect(Self.dark.ink(0x8000_4080, over: 0) >> 24 == 0x80)
    var day = LabelSettings()
    day.textHaloColor = 0x0000_0000
    #expect(Self.dark.settings(day).textHaloColor >> 24 == 0)
  }

  @Test(arguments: [0xFF12_3456, 0xFFFF_FFFF, 0xFF00_FF00, 0xFF00_00FF] as [UInt32])
  func redLeavesNothingButReds(_ color: UInt32) {
    var day = LabelSettings()
    day.textColor = color
    day.textHaloColor = 0xCCFF_FFFF
    day.textHaloWidth = 1
    (day.iconColor, day.iconHaloColor) = (color, color)
    let night = Self.red.settings(day)
    for shown in [night.textColor, night.textHaloColor, night.iconColor, night.iconHaloColor] {
      #expect(shown & 0xFFFF == 0)
    }
  }

  @Test func aPictureIsDrawnInTheNightsColours() throws {
    let type = try LabelScene.type()
    let look = LabelScene.look {
      $0.textSize = 30
      $0.textHaloWidth = 4
      $0.textHaloColor = 0xFFFF_FFFF
    }
    let placement = LabelPlacer(type: type).place(
      LabelScene.request([LabelScene.point("Mmm", 0.5, 0.5, look)]), after: nil)
    let label = try #require(placement.labels.first)
    let picture = LabelArtist(type: type, tint: Self.dark).picture(of: label.shape)
    let words = UnsafeBufferPointer(
      start: picture.image.pixels, count: picture.image.width * picture.image.height)
    let light = words.filter { $0 >> 24 == 0xFF && LabelTint.luminance($0) > 0.5 }.count
    let dark = words.filter { $0 >> 24 == 0xFF && LabelTint.luminance($0) < 0.02 }.count
    #expect(light > 5 && dark > 5)
  }

  @Test func coloursThatAreThoseToShowStay() {
    var own = LabelSettings()
    own.textColor = 0xFF00_4080
    own.textHaloColor = Self.white
    own.textHaloWidth = 2
    #expect(Self.dark.settings(own) != own)
    own.keepsColors = true
    #expect(Self.dark.settings(own) == own)
    #expect(Self.red.settings(own) == own)
  }
}
