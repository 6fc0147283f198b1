import MapGeometry
import Testing
import Words

@testable import MapOverlays

/// The card of a line: its title, its profile, and the side that its rows begin at.
@Suite struct TrailCardTests {
  private static let name = "Historischer Rundgang durch das Quartier de la Nouvelle-Athènes"

  private func card(_ title: String, _ profile: TrailCard.Profile? = nil) -> TrailCard {
    TrailCard(
      title: title, color: 0xFFC0_392B,
      figures: [
        .init(label: "Length", value: "12.4 km"), .init(label: "Time", value: "4 h 35 min"),
        .init(label: "Ascent", value: "1046 m"), .init(label: "Descent", value: "1046 m"),
      ],
      facts: [.init(label: "Surface", value: "gravel")], profile: profile)
  }

  @Test(arguments: [1.0, 1.6, 3])
  func aTitleIsWholeAndTheCardGrowsWhereItHasRoom(_ unit: Double) throws {
    let art = PanelArt(painter: painter(unit))
    let width = art.px(320)
    func height(_ title: String, _ room: Int) throws -> Int {
      try #require(art.picture(.trail(card(title)), width: width, height: room)).height
    }
    let line = art.lineHeight(HudStyle.title).height
    let one = try height("Ridge", 2000)
    let text = try #require(art.painter.text)
    func lines(_ title: String) -> Int {
      let inner = width - 2 * art.px(HudStyle.padX)
      return text.wrap(
        title, size: art.px(HudStyle.title), weight: .bold, width: inner, maxLines: 20
      ).count
    }
    let longer = Self.name + " und über die Boulevards"
    let whole = try height(longer, 2000)
    #expect(lines(longer) > 2)
    #expect(whole == one + (lines(longer) - 1) * line)
    let long = Self.name + " " + Self.name
    #expect((4...6).contains(lines(long)))
    #expect(try height(long, 2000) == one + (lines(long) - 1) * line)
    // No name takes more than six.
    #expect(try height(long + " " + long, 2000) == one + 5 * line)
    // Where a figure would be lost, a name is cut instead.
    let fact = art.lineHeight(HudStyle.body).height + art.px(PanelArt.between)
    let figures = whole - fact
    #expect(try height(longer, figures) == figures)
    #expect(try height(longer, figures - 1) < figures)
    let cut = card(Self.name + " " + Self.name)
    #expect(art.lost(cut, width: width, height: figures - 1) == 0)
  }

  @Test func detailsAreCutOnlyWhereTheCardCannotGrow() throws {
    let art = PanelArt(painter: painter())
    let text = try #require(art.painter.text)
    var card = card("Lake Loop")
    let name = "Department of Biodiversity, Conservation and Attractions of Western Australia"
    card.facts = [
      .init(label: "Operator", value: name), .init(label: "Surface", value: "gravel"),
      .init(label: "Operator", value: name),
    ]
    let inner = 216
    let whole = text.wrap("Operator: " + name, size: 16, width: inner, maxLines: 20).count
    #expect(whole > 2)
    let line = art.lineHeight(HudStyle.body).height
    func details(_ room: Int) -> [Int] {
      let all = art.blocks(card, inner: inner, room: room)
      let isKept = art.kept(all, room: room)
      #expect(art.height(of: all.indices.filter { isKept[$0] }.map { all[$0] }[...]) <= room)
      return all.indices.filter { all[$0].isDetail && isKept[$0] }.map { all[$0].height / line }
    }
    let all = art.blocks(card, inner: inner, room: 2000)
    let height = art.height(of: all[...])
    #expect(details(height) == [whole, 1, whole])
    // The most important one grows first, a line at a time.
    #expect(details(height - 1) == [whole, 1, whole - 1])
    #expect(details(height - 2 * (whole - 2) * line + line) == [3, 1, 2])
    #expect(details(height - 2 * (whole - 2) * line) == [2, 1, 2])
    // In the place of one that has no room, another one grows.
    #expect(details(height - 2 * (whole - 2) * line - 1).prefix(2) == [2 + min(whole - 2, 2), 1])
  }

