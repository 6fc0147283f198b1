import MapGeometry
import Pixels
import Testing

@testable import MapOverlays

/// Where the attribution is broken into lines.
@Suite struct AttributionTests {
  private static let two = "© OpenMapTiles © OpenStreetMap contributors"

  /// A text with its no-break spaces as spaces.
  private func plain(_ text: String) -> String {
    text.split(separator: "\u{A0}", omittingEmptySubsequences: false).joined(separator: " ")
  }

  private func width(_ text: String, _ painter: SpritePainter) -> Int {
    painter.width(text, size: painter.px(HudStyle.fine))
  }

  private func lines(
    _ text: String, _ width: Int, whole: Int? = nil, _ painter: SpritePainter
  ) -> [String] {
    var lines = AttributionLines()
    return lines.lines(of: text, beside: width, whole: whole, painter).map(plain)
  }

  @Test func aCreditThatFitsOnALineIsNotBroken() {
    let painter = painter()
    let credit = "© OpenStreetMap contributors"
    let all = width(Self.two, painter)
    for room in width(credit, painter) + 2..<all - 2 {
      #expect(lines(Self.two, room, painter) == ["© OpenMapTiles", credit], "\(room)")
    }
    #expect(lines(Self.two, all + 2, painter) == [Self.two])
    // Where there is no room for it, it is broken, but the sign stays with the name.
    let narrow = lines(Self.two, width("© OpenStreetMap", painter) + 4, painter)
    #expect(narrow == ["© OpenMapTiles", "© OpenStreetMap", "contributors"])
  }

  @Test func linesAreAboutEquallyLong() {
    let painter = painter()
    let credits = (1...6).map { "© Maker \($0)" }
    let text = credits.joined(separator: " | ")
    // Room for five of them and a half.
    let room = width(credits[..<5].joined(separator: " | ") + " | ©", painter)
    let found = lines(text, room, painter)
    #expect(found.count == 2)
    #expect(found.joined(separator: " ") == text)
    let lengths = found.map { width($0, painter) }
    #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) < width(credits[0] + " | ", painter))
    // What separates two credits does not begin a line.
    #expect(!found.contains { $0.hasPrefix("|") })
  }

  @Test func creditsAreDividedWhereTheyBegin() {
    func pieces(_ text: String, longest: Int) -> [String] {
      AttributionLines.pieces(of: text[...]) { $0.count <= longest }.map(plain)
    }
    #expect(
      pieces("Trails © City of Perth | © swisstopo", longest: 24)
        == ["Trails © City of Perth |", "© swisstopo"])
    // A credit that is too long is divided before the sign, then after a comma, then anywhere.
    #expect(
      pieces("Tiles by the makers, of them. Data © OpenStreetMap", longest: 20)
        == ["Tiles by the makers,", "of them.", "Data", "© OpenStreetMap"])
    #expect(pieces("© one two three", longest: 6) == ["© one", "two", "three"])
    #expect(pieces("", longest: 6).isEmpty)
  }

  @Test func fewerLinesBelowTheScaleBarAreBetterThanThreeBesideIt() {
    let painter = painter()
    let text = (1...6).map { "© Maker \($0)" }.joined(separator: " ")
    let beside = width("© Maker 1 © Maker 2", painter) + 3
    #expect(lines(text, beside, painter).count == 3)
    #expect(lines(text, beside, whole: beside + 20, painter).count == 3)
    #expect(lines(text, beside, whole: width(text, painter) + 3, painter).count == 1)
  }

  @Test func theLinesAreThoseOfThePresentTextAndWidth() {
    let painter = painter()
    var lines = AttributionLines()
    func count(_ text: String, _ width: Int) -> Int {
      lines.lines(of: text, beside: width, whole: nil, painter).count
    }
    let all = width(Self.two, painter)
    #expect(count(Self.two, all + 2) == 1)
    #expect(count(Self.two, all - 4) == 2)
    #expect(count("© somebody", all - 4) == 1)
    #expect(count("", all - 4) == 0)
    painter.unit = 2
    #expect(count(Self.two, all + 2) >= 2)
  }

  @Test func theSecondLineOfTheAttributionIsNotASingleWord() throws {
    // A small screen upright, on which the last word has no room.
    var content = HudContent()
    content.attribution = Self.two
    content.follow(
      Viewport(
        center: GeoPoint(lat: 48.8792, lon: 2.34), zoom: 15.3, width: 480, height: 800),
      scaleBar: .metric, north: false, zoom: false, coordinates: false)
    for unit in [1.0, 1.3, 1.6, 2] {
      let hud = Hud(painter(unit))
      hud.show(content, width: 480, height: 800)
      let key = try #require(hud.elements[Hud.Part.attribution.rawValue]).key
      guard case .attribution(let lines, _) = key else { continue }
      #expect(!lines.map(plain).contains("contributors"), "\(unit)")
    }
  }
}
