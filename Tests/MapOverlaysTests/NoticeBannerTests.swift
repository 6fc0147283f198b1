import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// The banner of notices on the screen.
@Suite struct NoticeBannerTests {
  @Test func theSignOfANoticeIsWhereItsReadingBegins() throws {
    let painter = MapOverlaysTests.painter()
    let hud = Hud(painter)
    var content = HudContent()
    content.notices = [
      NoticeLine(text: "שביל סגור", severity: .danger),
      NoticeLine(text: "Bridge closed until the end of June", severity: .info),
    ]
    hud.show(content, width: 480, height: 320)
    let image = try #require(hud.sprites.first).image
    func columns(_ severity: NoticeLine.Severity) -> [Int] {
      let color = PictureTheme.day.sign(severity)
      return (0..<image.height).flatMap { y in
        (0..<image.width).filter { image.pixels[y * image.width + $0] == color }
      }
    }
    let (right, left) = (columns(.danger), columns(.info))
    #expect(try #require(right.min()) > image.width * 3 / 4)
    #expect(try #require(left.max()) < image.width / 4)
  }

  @Test func aNoticeIsWiderRatherThanOfALineMoreAndItsLinesAreEven() throws {
    let painter = MapOverlaysTests.painter()
    /// The banner's width in points, and the widths of its lines.
    func banner(_ text: String) throws -> (width: Int, lines: [Int]) {
      let pages = NoticeBanner.pages(
        [NoticeLine(text: text, severity: .warning)], painter, .english,
        in: NoticeSpace(width: 1200, height: 240))
      let page = try #require(pages.first)
      let lines = page.rows.flatMap(\.lines)
      return (
        NoticeArt(painter: painter).size(of: page).width,
        lines.map { painter.width($0, size: painter.px(HudStyle.body)) }
      )
    }
    let long = "The footbridge at the mill is closed for repairs until the last day of"
    // A word more would stand alone on a second line.
    let one = try banner(long + " June")
    #expect(one.lines.count == 1)
    #expect(one.width > Int(NoticeBanner.width))
    // Where two lines are needed in any case, they are as narrow as is good to read.
    let two = try banner(long + " June; walkers take the road bridge")
    #expect(two.lines.count == 2)
    #expect(two.width <= Int(NoticeBanner.width))
    let (shorter, longer) = (two.lines.min() ?? 0, two.lines.max() ?? 0)
    #expect(shorter * 4 > longer * 3)
  }

  @Test func onlyWhatClosesSomethingHasTheSignForNoEntry() throws {
    for theme in [PictureTheme.day, .red] {
      let painter = MapOverlaysTests.painter()
      painter.theme = theme
      let art = NoticeArt(painter: painter)
      func words(_ severity: NoticeLine.Severity, closes: Bool) -> [UInt32] {
        let notice = NoticeLine(text: "Storms", severity: severity, closes: closes)
        let image = art.picture(of: notice.sign).image
        return (0..<image.width * image.height).map { image.pixels[$0] }
      }
      let closed = words(.danger, closes: true)
      var signs: Set<[UInt32]> = [closed]
      for severity in NoticeLine.Severity.allCases {
        #expect(words(severity, closes: true) == closed)
        signs.insert(words(severity, closes: false))
      }
      // Each has a shape of its own, also where all have one colour.
      #expect(signs.count == 4)
    }
    // A bar across the middle of the sign, which is that of the plate.
    let plate = NoticeArt(painter: MapOverlaysTests.painter()).picture(of: .closed)
    let (x, y) = (plate.insetX + plate.width / 2, plate.insetY + plate.height / 2)
    let middle = plate.image.pixels[y * plate.image.width + x]
    #expect(middle != PictureTheme.day.accent)
  }

