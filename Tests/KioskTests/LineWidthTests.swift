import Configuration
import MapGeometry
import Testing

@testable import Kiosk

/// Lines of overlays are as wide as they are to be, at any zoom over a map of fixed levels.
@Suite struct LineWidthTests: MarkerCase {
  private static let way = """
    {"type": "Feature", "properties": {"name": "Ridge"}, "geometry": {"type": "LineString",
    "coordinates": [[3.25, 40.98, 1000], [19.25, 40.98, 1200]]}}
    """

  private func bench(zoom: Double) throws -> Bench {
    let overlay = Configuration.Overlay(
      name: "ways", content: .geoJSON(Self.way), level: .aboveRoads)
    return try bench(width: 800, height: 480) {
      for part in Configuration.Hud.parts.values { $0.hud[keyPath: part] = false }
      $0.overlays = [overlay]
      $0.view.zoom = zoom
    }
  }

  /// The cell that the tiles of a number are drawn for.
  private func cell(_ index: Int?, _ bench: Bench) -> Int? {
    index.flatMap { bench.kiosk.pipeline.loader.colors(of: $0)?.shownCell }
  }

  @Test func atAFirstZoomBetweenTwoLevelsLinesHaveTheirWidth() throws {
    let bench = try bench(zoom: 3.4)
    try bench.settle()
    let shown = try #require(bench.kiosk.painted.shownCell)
    #expect(shown != 256)
    #expect(cell(bench.kiosk.book.overlays.entries.first?.index, bench) == shown)
  }

  @Test func theSelectedLineIsHighlightedInTheSameWidth() throws {
    let bench = try bench(zoom: 3.4)
    try bench.settle()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    try bench.settle()
    let shown = try #require(bench.kiosk.painted.shownCell)
    #expect(cell(bench.kiosk.book.highlight.index, bench) == shown)
    // And after the zoom changed.
    var view = bench.kiosk.currentView
    view.zoom = 3.7
    bench.kiosk.go(to: view, animate: false)
    try bench.settle()
    let other = try #require(bench.kiosk.painted.shownCell)
    #expect(other != shown)
    #expect(cell(bench.kiosk.book.highlight.index, bench) == other)
    #expect(cell(bench.kiosk.book.overlays.entries.first?.index, bench) == other)
  }
}
