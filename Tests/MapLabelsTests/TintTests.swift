import MapStyle
import Pixels
import Testing

@testable import MapLabels

/// Labels of a style without a night of its own have light ink and dark halos at night.
@Suite struct TintTests {
  private static let dark = ColorTransform([.invert])

  @Test(
    arguments: [
      0xFF00_0000, 0xFF33_3333, 0xFF66_6666, 0xFF99_9999, 0xFFFF_FFFF, 0xFF7A_5A2B, 0xFF00_60A0,
      0xFF80_0080, 0xFFD0_2020, 0xFF20_8020, 0xFF80_8080,
    ] as [UInt32])
  func inkCanBeReadOnItsHalo(_ color: UInt32) {
    let tint = LabelTint(night: Self.dark)
    let ink = tint.ink(color)
    #expect(LabelTint.contrast(ink, tint.halo) >= 4.5)
    #expect(ink >> 24 == 0xFF)
  }

  @Test func inkKeepsItsHueAndItsOpacity() {
    let tint = LabelTint(night: Self.dark)
    let blue = tint.ink(0x8000_4080)
    #expect(blue >> 24 == 0x80)
    #expect(blue & 0xFF > blue >> 16 & 0xFF)
    // What is light stays as it is.
    #expect(tint.ink(0xFFFF_FFFF) == 0xFFFF_FFFF)
  }

  @Test func aRedNightHasRedInk() {
    let tint = LabelTint(night: ColorTransform([.tint(0xFF80_0000)]))
    #expect(tint.isRed)
    #expect(tint.ink(0xFF00_00FF) == 0xFFE5_3935)
    #expect(LabelTint.contrast(tint.ink, tint.halo) >= 4.5)
    #expect(!LabelTint(night: Self.dark).isRed)
  }

  @Test func halosAreDarkAndNeverMissing() {
    let tint = LabelTint(night: Self.dark)
    var day = LabelSettings()
    #expect(tint.settings(day).textHaloColor == tint.halo)
    #expect(tint.settings(day).textHaloWidth == 1)
    day.textHaloColor = 0xFFFF_FFFF
    day.textHaloWidth = 2.5
    #expect(tint.settings(day).textHaloWidth == 2.5)
    #expect(LabelTint.luminance(tint.halo) < 0.01)
  }

  @Test func aPictureIsDrawnInTheNightsColours() throws {
    let type = try LabelScene.type()
    let look = LabelScene.look {
      $0.textSize = 30
      $0.textHaloWidth = 4
    }
    let placement = LabelPlacer(type: type).place(
      LabelScene.request([LabelScene.point("Mmm", 0.5, 0.5, look)]), after: nil)
    let label = try #require(placement.labels.first)
    let tint = LabelTint(night: Self.dark)
    let picture = LabelArtist(type: type, tint: tint).picture(of: label.shape)
    let words = UnsafeBufferPointer(
      start: picture.image.pixels, count: picture.image.width * picture.image.height)
    let light = words.filter { $0 >> 24 == 0xFF && LabelTint.luminance($0) > 0.5 }.count
    let dark = words.filter { $0 >> 24 == 0xFF && LabelTint.luminance($0) < 0.02 }.count
    #expect(light > 5 && dark > 5)
  }
}
