import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

func runProgram(_ words: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}

/// Whether a folder can be mounted here: root may, but not in every container.
func canMount() -> Bool {
  guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
  guard runProgram("mount", "--bind", folder.path, folder.path) else { return false }
  return runProgram("umount", "--lazy", folder.path)
}

/// A source whose file was not there when it was to be opened: it is opened when the file is.
@Suite struct PackAppearanceTests: PackCase {
  /// A kiosk that shows a source that is not there, with all that can be watched watched.
  private func waitingBench(_ path: String) throws -> Bench {
    let bench = try Bench([spec(path)], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    rest(bench)
    #expect(health(bench)?.contains(path) == true)
    return bench
  }

  private func expectBlue(_ bench: Bench) {
    #expect(bench.run { colors(bench) == [blue] })
    rest(bench)
    #expect(bench.kiosk.health.entries.isEmpty)
    #expect(bench.kiosk.sources[0].error == nil)
  }

  @Test(arguments: PackFormat.allCases) func itIsShownWhenItComesByARename(
    format: PackFormat
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder["a.\(format)"]
    let bench = try waitingBench(path)
    var events: [KioskEvent.LayerChange] = []
    bench.kiosk.onEvent = { if case .source(_, let change) = $0 { events.append(change) } }
    try replace(path, blue, format)
    expectBlue(bench)
    #expect(events == [.changed])
  }

  @Test func itIsShownWhenItsFolderComesWithIt() throws {
    let folder = try TemporaryFolder()
    let bench = try waitingBench(folder["media/card/a.mbtiles"])
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder["new/card"], withIntermediateDirectories: true)
    try write(blue, .mbtiles, to: folder["new/card/a.mbtiles"])
    #expect(rename(folder["new"], folder["media"]) == 0)
    expectBlue(bench)
  }

  @Test func itIsShownWhenItComesToAFolderThatCameBefore() throws {
    let folder = try TemporaryFolder()
    let path = folder["media/card/a.pmtiles"]
    let bench = try waitingBench(path)
    for name in ["media", "media/card"] {
      #expect(mkdir(folder[name], 0o755) == 0)
      #expect(bench.run { bench.kiosk.book.files.watch?.isPending == true })
      rest(bench)
    }
    #expect(health(bench)?.contains(path) == true)
    try write(blue, .pmtiles, to: path)
    expectBlue(bench)
  }

  /// A pack of which only so many bytes are there is broken, or serves a part of its tiles.
  @Test(arguments: PackFormat.allCases, [0.0, 0.02, 0.5])
  func whatIsHalfWrittenIsOpenedAgainWhenItIsWhole(format: PackFormat, part: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder["a.\(format)"]
    let bench = try waitingBench(path)
    let missing = health(bench)
    try write(blue, format, to: folder["whole"])
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder["whole"]))
    let half = Int(Double(whole.count) * part)
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(file >= 0)
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try handle.write(contentsOf: whole.prefix(half))
    #expect(bench.run { health(bench) != missing })
    rest(bench)
    // What is broken stays so while nothing happens to it.
    #expect(health(bench) != nil)
    try handle.write(contentsOf: whole.dropFirst(half))
    try handle.close()
    expectBlue(bench)
  }

  @Test func aFolderOfTilesIsOpenedAgainForEachLevelThatComes() throws {
    let folder = try TemporaryFolder()
    let path = folder["map"]
    let bench = try waitingBench(path)
    let missing = health(bench)
    #expect(mkdir(path, 0o755) == 0)
    #expect(bench.run { health(bench) != missing })
    rest(bench)
    #expect(health(bench)?.contains("holds no tiles") == true)
    func add(_ level: Int, _ color: UInt32) throws {
      let new = folder["level"]
      for x in 0..<(1 << level) {
        try FileManager.default.createDirectory(
          atPath: "\(new)/\(x)", withIntermediateDirectories: true)
        for y in 0..<(1 << level) {
          try Data(png(color)).write(to: URL(fileURLWithPath: "\(new)/\(x)/\(y).png"))
        }
      }
      #expect(rename(new, "\(path)/\(level)") == 0)
    }
    try add(0, red)
    #expect(bench.run { colors(bench) == [red] })
    rest(bench)
    try add(3, blue)
    expectBlue(bench)
    #expect(bench.kiosk.sources[0].info?.maxZoom == 3)
  }

  @Test func theFolderOfATemplateIsAwaitedToo() throws {
    let folder = try TemporaryFolder()
    let url = "file://" + folder["map"] + "/{z}-{x}-{y}.png"
    let bench = try Bench(
      [SourceSpec(name: "pack", location: .url(url))], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 0)
    rest(bench)
    #expect(health(bench)?.contains("there is no folder") == true)
    #expect(mkdir(folder["new"], 0o755) == 0)
    try Data(png(blue)).write(to: URL(fileURLWithPath: folder["new/0-0-0.png"]))
    #expect(rename(folder["new"], folder["map"]) == 0)
    #expect(bench.run { colors(bench).contains(blue) })
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func oneThatIsNotOnTheScreenIsWellAgainUnseen() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try bench(folder)
    let path = folder["other.mbtiles"]
    #expect(bench.kiosk.book.sources.add(spec(path, "other")))
    #expect(bench.kiosk.use("other"))
    #expect(bench.run { health(bench, "other") != nil })
    #expect(bench.kiosk.use("pack"))
    try bench.settle()
    rest(bench)
    let frame = bench.display.frame
    try replace(path, blue)
    #expect(bench.run { health(bench, "other") == nil })
    rest(bench)
    #expect(bench.display.frame == frame)
    #expect(bench.kiosk.use("other"))
    #expect(bench.run { colors(bench) == [blue] })
  }

  @Test func onePackOfSeveralThatComesIsShownWithTheOthers() throws {
    let folder = try TemporaryFolder()
    let paths = [folder["a.mbtiles"], folder["b.pmtiles"]]
    try write(red, .pmtiles, to: paths[1])
    let bench = try Bench(
      [SourceSpec(name: "pack", location: .paths(paths))], width: 640, height: 400)
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    rest(bench)
    #expect(colors(bench) == [red])
    #expect(health(bench)?.contains(paths[0]) == true)
    try replace(paths[0], blue)
    expectBlue(bench)
  }

  /// inotify tells nothing of a mount.
  @Test(.enabled(if: canMount(), "skipped: only root may mount a folder, and not everywhere"))
  func aMediumThatIsMountedIsShown() throws {
    let folder = try TemporaryFolder()
    #expect(mkdir(folder["mount"], 0o755) == 0 && mkdir(folder["card"], 0o755) == 0)
    try write(blue, .pmtiles, to: folder["card/a.pmtiles"])
    let bench = try waitingBench(folder["mount/a.pmtiles"])
    #expect(runProgram("mount", "--bind", folder["card"], folder["mount"]))
    defer { _ = runProgram("umount", "--lazy", folder["mount"]) }
    expectBlue(bench)
  }

  @Test func noMoreFoldersAreWatchedThanTheLimit() throws {
    let folder = try TemporaryFolder()
    var files: Set<String> = []
    for number in 0..<WatchedFolders.maxCount + 20 {
      #expect(mkdir(folder["\(number)"], 0o755) == 0)
      files.insert(folder["\(number)/a.mbtiles"])
    }
    let names = WatchedFolders().set(files) { $0 }
    #expect(names.count == WatchedFolders.maxCount)
  }
}
