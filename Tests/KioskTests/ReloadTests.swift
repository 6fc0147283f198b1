import Configuration
import Control
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// A configuration that is read again: which layers become configured, find no room, and are told.
@Suite struct ReloadTests: OverlayCase {
  private static func source(_ name: String) -> SourceSpec {
    SourceSpec(name: name, location: .path("/nowhere/\(name)"))
  }

  private func health(_ bench: Bench, _ what: String) -> String? {
    bench.kiosk.health.entries.first { $0.what == what }?.detail
  }

  @Test func aSourceOfTheSocketThatIsConfiguredLaterIsAConfiguredOne() throws {
    let bench = try bench()
    _ = try bench.kiosk.addSource(["name": "own", "path": "/nowhere/own"], trusted: true)
    let before = bench.kiosk.configuration
    var new = before
    new.sources.append(try #require(bench.kiosk.entry("own")).spec)
    bench.kiosk.apply(new)
    let entry = try #require(bench.kiosk.entry("own"))
    #expect(!entry.added && entry.table == nil)
    bench.kiosk.apply(before)
    #expect(bench.kiosk.entry("own") == nil)
  }

  @Test func anOverlayOfTheSocketThatIsConfiguredLaterIsAConfiguredOne() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "own.geojson")
    let bench = try bench()
    _ = try bench.kiosk.addOverlay(["path": .string(path)], trusted: true)
    let before = bench.kiosk.configuration
    var new = before
    new.overlays.append(bench.kiosk.overlays[0].original)
    bench.kiosk.apply(new)
    #expect(bench.kiosk.overlays.map(\.added) == [false])
    #expect(bench.kiosk.overlays[0].table == nil)
    bench.kiosk.apply(before)
    #expect(bench.kiosk.overlays.isEmpty)
  }

  @Test func aSourceThatReplacedAConfiguredOneStaysUntilThatIsConfiguredOtherwise() throws {
    let bench = try bench { $0.sources += ["a", "b"].map(Self.source) }
    let own: JSON = ["name": "b", "path": "/nowhere/own"]
    _ = try bench.kiosk.addSource(own, trusted: true)
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.kiosk.entry("b")?.table == own)
    var new = bench.kiosk.configuration
    // Another source changed.
    new.sources[1].opacity = 0.5
    bench.kiosk.apply(new)
    #expect(bench.kiosk.entry("b")?.table == own)
    #expect(bench.kiosk.sources.map(\.name).suffix(2) == ["a", "b"])
    new.sources[new.sources.count - 1].opacity = 0.5
    bench.kiosk.apply(new)
    #expect(bench.kiosk.entry("b")?.added == false)
    #expect(bench.kiosk.entry("b")?.spec == new.sources.last)
    // If the configuration no longer has the one that was replaced, the other stays.
    _ = try bench.kiosk.addSource(own, trusted: true)
    new.sources.removeLast()
    bench.kiosk.apply(new)
    #expect(bench.kiosk.entry("b")?.table == own)
  }

  @Test func whatTheConfigurationHasMeanwhileIsNotWithdrawn() throws {
    let bench = try bench()
    for name in ["own", "other"] {
      _ = try bench.kiosk.addSource(
        ["name": .string(name), "path": .string("/nowhere/\(name)")], trusted: true)
    }
    var new = bench.kiosk.configuration
    new.sources.append(Self.source("own"))
    bench.kiosk.apply(new)
    for name in ["own", "other"] { bench.kiosk.withdraw(name, for: nil) }
    #expect(bench.kiosk.entry("own")?.added == false)
    #expect(bench.kiosk.entry("other") == nil)
  }

  @Test func configuredSourcesWithoutRoomAreReportedWithTheLimit() throws {
    let all = (0..<TileKey.maxSources + 2).map { Self.source("s\($0)") }
    let bench = try Bench(all)
    #expect(bench.kiosk.sources.count == TileKey.maxSources)
    let atStart = try #require(health(bench, "sources"))
    #expect(atStart.contains("s\(TileKey.maxSources), s\(TileKey.maxSources + 1)"))
    #expect(atStart.contains("\(TileKey.maxSources)"))
    var new = bench.kiosk.configuration
    new.sources.removeLast()
    bench.kiosk.apply(new)
    #expect(health(bench, "sources")?.contains("s\(TileKey.maxSources):") == true)
    new.sources.removeFirst()
    bench.kiosk.apply(new)
    #expect(health(bench, "sources") == nil)
    #expect(bench.kiosk.sources.count == TileKey.maxSources)
  }

  @Test func aReloadTellsWhichSourcesCameWentAndChanged() throws {
    let bench = try bench { $0.sources += ["a", "b", "c"].map(Self.source) }
    try bench.settle()
    var events: [String] = []
    bench.kiosk.onEvent = {
      if case .source(let name, let change) = $0 { events.append("\(change) \(name)") }
    }
    var new = bench.kiosk.configuration
    new.sources.removeAll { $0.name == "a" }
    new.sources[1].opacity = 0.5
    new.sources.append(Self.source("d"))
    bench.kiosk.apply(new)
    bench.loop.runOnce(timeout: 0)
    #expect(events == ["removed a", "changed b", "added d"])
  }
}
