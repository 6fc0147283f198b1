import Configuration
import Control
import Drawing
import EventLoop
import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A medium that hangs holds up whoever looks at it, and never the loop.
@Suite struct HangingMediumTests {
  /// Looks at files that hang until they are let go.
  private final class HangingLooks: Sendable {
    private let isLetGo = Gate(false)

    func letGo() { isLetGo.locked { $0 = true } }

    /// Were it on the loop, nobody would let it go.
    func wait() {
      let end = EventLoop.now() + 20_000_000_000
      while !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
    }

    var looks: FileLooks {
      FileLooks(
        stamp: {
          self.wait()
          return FileStamp($0)
        },
        resolve: {
          self.wait()
          return $0
        })
    }
  }

  /// A kiosk that shows a copy of a pack.
  private func bench(_ folder: TemporaryFolder) throws -> (Bench, String) {
    let path = folder["a.mbtiles"]
    try TilePacks.writeMBTiles(TilePacks.tiles(of: MosaicTests.small), to: path)
    let bench = try Bench(
      [SourceSpec(name: "pack", location: .path(path))], width: 640, height: 400
    ) { $0.control.roots = [folder.path] }
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle && bench.kiosk.book.files.isQuiet })
    return (bench, path)
  }

  /// Puts a copy in the place of the file.
  private func replace(_ path: String) throws {
    #expect(rename(path, path + ".old") == 0)
    try Data(contentsOf: URL(fileURLWithPath: path + ".old"))
      .write(to: URL(fileURLWithPath: path))
  }

  @Test func aLookAtFilesDoesNotHoldUpTheLoop() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let hanging = HangingLooks()
    bench.kiosk.book.files.looks = hanging.looks
    let index = bench.kiosk.sources[0].index
    try replace(path)
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.kiosk.use("pack"))
    bench.drain()
    #expect(bench.kiosk.book.isReplacing)
    // The map can be moved meanwhile.
    let frame = bench.display.frame
    bench.kiosk.pan(dx: 10, dy: 0, animate: false)
    bench.drain()
    #expect(bench.display.frame > frame)
    #expect(bench.kiosk.sources[0].index == index)
    hanging.letGo()
    #expect(bench.run { bench.kiosk.sources[0].index != index })
  }

  /// Its tiles have another number then.
  @Test func aSourcesFileThatChangesIsNoticedThoughTheThemeChangesDuringTheLook() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let hanging = HangingLooks()
    bench.kiosk.book.files.looks = hanging.looks
    try replace(path)
    bench.kiosk.apply(bench.kiosk.configuration)
    bench.drain()
    let before = bench.kiosk.sources[0].index
    bench.kiosk.setTheme(.night)
    bench.drain()
    let index = bench.kiosk.sources[0].index
    #expect(index != before)
    hanging.letGo()
    #expect(bench.run { bench.kiosk.sources[0].index != index })
  }

  @Test func anOverlaysFileThatChangesIsNoticedThoughTheThemeChangesDuringTheLook() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try bench(folder)
    let path = try folder.write(#"{"type":"Point","coordinates":[0,0]}"#, to: "a.geojson")
    _ = try bench.kiosk.addOverlay(["name": "a", "path": .string(path)], trusted: true)
    try bench.settle()
    let hanging = HangingLooks()
    bench.kiosk.book.files.looks = hanging.looks
    try replace(path)
    _ = bench.kiosk.showOverlay("a", true)
    bench.drain()
    let before = bench.kiosk.overlays[0].index
    bench.kiosk.setTheme(.night)
    bench.drain()
    let index = bench.kiosk.overlays[0].index
    #expect(index != before)
    hanging.letGo()
    #expect(bench.run { bench.kiosk.overlays[0].index != index })
  }

  @Test func aFolderDoesNotHoldUpTheLoopThatWatchesIt() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("1", to: "a")
    let loop = try EventLoop()
    let hanging = HangingLooks()
    var told = 0
    let watch = FileWatch(loop: loop, resolve: hanging.looks.resolve) { told += 1 }
    watch.setFiles([path])
    watch.setFiles([path, folder["b"]])
    watch.setFiles([path, folder["c"]])
    #expect(!watch.isArmed)
    loop.runOnce(timeout: 0)
    #expect(told == 0)
    hanging.letGo()
    while !watch.isArmed { loop.runOnce(timeout: 1_000_000_000) }
    #expect(told > 0)
    told = 0
    try folder.write("x", to: "c")
    while told == 0 { loop.runOnce(timeout: 1_000_000_000) }
  }

  /// What is below /proc lies on another medium than the folder.
  @Test func aFolderOnAMediumThatHangsHoldsUpNoNewsOfOthers() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("1", to: "a")
    let loop = try EventLoop()
    let hanging = HangingLooks()
    var told = 0
    let resolve: @Sendable (String) -> String? = {
      $0.hasPrefix("/proc/") ? hanging.looks.resolve($0) : $0
    }
    let watch = FileWatch(loop: loop, resolve: resolve) { told += 1 }
    watch.setFiles([path, "/proc/self/a"])
    while told == 0 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(watch.takeWritten() == [path])
    #expect(!watch.isArmed)
    told = 0
    try folder.write("x", to: "a")
    while told == 0 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(watch.takeWritten() == [path])
    hanging.letGo()
    while !watch.isArmed { loop.runOnce(timeout: 1_000_000_000) }
  }

  @Test func aLookAtAMediumThatHangsHoldsUpNoLookAtAnother() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("1", to: "a")
    let loop = try EventLoop()
    let hanging = HangingLooks()
    let files = LayerFiles(loop: loop, outbox: Outbox())
    files.looks.stamp = { $0[0].hasPrefix("/proc/") ? hanging.looks.stamp($0) : FileStamp($0) }
    var changed: [ObjectIdentifier] = []
    files.follow { changed.append(ObjectIdentifier($0.layer)) }
    let (slow, good) = (StampBox(nil), StampBox(nil))
    files.check([
      StampCheck(layer: slow, paths: ["/proc/self/status"], before: nil, isAsked: true),
      StampCheck(layer: good, paths: [path], before: nil),
    ])
    while changed.isEmpty { loop.runOnce(timeout: 1_000_000_000) }
    #expect(changed == [ObjectIdentifier(good)])
    #expect(files.isAsked)
    // Another look at the healthy medium does not wait either.
    files.check([StampCheck(layer: good, paths: [path], before: nil)])
    while changed.count < 2 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(changed == [ObjectIdentifier(good), ObjectIdentifier(good)])
    #expect(!files.isQuiet)
    hanging.letGo()
    while changed.count < 3 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(changed.last == ObjectIdentifier(slow))
  }

  @Test func fontsDoNotHoldUpTheLoop() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try bench(folder)
    let font = try folder.write("this is no font", to: "a.ttf")
    let hanging = HangingLooks()
    bench.kiosk.overMap.setFontReading { paths in
      hanging.wait()
      return FontFile.all(paths)
    }
    var configuration = bench.kiosk.configuration
    configuration.hud.fonts = [font]
    configuration.hud.scaleBar = true
    bench.kiosk.apply(configuration)
    let frame = bench.display.frame
    bench.drain()
    // The words are there, in the font that was there.
    #expect(bench.display.frame > frame)
    #expect(!bench.kiosk.overMap.sprites(on: .hud).isEmpty)
    #expect(!bench.kiosk.health.entries.contains { $0.what == "hud.font" })
    hanging.letGo()
    #expect(bench.run { bench.kiosk.health.entries.contains { $0.what == "hud.font" } })
    // What was read is counted, and goes with the setting.
    #expect(bench.kiosk.memory.first { $0.name == "fonts" }?.bytes == 15)
    configuration.hud.fonts = []
    bench.kiosk.apply(configuration)
    bench.drain()
    #expect(!bench.kiosk.health.entries.contains { $0.what == "hud.font" })
    #expect(bench.kiosk.memory.first { $0.name == "fonts" }?.bytes == 0)
  }

  @Test func aPathThatACallerNamesDoesNotHoldUpTheLoop() throws {
    let folder = try TemporaryFolder()
    let (bench, path) = try bench(folder)
    let hanging = HangingLooks()
    bench.kiosk.book.files.looks = hanging.looks
    var answers: [String: ControlError?] = [:]
    bench.kiosk.checkPaths(ofSource: ["name": "a", "path": .string(path)]) {
      answers.updateValue($0, forKey: "source")
    }
    bench.kiosk.checkPaths(ofOverlay: ["name": "b", "path": "/elsewhere/b.gpx"]) {
      answers.updateValue($0, forKey: "overlay")
    }
    bench.kiosk.checkPaths(ofOverlay: ["kind": "grid"]) {
      answers.updateValue($0, forKey: "grid")
    }
    bench.drain()
    #expect(answers.keys.sorted() == ["grid"])
    hanging.letGo()
    #expect(bench.run { answers.count == 3 })
    #expect(answers["source"] == .some(nil))
    #expect(answers["overlay"]??.code == ControlError.notAllowed)
  }
}
