import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// What keeps clear of the position.
@Suite struct PositionPlatesTests {
  private func content(_ width: Int, _ height: Int, coordinates: Bool) -> HudContent {
    var content = HudContent()
    let view = Viewport(
      center: GeoPoint(lat: 46, lon: 7.75), zoom: 13, width: width, height: height, scale: 1)
    content.follow(view, scaleBar: .metric, north: true, zoom: false, coordinates: coordinates)
    content.attribution = "© OSM"
    content.legend = [.init(icon: .back, text: "Back")]
    return content
  }

  private func dot(_ x: Int, _ y: Int) -> PixelRect {
    PixelRect(x: x - 29, y: y - 29, width: 59, height: 59)
  }

  @Test(arguments: [(480, 800), (800, 480)])
  func theMapKeyIsWhereItDoesNotHideThePosition(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = content(width, height, coordinates: false)
    let items = (0..<6).map { MapKey.Item(.dot(0xFF20_60C0), "Sign \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items))
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    for y in [usual.y - 20, usual.y + usual.height / 2, usual.maxY + 20] {
      let dot = dot(usual.x + 40, y)
      content.dot = dot
      hud.show(content, width: width, height: height)
      let key = try #require(hud.panelRect)
      #expect(!key.intersects(dot), "\(y)")
      #expect(hud.rects.count { $0.intersects(key) } == 1)
    }
    content.dot = nil
    hud.show(content, width: width, height: height)
    #expect(hud.panelRect == usual)
  }

  @Test func aKeyOnASmallScreenRatherHasAFewSignsThanHideThePositionAndThePin() throws {
    let hud = Hud(painter())
    var content = content(320, 480, coordinates: true)
    content.legend = [
      .init(icon: .right, text: "Next place", below: "hold: Map key"),
      .init(icon: .select, text: "Select", below: "hold: Language"),
      .init(icon: .back, text: "Back", below: "hold: Home"),
    ]
    content.attribution = "© OpenStreetMap | Trails © City of Perth"
    let items = (0..<21).map { MapKey.Item(.dot(0xFF20_60C0), "Bold Park Ridge Track \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items, rest: "… and {0} more"))
    content.dot = dot(160, 240)
    content.pins = [PixelRect(x: 156, y: 146, width: 50, height: 80)]
    hud.show(content, width: 320, height: 480)
    let key = try #require(hud.panelRect)
    #expect(!content.avoided.contains { $0.intersects(key) })
    #expect(hud.rects.count { $0.intersects(key) } == 1)
  }

  @Test(arguments: [(480, 800), (320, 480)])
  func aCardDoesNotHideThePositionThatTheViewFollows(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = content(width, height, coordinates: false)
    content.panel = .trail(PanelTests.trailCard)
    let dot = dot(width / 2, height / 2)
    content.dot = dot
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    content.isFollowed = true
    hud.show(content, width: width, height: height)
    let card = try #require(hud.panelRect)
    #expect(usual.intersects(dot) && !card.intersects(dot))
    #expect(hud.rects.count { $0.intersects(card) } == 1)
    // No figures make way for it.
    let lost = PanelArt(painter: painter()).lost(
      PanelTests.trailCard, width: card.width, height: card.height)
    #expect(lost < 2)
    // Nor does the card move where it hides nothing.
    content.dot = self.dot(width / 2, 20)
    hud.show(content, width: width, height: height)
    #expect(hud.panelRect == usual)
  }

  @Test(arguments: [(480, 800), (800, 480)])
  func scaleBarAndCoordinatesDoNotHideThePosition(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = content(width, height, coordinates: true)
    hud.show(content, width: width, height: height)
    func bar() -> PixelRect? { hud.elements[Hud.Part.scale.rawValue]?.rect }
    func numbers() -> PixelRect? { hud.elements[Hud.Part.numbers.rawValue]?.rect }
    let (usual, above) = (try #require(bar()), try #require(numbers()))
    var moved = 0
    for y in stride(from: above.y - 60, to: usual.maxY + 20, by: 4) {
      let dot = dot(usual.x + 30, y)
      content.dot = dot
      hud.show(content, width: width, height: height)
      let now = try #require(bar())
      #expect(!now.intersects(dot), "\(y)")
      #expect(numbers()?.intersects(dot) != true, "\(y)")
      #expect(hud.rects.count { $0.intersects(now) } == 1)
      // They do not move without need.
      #expect(usual.intersects(dot) || now == usual)
      if now != usual { moved += 1 }
    }
    #expect(moved > 0)
  }

  @Test func aPositionThatMovesWhereNothingHidesItIsNoChange() {
    let hud = Hud(painter())
    var content = content(800, 480, coordinates: true)
    content.dot = dot(400, 200)
    #expect(hud.show(content, width: 800, height: 480))
    content.dot = dot(404, 203)
    #expect(!hud.show(content, width: 800, height: 480))
    content.dot = dot(40, 400)
    #expect(hud.show(content, width: 800, height: 480))
  }
}
