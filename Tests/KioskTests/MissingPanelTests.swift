import Inputs
import MapOverlays
import Testing
import Words

@testable import Configuration
@testable import Kiosk

/// Cards and map keys for which a small screen has little room, or none.
@Suite struct MissingPanelTests: MarkerCase {
  private static let ways = """
    {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": "Ridge"},
    "geometry": {"type": "LineString", "coordinates": [[9.25, 40.98], [13.25, 40.98]]}}]}
    """

  /// `attribution`: a long one leaves no room for a panel.
  private func bench(attribution: String, width: Int = 320) throws -> Bench {
    let bench = try bench(width: width, height: 240) {
      $0.hud.attribution = true
      $0.hud.toasts = true
      $0.hud.buttons = true
      $0.gpio.buttons = [
        .init(line: .offset(1), action: .zoomIn, hold: .nothing),
        .init(line: .offset(2), action: .back, hold: .nothing),
      ]
      $0.sources[0].attribution = attribution
      $0.overlays = [.init(name: "ways", content: .geoJSON(Self.ways), level: .aboveRoads)]
      $0.notices = [
        .init(id: "n", text: "The ridge path is closed from the hut to the pass until June")
      ]
    }
    try bench.settle()
    return bench
  }

  @Test func aCardOrKeyWithoutRoomIsToldInTheReadersLanguage() throws {
    let bench = try bench(
      attribution: String(repeating: "the surveyors of the land ", count: 14))
    let told = Words.english(.noRoom)
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    #expect(bench.kiosk.overMap.panelRect == nil)
    #expect(bench.kiosk.overMap.toast == told)
    // Only once.
    bench.kiosk.overMap.showToast("other")
    try bench.settle()
    #expect(bench.kiosk.overMap.toast == "other")
    bench.kiosk.clearSelection()
    try bench.settle()
    #expect(bench.kiosk.press(.mapKey) == nil)
    try bench.settle()
    #expect(bench.kiosk.overMap.toast == told)
  }

  @Test func aTapOnTheSignOfTheNoticesBringsThemBack() throws {
    // Too narrow for the notice beside the card.
    let bench = try bench(
      attribution: "© OpenStreetMap contributors, tiles by the makers of tiles", width: 290)
    let open = try #require(bench.kiosk.overMap.hud.noticeRect)
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    #expect(bench.kiosk.overMap.panelRect != nil)
    let sign = try #require(bench.kiosk.overMap.hud.noticeRect)
    #expect(sign.width < open.width)
    let (x, y) = (Double(sign.x + sign.width / 2), Double(sign.y + sign.height / 2))
    #expect(bench.kiosk.overMap.touched(x: x, y: y, in: bench.kiosk.shownView) == .noticeSign)
    bench.kiosk.handle(TouchEvent.tapped(x: x, y: y))
    try bench.settle()
    #expect(bench.kiosk.selection.line == nil)
    #expect(bench.kiosk.overMap.hud.noticeRect == open)
  }
}
