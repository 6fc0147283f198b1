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
