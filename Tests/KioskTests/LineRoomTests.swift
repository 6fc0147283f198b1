import Features
import MapGeometry
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// How large a selected line is shown, and what is over it then.
@Suite struct LineRoomTests: FollowCase {
  private func set(_ positions: String) throws -> FeatureSet {
    let json = "{\"type\":\"LineString\",\"coordinates\":[\(positions)]}"
    return try FeatureSet(bytes: Array(json.utf8), name: "line", options: FeatureOptions())
  }

  @Test(arguments: [false, true])
  func aLineStaysLargeEnoughToBeSeenHoweverLowTheRoomIs(_ hasPin: Bool) throws {
    let extent = LineRoom.Extent(0..<1, of: try set("[7.75,46.0],[7.76,46.03]"))
    let view = Viewport(center: places[0], zoom: 15, width: 320, height: 480, scale: 1)
    // As on a screen with many buttons.
    let panel = PixelRect(x: 12, y: 85, width: 296, height: 184)
    let plates = [
      PixelRect(x: 12, y: 12, width: 278, height: 38),
      PixelRect(x: 0, y: 278, width: 320, height: 202),
    ]
    let room = LineRoom(view, panel: panel, plates: [panel] + plates)
    let pin = LineRoom.Pin(x: 160, y: 240, height: 60, side: 24, depth: 24)
    let found = room.view(
      view, showing: extent, chosenAt: nil, minZoom: 0, pins: hasPin ? [pin] : [])
    let new = try #require(found)
    let rows = extent.corners(in: new).map(\.y)
    let length = try #require(rows.max()) - (try #require(rows.min()))
    // With the pin at most a level further out.
    #expect(length >= (hasPin ? 31 : 63))
    if hasPin { return }
    // Its middle is in the room.
    let middle = new.screen(extent.middle)
    #expect(abs(middle.x - 160) < 1 && abs(middle.y - (room.top + room.bottom) / 2) < 1)
  }

  /// A wide screen with a card at the left and a notice at the top.
  private let wide = Viewport(
    center: GeoPoint(lat: 46, lon: 7.75), zoom: 15, width: 800, height: 480, scale: 1)

  private func wideRoom(cardWidth: Int = 326) -> LineRoom {
    let panel = PixelRect(x: 12, y: 12, width: cardWidth, height: 380)
    let plates = [
      PixelRect(x: cardWidth + 24, y: 12, width: 764 - cardWidth, height: 93),
      PixelRect(x: 0, y: 424, width: 800, height: 56),
    ]
    return LineRoom(wide, panel: panel, plates: [panel] + plates)
  }

  /// A line between two places of the wide screen.
  private func line(_ a: (Double, Double), _ b: (Double, Double)) throws -> LineRoom.Extent {
    let places = [a, b].map { WebMercator.unproject(wide.world(x: $0.0, y: $0.1)) }
    let text = places.map { "[\($0.lon),\($0.lat)]" }.joined(separator: ",")
    return LineRoom.Extent(0..<1, of: try set(text))
  }

  /// The pin of "here" in a HUD of a size.
  private func pin(_ x: Double, _ y: Double, size: Double) -> LineRoom.Pin {
    LineRoom.Pin(x: x, y: y, height: 67 * size, side: 24 * size, depth: 21 * size)
  }

  @Test func theHeadOfAPinCountsOnlyWhereItTakesLittleOfTheLine() throws {
    let (room, extent) = (wideRoom(), try line((600, 150), (600, 450)))
    let place = WebMercator.unproject(wide.world(x: 600, y: 150))
    func shown(_ size: Double) throws -> (length: Double, pin: Double) {
      let found = room.view(
        wide, showing: extent, chosenAt: nil, minZoom: 0, pins: [pin(600, 150, size: size)])
      let new = try #require(found)
      let rows = extent.corners(in: new).map(\.y)
      return ((rows.max() ?? 0) - (rows.min() ?? 0), new.screen(place).y)
    }
    // A small one is whole beside the notice.
    let small = try shown(1)
    #expect(small.pin - 67 >= room.top - LineRoom.margin / 2 - 1)
    // Of a large one the notice may cover the head, or rather, makes way for it.
    let large = try shown(3)
    #expect(large.length > 190)
    #expect(large.pin - 201 < room.top - LineRoom.margin)
    // It is on the screen, anyway.
    #expect(large.pin - 201 >= -1)
  }

