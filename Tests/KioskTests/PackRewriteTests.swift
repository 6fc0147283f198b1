import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A pack that a program writes to in place: what it wrote is shown once it closes the file.
@Suite struct PackRewriteTests: PackCase {
  /// Writes another pack over the bytes of the one at `path`.
  private func rewrite(_ path: String, _ color: UInt32, _ format: PackFormat) throws {
    let new = path + ".new"
    try write(color, format, to: new)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: new))
    #expect(unlink(new) == 0)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.truncate(atOffset: UInt64(bytes.count))
    try file.close()
  }

  private func node(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.systemFileNumber] as? Int)
  }

  @Test(arguments: PackFormat.allCases) func itIsShownInOneFrame(format: PackFormat) throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, format)
    var events: [KioskEvent.SourceChange] = []
    bench.kiosk.onEvent = { if case .source(_, let change) = $0 { events.append(change) } }
    let (frame, node) = (bench.display.frame, try node(path))
    try rewrite(path, blue, format)
    #expect(try self.node(path) == node)
    expectOneChange(bench)
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
    #expect(events == [.changed])
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func aFileThatIsBeingWrittenIsLeftAloneUntilItIsClosed() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, .pmtiles)
    let index = bench.kiosk.sources[0].index
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0]))
    // Something else has files looked at meanwhile.
    bench.kiosk.book.checkFiles()
    rest(bench)
    #expect(bench.kiosk.sources[0].index == index)
    try file.close()
    #expect(bench.run { bench.kiosk.sources[0].index != index })
  }

  @Test func oneThatIsWrittenAgainAndAgainIsOpenedAgainFromTimeToTime() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let green: UInt32 = 0xff00_ff00
    bench.kiosk.book.setRewritePause(900_000_000_000)
    try rewrite(path, green, .mbtiles)
    #expect(bench.run { colors(bench) == [green] })
    rest(bench)
    let index = bench.kiosk.sources[0].index
    try rewrite(path, blue, .mbtiles)
    #expect(bench.run { bench.kiosk.book.fileWatch?.isPending == true })
    rest(bench)
    #expect(bench.kiosk.sources[0].index == index)
    #expect(colors(bench) == [green])
    // A reload does not wait.
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.run { colors(bench) == [blue] })
  }

  @Test func whatWasPutOffIsNotForgotten() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    bench.kiosk.book.setRewritePause(200_000_000)
    for color in [blue, red, blue, red, blue] {
      try rewrite(path, color, .mbtiles)
      bench.drain()
    }
    #expect(bench.run { colors(bench) == [blue] })
    rest(bench)
    #expect(bench.kiosk.health.entries.isEmpty)
  }
}
