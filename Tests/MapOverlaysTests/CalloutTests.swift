import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// The callout between the HUD's plates.
@Suite struct CalloutTests: MarkerLayerCase {
  /// A HUD and an open callout, after the map has moved for it.
  private struct Shown {
    let hud: Hud
    let layer: MarkerLayer
    let painter: SpritePainter
    let icon: PixelRect

    func plate(_ part: Hud.Part) -> PixelRect? { hud.elements[part.rawValue]?.rect }

    /// Whether a part is drawn.
    func isDrawn(_ part: Hud.Part) -> Bool {
      guard let picture = hud.elements[part.rawValue]?.picture else { return false }
      return hud.sprites.contains { $0.image === picture.image }
    }
  }

  private static let text =
    "Open from June to October. Forty beds. Reserve by telephone. Water from the spring behind the "
    + "house."

  private static var buttons: [HudContent.LegendItem] {
    [
      .init(icon: .right, text: "Next place", below: "hold: Map key"),
      .init(icon: .select, text: "Select", below: "hold: Language"),
      .init(icon: .back, text: "Back", below: "hold: Home"),
    ]
  }

  /// Opens the callout of a marker at a part of the screen, and moves the map as the kiosk does.
  private func open(
    _ marker: Marker, _ scene: HudScenesTests.Scene, _ content: HudContent,
    at part: (x: Double, y: Double) = (0.5, 0.5), bearing: Double = 20
  ) throws -> Shown {
    let painter = HudScenesTests.painter(scene)
    let (width, height) = (scene.width, scene.height)
    let points = (
      x: Double(width) / Double(scene.scale), y: Double(height) / Double(scene.scale)
    )
    let view = Viewport(
      center: marker.place, zoom: 13, bearing: bearing, width: width, height: height,
      scale: scene.scale
    ).panned(dx: (0.5 - part.x) * points.x, dy: (0.5 - part.y) * points.y)
    var content = content
    content.isCalloutOpen = true
    content.follow(
      view, scaleBar: .metric, north: true, zoom: false, coordinates: false,
      size: painter.unit / Double(scene.scale))
    let hud = Hud(painter)
    hud.show(content, width: width, height: height)
    let layer = MarkerLayer(painter)
    try layer.set(marker)
    layer.select(marker.id)
    layer.calloutPlates = hud.calloutPlates
    _ = layer.update(view, avoiding: hud.rects)
    let shift = layer.shiftForCallout(view, avoiding: hud.rects) ?? (0, 0)
    let there = view.panned(
      dx: -Double(shift.x) / Double(scene.scale), dy: -Double(shift.y) / Double(scene.scale))
    _ = layer.update(there, avoiding: hud.rects)
    _ = hud.makeWay(for: layer.calloutRect)
    // Once it has moved, it need not move again.
    #expect(layer.shiftForCallout(there, avoiding: hud.rects) == nil)
    return Shown(
      hud: hud, layer: layer, painter: painter, icon: try #require(layer.markerSprites.last).rect)
  }

  /// What must be so wherever a callout is open.
  private func expectClear(_ shown: Shown, _ scene: HudScenesTests.Scene) throws {
    let screen = PixelRect(x: 0, y: 0, width: scene.width, height: scene.height)
    let rect = try #require(shown.layer.calloutRect)
    #expect(rect.isWithin(screen))
    #expect(!rect.intersects(shown.icon))
    for part in Hud.Part.allCases {
      guard let plate = shown.plate(part) else { continue }
      if shown.isDrawn(part) { #expect(!plate.intersects(rect), "\(part)") }
    }
    for part in [Hud.Part.legend, .attribution, .scale] {
      let plate = try #require(shown.plate(part))
      #expect(shown.isDrawn(part))
      #expect(!plate.intersects(shown.icon), "\(part)")
      for sprite in shown.layer.calloutSprites.dropFirst() {
        #expect(!plate.intersects(sprite.rect), "\(part)")
      }
    }
    #expect(shown.icon.isWithin(screen))
    // The tip is on the icon.
    #expect(shown.layer.calloutSprites.count == 2)
    let tip = try #require(shown.layer.calloutSprites.last).rect
    #expect(tip.widened(by: 2 * shown.painter.px(1)).intersects(shown.icon))
  }

  // MARK: Plates

  @Test(arguments: HudScenesTests.scenes)
  func theCalloutIsNeverOverAttributionScaleOrLegend(_ scene: HudScenesTests.Scene) throws {
    var content = HudScenesTests.content
    content.legend = CalloutTests.buttons
    content.notices = [NoticeLine(text: "Ridge path closed by falling rocks", severity: .danger)]
    let hut = Marker(
      id: "hut", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut of the alpine club",
      text: CalloutTests.text)
    for attribution in [
      "© OpenStreetMap contributors",
      "© OpenStreetMap contributors | © swisstopo | Hiking trails: the alpine clubs",
    ] {
      content.attribution = attribution
      for part in [(0.5, 0.5), (0.03, 0.03), (0.97, 0.5), (0.1, 0.97), (0.97, 0.97)] {
        try expectClear(open(hut, scene, content, at: part), scene)
      }
    }
  }

  @Test func theNoticeAndTheCompassStayWhereThereIsRoomBesideThem() throws {
    var content = HudContent()
    content.attribution = "© OpenStreetMap contributors"
    content.legend = CalloutTests.buttons
    content.notices = [NoticeLine(text: "Ridge path closed by falling rocks", severity: .danger)]
    let hut = Marker(
      id: "hut", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut of the alpine club",
      text: CalloutTests.text)
    for (width, height, size) in [(480, 320, 1.0), (800, 480, 1.6), (1280, 720, 3)] {
      let scene = HudScenesTests.Scene(width: width, height: height, size: size)
      let shown = try open(hut, scene, content)
      try expectClear(shown, scene)
      #expect(shown.isDrawn(.notice) && shown.isDrawn(.north))
      let callout = try #require(shown.layer.callout)
      #expect(callout.unit >= shown.painter.leastUnit)
      #expect(callout.text.pages.allSatisfy { $0.count >= 2 })
    }
  }

  @Test func aPlateThatMakesWayIsLeftOutAndComesBack() throws {
    let hud = Hud(painter())
    var content = HudContent()
    content.bearing = 30
    content.notices = [
      NoticeLine(text: "Bridge closed", severity: .warning),
      NoticeLine(text: String(repeating: "Storm damage on the way. ", count: 20), severity: .info),
    ]
    hud.show(content, width: 480, height: 320)
    let (sprites, notice) = (hud.sprites, try #require(hud.noticeRect))
    #expect(hud.noticePages > 1)
    #expect(!hud.makeWay(for: PixelRect(x: 200, y: 250, width: 50, height: 50)))
    #expect(hud.makeWay(for: notice))
    #expect(hud.sprites.count == sprites.count - 1)
    // Nobody can touch or turn what is not there.
    #expect(hud.noticeRect == nil && hud.noticePages == 0)
    #expect(hud.rects.contains(notice))
    #expect(hud.makeWay(for: nil))
    #expect(hud.sprites == sprites && hud.noticeRect == notice)
  }

  @Test func freePartsAreAsLargeAsCanBe() {
    let room = PixelRect(x: 0, y: 0, width: 100, height: 100)
    #expect(FreeParts.of(room, clearOf: []) == [room])
    #expect(FreeParts.of(room, clearOf: [room]).isEmpty)
    let plates = [
      PixelRect(x: 0, y: 0, width: 40, height: 20), PixelRect(x: 60, y: 70, width: 50, height: 10),
    ]
    let parts = FreeParts.of(room, clearOf: plates)
    let wanted = [
      PixelRect(x: 40, y: 0, width: 60, height: 70), PixelRect(x: 0, y: 20, width: 100, height: 50),
      PixelRect(x: 0, y: 20, width: 60, height: 80), PixelRect(x: 40, y: 0, width: 20, height: 100),
      PixelRect(x: 0, y: 80, width: 100, height: 20),
    ]
    #expect(Set(parts) == Set(wanted) && parts.count == wanted.count)
  }

  // MARK: The icon

  @Test(arguments: [(480, 320, 1.6), (800, 480, 3.0), (1280, 720, 3.0), (800, 480, 1.6)])
  func theIconOfHereIsWholeBesideItsCallout(_ width: Int, _ height: Int, _ size: Double) throws {
    let scene = HudScenesTests.Scene(width: width, height: height, size: size)
    var content = HudContent()
    content.attribution = "© OpenStreetMap | Trails © City of Perth"
    content.legend = CalloutTests.buttons
    content.notices = [NoticeLine(text: "Ridge path closed by falling rocks", severity: .danger)]
    let here = marker("here", 46, 7.75, "You are here", icon: .here)
    for part in [(0.5, 0.5), (0.75, 0.8), (0.1, 0.1)] {
      try expectClear(open(here, scene, content, at: part, bearing: 0), scene)
    }
  }

  @Test func aCalloutIsBesideItsIconOnlyWhereItIsNotWholeAboveOrBelow() throws {
    let layer = try layer([
      Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: "Two hours")
    ])
    layer.select("a")
    _ = layer.update(view(), avoiding: [])
    let free = try #require(layer.calloutRect)
    #expect(free.maxY < 240)
    // Plates above and below leave a strip as high as the icon and a little more.
    let plates = [
      PixelRect(x: 0, y: 0, width: 800, height: 170),
      PixelRect(x: 0, y: 260, width: 800, height: 220),
    ]
    _ = layer.update(view(), avoiding: plates)
    let beside = try #require(layer.calloutRect)
    #expect(beside.x > 400 || beside.maxX < 400)
    #expect(beside.y >= 170 && beside.maxY <= 260)
    #expect(layer.calloutSprites.count == 2)
  }

  // MARK: Words

  @Test(arguments: [
    HudScenesTests.Scene(width: 320, height: 480), .init(width: 480, height: 320),
    .init(width: 320, height: 240), .init(width: 1280, height: 720, size: 3),
    .init(width: 480, height: 320, size: 3),
  ])
  func everyWordOfTitleAndTextIsOnAPage(_ scene: HudScenesTests.Scene) throws {
    var content = HudContent()
    content.attribution = "© OpenStreetMap contributors"
    content.legend = CalloutTests.buttons
    let long = (1...890).map { "Word\($0)" }.joined(separator: " ")
    let titles = ["Hut", (1...60).map { "Name\($0)" }.joined(separator: " ")]
    for title in titles {
      let hut = Marker(
        id: "hut", place: GeoPoint(lat: 46, lon: 7.75), label: title, text: long)
      let shown = try open(hut, scene, content)
      let pages = try #require(shown.layer.callout).text.pages
      let lines = pages.flatMap { $0 }
      let text = lines.filter { !$0.isTitle }.map(\.text)
      #expect(text.joined(separator: " ") == long)
      let first = pages[0].filter(\.isTitle).map(\.text)
      let head = lines.filter(\.isTitle).map(\.text)
      #expect(first.joined(separator: " ") == title || head.joined(separator: " ") == title)
      #expect(pages.allSatisfy { !$0.isEmpty })
      // All of them are reached, and equally large.
      let size = try #require(shown.layer.calloutRect)
      #expect(size.height <= max(scene.height / 2, 1))
      var count = 1
      while shown.layer.turnPage() { count += 1 }
      #expect(count == pages.count)
      #expect(shown.layer.callout?.page == count - 1)
    }
  }

  @Test func aToastThatACalloutCoversNeitherShinesThroughNorIsTouched() throws {
    let hud = Hud(painter(1))
    var content = HudContent()
    content.toast = "Night"
    hud.show(content, width: 400, height: 300)
    let toast = try #require(hud.toastRect)
    let (x, y) = (toast.x + toast.width / 2, toast.y + toast.height / 2)
    #expect(hud.sprites.count == 1 && hud.touched(x: x, y: y) == .other)
    #expect(hud.makeWay(for: PixelRect(x: 0, y: 0, width: 400, height: y)))
    #expect(hud.sprites.isEmpty && hud.touched(x: x, y: y) == nil)
    // It is there again once the callout is not.
    #expect(hud.makeWay(for: nil))
    #expect(hud.sprites.count == 1)
  }

  @Test(arguments: [1.0, 1.6, 3])
  func theCalloutHasTheMeasuresOfAPlate(_ unit: Double) throws {
    let painter = painter(unit)
    let layer = MarkerLayer(painter)
    try layer.set(marker("a", 46, 7.75, "Hut of the alpine club"))
    layer.select("a")
    _ = layer.update(view(46, 7.75, zoom: 12, 1600, 960), avoiding: [])
    let rect = try #require(layer.calloutRect)
    let title = painter.width(
      "Hut of the alpine club", size: painter.px(HudStyle.title), weight: .bold)
    #expect(rect.width == title + 2 * painter.px(HudStyle.padX))
    #expect(rect.height == painter.px(26) + 2 * painter.px(HudStyle.padY))
    // By day it has a shadow.
    let sprite = try #require(layer.calloutSprites.first).rect
    #expect(sprite.width > rect.width && sprite.maxY > rect.maxY)
    painter.theme = .night
    _ = layer.update(view(46, 7.75, zoom: 12, 1600, 960), avoiding: [])
    #expect(layer.calloutSprites.first?.rect == layer.calloutRect)
  }
}
