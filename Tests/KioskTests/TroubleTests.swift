import Foundation
import MapGeometry
import Synchronization
import Testing
import TileSources

@testable import Kiosk

/// A map whose tiles come, although something is wrong: its provider cannot keep them.
@Suite struct TroubleTests {
  private final class Provider: Sendable {
    let action = Mutex<(@Sendable (SourceError?) -> Void)?>(nil)
    let openings = Mutex(0)

    func tell(_ reason: String?) {
      let error = reason.map { SourceError(file: "provider", reason: $0) }
      action.withLock { $0 }?(error)
    }
  }

  private final class Source: TroubledSource {
    private let plain = PlaceholderTests.PlainSource()
    private let provider: Provider
    var info: SourceInfo { plain.info }

    init(_ provider: Provider) {
      self.provider = provider
      provider.openings.withLock { $0 += 1 }
    }

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      try plain.read(id, into: &buffer)
    }

    func contains(_ id: TileID) throws(TileError) -> Bool { try plain.contains(id) }

    func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void) {
      provider.action.withLock { $0 = action }
    }
  }

  @Test func theTroubleOfAMapIsAWarningAndTheMapStaysAsItIs() throws {
    let provider = Provider()
    let bench = try Bench([MosaicTests.spec("/nowhere")])
    let name = bench.kiosk.sources[0].name
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "net") {
      .success(Source(provider))
    }
    try bench.settle()
    func entry() -> Health.Entry? {
      bench.kiosk.health.entries.first { $0.what == "source \(name)" }
    }
    #expect(entry() == nil)
    provider.tell("the store is full")
    while entry() == nil { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(entry()?.state == .warning)
    #expect(entry()?.detail == "provider: the store is full")
    #expect(bench.kiosk.sources[0].error == "provider: the store is full")
    // Opening it again mends nothing, and would lose what is in memory.
    #expect(bench.kiosk.use(name))
    bench.kiosk.clearCache()
    #expect(try bench.settle().missing == 0)
    #expect(provider.openings.withLock { $0 } == 1)
    #expect(entry() != nil)
    provider.tell(nil)
    while entry() != nil { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(bench.kiosk.sources[0].error == nil)
  }
}
