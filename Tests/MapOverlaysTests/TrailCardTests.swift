import Testing

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
  func aTitleTakesThreeLinesAndTheCardGrowsWhereItHasRoom(_ unit: Double) throws {
    let art = PanelArt(painter: painter(unit))
    let width = art.px(320)
    func height(_ title: String, _ room: Int) throws -> Int {
      try #require(art.picture(.trail(card(title)), width: width, height: room)).height
    }
    let line = art.lineHeight(HudStyle.title).height
    let one = try height("Ridge", 2000)
    let whole = try height(Self.name + " und über die Boulevards", 2000)
    #expect(whole == one + 2 * line)
    // No name takes more.
    #expect(try height(Self.name + " " + Self.name, 2000) == whole)
    // Where a figure would be lost, a name is cut instead.
    let fact = art.lineHeight(HudStyle.body).height + art.px(PanelArt.between)
    let figures = whole - fact
    #expect(try height(Self.name + " und über die Boulevards", figures) == figures)
    #expect(try height(Self.name + " und über die Boulevards", figures - 1) < figures)
    let cut = card(Self.name + " " + Self.name)
    #expect(art.lost(cut, width: width, height: figures - 1) == 0)
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
}
