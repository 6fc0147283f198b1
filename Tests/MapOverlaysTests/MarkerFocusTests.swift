import MapGeometry
import MapScene
import Testing

@testable import MapOverlays

/// What buttons step through while the map moves.
@Suite struct MarkerFocusTests: MarkerLayerCase {
  private var markers: [Marker] {
    [
      marker("here", 46.02, 7.7, icon: .here), marker("a", 46, 7.75), marker("b", 46, 7.7501),
      marker("c", 46.02, 7.79, "Hut", icon: .hut),
    ]
  }

  @Test(arguments: [(0.0, 1), (30, 1), (0, 2)])
  func whatAMarkerCoversInAnotherViewIsWhatItCoversThere(_ bearing: Double, _ scale: Int) throws {
    let layer = try layer(markers, scale: scale)
    let start = view(bearing: bearing, 800 * scale, 480 * scale, scale: scale)
    _ = layer.update(start, avoiding: [])
    let hits = layer.nearest(9)
    #expect(hits.count == 3)
    for (dx, dy) in [(0.0, 0.0), (100, -60), (-700, 300)] {
      let there = start.panned(dx: dx, dy: dy)
      let boxes = hits.map { layer.box(of: $0, in: there) }
      _ = layer.update(there, avoiding: [])
      for (hit, box) in zip(hits, boxes) {
        let box = try #require(box)
        // Out of view it is nowhere.
        if let seen = layer.box(of: hit) { #expect(seen == box) }
      }
      _ = layer.update(start, avoiding: [])
    }
    #expect(hits.allSatisfy { layer.box(of: $0) != nil })
  }

  @Test func aMarkerOutOfViewIsWhatItWasUntilItIsRemoved() throws {
    let layer = try layer(markers)
    _ = layer.update(view(), avoiding: [])
    let hits = layer.nearest(9)
    _ = layer.update(view(40, 20), avoiding: [])
    #expect(layer.nearest(9).isEmpty)
    #expect(hits.map { layer.current($0) } == hits)
    layer.remove("c")
    #expect(layer.current(.marker("c")) == nil)
    #expect(layer.box(of: .marker("c"), in: view()) == nil)
  }

  @Test func aMarkerInAClusterOfAnotherOneIsNoStopOfItsOwn() throws {
    let layer = try layer(markers)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.current(.marker("b")) == nil)
    guard case .cluster(let ids, _)? = layer.current(.marker("a")) else {
      Issue.record("\(String(describing: layer.current(.marker("a"))))")
      return
    }
    #expect(ids == ["a", "b"])
    #expect(try #require(layer.current(.marker("a"))).isSame(as: .marker("a")))
    layer.remove("a")
    #expect(layer.current(.cluster(["a", "b"], view().bounds)) == nil)
    #expect(layer.current(.marker("b")) == .marker("b"))
  }
}
