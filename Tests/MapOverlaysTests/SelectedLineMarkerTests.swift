import Drawing
import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// Markers and the selected line: it is seen.
@Suite struct SelectedLineMarkerTests: MarkerLayerCase {
  /// A marker at a pixel of `view()`.
  private func marker(
    at x: Double, _ y: Double, _ id: String, icon: MarkerIcon = .hut, label: String = ""
  ) -> Marker {
    let place = WebMercator.unproject(view().world(x: x, y: y))
    return Marker(id: id, place: place, label: label, icon: icon)
  }

  /// A line from west to east between two columns of `view()`, as the selected one.
  private func line(_ from: Double, _ to: Double) throws -> SelectedLine {
    let places = [from, to].map { WebMercator.unproject(view().world(x: $0, y: 240)) }
    return SelectedLine(try lineDrawing([places.map { ($0.lon, $0.lat) }]), line: 0..<1)
  }

  /// The ids of the markers, or of the first ones of clusters, that are shown.
  private func shown(_ layer: MarkerLayer) -> Set<String> {
    _ = layer.update(view(), avoiding: [])
    return Set(
      layer.nearest(99).compactMap { hit in
        switch hit {
        case .marker(let id): id
        case .cluster(let ids, _): ids.first
        }
      })
  }

  @Test func aClusterThatHidesMoreThanAQuarterOfTheSelectedLineIsLeftOut() throws {
    let layer = try layer([
      marker(at: 400, 240, "a"), marker(at: 401, 240, "b"), marker(at: 400, 340, "c"),
    ])
    #expect(shown(layer) == ["a", "c"])
    // Its disc has 35 pixels.
    layer.selectedLine = try line(300, 500)
    #expect(shown(layer) == ["a", "c"])
    layer.selectedLine = try line(350, 450)
    #expect(shown(layer) == ["c"] && layer.markerSprites.count == 1)
    layer.selectedLine = nil
    #expect(shown(layer) == ["a", "c"])
  }

  @Test func thoseThatHideMostAreLeftOutUntilTheOthersHideNoMoreThanAQuarter() throws {
    let layer = try layer([
      marker(at: 330, 240, "a"), marker(at: 331, 240, "b"),
      marker(at: 420, 240, "dot", icon: .dot, label: "Spring"),
    ])
    layer.selectedLine = try line(300, 500)
    // Together the disc and the dot hide 35 and 17 of 200 pixels.
    #expect(shown(layer) == ["dot"])
    #expect(layer.placedLabels.map(\.name) == ["Spring"])
    layer.selectedLine = try line(250, 600)
    #expect(shown(layer) == ["a", "dot"])
  }

  @Test(arguments: [0.0, 40])
  func whatIsBesideTheLineStaysInATurnedViewToo(_ bearing: Double) throws {
    let layer = try layer([marker(at: 400, 240, "on"), marker(at: 400, 340, "beside")])
    layer.selectedLine = try line(375, 425)
    _ = layer.update(view(bearing: bearing), avoiding: [])
    #expect(layer.nearest(9) == [.marker("beside")])
  }

  @Test func hereIsNeverLeftOut() throws {
    let layer = try layer([marker(at: 400, 240, "here", icon: .here)])
    layer.selectedLine = try line(380, 420)
    #expect(shown(layer) == ["here"])
  }

  @Test func theLengthOfALineInAPartOfTheMapIsThatOfItsPiecesThere() throws {
    let drawing = try lineDrawing([[(0, 0), (90, 0), (90, -80)]])
    func length(_ x: Double, _ y: Double, _ halfWidth: Double, _ halfHeight: Double) -> Double {
      var budget = 1000
      let patch = MapPatch(
        middle: WorldPoint(x: x, y: y), along: (1, 0), halfWidth: halfWidth,
        halfHeight: halfHeight)
      return drawing.length(of: 0..<1, in: patch, budget: &budget)
    }
    // From the middle of the world to the right: a quarter of it.
    #expect(abs(length(0.5, 0.5, 0.1, 0.1) - 0.1) < 1e-6)
    #expect(abs(length(0.6, 0.5, 0.05, 0.01) - 0.1) < 1e-6)
    #expect(abs(length(0.75, 0.5, 0.05, 0.1) - 0.15) < 1e-6)
    // Beside it, and on another copy of the world.
    #expect(length(0.6, 0.45, 0.05, 0.01) == 0)
    #expect(abs(length(1.6, 0.5, 0.05, 0.01) - 0.1) < 1e-6)
    // Without a budget nothing is found.
    var none = 0
    let all = MapPatch(
      middle: WorldPoint(x: 0.5, y: 0.5), along: (1, 0), halfWidth: 0.4, halfHeight: 0.4)
    #expect(drawing.length(of: 0..<1, in: all, budget: &none) == 0)
  }
}
