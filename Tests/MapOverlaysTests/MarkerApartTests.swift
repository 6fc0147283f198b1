import MapGeometry
import MapScene
import Testing

@testable import MapOverlays

/// How close the map goes to a cluster.
@Suite struct MarkerApartTests: MarkerLayerCase {
  /// `a` and `b` stand apart from zoom 18 on, `a` and `c` from zoom 21.
  private let a = (46.0, 7.75), b = (46.0, 7.7504), c = (46.0, 7.75005)

  private func layer(_ places: [(String, (Double, Double))]) throws -> MarkerLayer {
    let layer = try layer(places.map { marker($0.0, $0.1.0, $0.1.1) })
    _ = layer.update(view(), avoiding: [])
    #expect(layer.nearest(9).count == 1)
    return layer
  }

  /// What the markers cover, and what they are.
  private func shown(_ layer: MarkerLayer, _ view: Viewport) -> (hits: Int, rects: [PixelRect]) {
    _ = layer.update(view, avoiding: [])
    return (layer.nearest(9).count, layer.markerSprites.map(\.rect))
  }

  @Test(arguments: [0.0, 50])
  func itGoesToTheLowestWholeZoomAtWhichAllStandApartInTheRoom(_ bearing: Double) throws {
    let layer = try layer([("a", a), ("b", b)])
    let room = PixelRect(x: 30, y: 20, width: 300, height: 200)
    let from = view(zoom: 12.3, bearing: bearing)
    let to = try #require(layer.viewApart(["a", "b"], from: from, in: room, maxZoom: 20))
    #expect(to.zoom == 18 && to.bearing == bearing)
    let (hits, rects) = shown(layer, to)
    #expect(hits == 2 && rects.count == 2)
    for rect in rects { #expect(rect.intersection(room) == rect) }
    var further = to
    further.zoom = 17
    #expect(shown(layer, further).hits == 1)
    // From there on it goes no further than necessary, either.
    #expect(layer.viewApart(["a", "b"], from: further, in: room, maxZoom: 20)?.zoom == 18)
  }

  @Test func itGoesAsCloseAsTheRoomShowsAll() throws {
    let layer = try layer([("a", a), ("b", b), ("c", c)])
    let room = PixelRect(x: 400, y: 100, width: 300, height: 200)
    let ids = ["a", "b", "c"]
    let to = try #require(layer.viewApart(ids, from: view(), in: room, maxZoom: 24))
    #expect(to.zoom == 19)
    let (hits, rects) = shown(layer, to)
    #expect(hits == 2)
    for rect in rects { #expect(rect.intersection(room) == rect) }
  }

  @Test func withoutRoomForAllTheFirstIsInItsMiddle() throws {
    let layer = try layer([("a", a), ("b", b)])
    let room = PixelRect(x: 500, y: 300, width: 60, height: 60)
    let to = try #require(layer.viewApart(["a", "b"], from: view(), in: room, maxZoom: 20))
    #expect(to.zoom == 18)
    let (hits, rects) = shown(layer, to)
    #expect(hits == 2)
    #expect(rects.contains { $0.intersection(room) == $0 })
    let first = try #require(layer.box(of: .marker("a"), in: to))
    #expect(abs(first.x + first.maxX - 2 * 530) <= 4 && abs(first.y + first.maxY - 2 * 330) <= 4)
  }

  @Test func thereIsNoSuchViewOfMarkersThatNeverSeparate() throws {
    let room = PixelRect(x: 0, y: 0, width: 800, height: 480)
    let near = try layer([("a", a), ("b", b)])
    #expect(near.viewApart(["a", "b"], from: view(), in: room, maxZoom: 17.9) == nil)
    let same = try layer([("a", a), ("b", a)])
    #expect(same.viewApart(["a", "b"], from: view(), in: room, maxZoom: 24) == nil)
  }
}
