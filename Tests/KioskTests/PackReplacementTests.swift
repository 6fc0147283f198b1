import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A pack whose place another file takes: one change on the screen, and never a mixture.
@Suite struct PackReplacementTests: PackCase {
  @Test(arguments: PackFormat.allCases) func itIsShownInOneFrame(kind: PackFormat) throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder, kind)
    var events: [KioskEvent.LayerChange] = []
    bench.kiosk.onEvent = { if case .source(_, let change) = $0 { events.append(change) } }
    let frame = bench.display.frame
    try replace(path, blue, kind)
    expectOneChange(bench)
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
    #expect(events == [.changed])
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test(arguments: PackFormat.allCases) func aViewThatMovesMeanwhileShowsNoMixture(kind: PackFormat)
    throws
  {
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
    bench.kiosk.book.files.setWatched([], of: .sources)
    try replace(path, blue)
    bench.kiosk.pan(dx: 900, dy: 0, animate: false)
    bench.drain()
    #expect(bench.run { colors(bench) == [blue] })
  }

  /// Writes a folder of tiles of levels 0 to 4 in one colour.
  private func writeFolder(_ color: UInt32, _ folder: TemporaryFolder, _ name: String) throws {
    let png = Data(try png(color))
    for z in 0...4 {
      for x in 0..<(1 << z) {
        let column = URL(fileURLWithPath: folder["\(name)/\(z)/\(x)"])
        try FileManager.default.createDirectory(at: column, withIntermediateDirectories: true)
        for y in 0..<(1 << z) { try png.write(to: column.appendingPathComponent("\(y).png")) }
      }
    }
  }

  /// Without a watch, only the reader can notice it.
  @Test(arguments: [false, true], [false, true])
  func aFolderOfTilesIsShownInOneFrame(isTemplate: Bool, isWatched: Bool) throws {
    let folder = try TemporaryFolder()
    try writeFolder(red, folder, "a")
    try writeFolder(blue, folder, "b")
    let location =
      isTemplate
      ? SourceSpec.Location.url("file://" + folder["a"] + "/{z}/{x}/{y}.png") : .path(folder["a"])
    var spec = SourceSpec(name: "pack", location: location)
    spec.maxZoom = 4
    let bench = try Bench([spec], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    rest(bench)
    if !isWatched { bench.kiosk.book.files.setWatched([], of: .sources) }
    #expect(rename(folder["a"], folder["away"]) == 0)
    #expect(rename(folder["b"], folder["a"]) == 0)
    guard !isWatched else { return expectOneChange(bench) }
    bench.kiosk.pan(dx: 900, dy: 0, animate: false)
    bench.drain()
    var isMixed = false
    #expect(
      bench.run {
        isMixed = isMixed || colors(bench).isSuperset(of: [red, blue])
        return colors(bench) == [blue]
      })
    #expect(!isMixed)
  }

  @Test func whereItCannotBeOpenedTheMapThatWasThereStays() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let frame = bench.display.frame
    let broken = try folder.write("not a pack", to: "broken")
    #expect(rename(broken, path) == 0)
    #expect(bench.run { health(bench) != nil })
    #expect(!bench.kiosk.book.sources.isReplacing)
    #expect(health(bench)?.contains(path) == true)
    #expect(colors(bench) == [red])
    #expect(bench.display.frame == frame)
    try replace(path, blue)
    #expect(bench.run { colors(bench) == [blue] })
    #expect(health(bench) == nil)
    #expect(bench.kiosk.sources[0].error == nil)
  }

  @Test func aPackThatIsGoneAndComesBackIsTheSame() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let index = bench.kiosk.sources[0].index
    #expect(rename(path, path + ".away") == 0)
    #expect(bench.run { bench.kiosk.book.files.watch?.isPending == true })
    #expect(bench.run { bench.kiosk.book.files.watch?.isPending == false })
    #expect(rename(path + ".away", path) == 0)
    #expect(bench.run { bench.kiosk.book.files.watch?.isPending == true })
    #expect(bench.run { bench.kiosk.book.files.watch?.isPending == false })
    #expect(bench.run { bench.kiosk.book.files.isQuiet })
    #expect(bench.kiosk.sources[0].index == index)
    #expect(colors(bench) == [red])
  }

  @Test func aMapThatIsNotOnTheScreenIsReplacedUnseen() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let other = folder["other.mbtiles"]
    try write(0xff00_ff00, .mbtiles, to: other)
    #expect(bench.kiosk.book.sources.add(spec(other, "other")))
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
    bench.kiosk.frames.setTimes(freeze: 900_000_000_000)
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    try replace(path, blue)
    expectOneChange(bench)
  }
}
