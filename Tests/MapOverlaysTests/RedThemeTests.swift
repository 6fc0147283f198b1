import Drawing
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

  @Test(arguments: PictureTheme.Kind.allCases)
  func aProfileCanBeToldFromItsCardInAnyColour(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    let plate = theme.plate | 0xFF00_0000
    for color: UInt32 in [
      0xFFC0_392B, 0xFFB3_261E, 0xFFFF_FFFF, 0xFF00_0000, 0xFFFF_D400, 0xFF1A_73E8, 0xFF80_8080,
    ] {
      let line = InkContrast.line(color, theme)
      #expect(InkContrast.between(line, plate) >= InkContrast.ofSigns, "\(color)")
      // It is the colour that the profile has.
      guard case .trail(var card) = PanelTests.card else { return }
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