  @Test func shortDetailsShareALineWhereTheyHaveNoRoomOfTheirOwn() {
    let art = PanelArt(painter: painter())
    var card = card("Lake Loop")
    card.facts = [
      .init(label: "Surface", value: "gravel"), .init(label: "Width", value: "2 m"),
      .init(label: "Operator", value: "Department of Biodiversity and Conservation"),
    ]
    func details(_ room: Int) -> Int {
      let all = art.blocks(card, inner: 336, room: room)
      let isKept = art.kept(all, room: room)
      return all.indices.filter { all[$0].isDetail && isKept[$0] }.count
    }
    let height = art.height(of: art.blocks(card, inner: 336, room: 2000)[...])
    #expect(details(height) == 3)
    // Two on one line, and the third: nothing is left out.
    let all = art.blocks(card, inner: 336, room: height - 1)
    #expect(details(height - 1) == 2)
    #expect(!art.kept(all, room: height - 1).contains(false))
  }

  @Test func aProfileIsReadAtEveryColumnWhateverItsPoints() {
    func columns(_ ways: [Float], _ heights: [Float]) -> [Float] {
      PanelArt.columns(
        .init(
          distances: ways, elevations: heights, range: "", lowest: "", highest: "", length: ""),
        count: 5)
    }
    #expect(columns([0, 1], [0, 40]) == [0, 10, 20, 30, 40])
    #expect(columns([0.5], [7]) == [7, 7, 7, 7, 7])
    #expect(columns([0, 0, 1, 1], [0, 5, 5, 9]).count == 5)
    #expect(columns([], []).isEmpty)
    #expect(columns([0], [1, 2]).isEmpty)
  }

  private func profile(
    _ elevations: [Float], _ lowest: String, _ highest: String, _ length: String
  ) -> TrailCard.Profile {
    let count = Float(elevations.count - 1)
    return TrailCard.Profile(
      distances: elevations.indices.map { Float($0) / count }, elevations: elevations,
      range: "\(lowest) – \(highest)", lowest: lowest, highest: highest, length: length)
  }

