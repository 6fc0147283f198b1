import MapGeometry
import Testing

@testable import MapOverlays

/// How notices make way for a card or a map key that would have no room.
@Suite struct NoticeFoldTests {
  private static let card = TrailCard(
    title: "Ridge path", color: 0xFFC0_392B,
    figures: [
      .init(label: "Length", value: "19 km"), .init(label: "Time", value: "4 h 35 min"),
      .init(label: "Ascent", value: "700 m"), .init(label: "Descent", value: "600 m"),
    ])
  private static let panels: [Panel] = [
    .trail(card),
    .key(
      MapKey(
        title: "Map key", items: (0..<5).map { .init(.dot(0xFF20_60C0), "Sign \($0)") },
        rest: "… and {0} more")),
  ]

  /// Three buttons, a turned map and a long notice.
  private func content(_ panel: Panel?, _ attribution: String) -> HudContent {
    var content = HudContent()
    content.legend = [
      .init(icon: .right, text: "Next"), .init(icon: .select, text: "Select"),
      .init(icon: .back, text: "Back"),
    ]
    content.bearing = 20
    content.attribution = attribution
    content.notices = [
      NoticeLine(
        text: "The ridge path is closed between the hut and the pass because of falling rocks "
          + "until further notice", severity: .danger)
    ]
    content.panel = panel
    return content
  }

  private func isSign(_ hud: Hud) -> Bool {
    if case .noticeSign(.danger)? = hud.elements[Hud.Part.notice.rawValue]?.key { return true }
    return false
  }

  private func expectNothingOverlaps(_ hud: Hud) {
    for (n, rect) in hud.rects.enumerated() {
      #expect(hud.rects[..<n].allSatisfy { !$0.intersects(rect) })
    }
  }

  @Test(arguments: panels)
  func aPanelThatWouldHaveNoRoomLeavesOneLineOfTheNotices(_ panel: Panel) throws {
    let hud = Hud(painter(4.0 / 3))
    let attribution =
      "© OpenStreetMap contributors, tiles by the makers of tiles, the regional survey office "
      + "and the alpine club, all rights reserved, see the sign"
    var content = content(panel, attribution)
    hud.show(content, width: 480, height: 320)
    #expect(hud.panelRect != nil && hud.missingPanel == nil)
    let folded = try #require(hud.noticeRect)
    #expect(!isSign(hud))
    // All of it is read, page by page.
    #expect(hud.noticePages > 1)
    expectNothingOverlaps(hud)
    // Without the panel, it has more lines.
    content.panel = nil
    hud.show(content, width: 480, height: 320)
    let open = try #require(hud.noticeRect)
    #expect(open.height > folded.height)
  }

  @Test func aPanelThatStillHasNoRoomLeavesOnlyTheSignOfTheNotices() throws {
    let hud = Hud(painter())
    let content = content(
      .trail(NoticeFoldTests.card), "© OpenStreetMap contributors, tiles by the makers of tiles")
    hud.show(content, width: 320, height: 240)
    #expect(hud.panelRect != nil && hud.missingPanel == nil)
    #expect(isSign(hud))
    // A sign has no pages that would turn.
    #expect(hud.noticePages < 2)
    expectNothingOverlaps(hud)
    let sign = try #require(hud.noticeRect)
    #expect(sign.width >= 48 && sign.height >= 48)
    let touched = hud.touched(x: sign.x + sign.width / 2, y: sign.y + sign.height / 2)
    #expect(touched == .noticeSign)
    // While the map turns, only the compass is drawn anew.
    let before = Set(hud.sprites.map { ObjectIdentifier($0.image) })
    let images = hud.sprites.map(\.image)
    var turned = content
    turned.bearing = 21
    hud.show(turned, width: 320, height: 240)
    #expect(before.subtracting(hud.sprites.map { ObjectIdentifier($0.image) }).count == 1)
    withExtendedLifetime(images) {}
  }

