import Features
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Panels beside the map: on every screen, in every size, without an overlap.
@Suite struct PanelTests {
  static let sizes: [Double] = [1, 1.6, 3]

  static var card: Panel { .trail(trailCard) }

  static var trailCard: TrailCard {
    let ways = (0..<200).map { Float($0) / 199 }
    let profile = TrailCard.Profile(
      distances: ways, elevations: ways.map { 1600 + 400 * $0 * (1 - $0) },
      range: "1600 m – 2000 m", lowest: "1600 m", highest: "2000 m", length: "12.4 km",
      position: 0.4)
    return TrailCard(
      title: "Mojstrovka by the Slovene trail and back over the northern ridge",
      color: 0xFFC0_392B,
      figures: [
        .init(label: "Length", value: "12.4 km"), .init(label: "Time", value: "4 h 35 min"),
        .init(label: "Ascent", value: "1 046 m"), .init(label: "Descent", value: "1 046 m"),
      ],
      facts: [
        .init(label: "Difficulty", value: "T3, with a few passages secured by ropes"),
        .init(label: "Surface", value: "rock and gravel"),
      ], profile: profile)
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

  @Test(arguments: PictureTheme.Kind.allCases)
  func aLineInThePanelsOwnColourHasAnEdge(_ kind: PictureTheme.Kind) throws {
    let theme = PictureTheme.of(kind)
    func count(_ color: UInt32) throws -> Int {
      let painter = painter()
      painter.theme = theme
      let hud = Hud(painter)
      var content = HudContent()
      let line = MapKey.Sign.line(color: color, width: 4, casing: 0, dash: [])
      content.panel = .key(MapKey(title: "", items: [.init(line, "i")]))
      hud.show(content, width: 800, height: 480)
      let image = try #require(hud.sprites.first).image
      let pixels = UnsafeBufferPointer(start: image.pixels, count: image.width * image.height)
      return pixels.count { $0 == theme.secondInk }
    }
    // The letter and the border are in both.
    let faint: UInt32 = kind == .day ? 0xFFFF_FFFF : 0xFF00_0000
    let strong: UInt32 = kind == .day ? 0xFFC0_2020 : 0xFFFF_FFFF
    let (edged, plain) = (try count(faint), try count(strong))
    #expect(edged > plain + 30)
  }

  @Test(arguments: [120, 200, 400, 2000])
  func aKeyThatIsCutSaysHowManySignsThereAreBeside(_ room: Int) throws {
    guard case .key(var key) = PanelTests.key else { return }
    let art = PanelArt(painter: painter())
    key.rest = "… and {0} more"
    key.others = 2
    let blocks = art.blocks(key, inner: 300, room: room)
    #expect(art.height(of: blocks[...]) <= room)
    // The title, the signs, and the line that counts the others, which were 32.
    let shown = blocks.count - 2
    #expect(shown >= 1)
    #expect((shown == 30) == (room == 2000))
    // Without others, one that fits has no such line.
    key.others = 0
    let whole = art.blocks(key, inner: 300, room: 2000)
    #expect(whole.count == 31)
    let picture = try #require(art.picture(.key(key), width: 400, height: room))
    #expect(picture.height <= room)
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
        // A card that would lose figures may be wider.
        if width > height { #expect(rect.width <= width / 2) }
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

  @Test func whatAFileSaysBesideTheFiguresIsLeftOutBeforeThem() throws {
    let art = PanelArt(painter: painter())
    var card = PanelTests.trailCard
    (card.title, card.profile) = ("Ridge", nil)
    func height(_ facts: [TrailCard.Fact], _ room: Int) throws -> Int {
      card.facts = facts
      return try #require(art.picture(.trail(card), width: 150, height: room)).height
    }
    let short = [TrailCard.Fact(label: "For", value: "all")]
    let figures = try height([], 2000)
    // With room for a fact, but not for all of the figures.
    for room in (figures - 12)..<figures {
      let (with, without) = (try height(short, room), try height([], room))
      #expect(with == without, "\(room)")
    }
    let whole = try height(short, 2000)
    #expect(whole > figures)
  }

  @Test func aNarrowCardHasTwoFiguresBesideEachOther() throws {
    var card = TrailCard(
      title: "Bushland loop", color: 0xFFC0_392B,
      figures: [
        .init(label: "Length", value: "5.8 km"), .init(label: "Time", value: "1 h 25 min"),
        .init(label: "Ascent", value: "56 m"), .init(label: "Descent", value: "56 m"),
      ])
    func height(_ count: Int, _ unit: Double, _ width: Int) throws -> Int {
      var some = card
      some.figures = Array(card.figures.prefix(count))
      let art = PanelArt(painter: painter(unit))
      return try #require(art.picture(.trail(some), width: width, height: 2000)).height
    }
    // The panel of a wall's size on a screen of 1280 pixels, and the one on a screen of 480.
    for (unit, width) in [(3.0, 512), (1, 192)] {
      let heights = try (1...4).map { try height($0, unit, width) }
      #expect(heights[0] == heights[1])
      #expect(heights[1] < heights[2])
      #expect(heights[2] == heights[3])
    }
    // Figures that are too long for that are below each other.
    card.figures[0].value = "123 456 789 km"
    let (one, two) = (try height(1, 3, 512), try height(2, 3, 512))
    #expect(one < two)
  }

  @Test(arguments: PictureTheme.Kind.allCases)
  func aCardSaysThatItsLineIsClosedBelowTheTitle(_ kind: PictureTheme.Kind) throws {
    guard case .trail(var card) = Self.card else { return }
    let painter = painter()
    painter.theme = .of(kind)
    let art = PanelArt(painter: painter)
    func picture(_ height: Int) throws -> PlatePicture {
      try #require(art.picture(.trail(card), width: 320, height: height))
    }
    let open = try picture(2000).height
    card.closed = "Closed"
    let line = max(art.lineHeight(HudStyle.body).height, art.px(18)) + art.px(PanelArt.between)
    #expect(try picture(2000).height == open + line)
    // The reason goes before anything else but details does.
    card.reasons = ["Rockfall between the hut and the pass; use the path along the lake instead"]
    let whole = try picture(2000).height
    #expect(whole > open + line)
    let facts = card.facts
    card.facts = []
    let bare = try picture(2000).height
    card.facts = facts
    #expect(try picture(bare).height == bare)
    card.reasons = []
    #expect(art.lost(card, width: 320, height: open + line) == 0)
  }

  @Test func everyLookOfAFileIsASignOfItsOwnWithTheNameOfItsFeatures() throws {
    func line(_ name: String, _ color: String, _ lat: Double) -> String {
      """
      {"type": "Feature", "properties": {"name": "\(name)", "stroke": "\(color)"}, "geometry":
        {"type": "LineString", "coordinates": [[7, \(lat)], [8, \(lat)]]}}
      """
    }
    func signs(_ lines: [String]) throws -> [FeatureDrawing.FoundSign] {
      let text = #"{"type": "FeatureCollection", "features": [\#(lines.joined(separator: ","))]}"#
      let set = try FeatureSet.text(text, label: "name")
      return FeatureDrawing(set).signs(
        in: GeoBounds(west: 6, south: 45, east: 9, north: 48), most: 100)
    }
    let found = try signs([
      line("Lake loop", "#ff0000", 46), line("Ridge", "#0000ff", 46.5),
      line("Lake loop", "#ff0000", 47), line("Mill", "#00ff00", 46.2),
      line("Dam", "#00ff00", 46.3), line("Far away", "#ffff00", 60),
    ])
    #expect(found.map(\.name) == ["Lake loop", "Ridge", nil])
    #expect(Set(found.map { "\($0.sign)" }).count == 3)
    // Where all look alike the overlay's title says what they are.
    #expect(
      try signs([line("One", "#ff0000", 46), line("One", "#ff0000", 47)]).map(\.name) == [nil])
    var many: [String] = []
    for n in 0..<40 { many.append(line("Way \(n)", "#ff00\(n + 10)", 46 + Double(n) / 50)) }
    let most = try signs(many)
    #expect(most.count == 6)
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

  @Test func aKeyInArabicHasItsSignsAtTheRightWhateverTheNames() throws {
    let dot: UInt32 = 0xFF12_34E6
    /// Where the signs are across the picture, 0 to 1.
    func columns(_ title: String, _ names: [String]) throws -> [Double] {
      let key = MapKey(title: title, items: names.map { .init(.dot(dot), $0) })
      let art = PanelArt(painter: painter())
      let picture = try #require(art.picture(.key(key), width: 320, height: 400))
      return inked(picture.image) { $0 & 0xFF_FFFF == 0x12_34E6 }.map {
        Double($0) / Double(picture.image.width)
      }
    }
    let names = ["المسار", "Old mill"]
    let left = try columns("Map key", names)
    let right = try columns("مفتاح الخريطة", names)
    #expect(!left.isEmpty && left.allSatisfy { $0 < 0.5 })
    #expect(right.count == left.count && right.allSatisfy { $0 > 0.5 })
  }

  @Test func aLegendInArabicHasItsPicturesRightOfItsWords() throws {
    /// The columns in which the pictures of two actions differ: where they are.
    func columns(_ text: String) throws -> [Int] {
      let art = LegendArt(painter: painter(), viewWidth: 600, viewHeight: 480)
      let plus = try #require(art.picture([.init(icon: .plus, text: text, below: "Hold: x")]))
      let minus = try #require(art.picture([.init(icon: .minus, text: text, below: "Hold: x")]))
      return (0..<plus.image.width * plus.image.height).filter {
        plus.image.pixels[$0] != minus.image.pixels[$0]
      }.map { $0 % 600 }
    }
    let left = try columns("Zoom in further")
    // An invisible Arabic letter, for the bundled fonts have no visible one.
    let right = try columns("\u{200F}Zoom in further")
    #expect(!left.isEmpty && left.allSatisfy { $0 < 300 })
    #expect(right.count == left.count && right.allSatisfy { $0 > 300 })
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

  /// The columns of all pixels of a colour.
  private func inked(_ image: SpriteImage, _ isInk: (UInt32) -> Bool) -> [Int] {
    (0..<image.width * image.height).filter { isInk(image.pixels[$0]) }.map { $0 % image.width }
  }
}
