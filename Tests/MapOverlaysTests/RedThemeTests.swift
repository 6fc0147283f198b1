import Drawing
import Features
import MapGeometry
import MapScene
import Pixels
import Testing

@testable import MapOverlays

/// The red theme has nothing but reds, and what is drawn on a plate can be told from it.
@Suite struct RedThemeTests {
  private func isRed(_ color: UInt32) -> Bool { color & 0xFFFF == 0 }

  @Test func allItsColoursAreReds() {
    let red = PictureTheme.red
    let colors = [
      red.plate, red.plateBorder, red.ink, red.secondInk, red.legend, red.legendInk, red.accent,
      red.position, red.positionRing, red.label, red.halo, red.casing, red.alarmStyle.field,
      red.alarmStyle.ink, red.shown(0xFFFF_FFFF), red.shown(0xFF12_89AB),
    ]
    for color in colors { #expect(isRed(color), "\(String(color, radix: 16))") }
    // As light as the words were meant to be.
    #expect(InkContrast.between(red.ink, red.plate | 0xFF00_0000) >= 4.5)
    #expect(InkContrast.between(red.alarmStyle.ink, red.alarmStyle.field) >= 4.5)
  }

  @Test func theSecondInkIsAWeakerRedThatCanBeRead() {
    let red = PictureTheme.red
    #expect(InkContrast.between(red.secondInk, red.plate | 0xFF00_0000) >= 4.5)
    // A little of a map of pure red shows through the plate.
    #expect(InkContrast.between(red.secondInk, 0xFF17_0000) >= 4.5)
    #expect(red.secondInk < red.ink)
    // Also on a display of 5 bits of red.
    #expect(red.secondInk >> 19 & 31 < red.ink >> 19 & 31)
  }

  @Test func everyMarkerIsRed() {
    let painter = painter()
    painter.theme = .red
    let art = MarkerArt(painter: painter)
    var pictures: [(String, MarkerPicture)] = [("cluster", art.cluster(20))]
    let words = art.labelLines("You are here", .here)
    for ink in [LabelInk.onLight, .onDark] {
      if let label = art.label(words, ink, .here, .left) { pictures.append(("\(ink)", label)) }
    }
    for icon in MarkerIcon.allCases {
      pictures.append(("\(icon)", art.icon(icon, color: icon.color, isHere: false)))
      pictures.append(("here \(icon)", art.icon(icon, color: 0xFF1A_73E8, isHere: true)))
      pictures.append(("selected", art.selected(icon, color: icon.color, isHere: true)))
    }
    for (name, picture) in pictures {
      let image = picture.image
      let odd = (0..<image.width * image.height).filter { !isRed(image.pixels[$0]) }.count
      #expect(odd == 0, "\(name)")
    }
  }

  @Test(arguments: [0xFFC6_2828, 0xFF1A_73E8, 0xFF00_0000] as [UInt32])
  func thePinOfHereIsBrightWhateverItsColourByDay(_ color: UInt32) {
    let painter = painter()
    painter.theme = .red
    let pin = MarkerArt(painter: painter).icon(.here, color: color, isHere: true)
    // Beside the eye in the middle of its head.
    let body = pin.image.pixels[pin.middle * pin.image.width + pin.anchorX - 13]
    let wood: UInt32 = 0xFF44_0000
    #expect(body >> 24 == 255 && InkContrast.between(body, wood) >= InkContrast.ofSigns)
  }

  static let chosen: [UInt32] = [
    0xFFC0_392B, 0xFFB3_261E, 0xFFFF_FFFF, 0xFF00_0000, 0xFFF1_C40F, 0xFF20_60C0, 0xFF2E_8B57,
    0xFF80_8080, 0xFF6A_1B9A, 0xFFFF_0000, 0xFF00_00FF,
  ]

  @Test func everyLineIsSeenInRedNightsAndKeepsItsOrderOfLightness() {
    let theme = PictureTheme.red
    for color in RedThemeTests.chosen {
      let line = theme.line(color)
      #expect(isRed(line))
      #expect(InkContrast.between(line, PictureTheme.redGround) >= 3, "\(color)")
    }
    #expect(theme.line(0xFFFF_FFFF) > theme.line(0xFF80_8080))
    #expect(theme.line(0xFF80_8080) > theme.line(0xFF00_0000))
    // How transparent it is stays.
    #expect(theme.line(0x8000_00FF) >> 24 == 0x80)
  }

  @Test func aTrackIsDarkForItsLeastValueAndBrightForItsMostInRedNights() {
    let reds = FeatureRamp.colors.map { PictureTheme.red.track($0 | 0xFF00_0000) }
    for (a, b) in zip(reds, reds.dropFirst()) { #expect(a < b) }
    for red in reds { #expect(isRed(red)) }
    #expect(InkContrast.between(reds[0], PictureTheme.red.casing) >= 1.5)
    #expect(reds.last == 0xFFFF_0000)
  }

  @Test func atNightAColourThatIsLightEnoughStaysAndOthersBecomeLighter() {
    let theme = PictureTheme.night
    for color: UInt32 in [0xFFFF_FFFF, 0xFFF1_C40F, 0xFF6C_B0FF, 0xFF00_E676] {
      #expect(theme.line(color) == color)
    }
    for color in RedThemeTests.chosen {
      #expect(InkContrast.between(theme.line(color), PictureTheme.nightGround) >= 3, "\(color)")
      #expect(PictureTheme.day.line(color) == color)
    }
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func theKeyHasTheColoursOfTheMapAndNoneOfThemIsThatOfItsPlate(
    _ kind: PictureTheme.Kind
  ) throws {
    let theme = PictureTheme.of(kind)
    for color in RedThemeTests.chosen {
      let sign = MapKey.Sign.line(color: color, width: 6, casing: 0, dash: []).onMap(theme)
      guard case .line(let shown, _, _, _) = sign else { continue }
      #expect(shown == FeatureLook(unit: 1, theme: theme).line(color))
      let painter = painter()
      painter.theme = theme
      let key = Panel.key(MapKey(title: "i", items: [.init(sign, "i")]))
      let picture = PanelArt(painter: painter).picture(key, width: 300, height: 300)
      let image = try #require(picture).image
      let pixels = UnsafeBufferPointer(start: image.pixels, count: image.width * image.height)
      #expect(pixels.count { $0 == shown } > 60, "\(color)")
    }
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func theNameOfALineIsInItsColourAsFarAsItCanBeRead(_ kind: PictureTheme.Kind) {
    let theme = PictureTheme.of(kind)
    for color in RedThemeTests.chosen {
      guard let name = theme.name(color) else {
        #expect(kind == .red)
        continue
      }
      // As drawn it has a sixth less at most, and is read as well as other words.
      #expect(InkContrast.between(name, theme.halo) / 1.2 >= 4.5, "\(color)")
    }
    if kind == .day { #expect(theme.name(0xFF20_60C0) == 0xFF20_60C0) }
  }

  @Test func platesLetALittleOfTheWorstMapThrough() {
    #expect(InkContrast.plate(.day) == 0xFFF2_F2F2)
    #expect(InkContrast.plate(.night) == 0xFF1F_2428)
    #expect(InkContrast.plate(.red) == 0xFF16_0000)
    for kind in PictureTheme.Kind.allCases {
      let theme = PictureTheme.of(kind)
      for ink in [theme.ink, theme.secondInk] {
        #expect(InkContrast.between(ink, InkContrast.plate(theme)) >= 4.5, "\(kind)")
      }
    }
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func aProfileCanBeToldFromItsCardInAnyColourOverAnyMap(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    let plate = InkContrast.plate(theme)
    for color: UInt32 in [
      0xFFC0_392B, 0xFFB3_261E, 0xFFFF_FFFF, 0xFF00_0000, 0xFFFF_D400, 0xFF1A_73E8, 0xFF80_8080,
    ] {
      let line = InkContrast.line(color, theme)
      #expect(InkContrast.between(line, plate) >= 3, "\(color)")
      // It is the colour that the profile has.
      var card = PanelTests.trailCard
      card.color = color
      let painter = painter(2)
      painter.theme = theme
      let art = PanelArt(painter: painter)
      let picture = try #require(art.picture(.trail(card), width: 640, height: 2000))
      let image = picture.image
      let count = (0..<image.width * image.height).filter { image.pixels[$0] == line }.count
      #expect(count > 300, "\(color)")
    }
    // What can be told already stays as it was chosen.
    if kind == .day { #expect(InkContrast.line(0xC0_392B, theme) == 0xFFC0_392B) }
  }
}
