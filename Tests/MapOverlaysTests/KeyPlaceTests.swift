import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// The map key hides as little of overlays' lines and of markers as possible.
@Suite struct KeyPlaceTests {
  private func content(_ count: Int) -> HudContent {
    var content = HudContent()
    let items = (0..<count).map { MapKey.Item(.dot(0xFF20_60C0), "Sign \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items, rest: "and {0} more"))
    return content
  }

  /// A key on a screen of 480 by 800 pixels with lines across all of its corners but for their
  /// lowest part, and where the key is without them.
  private func crossedKey() throws -> (hud: Hud, content: HudContent, usual: PixelRect) {
    let hud = Hud(painter(1.6))
    var content = content(20)
    hud.show(content, width: 480, height: 800)
    let usual = try #require(hud.panelRect)
    content.keyObstacles = [PixelRect(x: 0, y: 60, width: 480, height: usual.y)]
    hud.show(content, width: 480, height: 800)
    return (hud, content, usual)
  }

  @Test(arguments: [(800, 480), (480, 800)])
  func aKeyThatHidesNothingKeepsItsPlace(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = content(4)
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    content.keyObstacles = [
      PixelRect(x: usual.maxX, y: 0, width: 40, height: height),
      PixelRect(x: 0, y: 0, width: width, height: usual.y),
    ]
    hud.show(content, width: width, height: height)
    #expect(hud.panelRect == usual)
  }

  @Test(arguments: [(800, 480), (480, 800)])
  func aKeyIsInTheCornerWhereItHidesLeast(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = content(4)
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    // A broad strip from top to bottom at the left, and a narrow one at the right.
    let narrow = PixelRect(x: width - 60, y: 0, width: 8, height: height)
    content.keyObstacles = [
      PixelRect(x: usual.x + 20, y: 0, width: 40, height: height), narrow,
    ]
    hud.show(content, width: width, height: height)
    let moved = try #require(hud.panelRect)
    #expect((moved.width, moved.height) == (usual.width, usual.height))
    #expect(hud.hiddenArea(moved) == narrow.width * moved.height)
    // It never hides the pin of "here" for that.
    content.pins = [PixelRect(x: width - 80, y: 0, width: 48, height: height)]
    hud.show(content, width: width, height: height)
    #expect(hud.panelRect == usual)
  }

  @Test func aKeyThatHidesLinesInEachCornerIsSmallerBelowThem() throws {
    let (hud, crossed, usual) = try crossedKey()
    var content = crossed
    let moved = try #require(hud.panelRect)
    #expect(usual.intersects(content.keyObstacles[0]))
    #expect(hud.hiddenArea(moved) == 0 && moved.maxY == usual.maxY)
    let unit = try #require(hud.panelUnit)
    let signs = hud.painter.with(unit: unit) {
      guard case .key(let key) = content.panel else { return 0 }
      return PanelArt(painter: hud.painter).signs(
        of: key, width: moved.width, height: moved.height)
    }
    #expect(signs >= 5)
    // With too little room for that it stays large.
    content.keyObstacles[0].height = 640
    hud.show(content, width: 480, height: 800)
    let large = try #require(hud.panelRect)
    #expect((large.width, large.height) == (usual.width, usual.height))
    #expect(hud.panelUnit == 1.6)
  }

  @Test func aKeyThatWasTriedInTwoSizesIsDrawnOnce() throws {
    let (hud, crossed, _) = try crossedKey()
    var content = crossed
    let picture = try #require(hud.elements[Hud.Part.panel.rawValue]).picture.image
    content.toast = "Saved"
    #expect(hud.show(content, width: 480, height: 800))
    #expect(hud.elements[Hud.Part.panel.rawValue]?.picture.image === picture)
  }

  // MARK: Lines as parts of the screen

  /// The cells of 10 by 8 pixels that a line covers on a screen of 100 by 80 pixels, 4° wide, with
  /// its middle at 45° N 5° E.
  private func covered(
    _ line: [(Double, Double)], turned: (x: Double, y: Double) = (1, 0)
  ) throws -> [PixelRect] {
    let patch = MapPatch(
      middle: WebMercator.project(GeoPoint(lat: 45, lon: 5)), along: turned,
      halfWidth: 2.0 / 360, halfHeight: 1.6 / 360)
    var cells = MapCells(patch, columns: 10, rows: 10)
    var budget = 1000
    try lineDrawing([line]).cover(&cells, budget: &budget)
    return cells.rects(over: PixelRect(x: 0, y: 0, width: 100, height: 80))
  }

  @Test func aLineCoversTheCellsThatItCrosses() throws {
    // A little below the middle, from beyond the left edge to the middle.
    let half = try covered([(-20, 44.9), (5.1, 44.9)])
    #expect(half == [PixelRect(x: 0, y: 40, width: 60, height: 8)])
    let across = try covered([(-20, 44.9), (40, 44.9)])
    #expect(across == [PixelRect(x: 0, y: 40, width: 100, height: 8)])
    let down = try covered([(5.1, 20), (5.1, 60)])
    #expect(down == (0..<10).map { PixelRect(x: 50, y: 8 * $0, width: 10, height: 8) })
    // One of which only the box reaches into the screen covers nothing.
    #expect(try covered([(0, 40), (0, 50), (10, 50)]).isEmpty)
  }

  @Test func inATurnedViewTheCellsAreThoseOfTheScreen() throws {
    let down = try covered([(-20, 45), (40, 45)], turned: (0, 1))
    #expect(down.count == 10 && down.allSatisfy { $0.width == 10 && ($0.x == 40 || $0.x == 50) })
  }
}
