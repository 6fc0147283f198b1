import EventLoop
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// What the log has of tiles that cannot be read.
@Suite struct FailedTilesTests {
  /// A map of two packs, one of which is missing, and the other has no tile that can be read.
  private func bench(_ folder: TemporaryFolder) throws -> Bench {
    try FileManager.default.createDirectory(
      atPath: folder["map/3/4"], withIntermediateDirectories: true)
    for y in 0..<8 { try folder.write("no picture", to: "map/3/4/\(y).png") }
    return try Bench([
      SourceSpec(name: "map", location: .paths([folder["map"], folder["gone.mbtiles"]]))
    ])
  }

  @Test func whatIsWrongWithAMapAndWithItsTilesIsBothShown() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try bench.settle()
    func details() -> [String?] {
      bench.kiosk.takeNotes()
      let health = bench.kiosk.health.entries.filter { $0.what == "source map" }.map(\.detail)
      return health + [bench.kiosk.sources[0].error]
    }
    let both = details()
    #expect(both.count == 2)
    for text in both {
      #expect(text?.contains("gone.mbtiles") == true, "\(both)")
      #expect(text?.contains("3/4/") == true, "\(both)")
    }
    // What was wrong with the map stays wrong.
    let entry = try #require(bench.kiosk.sources.first)
    bench.kiosk.book.sources.recovered(entry.index)
    let one = details()
    #expect(one.count == 2)
    for text in one {
      #expect(text?.contains("gone.mbtiles") == true, "\(one)")
      #expect(text?.contains("3/4/") == false, "\(one)")
    }
  }

  private let error = TileError(file: "map", tile: .world, reason: "is broken")

  @Test func tilesThatFailForHoursAreFewLines() throws {
    let outbox = Outbox()
    var lines = 0
    outbox.onLog = { _, _ in lines += 1 }
    var now: UInt64 = FailedTiles.pauses.longest
    let tiles = FailedTiles(loop: try EventLoop(), outbox: outbox, clock: { now })
    for _ in 0..<16 {
      tiles.add("source map", error)
      now += tiles.pause
      tiles.tell()
    }
    #expect(lines == 16)
    #expect(tiles.pause == FailedTiles.pauses.longest)
    // Without tiles there is nothing to tell, and no pause to lengthen or to shorten.
    tiles.tell()
    now += FailedTiles.pauses.longest
    tiles.add("source map", error)
    #expect(lines == 16)
    #expect(tiles.pause == FailedTiles.pauses.longest)
    tiles.tell()
    now += FailedTiles.pauses.longest + 1
    tiles.add("source map", error)
    #expect(tiles.pause == FailedTiles.pauses.first)
  }

  @Test func aSourceThatFailsAndRecoversAgainAndAgainIsOneLineWithACount() throws {
    let bench = try Bench([SourceSpec(name: "map", location: .path("/nowhere"))])
    var lines: [String] = []
    bench.kiosk.onLog = { lines.append($1) }
    let sources = bench.kiosk.book.sources
    let index = try #require(bench.kiosk.sources.first).index
    func flicker() {
      for _ in 0..<100 {
        sources.tileFailed(TileKey(source: index, tile: .world), error)
        sources.tileFailed(TileKey(source: index, tile: .world), error)
        sources.recovered(index)
      }
    }
    flicker()
    #expect(lines.isEmpty, "\(lines)")
    sources.failedTiles.tell()
    #expect(lines == ["source map: 100 more tiles could not be read; the last: \(error)"])
    // A recovery for a moment does not shorten the next pause.
    let pause = sources.failedTiles.pause
    #expect(pause == 2 * FailedTiles.pauses.first)
    flicker()
    #expect(sources.failedTiles.pause == pause)
    #expect(lines.count == 1)
  }

  /// A kiosk whose only source fails as the other value says.
  private func failing(isTransient: Bool = true) throws -> (Bench, Failures) {
    let (bench, failures) = (try Bench([MosaicTests.spec("/nowhere")]), Failures())
    let source = bench.kiosk.sources[0]
    bench.kiosk.pipeline.loader.setSource(source.index, name: source.name) {
      .success(FailingSource(failures, isTransient: isTransient))
    }
    return (bench, failures)
  }

  /// What the health says of that source.
  private func detail(of bench: Bench) -> String? {
    bench.kiosk.takeNotes()
    let what = "source \(bench.kiosk.sources[0].name)"
    return bench.kiosk.health.entries.first { $0.what == what }?.detail
  }

  @Test func theHealthSaysWhyTilesStillFail() throws {
    let (bench, failures) = try failing()
    let detail = { self.detail(of: bench) }
    failures.set { _ in "the service is gone" }
    try bench.settle()
    #expect(bench.run { detail()?.hasSuffix(": the service is gone") == true })
    let first = try #require(detail())
    // That tile speaks for all, so that two reasons do not alternate.
    let speaks: @Sendable (TileID) -> Bool = { first.contains("tile \($0): ") }
    let other = TileKey(source: bench.kiosk.sources[0].index, tile: .world)
    bench.kiosk.book.sources.tileFailedAgain(other, error)
    #expect(detail() == first)
    failures.set { _ in "no connection to the server" }
    #expect(bench.run { detail()?.hasSuffix(": no connection to the server") == true })
    // Once it has come, another one does.
    failures.set { speaks($0) ? nil : "the server is busy" }
    #expect(bench.run { detail()?.hasSuffix(": the server is busy") == true })
    failures.set { _ in nil }
    #expect(bench.run { detail() == nil })
  }

  /// One beyond the view may have failed before the reason changed, and is not read again.
  @Test func aTileThatNobodyAsksForAgainDoesNotSpeakOnceAnotherOneFailsAgain() throws {
    let (bench, failures) = try failing()
    let detail = { self.detail(of: bench) }
    failures.set { _ in "the service is gone" }
    try bench.settle()
    #expect(bench.run { detail()?.hasSuffix(": the service is gone") == true })
    let told = try #require(bench.kiosk.book.sources.entries[0].told?.key)
    let other = TileKey(source: told.source, tile: .world)
    // The view leaves it.
    bench.kiosk.pipeline.missing.beginView()
    let loader = bench.kiosk.pipeline.loader
    #expect(loader.hasFailed(told) && !loader.isRetried(told))
    bench.kiosk.book.sources.tileFailedAgain(other, error)
    #expect(detail()?.hasSuffix(" is broken") == true)
  }

  @Test func anotherReasonIsToldOnceTheTileThatIsToldWasSilentForLong() throws {
    let (bench, failures) = try failing()
    let detail = { self.detail(of: bench) }
    failures.set { _ in "the service is gone" }
    try bench.settle()
    #expect(bench.run { detail()?.hasSuffix(": the service is gone") == true })
    let sources = bench.kiosk.book.sources
    let told = try #require(sources.entries[0].told)
    let other = TileKey(source: told.key.source, tile: .world)
    let later = told.at + SourceList.longestSilence
    // A tile with the same reason is no news.
    let same = TileError(file: "map", tile: .world, reason: told.reason)
    sources.tileFailedAgain(other, same, at: later)
    sources.tileFailedAgain(other, error, at: later - 1)
    #expect(detail() == told.text)
    sources.tileFailedAgain(other, error, at: later)
    #expect(detail()?.hasSuffix(" is broken") == true)
  }

  /// A damaged tile is not read again, and says nothing of an outage.
  @Test func aDamagedTileThatIsToldMakesWayForOnesThatFailAgain() throws {
    let (bench, first) = try damaged()
    #expect(bench.kiosk.pipeline.loader.hasFailed(first))
    let other = TileKey(source: first.source, tile: .world)
    bench.kiosk.book.sources.tileFailedAgain(other, error)
    #expect(detail(of: bench)?.hasSuffix(" is broken") == true)
    #expect(bench.kiosk.book.sources.entries[0].untold.contains { $0.key == first })
  }

  @Test func aNewReasonOfTheTileThatIsToldIsTold() throws {
    let (bench, first) = try damaged()
    bench.kiosk.book.sources.tileFailed(first, error)
    #expect(detail(of: bench)?.hasSuffix(" is broken") == true)
  }

  @Test func theTileThatIsToldIsFollowedWhereItsSourceIsRenumbered() throws {
    let (bench, first) = try damaged()
    let tile = try #require(first.tile)
    var entry = bench.kiosk.book.sources.entries[0]
    let new = entry.index + 1
    entry.index = new
    #expect(entry.told?.key == TileKey(source: new, tile: tile))
    #expect(!entry.untold.isEmpty && entry.untold.count <= SourceList.mostUntold)
    #expect(entry.untold.allSatisfy { $0.key.source == new })
  }

  /// A kiosk whose tiles came and are damaged when they are read again, and the first of them.
  private func damaged() throws -> (Bench, first: TileKey) {
    let (bench, failures) = try failing(isTransient: false)
    try bench.settle()
    var first: TileKey?
    let told = { bench.kiosk.book.sources.entries[0].told?.key }
    failures.set { _ in "the picture is damaged" }
    let pipeline = bench.kiosk.pipeline
    pipeline.cache.clear()
    pipeline.scene.invalidate()
    bench.kiosk.changed()
    #expect(
      bench.run {
        first = first ?? told()
        return first != nil && pipeline.loader.isIdle
      })
    return (bench, try #require(first))
  }

  /// They may be tiles that nobody asks for again, and so never fail again.
  @Test func onceTheTileThatIsToldHasComeAnotherOneIsTold() throws {
    let (bench, first) = try damaged()
    let detail = { self.detail(of: bench) }
    let tile = try #require(first.tile)
    #expect(detail()?.contains("tile \(tile): ") == true)
    bench.kiosk.pipeline.missing.insert(first, .init(ancestorLevel: nil, failed: false))
    bench.kiosk.book.sources.tileAnswered(first)
    #expect(bench.run { detail()?.contains("tile \(tile): ") == false })
    #expect(detail()?.hasSuffix(": the picture is damaged") == true)
  }

  @Test func aTileThatFailsAfterTheToldOneHasComeIsToldSoon() throws {
    let (bench, first) = try damaged()
    let detail = { self.detail(of: bench) }
    let missing = bench.kiosk.pipeline.missing
    let other = TileKey(source: first.source, tile: try #require(TileID(z: 20, x: 1, y: 1)))
    missing.insert(first, .init(ancestorLevel: nil, failed: false))
    missing.insert(other, .init(ancestorLevel: nil, failed: true))
    bench.kiosk.book.sources.tileFailed(other, error)
    #expect(detail()?.hasSuffix(": the picture is damaged") == true)
    #expect(bench.run { detail()?.hasSuffix(" is broken") == true })
  }

  @Test func aTileThatStillFailsSpeaksAgainOnceTheOtherIsForgotten() throws {
    let (bench, first) = try damaged()
    let detail = { self.detail(of: bench) }
    let before = try #require(detail())
    let other = TileKey(source: first.source, tile: try #require(TileID(z: 20, x: 1, y: 1)))
    bench.kiosk.pipeline.missing.beginView()
    bench.kiosk.book.sources.tileFailedAgain(other, error)
    #expect(detail()?.hasSuffix(" is broken") == true)
    bench.kiosk.book.sources.tilesForgotten(of: other.source)
    #expect(bench.run { detail() == before })
  }

  @Test func allTilesAfterTheFirstAreOneLineWithACount() throws {
    let folder = try TemporaryFolder()
    let text = Data("version https://git-lfs.github.com/spec/v1\n".utf8)
    for x in 0..<8 {
      let path = folder["map/3/\(x)"]
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for y in 0..<8 { try text.write(to: URL(fileURLWithPath: path + "/\(y).png")) }
    }
    let bench = try Bench([SourceSpec(name: "map", location: .path(folder["map"]))])
    var lines: [String] = []
    var events = 0
    bench.kiosk.onLog = { lines.append($1) }
    bench.kiosk.onEvent = { if case .tileError = $0 { events += 1 } }
    try bench.settle()
    bench.kiosk.book.sources.failedTiles.tell()
    let own = lines.filter { $0.hasPrefix("source map: ") }
    // All that are visible; their surroundings may still be loading.
    #expect(events >= 8)
    // The health has the first one, and the log has it from there.
    #expect(own.count == 1, "\(own)")
    let first = bench.kiosk.health.entries.first { $0.what == "source map" }
    #expect(first?.detail.contains("Git LFS") == true)
    let line = "source map: \(events - 1) more tiles could not be read; the last: "
    #expect(own.last?.hasPrefix(line) == true)
    bench.kiosk.book.sources.failedTiles.tell()
    #expect(lines.filter { $0.hasPrefix("source map: ") }.count == 1)
  }
}