  /// The banner's rectangle and its pages for three notices.
  private func banner(_ width: Int, _ height: Int, isCalloutOpen: Bool) throws -> (PixelRect, Int) {
    let hud = Hud(painter())
    var content = HudContent()
    content.isCalloutOpen = isCalloutOpen
    content.notices = [
      NoticeLine(
        text: "Total fire ban: no open fires on any of the tracks in the park until further notice",
        severity: .danger),
      NoticeLine(text: "Bridge closed", severity: .warning),
      NoticeLine(text: "The bus runs every hour", severity: .info),
    ]
    hud.show(content, width: width, height: height)
    return (try #require(hud.noticeRect), hud.noticePages)
  }

  @Test(arguments: [(480, 320), (320, 480)])
  func besideACalloutNoticesTakeAboutAFifthOfASmallScreen(_ width: Int, _ height: Int) throws {
    let (open, openPages) = try banner(width, height, isCalloutOpen: false)
    let (folded, pages) = try banner(width, height, isCalloutOpen: true)
    #expect(folded.width * folded.height * 4 < width * height)
    #expect(open.width * open.height > folded.width * folded.height)
    // Each of them has its turn.
    #expect(pages > openPages)
  }

  /// The banner beside a card or a map key, and its pages.
  private func besideAKey(
    _ text: String, _ width: Int, _ height: Int, _ size: Double
  ) throws -> (PixelRect, Int) {
    let hud = Hud(painter(size))
    var content = HudContent()
    content.notices = [NoticeLine(text: text, severity: .danger)]
    let items = (0..<8).map { MapKey.Item(.dot(0xFF20_60C0), "Sign number \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items, rest: "and {0} more"))
    hud.show(content, width: width, height: height)
    return (try #require(hud.noticeRect), hud.noticePages)
  }

  @Test(
    arguments: [
      ("Lake Loop is closed after flooding", 800, 480, 1.6),
      ("Der Seerundweg ist nach Hochwasser gesperrt", 800, 480, 1.6),
      ("Wegen der Rennstrecke ist der Boulevard Albert 1er gesperrt.", 1920, 1080, 3),
      (
        "Baustelle: Aufzug der Metrostation bis zum Frühjahr außer Betrieb", 1080, 1920, 3
      ),
    ] as [(String, Int, Int, Double)])
  func aNoticeIsWholeBesideAPanelIfAFifthOfTheScreenHasRoomForIt(
    _ text: String, _ width: Int, _ height: Int, _ size: Double
  ) throws {
    let (rect, pages) = try besideAKey(text, width, height, size)
    #expect(pages == 1)
    #expect(rect.width * rect.height * 4 < width * height)
  }

  @Test func aMovementDoesNotBreakTheNoticesIntoLinesAgain() throws {
    let text = String(repeating: "The path along the shore is closed after the storm. ", count: 9)
    let hud = Hud(painter(1.6))
    var content = HudContent()
    content.notices = (0..<3).map { NoticeLine(text: "\($0). \(text)", severity: .warning) }
    // They are cut in every room and size beside the pin.
    content.pins = [PixelRect(x: 295, y: 105, width: 70, height: 140)]
    content.zoom = 1400
    hud.show(content, width: 800, height: 480)
    let made = hud.notices.made
    #expect(made > 40)
    content.zoom = 1401
    #expect(hud.show(content, width: 800, height: 480))
    #expect(hud.notices.made == made)
    // Other notices are others.
    content.notices.removeLast()
    hud.show(content, width: 800, height: 480)
    #expect(hud.notices.made > 0 && hud.noticePages > 1)
  }

  @Test func besideACalloutNoticesStayAsTheyAreOnALargeScreen() throws {
    let (open, openPages) = try banner(1280, 720, isCalloutOpen: false)
    let (beside, pages) = try banner(1280, 720, isCalloutOpen: true)
    #expect(open == beside && openPages == pages)
  }

  @Test func aLongNoticeIsNotCutWhereThePagesOfOthersAreHigher() throws {
    let painter = MapOverlaysTests.painter()
    // Four lines; then two notices of three and two lines on a page.
    let text = "Storm damage: the upper loop is closed between the falls and the lookout, take care"
    let all = ["\(text).", "The water at the hut is not safe to drink, boil it first.", "No dogs."]
    let notices = all.map { NoticeLine(text: $0, severity: .danger) }
    let line = painter.line(HudStyle.body).height
    let pages = NoticeBanner.pages(
      notices, painter, .english, in: NoticeSpace(width: 200, height: 12 * line))
    let rows = pages.flatMap(\.rows)
    let highest = try #require(pages.map { $0.rows.reduce(0) { $0 + $1.lines.count } }.max())
    #expect(highest > NoticeBanner.mostLines)
    for row in rows where row.lines.last?.hasSuffix("…") == true {
      #expect(row.lines.count >= highest)
    }
    #expect(rows.filter { $0.notice == 0 }.count == 1)
    // A page of one notice alone is as high as it may be, and no higher.
    let short = NoticeBanner.pages(
      Array(notices.prefix(1)), painter, .english,
      in: NoticeSpace(width: 120, height: 12 * line))
    #expect(short.flatMap(\.rows).allSatisfy { $0.lines.count <= NoticeBanner.mostLines })
  }

  @Test func allPagesHaveOneSizeAlsoWhereTheNumberOfOthersIsTheLongestLine() throws {
    let painter = MapOverlaysTests.painter()
    let notices = (0..<5).map { _ in NoticeLine(text: "Ice", severity: .warning) }
    let line = painter.line(HudStyle.body).height
    let pages = NoticeBanner.pages(
      notices, painter, .english, in: NoticeSpace(width: 400, height: 4 * line))
    #expect(Set(pages.map(\.rest)).count == 2)
    let art = NoticeArt(painter: painter)
    let first = try #require(pages.first.map { art.size(of: $0) })
    for page in pages {
      #expect(art.size(of: page) == first)
      let picture = try #require(art.picture(page))
      #expect((picture.width, picture.height) == first)
    }
  }

  @Test func noticesAreSpreadOverTheirPagesSoThatFewRowsAreEmpty() {
    let painter = MapOverlaysTests.painter()
    let notices = [
      NoticeLine(
        text: "Total fire ban: no open fires on any of the tracks in the park until further notice",
        severity: .danger),
      NoticeLine(text: "Bridge closed", severity: .warning),
      NoticeLine(text: "The bus runs every hour", severity: .info),
    ]
    let line = painter.line(HudStyle.body).height
    let pages = NoticeBanner.pages(
      notices, painter, .english, in: NoticeSpace(width: 456, height: 4 * line))
    // Not three lines on one page and one on the other.
    #expect(pages.map { $0.rows.map(\.notice) } == [[0], [1, 2]])
    #expect(pages.allSatisfy { $0.lines == 2 })
    // It takes no further page.
    let high = NoticeBanner.pages(
      notices, painter, .english, in: NoticeSpace(width: 456, height: 6 * line))
    #expect(high.count == 1)
  }

  @Test(
    arguments: [
      (NoticeLine.Severity.danger, [0, 1, 0, 2, 0, 3, 0, 1]),
      (.warning, [0, 1, 2, 3, 0, 1, 2, 3]),
    ])
  func aDangerComesBackAfterEachPageOfOthers(_ worst: NoticeLine.Severity, _ shown: [Int]) {
    let painter = MapOverlaysTests.painter()
    var content = HudContent()
    content.notices = [NoticeLine(text: "Ice", severity: worst)]
    content.notices += ["Bus", "Shop", "Walk"].map { NoticeLine(text: $0, severity: .info) }
    let space = NoticeSpace(width: 300, height: painter.line(HudStyle.body).height)
    var pages = NoticePages()
    let turns = (0..<8).map { turn in
      content.noticePage = turn
      return pages.banner(content, painter, in: space)?.rows.map(\.notice) ?? []
    }
    #expect(turns == shown.map { [$0] })
    content.noticePage = .max
    #expect(pages.banner(content, painter, in: space) != nil)
    // Of two pages each has its turn.
    content.notices = Array(content.notices.prefix(2))
    content.noticePage = 3
    #expect(pages.banner(content, painter, in: space)?.rows.map(\.notice) == [1])
  }

  @Test func thePagesOfANoticeHaveNoNumber() {
    let painter = MapOverlaysTests.painter()
    let text = "The upper loop is closed between the falls and the lookout after the storm"
    let space = NoticeSpace(width: 260, height: painter.line(HudStyle.body).height)
    func rests(_ notices: [String]) -> [String] {
      NoticeBanner.pages(
        notices.map { NoticeLine(text: $0, severity: .info) }, painter, .english, in: space
      ).map(\.rest)
    }
    let one = rests([text])
    #expect(one.count > 1 && one.allSatisfy(\.isEmpty))
    #expect(rests([text, "No dogs"]).allSatisfy { $0 == "1 more notice" })
  }

  /// The pages of a notice beside a card on a large HUD, with room for two lines above the pin, and
  /// the banner's rectangle and pixels per point.
  private func aboveAPin(
    _ text: String, leastUnit: Double = 1
  ) throws -> (pages: Int, rect: PixelRect, unit: Double) {
    let painter = painter(1.6)
    painter.leastUnit = leastUnit
    let hud = Hud(painter)
    var content = HudContent()
    content.notices = [NoticeLine(text: text, severity: .danger)]
    content.panel = PanelTests.card
    content.pins = [
      PixelRect(x: 588, y: 131, width: 72, height: 139),
      PixelRect(x: 432, y: 140, width: 368, height: 340),
    ]
    hud.show(content, width: 800, height: 480)
    let rect = try #require(hud.noticeRect)
    #expect(!content.pins.contains { $0.intersects(rect) })
    guard case .notices(_, let unit)? = hud.elements[Hud.Part.notice.rawValue]?.key else {
      throw NoBanner()
    }
    return (hud.noticePages, rect, unit)
  }

  private struct NoBanner: Error {}

  @Test func aNoticeAboveThePinIsSmallerRatherThanCut() throws {
    let long = try aboveAPin("Der Seerundweg ist nach Hochwasser gesperrt")
    #expect(long.pages == 1)
    // No smaller than fine print.
    #expect(long.unit < 1.6 && long.unit >= 1.2)
    // One that fits stays as large as the rest.
    let short = try aboveAPin("Lake Loop is closed after flooding")
    #expect(short.pages == 1 && short.unit == 1.6)
  }

  @Test func aNoticeThatIsCutIsOnAsManyLinesAsThereIsRoomFor() throws {
    // No smaller than the display's own size.
    let cut = try aboveAPin("Der Seerundweg ist nach Hochwasser gesperrt", leastUnit: 1.6)
    #expect(cut.unit == 1.6)
    #expect(cut.pages == 2)
    let line = painter(1.6).line(HudStyle.body).height
    #expect(cut.rect.height > 2 * line)
  }

  @Test func aLongNoticeHasMoreLinesIfItTakesNoMoreThanAFifthOfTheScreen() throws {
    let text =
      "Storm damage: the upper loop is closed between the falls and the lookout until the end of "
      + "June. Please take the ridge path, which is steep, or the bus from the car park, which runs "
      + "every hour from nine to five on all days, but not on the first Monday of a month"
    func shown(_ width: Int, _ height: Int) throws -> (pages: Int, rect: PixelRect) {
      let hud = Hud(painter())
      var content = HudContent()
      content.notices = [NoticeLine(text: text, severity: .danger)]
      hud.show(content, width: width, height: height)
      return (hud.noticePages, try #require(hud.noticeRect))
    }
    let large = try shown(1280, 720)
    #expect(large.pages == 1)
    let three = NoticeBanner.mostLines * painter().line(HudStyle.body).height + 16
    #expect(large.rect.height > three)
    let small = try shown(480, 320)
    #expect(small.pages > 1)
    #expect(small.rect.height <= three)
  }
}
