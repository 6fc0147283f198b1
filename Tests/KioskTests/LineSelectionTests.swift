import Control
import Displays
import Inputs
import MapGeometry
import MapOverlays
import Testing

@testable import Configuration
@testable import Kiosk

/// Lines that are selected: by a tap, by buttons and over the socket.
@Suite struct LineSelectionTests: MarkerCase {
  /// A way from west to east through the middle of the view, up 300 m and down 100 m, and another
  /// one without elevations to the south of it.
  private static let ways = """
    {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": "Ridge", "difficulty": "T2", "surface": ""},
    "geometry": {"type": "LineString", "coordinates":
    [[3.25, 40.98, 1000], [7.25, 40.98, 1100], [11.25, 40.98, 1200], [15.25, 40.98, 1300],
    [19.25, 40.98, 1200]]}},
    {"type": "Feature", "properties": {"name": "Valley"},
    "geometry": {"type": "LineString", "coordinates": [[3.25, 40], [19.25, 40]]}}]}
    """

  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    var overlay = Configuration.Overlay(
      name: "ways", content: .geoJSON(Self.ways), level: .aboveRoads)
    overlay.card = ["difficulty", "surface", "owner"]
    let bench = try bench(width: 800, height: 480) {
      for part in Configuration.Hud.parts.values { $0.hud[keyPath: part] = false }
      $0.overlays = [overlay]
      set(&$0)
    }
    try bench.settle()
    return bench
  }

  private func shownCard(_ bench: Bench) -> TrailCard? {
    bench.kiosk.updatePanel()
    return bench.kiosk.selection.card(.english, .metric)
  }

  @Test func aTapOnALineShowsItsCardAndDrawsItInTheAccentColour() throws {
    let bench = try bench()
    let before = bench.panel()
    bench.kiosk.handle(TouchEvent.tapped(x: 500, y: 243))
    try bench.settle()
    let card = try #require(shownCard(bench))
    #expect(card.title == "Ridge")
    #expect(card.figures.map(\.label) == ["Length", "Time", "Ascent", "Descent"])
    // 4 times 4° at 40.98° north; climbs as gpxpy counts them, smoothed.
    #expect(card.figures.first?.value == "1345 km")
    #expect(card.figures.map(\.value).suffix(2) == ["240 m", "40 m"])
    #expect(card.facts.map(\.label) == ["Difficulty"] && card.facts.map(\.value) == ["T2"])
    #expect(card.profile?.position == nil)
    let shown = bench.panel()
    #expect(shown != before)
    let accent = PictureTheme.day.accent & 0xFF_FFFF
    let column = (225..<255).map { shown[500, $0] & 0xFF_FFFF }
    #expect(column.filter { $0 == accent }.count >= 4)
  }

  @Test func theNextAfterTheLastMarkerIsALineAndAfterTheLastLineTheFirstMarker() throws {
    let bench = try bench { $0.markers = [marker("hut", 40.98, 11.3, "Hut", "Text")] }
    func seen() -> String {
      let line = bench.kiosk.selection.facts?.name
      return line ?? (bench.kiosk.overMap.focus == nil ? "nothing" : "focus")
    }
    var all: [String] = []
    for _ in 0..<4 {
      #expect(bench.kiosk.press(.selectNext) == nil)
      all.append(seen())
    }
    #expect(all == ["focus", "Ridge", "Valley", "focus"])
    // Where there are lines only, they follow one another.
    #expect(bench.kiosk.removeMarker("hut"))
    all = []
    for _ in 0..<3 {
      #expect(bench.kiosk.press(.selectNext) == nil)
      all.append(seen())
    }
    #expect(all == ["Ridge", "Valley", "Ridge"])
  }

  @Test func aTapOnThePanelDoesNotReachTheMapAndOneElsewhereClosesIt() throws {
    let bench = try bench()
    bench.kiosk.handle(TouchEvent.tapped(x: 500, y: 240))
    try bench.settle()
    let view = bench.kiosk.shownView
    #expect(bench.kiosk.overMap.isOnPanel(x: 30, y: 460, in: view))
    bench.kiosk.handle(TouchEvent.tapped(x: 30, y: 460))
    #expect(bench.kiosk.selection.line != nil)
    bench.kiosk.handle(TouchEvent.tapped(x: 700, y: 30))
    #expect(bench.kiosk.selection.line == nil)
    try bench.settle()
    #expect(!bench.kiosk.overMap.isOnPanel(x: 30, y: 460, in: view))
  }

  @Test func aLineIsSelectedByItsName() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: nil, named: "Valley") == nil)
    #expect(bench.kiosk.selection.facts?.name == "Valley")
    let refusal = try #require(
      bench.kiosk.selectLine(of: "ways", feature: nil, named: "Vally"))
    #expect(refusal == "no line of ways is called \"Vally\"; did you mean \"Valley\"?")
    #expect(bench.kiosk.selection.facts?.name == "Valley")
  }

  @Test func backClosesTheCardBeforeItLeadsHome() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 1) == nil)
    #expect(bench.kiosk.press(.back) == nil)
    #expect(bench.kiosk.selection.line == nil)
  }

  @Test func aButtonStepsThroughTheLinesFromTheCentreOutwards() throws {
    let bench = try bench()
    var names: [String?] = []
    for _ in 0..<4 {
      #expect(bench.kiosk.press(.select) == nil)
      names.append(bench.kiosk.selection.facts?.name)
    }
    #expect(names == ["Ridge", "Valley", nil, "Ridge"])
  }

  @Test func thePositionIsShownOnTheProfileWhileItIsNearTheLine() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    bench.kiosk.selection.follow(GeoPoint(lat: 40.9805, lon: 7.25))
    let part = try #require(bench.kiosk.selection.part)
    #expect(abs(part - 0.25) < 0.001)
    bench.kiosk.selection.follow(GeoPoint(lat: 41, lon: 7.25))
    #expect(bench.kiosk.selection.part == nil)
    bench.kiosk.selection.follow(nil)
    #expect(bench.kiosk.selection.part == nil)
  }

  /// Where the corners of a line's box are on the screen, and where the panel is, in points.
  private func places(_ bench: Bench, _ lons: ClosedRange<Double>, _ lat: Double) throws
    -> (west: (x: Double, y: Double), east: (x: Double, y: Double), panel: Double)
  {
    let view = bench.kiosk.shownView
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let west = view.screen(GeoPoint(lat: lat, lon: lons.lowerBound))
    let east = view.screen(GeoPoint(lat: lat, lon: lons.upperBound))
    return (west, east, Double(panel.maxX))
  }

  /// A kiosk with one line along a parallel.
  private func bench(lons: ClosedRange<Double>, lat: Double) throws -> Bench {
    try bench {
      $0.overlays[0].content = .geoJSON(
        """
        {"type": "LineString",
        "coordinates": [[\(lons.lowerBound), \(lat)], [\(lons.upperBound), \(lat)]]}
        """)
    }
  }

  @Test func aLineThatIsTooLongForTheRoomBesideItsCardIsShownWhole() throws {
    let bench = try bench(lons: -10...40, lat: 40.98)
    let zoom = bench.kiosk.goal.zoom
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    let shown = try places(bench, -10...40, 40.98)
    #expect(bench.kiosk.goal.zoom < zoom)
    #expect(shown.west.x >= shown.panel + LineRoom.margin - 1)
    #expect(shown.east.x <= 800 - LineRoom.margin + 1)
    // As large as possible.
    #expect(shown.east.x - shown.west.x > 400)
  }

  @Test(arguments: [-10.0, 6])
  func aPinOfHereOnTheLineIsSeenWhole(_ west: Double) throws {
    let east = 26 - west
    for part in [0.1, 0.5, 0.9] {
      let bench = try bench {
        $0.overlays[0].content = .geoJSON(
          """
          {"type": "LineString", "coordinates": [[\(west), 34], [\(east), 46]]}
          """)
        // Near the top of the line's part of the map.
        let place = GeoPoint(lat: 45.8, lon: west + part * (east - west))
        $0.markers = [Configuration.Marker(id: "here", place: place)]
      }
      #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
      try bench.settle()
      let view = bench.kiosk.shownView
      let box = try #require(bench.kiosk.overMap.heresShown(in: view).first)
      #expect(box.y >= 0, "\(part)")
      let low = view.screen(GeoPoint(lat: 34, lon: west))
      #expect(low.y <= 480 - LineRoom.margin + 1)
    }
  }

  @Test(arguments: [-10.0, 6], [0.001, 0.999])
  func aPinAtTheEndOfTheLineIsSeenWholeBesideTheCard(_ west: Double, _ part: Double) throws {
    let east = 26 - west
    let bench = try bench {
      $0.hud.size = 2
      $0.overlays[0].content = .geoJSON(
        """
        {"type": "LineString", "coordinates": [[\(west), 34], [\(east), 46]]}
        """)
      let place = GeoPoint(lat: 34 + part * 12, lon: west + part * (east - west))
      $0.markers = [Configuration.Marker(id: "here", place: place)]
    }
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    let box = try #require(bench.kiosk.overMap.heresShown(in: bench.kiosk.shownView).first)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    #expect(box.width > 80)
    #expect(box.x >= panel.maxX && box.maxX <= 800)
    #expect(box.y >= 0 && box.maxY <= 480)
  }

  @Test(arguments: [(1.0, false, 24.0), (1.6, false, 38.4), (1, true, 32)])
  func aLineHasATouchTargetLikeAMarkers(_ size: Double, _ isMoving: Bool, _ reach: Double) throws {
    let bench = try bench {
      $0.hud.size = size
      $0.position.follow = isMoving
    }
    // A position over the socket makes it a vehicle, as one from gpsd does.
    let middle = bench.kiosk.goal.center
    bench.kiosk.take(Fix(place: middle), from: .socket)
    try bench.settle()
    let line = bench.kiosk.shownView.screen(GeoPoint(lat: 40.98, lon: 11.25)).y
    for (distance, isHit) in [(reach - 2, true), (reach + 2, false)] {
      bench.kiosk.handle(TouchEvent.tapped(x: 500, y: line - distance))
      #expect((bench.kiosk.selection.line != nil) == isHit, "\(distance)")
      bench.kiosk.clearSelection()
      try bench.settle()
    }
  }

  @Test func theSelectedLineIsOverTheOtherOverlaysOfItsLevel() throws {
    let bench = try bench {
      var other = $0.overlays[0]
      other.name = "others"
      var labels = other
      (labels.name, labels.level) = ("above", .aboveLabels)
      $0.overlays += [other, labels]
    }
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    let book = bench.kiosk.book
    let index = try #require(book.highlight.index)
    let layers = book.sceneLayers()
    let place = try #require(layers.firstIndex { $0.chain.first?.index == index })
    #expect(place == layers.count - 2)
    #expect(layers.last?.isAboveLabels == true)
  }

  @Test func aLineUnderItsCardMovesBesideIt() throws {
    let bench = try bench(lons: 8.4...8.9, lat: 40.2)
    let zoom = bench.kiosk.goal.zoom
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    let shown = try places(bench, 8.4...8.9, 40.2)
    #expect(bench.kiosk.goal.zoom == zoom)
    #expect(abs(shown.west.x - shown.panel - LineRoom.margin) < 1)
  }

  @Test func aLineThatIsInSightLeavesTheMapWhereItIs() throws {
    let bench = try bench(lons: 13...17, lat: 40.98)
    let before = bench.kiosk.goal
    bench.kiosk.handle(TouchEvent.tapped(x: 500, y: 240))
    try bench.settle()
    #expect(bench.kiosk.selection.line != nil)
    #expect(bench.kiosk.goal == before)
  }

  @Test func aTapOnALineThatIsTooLongKeepsTheZoomAndThePlace() throws {
    let bench = try bench(lons: -10...40, lat: 40.98)
    let before = bench.kiosk.goal
    bench.kiosk.handle(TouchEvent.tapped(x: 500, y: 240))
    try bench.settle()
    #expect(bench.kiosk.goal == before)
    bench.kiosk.clearSelection()
    bench.kiosk.handle(TouchEvent.tapped(x: 100, y: 240))
    try bench.settle()
    #expect(bench.kiosk.goal.zoom == before.zoom)
    let panel = try #require(bench.kiosk.overMap.panelRect)
    let moved = bench.kiosk.goal.screen(before.center).x - before.screen(before.center).x
    #expect(abs(100 + moved - Double(panel.maxX) - LineRoom.margin) < 1)
  }

  @Test func aButtonStepsThroughTheLinesEvenIfTheyMoveTheMap() throws {
    let bench = try bench()
    var names: [String?] = []
    for _ in 0..<4 {
      #expect(bench.kiosk.press(.select) == nil)
      try bench.settle()
      names.append(bench.kiosk.selection.facts?.name)
    }
    #expect(names == ["Ridge", "Valley", nil, "Ridge"])
  }

  @Test func aSelectionEndsWithItsOverlay() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    _ = bench.kiosk.showOverlay("ways", false)
    try bench.settle()
    #expect(bench.kiosk.selection.line == nil)
    #expect(bench.kiosk.selectLine(of: "ways", feature: 7) != nil)
    #expect(bench.kiosk.selectLine(of: "nothing", feature: nil) != nil)
  }

  @Test func theMapKeyNamesWhatIsOnTheScreen() throws {
    let bench = try bench {
      $0.overlays[0].title = "Hiking trails"
      var hut = marker("hut", 40.9, 11.2, "Alpine hut")
      hut.icon = .hut
      var spring = marker("spring", 41.2, 15)
      spring.icon = .water
      $0.markers = [hut, spring]
    }
    #expect(bench.kiosk.press(.mapKey) == nil)
    bench.kiosk.updatePanel()
    let key = try #require(bench.kiosk.shownKey.key)
    #expect(Set(key.items.map(\.text)) == ["Hiking trails", "Alpine hut", "Drinking water"])
    #expect(bench.kiosk.press(.mapKey) == nil)
    bench.kiosk.updatePanel()
    #expect(bench.kiosk.shownKey.key == nil)
  }
}