  @Test(arguments: [326, 560], [1.0, 2, 3])
  func forAPinTheMapGoesOutByAtMostOneLevel(_ cardWidth: Int, _ size: Double) throws {
    let room = wideRoom(cardWidth: cardWidth)
    let lines = [
      ((600.0, 150.0), (600.0, 450.0)), ((500, 240), (780, 260)), ((700, 0), (20, 470)),
    ]
    for (a, b) in lines {
      let extent = try line(a, b)
      func zoom(_ pins: [LineRoom.Pin]) -> Double {
        let found = room.view(wide, showing: extent, chosenAt: nil, minZoom: 0, pins: pins)
        return (found ?? wide).zoom
      }
      let alone = zoom([])
      for at in [a, b, ((a.0 + b.0) / 2, (a.1 + b.1) / 2), (20, 470), (790, 10)] {
        #expect(zoom([pin(at.0, at.1, size: size)]) >= alone - 1 - 1e-9, "\(at)")
      }
    }
  }

  @Test func whatOfALineIsUnderPlatesIsCounted() throws {
    let extent = LineRoom.Extent(0..<1, of: try set("[7.75,46.02],[7.76,46.02]"))
    let view = Viewport(center: places[0], zoom: 15, width: 800, height: 480, scale: 1)
    let west = view.screen(GeoPoint(lat: 46.02, lon: 7.75))
    func hidden(_ x: Int) -> Double {
      extent.hidden(
        under: [PixelRect(x: x, y: Int(west.y) - 10, width: 20, height: 20)], in: view)
    }
    #expect(hidden(Int(west.x) - 30) == 0)
    #expect(hidden(Int(west.x) - 10) >= 9 && hidden(Int(west.x) + 10) >= 20)
  }

  @Test(arguments: [(480, 800, 3.0), (480, 800, 1.6), (320, 480, 1.0)], [7.7455, 7.75, 7.757])
  func aLineWithAPinAndANoticeIsNotUnderItsOwnCard(
    _ screen: (width: Int, height: Int, size: Double), _ pin: Double
  ) throws {
    let bench = try Bench([], width: 800, height: 480) {
      $0.view.zoom = 15
      $0.view.center = places[0]
      $0.display.size = DisplaySize(width: screen.width, height: screen.height)
      $0.hud.size = screen.size
      $0.hud.scaleBar = true
      $0.hud.coordinates = true
      $0.notices = [
        Configuration.Notice(
          id: "a", text: "Lake Loop closed: flooded between the jetty and the bird hide.")
      ]
      $0.markers = [
        Configuration.Marker(id: "here", place: GeoPoint(lat: 46.0195, lon: pin))
      ]
      let json =
        "{\"type\":\"LineString\",\"coordinates\":[[7.741,46.02,900],[7.75,46.02,990],"
        + "[7.759,46.02,950]]}"
      $0.overlays = [
        Configuration.Overlay(name: "way", content: .geoJSON(json), level: .aboveRoads)
      ]
      $0.overlays[0].travel = .hiking
    }
    try bench.settle()
    #expect(bench.kiosk.selectLine(of: "way", feature: 0) == nil)
    try bench.settle()
    try rest(bench)
    let over = bench.kiosk.overMap
    let plates = [try #require(over.panelRect), try #require(over.hud.noticeRect)]
    for lon in [7.741, 7.745, 7.75, 7.755, 7.759] {
      let at = bench.kiosk.shownView.screen(GeoPoint(lat: 46.02, lon: lon))
      let pixel = PixelRect(x: Int(at.x), y: Int(at.y), width: 1, height: 1)
      #expect(!plates.contains { $0.intersects(pixel) }, "\(lon)")
    }
  }
}
