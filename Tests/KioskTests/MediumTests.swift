import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A map on a medium that goes and returns.
@Suite struct MediumTests {
  private final class Medium: Sendable {
    let isThere = Mutex(true)
  }

  /// Plain tiles while the medium is there.
  private final class CardSource: TileSource {
    private let plain = PlaceholderTests.PlainSource()
    private let medium: Medium
    var info: SourceInfo { plain.info }
    init(_ medium: Medium) { self.medium = medium }

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      if medium.isThere.withLock({ $0 }) { return try plain.read(id, into: &buffer) }
      throw TileError(file: "/media/card", tile: id, reason: "it is gone", isTransient: true)
    }

    func contains(_ id: TileID) throws(TileError) -> Bool { try plain.contains(id) }
  }

  @Test func theHolesOfAMediumThatReturnsAreFilledAndTheSourceIsWellAgain() throws {
    let medium = Medium()
    let bench = try Bench([MosaicTests.spec("/nowhere")], width: 1024, height: 768)
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "card") {
      .success(CardSource(medium))
    }
    try bench.settle()
    medium.isThere.withLock { $0 = false }
    let outcome = try bench.show(GeoPoint(lat: 10, lon: 120), 5)
    #expect(outcome.missing > 0)
    let what = bench.kiosk.health.entries.map(\.what)
    #expect(what.contains { $0.hasPrefix("source ") })
    medium.isThere.withLock { $0 = true }
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