  @Test(arguments: panels)
  func aPanelThatHasNoRoomAnywayTakesNothingFromTheNotices(_ panel: Panel) throws {
    let painter = painter()
    let hud = Hud(painter)
    let text = try #require(painter.text)
    // Five lines, nearly full.
    let long = try #require(
      (1...60).map { String(repeating: "the land ", count: $0) }.last {
        text.wrap($0, size: 12, width: 290, maxLines: 9).count == 5
      })
    let content = content(panel, long)
    hud.show(content, width: 320, height: 240)
    #expect(hud.panelRect == nil && hud.missingPanel == panel)
    let notice = try #require(hud.noticeRect)
    #expect(!isSign(hud))
    #expect(notice.height > 48)
    // So it is in every layout.
    var turned = content
    turned.bearing = 21
    hud.show(turned, width: 320, height: 240)
    #expect(hud.missingPanel == panel && hud.noticeRect == notice)
  }

  /// Three notices, eleven buttons and a card, without a compass.
  private func crowded() -> HudContent {
    var content = content(.trail(NoticeFoldTests.card), "© OpenStreetMap | © City of Perth")
    content.bearing = nil
    content.notices = [
      NoticeLine(
        text: "Lake Loop closed: flooded between the jetty and the bird hide. Use the ridge track "
          + "instead.", severity: .danger),
      NoticeLine(text: "Total fire ban today", severity: .warning),
      NoticeLine(text: "Guided walk on Sunday at 9 am", severity: .info),
    ]
    content.legend = [
      .init(icon: nil, text: "Next place", below: "hold: Map key"),
      .init(icon: nil, text: "Select", below: "hold: Language"),
      .init(icon: nil, text: "Back", below: "hold: Home"),
    ]
    content.legend += [
      "Left", "Right", "Up", "Down", "Zoom in", "Zoom out", "Day or night", "North up",
    ].map { .init(icon: nil, text: $0) }
    return content
  }

  @Test func noticesBesideACardThatLeaveItsLineNoRoomBecomeOneLine() throws {
    let hud = Hud(painter(4.0 / 3))
    hud.show(crowded(), width: 480, height: 320)
    let (panel, notices) = (try #require(hud.panelRect), try #require(hud.noticeRect))
    #expect(!isSign(hud))
    #expect(notices.height <= 2 * painter(4.0 / 3).line(HudStyle.body).height)
    let below = hud.rects.filter { $0.maxX > panel.maxX && $0.y >= 160 }
    #expect(try #require(below.map(\.y).min()) - notices.maxY >= 96)
    expectNothingOverlaps(hud)
  }

  @Test func noticesThatWouldHideAPinBesideAPanelBecomeASignAndComeBack() throws {
    let hud = Hud(painter(4.0 / 3))
    var content = crowded()
    hud.show(content, width: 480, height: 320)
    let (open, sprites) = (try #require(hud.noticeRect), hud.sprites.count)
    // Its head is at the top, where one line is, too.
    let pin = PixelRect(x: 290, y: 30, width: 76, height: 150)
    content.pins = [pin]
    hud.show(content, width: 480, height: 320)
    #expect(isSign(hud) && hud.noticeRect?.intersects(pin) == false)
    #expect(hud.panelRect != nil && hud.sprites.count == sprites)
    expectNothingOverlaps(hud)
    // What came before makes no difference.
    content.pins = [PixelRect(x: 290, y: 400, width: 76, height: 150)]
    hud.show(content, width: 480, height: 320)
    #expect(hud.noticeRect == open)
  }

  @Test func noticesBesideAKeyThatWouldHideAPinBecomeASign() throws {
    let painter = painter()
    let hud = Hud(painter)
    var content = crowded()
    content.attribution = "© OpenStreetMap | Trails © City of Perth"
    content.scaleBar = ScaleBar(amount: 2, unit: .kilometers, pixels: 55)
    let items = (0..<19).map {
      MapKey.Item(.dot(0xFF20_60C0), $0 == 2 ? "Bold Park Ridge Track" : "Sign \($0)")
    }
    let key = MapKey(title: "Map key", items: items, rest: "… and {0} more")
    content.panel = .key(key)
    content.pins = [PixelRect(x: 140, y: 168, width: 46, height: 84)]
    content.dot = PixelRect(x: 131, y: 211, width: 59, height: 59)
    hud.show(content, width: 320, height: 480)
    let panel = try #require(hud.panelRect)
    #expect(!content.avoided.contains { $0.intersects(panel) })
    expectNothingOverlaps(hud)
    // The sign is beside the key, which is narrower than the screen.
    #expect(isSign(hud))
    let sign = try #require(hud.noticeRect)
    #expect(sign.x > panel.maxX && sign.y < panel.maxY)
    let art = PanelArt(painter: painter)
    #expect(art.signs(of: key, width: panel.width, height: panel.height) >= 2)
  }

  @Test func noticesBesideACardStayAboveIt() throws {
    // At the bottom they would push the card up, over the line.
    for (width, height, unit) in [(480, 800, 2.0), (480, 800, 1.6), (800, 480, 1.6)] {
      let painter = painter(unit)
      let hud = Hud(painter)
      var content = content(.trail(NoticeFoldTests.card), "© OpenStreetMap | © City of Perth")
      content.bearing = nil
      hud.show(content, width: width, height: height)
      let usual = try #require(hud.panelRect)
      content.pins = [PixelRect(x: width / 2 - 40, y: 40, width: 80, height: 150)]
      hud.show(content, width: width, height: height)
      #expect(hud.panelRect?.maxY == usual.maxY)
      let notices = try #require(hud.noticeRect)
      #expect(notices.y == painter.px(HudStyle.margin) && !notices.intersects(content.pins[0]))
    }
  }

  @Test func noticesOfALargeScreenStayAsTheyAreBesideAPanel() {
    for panel in NoticeFoldTests.panels {
      let hud = Hud(painter())
      hud.show(content(nil, "© OpenStreetMap"), width: 1280, height: 720)
      let open = hud.noticeRect
      hud.show(content(panel, "© OpenStreetMap"), width: 1280, height: 720)
      #expect(hud.noticeRect == open && hud.panelRect != nil)
    }
  }
  private func banner(_ hud: Hud) -> NoticeBanner? {
    guard case .notices(let banner, _)? = hud.elements[Hud.Part.notice.rawValue]?.key else {
      return nil
    }
    return banner
  }

  @Test(arguments: panels)
  func aLineThatIsTooNarrowForANoticeSaysWhatIsClosed(_ panel: Panel) throws {
    let hud = Hud(painter(4.0 / 3))
    let attribution =
      "© OpenStreetMap contributors, tiles by the makers of tiles, the regional survey office "
      + "and the alpine club, all rights reserved, see the sign"
    var content = content(panel, attribution)
    content.notices[0].short = "Closed: Ridge path"
    hud.show(content, width: 480, height: 320)
    #expect(banner(hud)?.rows.map(\.lines) == [["Closed: Ridge path"]])
    #expect(hud.noticePages == 1)
    expectNothingOverlaps(hud)
    // A text that fits says it itself.
    content.notices[0].text = "Ridge path closed"
    hud.show(content, width: 480, height: 320)
    #expect(banner(hud)?.rows.map(\.lines) == [["Ridge path closed"]])
    // Where there is room, the text is read page by page.
    content.notices = self.content(nil, "").notices
    content.notices[0].short = "Closed: Ridge path"
    content.panel = nil
    hud.show(content, width: 480, height: 320)
    #expect(banner(hud)?.rows.first?.lines.first?.hasPrefix("The ridge path") == true)
  }

  @Test func aLineOfNoticesBesideAPanelThatIsNarrowerThanItMightBeIsWider() throws {
    let painter = painter()
    let (hud, text) = (Hud(painter), try #require(painter.text))
    var content = content(NoticeFoldTests.panels[1], "© OpenStreetMap")
    let notices = content.notices
    content.notices = []
    hud.show(content, width: 480, height: 320)
    let panel = try #require(hud.panelRect)
    // The widest of a panel is 192, and the compass is at the right.
    #expect(panel.x == 12 && panel.maxX < 180)
    content.notices = notices
    // Too long for 140 pixels.
    let words = "Closed: the path along the northern shore"
    let name = try #require(
      words.indices.map { String(words[..<$0]) }.first {
        $0.last != " " && text.measure($0, size: 16).width > 145
      })
    content.notices[0].short = name
    let row = try #require(hud.noticeRow(content, left: 212, right: 76, 12))
    #expect(row.outline.cuts > 0)
    hud.free.append(row.rect)
    let wide = hud.widened(row, content, right: 76, 12, 8)
    #expect(wide.outline.cuts == 0 && wide.outline.pages == 1)
    #expect(wide.rect.x == panel.maxX + 8 && wide.rect.maxX <= 480 - 76)
    #expect(hud.free.contains(row.rect))
    // Without a panel, and where nothing is cut, it stays.
    #expect(hud.widened(wide, content, right: 76, 12, 8).rect == wide.rect)
  }
}
