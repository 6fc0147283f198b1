import Configuration
import MapGeometry
import MapLabels
import MapOverlays
import Testing

@testable import Kiosk

/// A map key that has no room for all signs has pages.
@Suite struct KeyPagesTests {
  /// A map that shows everything that maps have names for, in the east only a path.
  private func bench(isAlways: Bool = false) throws -> Bench {
    let bench = try Bench([], width: 480, height: 320) {
      $0.view.zoom = 5
      $0.view.center = GeoPoint(lat: 20, lon: -90)
      $0.hud.mapKey = isAlways
    }
    let painter = PlainPainter { tile, builder in
      for feature in MapFeature.allCases where tile.x < 1 << (tile.z - 1) || feature == .path {
        builder.add(TileSign(feature, isArea: false, color: 0xFFA0_3010, width: 2))
      }
    }
    #expect(bench.kiosk.addSource("map") { .success(PlainSource(painter, minZoom: 1)) })
    try bench.settle()
    return bench
  }

  private func press(_ action: Action, _ bench: Bench) throws {
    #expect(bench.kiosk.press(action) == nil)
    try bench.settle()
  }

  @Test func pressingAgainShowsEverySignOnceAndThenHidesTheKey() throws {
    let bench = try bench()
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    try press(.mapKey, bench)
    var next = 0
    var pages = 0
    while let end = over.nextKeyPage, pages < 100 {
      #expect(kiosk.shownKey.key?.first == next && end > next)
      next = end
      pages += 1
      try press(.mapKey, bench)
    }
    #expect(pages > 1 && kiosk.shownKey.key?.first == next && over.panelRect != nil)
    try press(.mapKey, bench)
    #expect(over.panelRect == nil)
    // It begins with the first page again.
    try press(.mapKey, bench)
    #expect(kiosk.shownKey.key?.first == 0 && over.panelRect != nil)
  }

  @Test func tapsOnTheKeyTurnItsPagesInARound() throws {
    let bench = try bench(isAlways: true)
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    var firsts: [Int] = []
    for _ in 0..<100 where firsts.count < 2 || firsts.last != 0 {
      firsts.append(try #require(kiosk.shownKey.key).first)
      let panel = try #require(over.panelRect)
      kiosk.tap(x: Double(panel.x + panel.width / 2), y: Double(panel.y + panel.height / 2))
      try bench.settle()
    }
    #expect(firsts.count > 2 && firsts.last == 0)
    #expect(firsts.dropLast() == firsts.dropLast().sorted()[...])
  }

  @Test(arguments: [Action.back, .mapKey])
  func aKeyThatIsAlwaysShownReturnsToItsFirstPage(by action: Action) throws {
    let bench = try bench(isAlways: true)
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    for _ in 0..<100 where over.nextKeyPage != nil { try press(.mapKey, bench) }
    #expect(try #require(kiosk.shownKey.key).first > 0)
    let place = kiosk.goal
    try press(action, bench)
    #expect(kiosk.shownKey.key?.first == 0 && over.panelRect != nil && kiosk.goal == place)
  }

  @Test func thePageStaysUnlessThereIsSomethingElseToList() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    func go(_ lon: Double) throws {
      kiosk.go(
        to: Viewport(center: GeoPoint(lat: 20, lon: lon), zoom: 5, width: 480, height: 320),
        animate: false)
      try bench.settle()
    }
    try press(.mapKey, bench)
    try press(.mapKey, bench)
    let first = try #require(kiosk.shownKey.key).first
    #expect(first > 0)
    try go(-80)
    #expect(kiosk.shownKey.key?.first == first)
    try go(90)
    #expect(kiosk.shownKey.key?.items.count == 1 && kiosk.shownKey.key?.first == 0)
  }
}
