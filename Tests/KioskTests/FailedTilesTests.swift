import EventLoop
import Foundation
import MapGeometry
import TestSupport
import Testing
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

  @Test func tilesThatFailForHoursAreFewLines() throws {
    let outbox = Outbox()
    var lines = 0
    outbox.onLog = { _, _ in lines += 1 }
    let tiles = FailedTiles(loop: try EventLoop(), outbox: outbox)
    let error = TileError(file: "map", tile: .world, reason: "is broken")
    for _ in 0..<12 {
      tiles.add("source map", error)
      tiles.timeIsUp()
    }
    #expect(lines == 12)
    #expect(tiles.pause == FailedTiles.pauses.longest)
    tiles.recovered()
    #expect(tiles.pause == FailedTiles.pauses.first)
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
    #expect(
      own.last?.hasPrefix("source map: \(events - 1) more tiles cannot be read; the last: ") == true
    )
    bench.kiosk.book.sources.failedTiles.tell()
    #expect(lines.filter { $0.hasPrefix("source map: ") }.count == 1)
  }
}
