import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// How large panels are, and what they leave to the map.
@Suite struct PanelRoomTests {
  /// Shows `content` with a scale bar. Returns where the panel stands, and its unit.
  private func shown(
    _ content: inout HudContent, on hud: Hud, _ painter: SpritePainter, _ width: Int, _ height: Int,
    coordinates: Bool = false
  ) throws -> (panel: PixelRect, unit: Double) {
    let view = Viewport(
      center: GeoPoint(lat: 46, lon: 7), zoom: 13, width: width, height: height, scale: 1)
    content.follow(
      view, scaleBar: .metric, north: false, zoom: false, coordinates: coordinates,
      size: painter.unit)
    hud.show(content, width: width, height: height)
    return (try #require(hud.panelRect), try #require(hud.panelUnit))
  }

  /// How much of a card does not fit the panel.
  private func lost(
    _ card: TrailCard, _ painter: SpritePainter, _ panel: PixelRect, _ unit: Double
  ) -> Int {
    painter.with(unit: unit) {
      PanelArt(painter: painter).lost(card, width: panel.width, height: panel.height)
    }
  }

  @Test(arguments: [(1280, 720, 3.0), (800, 480, 2.0), (480, 320, 1.0), (720, 1280, 3.0)])
  func aCardKeepsItsFiguresOnASmallScreen(_ width: Int, _ height: Int, _ unit: Double) throws {
    var card = PanelTests.trailCard
    card.title = "Bushland loop"
    let painter = painter(unit)
    var content = HudContent()
    content.panel = .trail(card)
    content.attribution = "© OpenStreetMap"
    content.legend = [
      .init(icon: .right, text: "Next place", below: "hold: Map key"),
      .init(icon: .back, text: "Back", below: "hold: Home"),
    ]
    content.notices = [
      .init(text: "Bridge closed", severity: .danger), .init(text: "Ice", severity: .info),
    ]
    let hud = Hud(painter)
    let (panel, size) = try shown(&content, on: hud, painter, width, height)
    // Its profile, too.
    #expect(lost(card, painter, panel, size) == 0)
    // It is read from as far away as the rest, or nearly.
    #expect(size >= unit / 2)
    for (n, rect) in hud.rects.enumerated() {
      #expect(hud.rects[..<n].allSatisfy { !$0.intersects(rect) })
    }
    // A quarter of the screen is the map's, at the least.
    let covered = hud.rects.reduce(0) { $0 + $1.width * $1.height }
    #expect(covered < width * height * 3 / 4)
  }

  @Test(arguments: [(480, 800, 2.0), (480, 800, 1.0), (720, 1280, 3.0), (1080, 1920, 3.0)])
  func aCardOnATallScreenLeavesAQuarterOfItToItsLine(
    _ width: Int, _ height: Int, _ unit: Double
  ) throws {
    var card = PanelTests.trailCard
    card.title = "Bushland loop"
    let painter = painter(unit)
    var content = HudContent()
    content.panel = .trail(card)
    content.attribution = "© OpenStreetMap"
    content.notices = [NoticeLine(text: "Bushland loop closed", severity: .danger)]
    content.legend = [
      .init(icon: .right, text: "Next place"), .init(icon: .select, text: "Select"),
      .init(icon: .back, text: "Back"),
    ]
    let hud = Hud(painter)
    let (panel, size) = try shown(&content, on: hud, painter, width, height, coordinates: true)
    #expect(lost(card, painter, panel, size) == 0)
    // The highest part between what stands above the card, over the screen's whole width.
    let above = hud.rects.filter { $0.maxY <= panel.y }.sorted { $0.y < $1.y }
    var (top, most) = (0, 0)
    for rect in above + [panel] {
      most = max(most, rect.y - top)
      top = max(top, rect.maxY)
    }
    #expect(most >= height / 4)
  }

  @Test func aCardRatherLosesItsProfileThanTheMapsPart() throws {
    var card = PanelTests.trailCard
    card.title = "Kammweg im Bold Park"
    let painter = painter()
    var content = HudContent()
    content.panel = .trail(card)
    content.attribution = "© OpenStreetMap | Trails © City of Perth"
    content.legend = [
      .init(icon: .right, text: "Nächster Ort", below: "Halten: Legende"),
      .init(icon: .select, text: "Auswählen", below: "Halten: Sprache"),
      .init(icon: .back, text: "Zurück", below: "Halten: Start"),
    ]
    let hud = Hud(painter)
    let (panel, size) = try shown(&content, on: hud, painter, 320, 480)
    #expect(lost(card, painter, panel, size) <= 1)
    #expect(panel.y >= 120)
  }

  @Test(arguments: [(1280, 720, 3.0, 6), (800, 480, 2.0, 6), (720, 1280, 3.0, 6), (480, 320, 1, 3)])
  func aKeyOfALargeHudIsSmallerRatherThanHaveFewSigns(
    _ width: Int, _ height: Int, _ unit: Double, _ least: Int
  ) throws {
    var key = MapKey(title: "Map key", items: [], rest: "… and {0} more")
    key.items = (0..<24).map { .init(.dot(0xFF20_60C0), "Bushland \($0)") }
    let painter = painter(unit)
    var content = HudContent()
    content.panel = .key(key)
    content.legend = [.init(icon: .right, text: "Next place"), .init(icon: .back, text: "Back")]
    let hud = Hud(painter)
    let (panel, size) = try shown(&content, on: hud, painter, width, height)
    let signs = painter.with(unit: size) {
      PanelArt(painter: painter).signs(of: key, width: panel.width, height: panel.height)
    }
    #expect(signs >= least)
    #expect(size >= unit / 2)
    // One of few signs is as large as the rest.
    key.items = Array(key.items.prefix(1))
    content.panel = .key(key)
    hud.show(content, width: width, height: height)
    #expect(hud.panelUnit == unit)
  }
}
