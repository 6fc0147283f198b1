import Configuration
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Kiosk

/// Overlays whose files change.
@Suite struct OverlayFileTests: OverlayCase {
  /// A kiosk that shows the overlay of a file; its loop is run as real ones are.
  private func fileBench(_ folder: TemporaryFolder, _ color: String) throws -> (Bench, String) {
    let path = try folder.write(Self.square(color), to: "area.geojson")
    let bench = try bench { $0.overlays = [Self.overlay("area", path)] }
    try bench.settle()
    return (bench, path)
  }

  @Test func aFileThatIsWrittenAgainIsShownAgain() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try fileBench(folder, "#ff0000")
    #expect(middle(bench) == red)
    var events: [KioskEvent.LayerChange] = []
    bench.kiosk.onEvent = { if case .overlay(_, let change) = $0 { events.append(change) } }
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    #expect(bench.run { middle(bench) == blue })
    #expect(events == [.changed])
  }

  @Test func aFileThatIsReplacedIsShownInOneFrameAndWithoutABlank() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try fileBench(folder, "#ff0000")
    let frame = bench.display.frame
    let new = try folder.write(Self.square("#0000ff"), to: "new")
    _ = rename(new, path)
    var seen: Set<UInt32> = []
    #expect(
      bench.run {
        seen.insert(middle(bench))
        return middle(bench) == blue
      })
    #expect(seen == [red, blue])
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
  }

  @Test func aFileThatIsGoneOrBrokenLeavesWhatWasReadUntilItIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try fileBench(folder, "#ff0000")
    func health() -> String? {
      bench.kiosk.health.entries.first { $0.what == "overlay area" }?.detail
    }
    _ = unlink(path)
    #expect(bench.run { health() != nil })
    #expect(health()?.contains(path) == true)
    #expect(middle(bench) == red)
    try folder.write(String(Self.square("#0000ff").prefix(60)), to: "area.geojson")
    #expect(bench.run { health()?.contains("line 1") == true })
    #expect(middle(bench) == red)
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    #expect(bench.run { middle(bench) == blue })
    #expect(health() == nil)
    #expect(bench.kiosk.overlays[0].error == nil)
  }

  @Test func aFileThatWasNotThereIsShownWhenItComesAndItsFolderToo() throws {
    let folder = try TemporaryFolder()
    let path = folder["below/deep/area.geojson"]
    let bench = try bench { $0.overlays = [Self.overlay("area", path)] }
    try bench.settle()
    #expect(bench.kiosk.overlays[0].error?.contains(path) == true)
    try FileManager.default.createDirectory(
      atPath: folder["below/deep"], withIntermediateDirectories: true)
    try folder.write(Self.square("#0000ff"), to: "below/deep/area.geojson")
    #expect(bench.run { middle(bench) == blue })
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func aFileThatIsHalfWrittenIsReadAgainWhenItIsWhole() throws {
    let folder = try TemporaryFolder()
    let path = folder["area.geojson"]
    let bench = try bench { $0.overlays = [Self.overlay("area", path)] }
    try bench.settle()
    func health() -> String? {
      bench.kiosk.health.entries.first { $0.what == "overlay area" }?.detail
    }
    #expect(bench.run { health()?.contains(path) == true })
    let text = Data(Self.square("#0000ff").utf8)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: text.prefix(60))
    #expect(bench.run { health()?.contains("line 1") == true })
    try file.write(contentsOf: text.dropFirst(60))
    try file.close()
    #expect(bench.run { middle(bench) == blue })
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  @Test func otherFilesOfTheFolderWakeNothing() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try fileBench(folder, "#ff0000")
    #expect(bench.run { bench.kiosk.book.files.watch?.isArmed == true })
    try folder.write("x", to: "other.txt")
    _ = bench.loop.runOnce(timeout: 0)
    let watch = try #require(bench.kiosk.book.files.watch)
    #expect(!watch.isPending || bench.mounts.isRecent)
  }

  @Test func anOverlayThatIsReadAgainWhileTheThemeChangesComesInTheNightsColours() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "area.geojson")
    let bench = try bench {
      $0.overlays = [Self.overlay("area", path)]
      $0.theme.night = [.invert]
      $0.theme.mode = .day
    }
    try bench.settle()
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    // Not by the watch: the file may be open before anyone could see that it is being opened.
    bench.kiosk.book.overlays.reopen(0)
    #expect(bench.kiosk.overlays[0].reopening != nil)
    bench.kiosk.setTheme(.night)
    #expect(bench.run { bench.kiosk.overlays[0].reopening == nil })
    try bench.settle()
    #expect(middle(bench) == 0xffff_ff00)
  }

  /// What could not be read may be readable then.
  @Test func aFileWhosePermissionsChangeIsToldAndHasAnotherStamp() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("1", to: "a.geojson")
    let loop = try EventLoop()
    var told = 0
    let watch = FileWatch(loop: loop, resolve: FileLooks().resolve) { told += 1 }
    watch.setFiles([path])
    while !watch.isArmed { loop.runOnce(timeout: 1_000_000_000) }
    let before = FileStamp([path])
    told = 0
    #expect(chmod(path, 0o600) == 0)
    while told == 0 { loop.runOnce(timeout: 1_000_000_000) }
    let now = FileStamp([path])
    #expect(now != before)
    #expect(!now.isReplaced(since: before))
  }

  @Test func aFileThatIsWrittenAgainBeforeItIsToldDoesNotPutThatOff() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("1", to: "a.geojson")
    let loop = try EventLoop()
    var told = 0
    let watch = FileWatch(loop: loop, resolve: FileLooks().resolve) { told += 1 }
    watch.setFiles([path])
    while !watch.isArmed { loop.runOnce(timeout: 1_000_000_000) }
    told = 0
    try folder.write("2", to: "a.geojson")
    loop.runOnce(timeout: 1_000_000_000)
    #expect(watch.isPending)
    let due = watch.due
    try folder.write("3", to: "a.geojson")
    loop.runOnce(timeout: 1_000_000_000)
    // On a busy machine it may have been told before.
    #expect(watch.due == due || told > 0)
    while told == 0 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(!watch.isPending || watch.due > due)
  }
}
