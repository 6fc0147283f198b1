import Drawing
import MapGeometry
import Testing

@testable import MapOverlays

/// What the map key learns of the markers: the looks of those that are drawn one by one, and
/// whether there are clusters.
@Suite struct MarkerLooksTests: MarkerLayerCase {
  @Test func whatIsInAClusterHasNoLook() throws {
    let layer = try layer([
      marker("a", 46, 7.75, "A", icon: .hut), marker("b", 46.0005, 7.75, "B", icon: .bus),
      marker("c", 46.02, 7.75, "C", icon: .star),
    ])
    let looks = layer.looks(in: view())
    #expect(looks.markers.map(\.icon) == [.star])
    #expect(looks.markers.map(\.label) == ["C"])
    #expect(looks.cluster == 2)
    // Near enough, they are apart.
    let near = layer.looks(in: view(46, 7.75, zoom: 18))
    #expect(near.markers.map(\.icon) == [.bus, .hut] && near.cluster == nil)
  }

  @Test func whatIsNotOnTheScreenHasNoLookAndWhatReachesIntoItHasOne() throws {
    let layer = try layer([marker("a", 46, 7.75, "A")])
    #expect(layer.looks(in: view()).markers.count == 1)
    // The tip is below the lower edge, the head is not.
    #expect(layer.looks(in: view().panned(dx: 0, dy: -250)).markers.count == 1)
    #expect(layer.looks(in: view().panned(dx: 0, dy: -300)).markers.isEmpty)
    #expect(layer.looks(in: view().panned(dx: 900, dy: 0)).markers.isEmpty)
  }

  @Test func whatIsUnderAPlateHasNoLook() throws {
    let layer = try layer([marker("a", 46, 7.75, "A")])
    func count(_ y: Int) -> Int {
      let plate = PixelRect(x: 0, y: y, width: 800, height: 480 - y)
      return layer.looks(in: view(), under: [plate]).markers.count
    }
    // The tip is in the middle of the screen.
    #expect(count(300) == 1)
    #expect(count(200) == 0)
  }

  @Test func aSingleMarkerUnderThePanelHasNoLookButAClusterStepsAside() throws {
    let layer = try layer([
      marker("a", 46, 7.75, "A", icon: .hut), marker("b", 46.0005, 7.75, "B", icon: .bus),
      marker("c", 46.02, 7.75, "C", icon: .star),
    ])
    let panel = PixelRect(x: 200, y: 0, width: 400, height: 480)
    let looks = layer.looks(in: view(), panel: panel)
    #expect(looks.markers.isEmpty && looks.cluster == 2)
    let corner = PixelRect(x: 0, y: 0, width: 9, height: 9)
    #expect(layer.looks(in: view(), panel: corner).markers.map(\.icon) == [.star])
    let boxes = layer.iconBoxes(in: view(), under: [])
    #expect(boxes.count == 1 && boxes.allSatisfy { $0.intersects(panel) })
  }

  @Test func aMarkerInSeveralCopiesOfTheWorldCountsOnce() throws {
    let layer = try layer([marker("a", 10, 0, "A"), marker("b", -40, 90, "B", icon: .hut)])
    let looks = layer.looks(in: view(0, 0, zoom: 0, 2000, 480))
    #expect(looks.markers.allSatisfy { $0.count == 1 })
    #expect(Set(looks.markers.map(\.label)) == ["A", "B"])
  }

  @Test func theLookOfMostMarkersComesFirst() throws {
    let places = (0..<5).map { 7.7 + Double($0) / 40 }
    let layer = try layer(
      places.enumerated().map { n, lon in
        marker("m\(n)", 46, lon, "", icon: n < 2 ? .bus : .tree)
      })
    let looks = layer.looks(in: view())
    #expect(looks.markers.map(\.icon) == [.tree, .bus])
    #expect(looks.markers.map(\.count) == [3, 2])
  }

  @Test func askingChangesNothingOnTheScreen() throws {
    let layer = try layer(many(300, spread: 0.3))
    _ = layer.update(view(), avoiding: [])
    // As for the next zoom, before the layout follows.
    _ = layer.looks(in: view(zoom: 10))
    #expect(!layer.update(view(), avoiding: []))
    for hit in layer.nearest(400) { #expect(layer.box(of: hit) != nil) }
    let before = layer.bytes
    _ = layer.looks(in: view(zoom: 10))
    #expect(layer.bytes == before)
  }
}
