import Configuration
import Drawing
import MapGeometry
import MapLabels
import MapOverlays
import Pixels
import Testing

@testable import Kiosk

/// The map key explains what is seen beside it, and stands where it hides least of that.
@Suite struct KeyPlaceTests {
  private let view = GeoPoint(lat: 20, lon: -90)

  private func bench(
    _ width: Int, _ height: Int, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    let bench = try Bench([], width: width, height: height) {
      $0.view.zoom = 5
      $0.view.center = view
      $0.hud.mapKey = true
      set(&$0)
    }
    let painter = PlainPainter { _, builder in
      builder.add(TileSign(.path, isArea: false, color: 0xFFA0_3010, width: 2, dash: [6, 2]))
      builder.add(TileSign(.forest, isArea: true, color: 0xFF20_8020))
    }
    #expect(bench.kiosk.addSource("map") { .success(PlainSource(painter, minZoom: 1)) })
    try bench.settle()
    return bench
  }

  /// Sets a marker at a pixel.
  private func set(
    _ bench: Bench, _ icon: MarkerIcon, _ x: Int, _ y: Int, id: String? = nil
  ) throws {
    let place = WebMercator.unproject(
      bench.kiosk.shownView.world(x: Double(x), y: Double(y)))
    _ = try bench.kiosk.setMarker([
      "id": .string(id ?? icon.rawValue), "lat": .double(place.lat), "lon": .double(place.lon),
      "icon": .string(icon.rawValue), "label": .string("The \(icon.rawValue)"),
    ])
  }

  private func listed(_ bench: Bench) -> [MarkerIcon] {
    (bench.kiosk.shownKey.key?.items ?? []).compactMap {
      if case .icon(let icon, _, _) = $0.sign { icon } else { nil }
    }
  }

  @Test func theKeyMakesWayForAMarkerAndExplainsIt() throws {
    let bench = try bench(800, 480)
    let over = bench.kiosk.overMap
    let usual = try #require(over.panelRect)
    try set(bench, .hut, usual.x + 60, usual.y + usual.height / 2)
    try bench.settle()
    let box = try #require(over.markers.box(of: .marker("hut")))
    let moved = try #require(over.panelRect)
    #expect(box.intersects(usual) && !box.intersects(moved))
    #expect(listed(bench) == [.hut])
    // Without it the key is where it was.
    #expect(bench.kiosk.removeMarker("hut"))
    try bench.settle()
    #expect(over.panelRect == usual)
  }

  @Test func theKeyMakesWayForATrail() throws {
    // 22.8 pixels are a degree: the trail ends left of the middle.
    let trail = """
      {"type": "Feature", "properties": {}, "geometry":
      {"type": "LineString", "coordinates": [[-107, 30], [-106, 18], [-104, 12]]}}
      """
    let bench = try bench(800, 480)
    let over = bench.kiosk.overMap
    let usual = try #require(over.panelRect)
    _ = try bench.kiosk.addOverlay(
      ["name": "trail", "geojson": .string(trail), "title": "Trail"], trusted: true)
    try bench.settle()
    let moved = try #require(over.panelRect)
    #expect(moved.x > usual.maxX)
    #expect(bench.kiosk.shownKey.key?.items.map(\.text) == ["Trail", "Path", "Forest"])
  }

  @Test func theKeyDoesNotExplainWhatItAloneHides() throws {
    // The key hides a marker in whichever corner it is.
    let bench = try bench(320, 240)
    let over = bench.kiosk.overMap
    let icons: [MarkerIcon] = [.hut, .bus, .star, .tree]
    for (icon, (x, y)) in zip(icons, [(60, 90), (60, 200), (260, 90), (260, 200)]) {
      try set(bench, icon, x, y)
    }
    try bench.settle()
    let key = try #require(over.panelRect)
    func isHidden(_ icon: MarkerIcon) throws -> Bool {
      let box = try #require(over.markers.box(of: .marker(icon.rawValue)))
      let both = box.intersection(key)
      return !both.isEmpty && 8 * both.width * both.height > box.width * box.height
    }
    let explained = listed(bench)
    #expect(!explained.isEmpty && explained.count < icons.count)
    for icon in explained { #expect(try !isHidden(icon), "\(icon)") }
    // Nothing changes any more without cause.
    bench.kiosk.updatePanel()
    #expect(!bench.kiosk.isKeyLate && listed(bench) == explained)
  }

  @Test func whatTheKeyUncoversWithoutItIsListed() throws {
    let bench = try bench(200, 480)
    let over = bench.kiosk.overMap
    // At the top the key would hide two of them.
    for (n, (x, y)) in [(50, 60), (150, 60), (50, 130), (150, 130)].enumerated() {
      try set(bench, .bus, x, y, id: "bus\(n)")
    }
    try set(bench, .hut, 100, 220)
    try bench.settle()
    let usual = try #require(over.panelRect)
    #expect(listed(bench) == [.bus, .hut] && usual.y > 240)
    // The key hides its lower half, but a key without it would not reach up to it.
    try set(bench, .hut, 100, usual.y)
    try bench.settle()
    #expect(listed(bench) == [.bus, .hut] && over.panelRect == usual)
    bench.kiosk.updatePanel()
    #expect(!bench.kiosk.isKeyLate && listed(bench) == [.bus, .hut])
  }

  @Test func aKeyThatWouldLeaveItsPlaceWithoutWhatItHidesListsThat() throws {
    let bench = try bench(200, 480)
    let over = bench.kiosk.overMap
    try set(bench, .hut, 100, 210)
    try set(bench, .star, 100, 280)
    try bench.settle()
    let usual = try #require(over.panelRect)
    #expect(Set(listed(bench)) == [.hut, .star] && usual.y > 240)
    // Its usual place hides half of one, and the upper one a strip of the other. With one sign less
    // it would hide nothing at its usual place, where both are seen.
    try set(bench, .hut, 100, usual.y)
    let top = 480 - usual.maxY
    try set(bench, .star, 100, top + usual.height + 9)
    try bench.settle()
    #expect(over.panelRect?.y == top && over.panelRect?.height == usual.height)
    #expect(Set(listed(bench)) == [.hut, .star])
  }
}
