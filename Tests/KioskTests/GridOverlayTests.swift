import Configuration
import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

/// The tile grid as an overlay.
@Suite struct GridOverlayTests {
  @Test func theGridShowsTheTilesOfTheSourceOnTheScreen() throws {
    var large = MosaicTests.spec(MosaicTests.small)
    (large.name, large.tileSize) = ("large", 512)
    let bench = try Bench([MosaicTests.spec(MosaicTests.small), large], width: 512, height: 512) {
      $0.overlays = [Configuration.Overlay(name: "grid", content: .grid, level: .aboveLabels)]
    }
    // Tiles' borders of level 3 lie every 256 pixels, from the middle.
    try bench.settle()
    let line: UInt32 = 0xff14_1c26
    func lines() -> [Int] {
      let panel = bench.panel()
      return (0..<512).filter { x in (20..<40).allSatisfy { panel[x, $0] == line } }
    }
    #expect(lines() == [0, 256])
    #expect(bench.kiosk.use("large"))
    try bench.show(bench.kiosk.goal.panned(dx: 100, dy: 0).center, 3)
    #expect(lines() == [156])
  }
}
