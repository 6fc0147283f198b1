import MapGeometry
import MapOverlays
import MapScene
import Testing

@Suite struct BreadcrumbsTests {
  /// A place so many metres east of one in the Alps.
  private func place(_ metres: Double) -> WorldPoint {
    WebMercator.project(GeoPoint(lat: 46, lon: 8 + metres / (111_319.5 * 0.694658)))
  }

  @Test func whatIsNearTheLastCrumbIsNotKept() {
    var way = Breadcrumbs()
    var kept: [Bool] = []
    for metres in [0.0, 4, 4.9, 5.1, 8, 10.3] { kept.append(way.add(place(metres))) }
    #expect(kept == [true, false, false, true, false, true])
    #expect(way.count == 3)
  }

  @Test func aLongWayTakesNoMoreRoomAndStaysWhole() {
    var way = Breadcrumbs()
    // 400 km, which is more than 4,096 crumbs at 5 m.
    for n in 0..<40_000 { way.add(place(Double(n) * 10)) }
    #expect(way.count <= Breadcrumbs.capacity)
    #expect(way.bytes <= Breadcrumbs.capacity * 8 * 2)
    #expect(abs(way[0].x - place(0).x) < 1e-9)
    #expect(abs(way[way.count - 1].x - place(399_990).x) < 160 / 27_800_000)
    #expect(way.rebuilds > 0)
  }

  /// Thinned to 10 m, each place is compared with the last one that was kept.
  @Test func aThinnedWayKeepsEveryPlaceThatIsFarFromTheLastKept() {
    var way = Breadcrumbs()
    for n in 0...Breadcrumbs.capacity { way.add(place(Double(n) * 6)) }
    #expect(way.rebuilds == 1)
    #expect(way.count == Breadcrumbs.capacity / 2 + 1)
    for n in 1..<way.count {
      let metres = (way[n].x - way[0].x) / (place(12).x - place(0).x) * 12
      #expect(abs(metres - Double(n) * 12) < 0.1)
    }
  }

  @Test func atTheCoarsestTheOldestGoes() {
    var way = Breadcrumbs()
    for n in 0..<12_000 { way.add(place(Double(n) * 200)) }
    #expect(way.count <= Breadcrumbs.capacity)
    #expect(way[0].x > place(1000).x)
    #expect(abs(way[way.count - 1].x - place(11_999 * 200).x) < 1e-9)
  }

  @Test func theDatelineIsNoJump() {
    var way = Breadcrumbs()
    let kept = [179.99999, -179.99999, -179.9999].map {
      way.add(WebMercator.project(GeoPoint(lat: 0, lon: $0)))
    }
    #expect(kept == [true, false, true])
  }

  @Test(arguments: [10.0, 14, 14.5, 18])
  func whatIsDrawnStandsApart(_ zoom: Double) {
    var way = Breadcrumbs()
    for n in 0..<2000 { way.add(place(Double(n) * 6)) }
    var choice = CrumbChoice()
    choice.update(way, zoom: zoom)
    let size = WebMercator.worldSize(zoom: zoom.rounded(.down))
    for (a, b) in zip(choice.indices, choice.indices.dropFirst()) {
      #expect((way[b].x - way[a].x) * size >= CrumbChoice.spacing - 1e-6)
    }
    // Crumbs that come change nothing about those that are there.
    let before = choice.indices
    for n in 2000..<2100 { way.add(place(Double(n) * 6)) }
    choice.update(way, zoom: zoom)
    #expect(choice.indices.starts(with: before))
    var fresh = CrumbChoice()
    fresh.update(way, zoom: zoom)
    #expect(fresh.indices == choice.indices)
  }
}
