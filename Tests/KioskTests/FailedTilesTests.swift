import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// What the log has of tiles that cannot be read.
@Suite struct FailedTilesTests {
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
    #expect(events > 8)
    #expect(own.count == 2, "\(own)")
    #expect(own.first?.contains("Git LFS") == true)
    #expect(
      own.last?.hasPrefix("source map: \(events - 1) more tiles cannot be read; the last: ") == true
    )
    bench.kiosk.book.sources.failedTiles.tell()
    #expect(lines.filter { $0.hasPrefix("source map: ") }.count == 2)
  }
}
