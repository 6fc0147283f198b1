import Foundation
import MapGeometry
import Testing
import TileSources

@testable import Kiosk

/// A map on a medium that goes and returns.
@Suite struct MediumTests {
  @Test func theHolesOfAMediumThatReturnsAreFilledAndTheSourceIsWellAgain() throws {
    let medium = Failures()
    let bench = try Bench([MosaicTests.spec("/nowhere")], width: 1024, height: 768)
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "card") {
      .success(FailingSource(medium))
    }
    try bench.settle()
    medium.set { _ in "it is gone" }
    let outcome = try bench.show(GeoPoint(lat: 10, lon: 120), 5)
    #expect(outcome.missing > 0)
    let what = bench.kiosk.health.entries.map(\.what)
    #expect(what.contains { $0.hasPrefix("source ") })
    medium.set { _ in nil }
    // Nobody does anything but wait.
    while bench.kiosk.health.entries.contains(where: { $0.what.hasPrefix("source ") }) {
      bench.loop.runOnce(timeout: 1_000_000_000)
    }
    #expect(try bench.settle().missing == 0)
    let view = bench.kiosk.goal
    let id = try #require(
      TileID(z: 5, wrapping: (view.origin.x + 512) >> 8, row: (view.origin.y + 384) >> 8))
    #expect(bench.panel()[512, 384] == PlaceholderTests.PlainSource.color(id))
    #expect(bench.kiosk.pipeline.loader.nextRetry == nil)
  }
}
