import Foundation
import Images
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A pack whose place another file takes: one change on the screen, and never a mixture.
@Suite struct PackReplacementTests {
  private let red: UInt32 = 0xffff_0000
  private let blue: UInt32 = 0xff00_00ff

  enum Kind: String, CaseIterable {
    case mbtiles
    case pmtiles
  }

  /// Writes a pack of levels 0 to 4 in one colour.
  private func write(_ color: UInt32, _ kind: Kind, to path: String) throws {
    let words = [UInt32](repeating: color, count: 256 * 256)
    let png = try words.withUnsafeBufferPointer {
      try PNGWriter.encode(
        $0.baseAddress!, width: 256, height: 256, rowBytes: 1024, compression: 1)
    }
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    for z in 0...4 {
      for n in 0..<(1 << (2 * z)) {
        guard let id = TileID(z: z, x: n % (1 << z), y: n >> z) else { continue }
        tiles.append((id, png))
      }
    }
    switch kind {
    case .mbtiles: try TilePacks.writeMBTiles(tiles, to: path)
    case .pmtiles: try TilePacks.writePMTiles(tiles, to: path)
    }
  }

  private func spec(_ path: String, _ name: String = "pack") -> SourceSpec {
    SourceSpec(name: name, location: .path(path))
  }

  /// A kiosk that shows a red pack at `path`.
  private func bench(_ folder: TemporaryFolder, _ kind: Kind = .mbtiles) throws -> (Bench, String) {
    let path = folder["a.\(kind)"]
    try write(red, kind, to: path)
    let bench = try Bench([spec(path)], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle && bench.kiosk.book.areFilesQuiet })
    return (bench, path)
  }

  /// Puts another pack in the place of the one at `path`.
  private func replace(_ path: String, _ color: UInt32, _ kind: Kind = .mbtiles) throws {
    try write(color, kind, to: path + ".new")
    #expect(rename(path + ".new", path) == 0)
  }

  private func colors(_ bench: Bench) -> Set<UInt32> {
    var found: Set<UInt32> = []
    var last: UInt32 = 0
    for word in bench.panel().words where word != last {
      found.insert(word)
      last = word
    }
    return found
  }

  /// The screen is red until it is blue, and never anything else.
  private func expectOneChange(_ bench: Bench) {
    var seen: Set<Set<UInt32>> = []
    #expect(
      bench.run {
        seen.insert(colors(bench))
        return colors(bench) == [blue]
      })
    #expect(seen == [[red], [blue]])
  }

  @Test(arguments: Kind.allCases) func itIsShownInOneFrame(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, kind)
    var events: [KioskEvent.SourceChange] = []
    bench.kiosk.onEvent = { if case .source(_, let change) = $0 { events.append(change) } }
    let frame = bench.display.frame
    try replace(path, blue, kind)
    expectOneChange(bench)
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
    #expect(events == [.changed])
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test(arguments: Kind.allCases) func aViewThatMovesMeanwhileShowsNoMixture(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, kind)
    try replace(path, blue, kind)
    // What the view comes to is read by the old reader, from what is the new file by then.
    for step in 0..<60 {
      bench.kiosk.pan(dx: step % 2 == 0 ? 170 : 90, dy: 0, animate: false)
      bench.drain()
      let seen = colors(bench)
      #expect(!(seen.contains(red) && seen.contains(blue)), "step \(step)")
    }
    bench.drain()
    #expect(bench.run { colors(bench) == [blue] })
    try bench.settle()
  }

  @Test func aReaderThatFindsItHasItOpenedWithoutAnyWatch() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    bench.kiosk.book.setWatched([])
    try replace(path, blue)
    bench.kiosk.pan(dx: 900, dy: 0, animate: false)
    bench.drain()
    #expect(bench.run { colors(bench) == [blue] })
  }

  @Test func whereItCannotBeOpenedTheMapThatWasThereStays() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    func health() -> String? {
      bench.kiosk.health.entries.first { $0.what == "source pack" }?.detail
    }
    let frame = bench.display.frame
    let broken = try folder.write("not a pack", to: "broken")
    #expect(rename(broken, path) == 0)
    #expect(bench.run { health() != nil })
    #expect(health()?.contains(path) == true)
    #expect(colors(bench) == [red])
    #expect(bench.display.frame == frame)
    try replace(path, blue)
    #expect(bench.run { colors(bench) == [blue] })
    #expect(health() == nil)
    #expect(bench.kiosk.sources[0].error == nil)
  }

  @Test func aPackThatIsGoneAndComesBackIsTheSame() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let index = bench.kiosk.sources[0].index
    #expect(rename(path, path + ".away") == 0)
    #expect(bench.run { bench.kiosk.book.fileWatch?.isPending == true })
    #expect(bench.run { bench.kiosk.book.fileWatch?.isPending == false })
    #expect(rename(path + ".away", path) == 0)
    #expect(bench.run { bench.kiosk.book.fileWatch?.isPending == true })
    #expect(bench.run { bench.kiosk.book.fileWatch?.isPending == false })
    #expect(bench.run { bench.kiosk.book.areFilesQuiet })
    #expect(bench.kiosk.sources[0].index == index)
    #expect(colors(bench) == [red])
  }

  @Test func aMapThatIsNotOnTheScreenIsReplacedUnseen() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let other = folder["other.mbtiles"]
    try write(0xff00_ff00, .mbtiles, to: other)
    #expect(bench.kiosk.book.add(spec(other, "other")))
    #expect(bench.kiosk.use("other"))
    try bench.settle()
    let frame = bench.display.frame
    try replace(path, blue)
    let index = bench.kiosk.sources[0].index
    #expect(bench.run { bench.kiosk.sources[0].index != index })
    #expect(bench.display.frame == frame)
    #expect(bench.kiosk.use("pack"))
    #expect(bench.run { colors(bench) == [blue] })
  }

  @Test func whereTheCacheCannotHoldBothTheScreenIsHeld() throws {
    let folder = try TemporaryFolder()
    let path = folder["a.mbtiles"]
    try write(red, .mbtiles, to: path)
    let bench = try Bench([spec(path)], width: 1024, height: 768) { $0.cache.memory = 1 }
    bench.kiosk.frames.setTimes(hold: 900_000_000_000)
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    try replace(path, blue)
    expectOneChange(bench)
  }
}
