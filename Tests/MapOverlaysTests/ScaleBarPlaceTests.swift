import MapGeometry
import Testing

@testable import MapOverlays

/// Where the scale bar and the coordinates are when something else takes their place.
@Suite struct ScaleBarPlaceTests {
  private let key = MapKey(
    title: "Map key", items: (0..<24).map { .init(.dot(0xFF20_60C0), "Sign \($0)") },
    rest: "… and {0} more")

  private func content(_ panel: Panel?) -> HudContent {
    var content = HudContent()
    content.scaleBar = ScaleBar(amount: 1, unit: .kilometers, pixels: 80)
    content.attribution = "© OpenStreetMap"
    content.legend = [.init(icon: .right, text: "Next place"), .init(icon: .back, text: "Back")]
    content.panel = panel
    return content
  }

  private func bar(_ hud: Hud) -> PixelRect? { hud.elements[Hud.Part.scale.rawValue]?.rect }

  private func expectNothingOverlaps(_ hud: Hud) {
    for (n, rect) in hud.rects.enumerated() {
      #expect(hud.rects[..<n].allSatisfy { !$0.intersects(rect) })
    }
  }

  @Test(arguments: [(800, 480, 1.6), (1280, 720, 3.0), (480, 320, 1.0)])
  func whereAKeyTakesItsPlaceItIsBesideTheKey(
    _ width: Int, _ height: Int, _ unit: Double
  ) throws {
    let painter = painter(unit)
    let hud = Hud(painter)
    hud.show(content(nil), width: width, height: height)
    let usual = try #require(bar(hud))
    hud.show(content(.key(key)), width: width, height: height)
    let panel = try #require(hud.panelRect)
    // For six signs the key takes the bar's place.
    #expect(panel.intersects(usual))
    let now = try #require(bar(hud))
    #expect((now.x, now.y) == (panel.maxX + painter.px(HudStyle.gap), usual.y))
    expectNothingOverlaps(hud)
  }

  @Test func whereThePlaceBesideTheKeyHidesAPinItIsLeftOfTheAttribution() throws {
    let painter = painter(1.6)
    let hud = Hud(painter)
    var content = content(.key(key))
    hud.show(content, width: 800, height: 480)
    let (beside, attribution) = (try #require(bar(hud)), try #require(hud.attributionRect))
    let panel = try #require(hud.panelRect)
    content.pins = [PixelRect(x: beside.x + 20, y: beside.y - 40, width: 48, height: 60)]
    hud.show(content, width: 800, height: 480)
    let now = try #require(bar(hud))
    #expect((now.maxX, now.y) == (attribution.x - painter.px(HudStyle.gap), beside.y))
    expectNothingOverlaps(hud)
    // Where that hides one, too, there is none.
    content.pins.append(PixelRect(x: now.x + 20, y: now.y - 40, width: 48, height: 60))
    hud.show(content, width: 800, height: 480)
    #expect(bar(hud) == nil && hud.panelRect == panel)
    content.pins = []
    hud.show(content, width: 800, height: 480)
    #expect(bar(hud) == beside)
  }

  @Test func besideACardItLeavesTheLineItsRoom() throws {
    var card = PanelTests.trailCard
    card.title = "Bushland loop"
    let hud = Hud(painter(3))
    hud.show(content(nil), width: 1280, height: 720)
    let usual = try #require(bar(hud))
    var content = content(.trail(card))
    hud.show(content, width: 1280, height: 720)
    // The card is smaller than the rest, but not so small that there is room for the bar below it.
    let panel = try #require(hud.panelRect)
    #expect(panel.intersects(usual))
    let beside = try #require(bar(hud))
    #expect(beside.x > panel.maxX && beside.y == usual.y)
    expectNothingOverlaps(hud)
    // A banner takes a part of the map beside the card. The rest is the line's.
    content.notices = [
      NoticeLine(
        text: "The ridge path is closed between the hut and the pass because of falling rocks "
          + "until further notice", severity: .danger)
    ]
    hud.show(content, width: 1280, height: 720)
    #expect(hud.panelRect?.intersects(usual) == true)
    #expect(bar(hud) == nil)
  }

  @Test func theCoordinatesDoNotNearlyTouchACard() throws {
    var card = PanelTests.trailCard
    card.title = "Bushland loop"
    let hud = Hud(painter())
    var content = content(.trail(card))
    content.legend = []
    let view = Viewport(center: GeoPoint(lat: 46, lon: 7), zoom: 13, width: 800, height: 480)
    content.follow(view, scaleBar: .metric, north: false, zoom: false, coordinates: true)
    var near = 0
    for height in 360...560 {
      hud.show(content, width: 800, height: height)
      let panel = try #require(hud.panelRect)
      let numbers = try #require(hud.elements[Hud.Part.numbers.rawValue]?.rect)
      // How far they would be above it in the upper left corner.
      if (0..<8).contains(panel.y - 12 - numbers.height) { near += 1 }
      let around = PixelRect(
        x: numbers.x - 8, y: numbers.y - 8, width: numbers.width + 16, height: numbers.height + 16)
      #expect(hud.rects.count { $0.intersects(around) } == 1, "\(height)")
    }
    #expect(near > 0)
  }

  @Test func whereEveryPlaceAtTheLeftHidesThePositionItIsLeftOfTheAttribution() throws {
    let hud = Hud(painter())
    var content = content(nil)
    hud.show(content, width: 800, height: 480)
    let (usual, attribution) = (try #require(bar(hud)), try #require(hud.attributionRect))
    content.dot = PixelRect(
      x: usual.x + 40, y: usual.y - 120, width: usual.width + 20, height: 160)
    hud.show(content, width: 800, height: 480)
    let now = try #require(bar(hud))
    #expect((now.maxX, now.y) == (attribution.x - 8, usual.y))
  }
}
