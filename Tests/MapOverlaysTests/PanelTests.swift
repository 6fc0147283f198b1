import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Panels beside the map: on every screen, in every size, without an overlap.
@Suite struct PanelTests {
  static let sizes: [Double] = [1, 1.6, 3]

  static var card: Panel {
    let ways = (0..<200).map { Float($0) / 199 }
    let profile = TrailCard.Profile(
      distances: ways, elevations: ways.map { 1600 + 400 * $0 * (1 - $0) },
      range: "1600 m – 2000 m", position: 0.4)
    return .trail(
      TrailCard(
        title: "Mojstrovka by the Slovene trail and back over the northern ridge",
        color: 0xFFC0_392B,
        figures: [
          .init(label: "Length", value: "12.4 km"), .init(label: "Time", value: "4 h 35 min"),
          .init(label: "Ascent", value: "1 046 m"), .init(label: "Descent", value: "1 046 m"),
        ],
        facts: [
          .init(label: "Difficulty", value: "T3, with a few passages secured by ropes"),
          .init(label: "Surface", value: "rock and gravel"),
        ], profile: profile))
  }

  static var key: Panel {
    .key(
      MapKey(
        title: "Map key",
        items: (0..<30).map { n in
          .init(
            .line(
              color: 0xFF20_60C0, width: 3, casing: 0xD9FF_FFFF, dash: n % 2 == 0 ? [8, 5] : []),
            "A sign with a name of some length, number \(n)")
        }))
  }

  @Test func aPanelThatStaysTheSameIsNotDrawnAgain() {
    let hud = Hud(painter())
    var content = HudContent()
    content.panel = PanelTests.key
    func pictures() -> [ObjectIdentifier] {
      hud.show(content, width: 1280, height: 720)
      return hud.sprites.map { ObjectIdentifier($0.image) }
    }
    let first = pictures()
    #expect(hud.panelRect != nil)
    #expect(pictures() == first)
    content.toast = "A word beside it"
    #expect(Set(pictures()).isSuperset(of: first))
    content.panel = PanelTests.card
    #expect(Set(pictures()).isDisjoint(with: first))
    content.panel = nil
    _ = pictures()
    #expect(hud.panelRect == nil)
  }

  @Test(arguments: HudTests.screens)
  func aPanelCoversNothingAndLeavesHalfOfTheScreen(_ width: Int, _ height: Int, _ scale: Int) {
    for panel in [PanelTests.card, PanelTests.key] {
      for size in PanelTests.sizes {
        let hud = Hud(painter(Double(scale) * size))
        var content = HudTests.everything
        (content.panel, content.card, content.toast) = (panel, nil, "")
        let view = Viewport(
          center: GeoPoint(lat: 46, lon: 7.75), zoom: 13, bearing: 20, width: width,
          height: height, scale: scale)
        content.follow(view, scaleBar: .metric, north: true, zoom: false, coordinates: false)
        hud.show(content, width: width, height: height)
        guard let rect = hud.panelRect else {
          // A wall's size on a small screen has room for the legend only.
          #expect(size > 1 || min(width, height) / scale <= 272, "\(width)x\(height)")
          continue
        }
        let screen = PixelRect(x: 0, y: 0, width: width, height: height)
        #expect(rect.intersection(screen) == rect)
        #expect(hud.rects.filter { $0.intersects(rect) }.count == 1)
        if width > height { #expect(rect.width <= width * 2 / 5) }
        if width <= height { #expect(rect.height <= height / 2) }
      }
    }
  }

  @Test func whatDoesNotFitIsLeftOutAndTheTitleStays() throws {
    let art = PanelArt(painter: painter())
    let whole = try #require(art.picture(PanelTests.card, width: 320, height: 2000))
    var last = whole.height
    for room in stride(from: whole.height, to: 40, by: -8) {
      guard let image = art.picture(PanelTests.card, width: 320, height: room) else { continue }
      #expect(image.height <= room)
      #expect(image.height <= last)
      last = image.height
    }
    #expect(art.picture(PanelTests.card, width: 320, height: 10) == nil)
    #expect(art.picture(PanelTests.card, width: 20, height: 400) == nil)
  }

  @Test func aProfileIsReadAtEveryColumnWhateverItsPoints() {
    func columns(_ ways: [Float], _ heights: [Float]) -> [Float] {
      PanelArt.columns(
        .init(distances: ways, elevations: heights, range: ""), count: 5)
    }
    #expect(columns([0, 1], [0, 40]) == [0, 10, 20, 30, 40])
    #expect(columns([0.5], [7]) == [7, 7, 7, 7, 7])
    #expect(columns([0, 0, 1, 1], [0, 5, 5, 9]).count == 5)
    #expect(columns([], []).isEmpty)
    #expect(columns([0], [1, 2]).isEmpty)
  }

  @Test func dashesOfAnyKindEnd() {
    #expect(PanelArt.strokes([8, 5], length: 20).count == 2)
    #expect(PanelArt.strokes([], length: 20).count == 1)
    #expect(PanelArt.strokes([0, 0], length: 20).count == 1)
    #expect(PanelArt.strokes([.nan, 1], length: 20).count == 1)
  }

  @Test func textThatRunsToTheLeftIsKnownByItsFirstLetter() {
    #expect(PanelArt.isRightToLeft("12 \u{5DE}"))
    #expect(PanelArt.isRightToLeft("\u{627}\u{644}"))
    #expect(!PanelArt.isRightToLeft("Weg \u{5DE}"))
    #expect(!PanelArt.isRightToLeft("12"))
  }

  @Test func aKeyIsAsWideAsWhatItSaysAndNeverATitleAlone() throws {
    let art = PanelArt(painter: painter())
    let short = MapKey(title: "Map key", items: [.init(.dot(0xFFC6_2828), "Bus stop")])
    let long = MapKey(
      title: "Map key", items: [.init(.dot(0xFFC6_2828), String(repeating: "long ", count: 20))])
    let narrow = try #require(art.picture(.key(short), width: 360, height: 300))
    let wide = try #require(art.picture(.key(long), width: 360, height: 300))
    #expect(narrow.width < 200)
    #expect(wide.width == 360)
    // Room for the title, but for nothing below it.
    #expect(art.picture(.key(short), width: 360, height: narrow.height - 4) == nil)
    let empty = MapKey(title: "Map key", items: [])
    #expect(art.picture(.key(empty), width: 360, height: 300) != nil)
  }
}
