import Configuration
import Control
import Testing
import TileSources

@testable import Kiosk

/// The health of a kiosk that has no map to show.
@Suite struct NoMapTests: OverlayCase {
  private func map(_ bench: Bench) -> Health.Entry? {
    bench.kiosk.health.entries.first { $0.what == "map" }
  }

  @Test func theLastSourcesEndIsAProblemUntilThereIsAnother() throws {
    let bench = try bench()
    try bench.settle()
    #expect(map(bench) == nil)
    let spec = try #require(bench.kiosk.activeEntry?.spec)
    for name in bench.kiosk.sources.map(\.name) { bench.kiosk.removeSource(name) }
    bench.loop.runOnce(timeout: 0)
    let entry = try #require(map(bench))
    #expect(entry.state == .error && entry.detail.contains("there is no source"))
    var new = bench.kiosk.configuration
    new.sources = [spec]
    bench.kiosk.apply(new)
    bench.loop.runOnce(timeout: 0)
    #expect(map(bench) == nil)
  }

  @Test func whereNoSourceIsABaseMapTheMessageSaysWhatToGiveOne() throws {
    let bench = try bench()
    try bench.settle()
    var spec = try #require(bench.kiosk.activeEntry?.spec)
    for name in bench.kiosk.sources.map(\.name) { bench.kiosk.removeSource(name) }
    var new = bench.kiosk.configuration
    spec.role = .overlay
    new.sources = [spec]
    bench.kiosk.apply(new)
    bench.loop.runOnce(timeout: 0)
    let entry = try #require(map(bench))
    #expect(entry.state == .error)
    #expect(entry.detail.contains("no source is a base map"))
    #expect(entry.detail.contains("role = \"base\""))
    #expect(!entry.detail.contains("there is no source"))
    new.sources[0].role = .base
    bench.kiosk.apply(new)
    bench.loop.runOnce(timeout: 0)
    #expect(map(bench) == nil)
  }
}