  /// From a screen of 240 points at its widest card to a card of full width, at the sizes normal,
  /// large and wall, and at a reduced one.
  @Test(arguments: [0.75, 1, 1.6, 3], [72.0, 104, 136, 168, 216, 336])
  func theElevationsAndTheDistancesOfAProfileKeepClearOfEachOther(
    _ unit: Double, _ points: Double
  ) {
    let art = PanelArt(painter: painter(unit))
    let inner = art.px(points)
    for texts in [
      ("8 m", "87 m", "7.1 km"), ("1600 m", "2000 m", "12.4 km"),
      ("5297 ft", "14 505 ft", "850 ft"),
      ("8 م", "87 م", "7.1 كم"),
    ] {
      for (graph, isRight) in [(72.0, false), (44, false), (72, true), (44, true)] {
        let profile = profile([1600, 2000, 1700], texts.0, texts.1, texts.2)
        let parts = art.parts(of: profile, inner, height: art.px(graph), isRight: isRight)
        let labels = parts.elevations + parts.distances
        let rects = labels.map(\.rect) + [parts.graph]
        for (n, rect) in rects.enumerated() {
          #expect(rects[..<n].allSatisfy { !$0.intersects(rect) }, "\(points) \(texts)")
          #expect(rect.x >= 0 && rect.maxX <= inner && rect.y >= 0 && rect.maxY <= parts.height)
        }
        // The graph stays the larger part, and all words can be read as well as fine print.
        #expect(parts.graph.width * 2 >= inner && parts.graph.height == art.px(graph))
        #expect(labels.allSatisfy { $0.size >= HudStyle.fine && $0.size <= HudStyle.body })
        // The elevations take no height where there is room beside the graph.
        if points >= 168 { #expect(parts.graph.y == 0) }
        #expect(parts.distances.last?.text == texts.2)
        #expect(parts.distances.last?.rect.maxX == parts.graph.maxX)
        if points >= 136 { #expect(parts.distances.first?.rect.x == parts.graph.x) }
      }
    }
  }

  @Test func theElevationsOfAWideCardAreAsLargeAsItsFigures() {
    let art = PanelArt(painter: painter())
    let hills = profile([1600, 2000, 1700], "1600 m", "2000 m", "12.4 km")
    let parts = art.parts(of: hills, 336, height: 72, isRight: false)
    #expect(parts.elevations.map(\.size) == [HudStyle.body, HudStyle.body])
    #expect(parts.elevations.map(\.text) == ["2000 m", "1600 m"])
    #expect(parts.distances.map(\.text) == ["0", "12.4 km"])
    #expect(parts.elevations.first?.rect.y == 0)
    #expect(parts.elevations.last?.rect.maxY == parts.graph.maxY)
    // That of a level trail is not at the top of the graph, which it does not reach.
    let level = art.parts(
      of: profile([8, 10, 9], "8 m", "10 m", "12.4 km"), 336, height: 72, isRight: false)
    let top = level.elevations.first?.rect.y ?? 0
    #expect(top > 20 && top + 2 * art.lineHeight(HudStyle.body).height <= 72)
  }

  @Test func allRowsOfACardInArabicAreAtTheRight() throws {
    /// The columns of all letters.
    func columns(_ label: String) throws -> [Int] {
      let card = TrailCard(
        title: "Ridge", color: 0xFFC0_392B, figures: [.init(label: label, value: "1 km")],
        facts: [.init(label: "Surface", value: "gravel")])
      let painter = painter()
      let art = PanelArt(painter: painter)
      let image = try #require(art.picture(.trail(card), width: 320, height: 400)).image
      return (0..<image.width * image.height).filter {
        image.pixels[$0] == painter.theme.ink || image.pixels[$0] == painter.theme.secondInk
      }.map { $0 % image.width * 320 / image.width }
    }
    let left = try columns("Length")
    // An invisible Arabic letter is enough: what Waypost says is in that language.
    let right = try columns("\u{200F}Length")
    #expect(!left.isEmpty && left.allSatisfy { $0 < 160 })
    #expect(!right.isEmpty && right.allSatisfy { $0 > 160 })
    let hills = profile([1600, 2000, 1700], "1600 m", "2000 m", "12.4 km")
    let parts = PanelArt(painter: painter()).parts(of: hills, 336, height: 72, isRight: true)
    #expect(parts.graph.x == 0)
    #expect(parts.elevations.allSatisfy { $0.rect.maxX == 336 })
  }

  @Test(
    arguments: [
      (0.4, ScaleBar.Units.metric, "0 m"), (126, .metric, "126 m"), (999.4, .metric, "999 m"),
      (999.6, .metric, "1.00 km"), (1354, .metric, "1.35 km"), (1551, .metric, "1.55 km"),
      (9994, .metric, "9.99 km"), (9996, .metric, "10.0 km"), (99_940, .metric, "99.9 km"),
      (99_960, .metric, "100 km"), (126, .imperial, "413 ft"), (1609, .imperial, "1.00 mi"),
      (2012, .imperial, "1.25 mi"), (20_000, .imperial, "12.4 mi"), (185, .nautical, "185 m"),
      (1551, .nautical, "0.84 NM"), (1851.6, .nautical, "1.00 NM"), (4000, .nautical, "2.16 NM"),
    ])
  func lengthsHaveSoManyDigitsThatRoundingChangesThemLittle(
    _ metres: Double, _ units: ScaleBar.Units, _ text: String
  ) {
    #expect(Words.english.way(metres, units) == text)
  }
  @Test(
    arguments: [
      (304.8, "1000 ft"), (321.5, "1055 ft"), (322.2, "0.2 mi"), (402.3, "0.25 mi"),
      (804.7, "0.5 mi"), (1207, "0.75 mi"),
    ])
  func milesBeginAtAFifthOfOne(_ metres: Double, _ text: String) {
    #expect(Words.english.way(metres, .imperial) == text)
  }

  @Test(arguments: ScaleBar.Units.allCases, 1...400)
  func cardsAndTheScaleBarChangeUnitsAtTheSameLength(_ units: ScaleBar.Units, _ tens: Int) {
    let metres = Double(10 * tens + 3)
    let view = Viewport(center: GeoPoint(lat: 0, lon: 5), zoom: 12, width: 800, height: 480)
    let perPoint = WebMercator.metersPerPoint(lat: 0, zoom: 12)
    let bar = ScaleBar.fitting(view, units: units, points: metres / perPoint)
    let unit = Words.english.way(metres, units).split(separator: " ").last
    #expect(unit.map(String.init) == bar.unit.rawValue)
  }
}
