import Configuration
import Control
import EventLoop
import Foundation
import MapGeometry
import MapScene
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// Overlays: which there are, in which order they lie, and what becomes of their files.
@Suite struct OverlayTests {
  /// An area that covers the middle of the world, filled with one colour.
  private static func square(_ color: String) -> String {
    #"{"type":"Feature","properties":{"fill":"\#(color)","fill-opacity":1,"stroke-opacity":0},"#
      + #""geometry":{"type":"Polygon","coordinates":"#
      + "[[[-40,-40],[40,-40],[40,40],[-40,40],[-40,-40]]]}}"
  }

  private static func table(_ name: String, _ color: String, level: String? = nil) throws -> JSON {
    var table: JSONObject = ["name": .string(name), "geojson": try JSON.parse(square(color))]
    table["level"] = level.map { .string($0) }
    return .object(table)
  }

  private static func overlay(_ name: String, _ path: String) -> Configuration.Overlay {
    Configuration.Overlay(name: name, content: .file(path), level: .aboveRoads)
  }

  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try Bench([MosaicTests.spec(MosaicTests.small)], width: 400, height: 300, set)
  }

  /// The colour in the middle of the screen.
  private func middle(_ bench: Bench) -> UInt32 { bench.panel()[200, 150] }

  private let red: UInt32 = 0xffff_0000
  private let blue: UInt32 = 0xff00_00ff

  private func add(_ bench: Bench, _ name: String, _ color: String, level: String? = nil) throws {
    _ = try bench.kiosk.addOverlay(Self.table(name, color, level: level), trusted: false)
  }

  @Test func featuresThatComeWithTheCallAreDrawnOverTheMap() throws {
    let bench = try bench()
    try bench.settle()
    #expect(middle(bench) != red)
    try add(bench, "a", "#ff0000")
    try bench.settle()
    #expect(middle(bench) == red)
    bench.kiosk.removeOverlay("a")
    try bench.settle()
    #expect(middle(bench) != red)
  }

  @Test func theLastAddedLiesOnTopAndMoveChangesThat() throws {
    let bench = try bench()
    try add(bench, "a", "#ff0000")
    try add(bench, "b", "#0000ff")
    try bench.settle()
    #expect(middle(bench) == blue)
    try bench.kiosk.moveOverlay("a", .above("b"))
    try bench.settle()
    #expect(middle(bench) == red)
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["b", "a"])
    try bench.kiosk.moveOverlay("a", .below("b"))
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["a", "b"])
  }

  @Test func anOverlayThatIsMovedTakesTheLevelOfItsNeighbour() throws {
    let bench = try bench()
    try add(bench, "low", "#ff0000")
    try add(bench, "high", "#0000ff", level: "above-labels")
    try add(bench, "later", "#00ff00")
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["low", "later", "high"])
    try bench.kiosk.moveOverlay("low", .above("high"))
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["later", "high", "low"])
    #expect(bench.kiosk.overlaysInOrder.last?.spec.level == .aboveLabels)
  }

  @Test func aMoveToAnotherLevelChangesThePicture() throws {
    let bench = try bench()
    try add(bench, "high", "#0000ff", level: "above-labels")
    try add(bench, "low", "#ff0000")
    try bench.settle()
    #expect(middle(bench) == blue)
    try bench.kiosk.moveOverlay("high", .below("low"))
    try bench.settle()
    #expect(middle(bench) == red)
  }

  @Test func layersLieInTheirOrder() throws {
    func source(_ name: String, _ role: SourceSpec.Role, _ level: SourceSpec.Level? = nil)
      -> SourceSpec
    {
      var spec = MosaicTests.spec(MosaicTests.small)
      (spec.name, spec.role) = (name, role)
      if let level { spec.level = level }
      return spec
    }
    let bench = try Bench([
      source("labels", .labels), source("over", .overlay, .aboveLabels), source("base", .base),
      source("other", .base), source("under", .overlay, .aboveRoads),
    ])
    try add(bench, "top", "#ff0000", level: "above-labels")
    try add(bench, "trails", "#ff0000")
    let layers = bench.kiosk.book.sceneLayers()
    let names = layers.map { layer in
      let index = layer.chain[0].index
      return bench.kiosk.sources.first { $0.index == index }?.spec.name
        ?? bench.kiosk.overlays.first { $0.index == index }?.name
    }
    #expect(names == ["base", "under", "trails", "labels", "over", "top"])
    #expect(layers.map(\.isBase) == [true, false, false, false, false, false])
  }

  @Test func aHiddenOverlayKeepsItsPlaceAndItsFeatures() throws {
    let bench = try bench()
    try add(bench, "a", "#ff0000")
    try add(bench, "b", "#0000ff")
    #expect(bench.kiosk.press(.overlayToggle("b")) == nil)
    try bench.settle()
    #expect(middle(bench) == red)
    #expect(bench.kiosk.overlaysInOrder.map(\.isShown) == [true, false])
    #expect(bench.kiosk.press(.overlayToggle("b")) == nil)
    try bench.settle()
    #expect(middle(bench) == blue)
    #expect(bench.kiosk.press(.overlayToggle("c")) != nil)
  }

  @Test func belowItsZoomAnOverlayIsNotThere() throws {
    let bench = try bench()
    var table = try Self.table("a", "#ff0000").object ?? [:]
    table["min_zoom"] = 4.5
    _ = try bench.kiosk.addOverlay(.object(table), trusted: false)
    let origin = GeoPoint(lat: 0, lon: 0)
    try bench.show(origin, 4.4)
    #expect(middle(bench) != red)
    try bench.show(origin, 4.5)
    #expect(middle(bench) == red)
    try bench.show(origin, 4)
    #expect(middle(bench) != red)
  }

  @Test func whereAnOverlayHasNothingNothingIsMissingAndNoMemoryIsTaken() throws {
    let bench = try bench()
    let missing = try bench.settle().missing
    let point = #"{"type":"Point","coordinates":[100,10]}"#
    _ = try bench.kiosk.addOverlay(
      ["name": "far", "geojson": try JSON.parse(point)], trusted: false)
    #expect(try bench.settle().missing == missing)
    let index = bench.kiosk.overlays[0].index
    for n in 0..<64 {
      let tile = try #require(TileID(z: 3, x: n % 8, y: n / 8))
      #expect(bench.kiosk.pipeline.cache.peek(TileKey(source: index, tile: tile)) == nil)
    }
  }

  @Test func thereAreSoManyOverlaysAndNoMore() throws {
    let bench = try bench()
    for n in 0..<Configuration.Overlay.maxCount { try add(bench, "o\(n)", "#ff0000") }
    #expect(throws: ControlError.self) { try add(bench, "more", "#ff0000") }
    // In the place of one of that name there is room.
    try add(bench, "o5", "#0000ff")
    #expect(bench.kiosk.overlays.count == Configuration.Overlay.maxCount)
  }

  @Test func pathsOutsideTheRootsAreRefusedUnlessTheCallerIsTrusted() throws {
    let (inside, outside) = (try TemporaryFolder(), try TemporaryFolder())
    let bench = try bench { $0.control.roots = [inside.path] }
    let good = try inside.write(Self.square("#ff0000"), to: "a.geojson")
    let bad = try outside.write(Self.square("#ff0000"), to: "b.geojson")
    _ = try bench.kiosk.addOverlay(["path": .string(good)], trusted: false)
    do throws(ControlError) {
      _ = try bench.kiosk.addOverlay(["path": .string(bad)], trusted: false)
      Issue.record("\(bad) was taken")
    } catch {
      #expect(error.code == ControlError.notAllowed)
    }
    _ = try bench.kiosk.addOverlay(["path": .string(bad)], trusted: true)
    #expect(bench.kiosk.overlays.map(\.name) == ["a", "b"])
  }

  // MARK: Files that change

  /// A kiosk that shows the overlay of a file; its loop is run as real ones are.
  private func fileBench(_ folder: TemporaryFolder, _ color: String) throws -> (Bench, String) {
    let path = try folder.write(Self.square(color), to: "area.geojson")
    let bench = try bench { $0.overlays = [Self.overlay("area", path)] }
    try bench.settle()
    return (bench, path)
  }

  @Test func aFileThatIsWrittenAnewIsShownAnew() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try fileBench(folder, "#ff0000")
    #expect(middle(bench) == red)
    var events: [String] = []
    bench.kiosk.onEvent = { if case .overlay(_, let change) = $0 { events.append(change) } }
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    #expect(bench.run { middle(bench) == blue })
    #expect(events == ["changed"])
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

  @Test func otherFilesOfTheFolderWakeNothing() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try fileBench(folder, "#ff0000")
    #expect(bench.run { bench.kiosk.book.fileWatch?.isArmed == true })
    try folder.write("x", to: "other.txt")
    _ = bench.loop.runOnce(timeout: 0)
    #expect(bench.kiosk.book.fileWatch?.isPending == false)
  }

  // MARK: What outlasts

  @Test func orderAndWhatIsHiddenOutlastARestart() throws {
    let folder = try TemporaryFolder()
    let paths = try ["a", "b"].map { try folder.write(Self.square("#ff0000"), to: $0 + ".geojson") }
    func start() throws -> Bench {
      let bench = try bench {
        $0.state.path = folder["state.json"]
        $0.overlays = [Self.overlay("a", paths[0]), Self.overlay("b", paths[1])]
      }
      bench.kiosk.restoreState()
      return bench
    }
    let first = try start()
    try first.kiosk.moveOverlay("a", .above("b"))
    #expect(first.kiosk.showOverlay("b", false))
    try add(first, "added", "#00ff00")
    first.kiosk.saveState()
    let second = try start()
    #expect(second.kiosk.overlaysInOrder.map(\.name) == ["b", "a"])
    #expect(second.kiosk.overlaysInOrder.map(\.isShown) == [false, true])
  }

  @Test func aConfigurationThatWasEditedHoldsAgainstWhatWasSaved() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "a.geojson")
    func start(_ names: [String], _ level: SourceSpec.Level = .aboveRoads) throws -> Bench {
      let bench = try bench {
        $0.state.path = folder["state.json"]
        $0.overlays = names.map { Self.overlay($0, path) }
        $0.overlays[0].level = level
      }
      bench.kiosk.restoreState()
      return bench
    }
    let first = try start(["a", "b", "c"])
    try first.kiosk.moveOverlay("a", .above("b"))
    #expect(first.kiosk.showOverlay("c", false))
    first.kiosk.saveState()
    let same = try start(["a", "b", "c"])
    #expect(same.kiosk.overlaysInOrder.map(\.name) == ["b", "a", "c"])
    // The level was never moved: it is the configuration's.
    let raised = try start(["a", "b", "c"], .aboveLabels)
    #expect(raised.kiosk.overlaysInOrder.map(\.name) == ["b", "c", "a"])
    let other = try start(["c", "a", "b"])
    #expect(other.kiosk.overlaysInOrder.map(\.name) == ["c", "a", "b"])
    #expect(other.kiosk.overlaysInOrder.map(\.isShown) == [false, true, true])
  }

  @Test func whatWasAddedOutlastsARestartIfTheConfigurationSaysSo() throws {
    let folder = try TemporaryFolder()
    func start() throws -> Bench {
      let bench = try bench {
        $0.state.path = folder["state.json"]
        $0.state.keepAdded = true
      }
      bench.kiosk.restoreState()
      return bench
    }
    let first = try start()
    try add(first, "a", "#ff0000")
    _ = try first.kiosk.addOverlay(["kind": "grid"], trusted: false)
    first.kiosk.saveState()
    let second = try start()
    #expect(second.kiosk.overlaysInOrder.map(\.name) == ["a", "grid"])
    #expect(second.kiosk.showOverlay("grid", false))
    try second.settle()
    #expect(middle(second) == red)
  }

  @Test func aReloadKeepsWhatWasAddedHiddenAndMoved() throws {
    let folder = try TemporaryFolder()
    let paths = try ["a", "b"].map { try folder.write(Self.square("#ff0000"), to: $0 + ".geojson") }
    let bench = try bench {
      $0.overlays = [Self.overlay("a", paths[0]), Self.overlay("b", paths[1])]
    }
    try add(bench, "c", "#0000ff")
    try bench.kiosk.moveOverlay("a", .above("c"))
    #expect(bench.kiosk.showOverlay("b", false))
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["b", "c", "a"])
    #expect(bench.kiosk.overlaysInOrder.map(\.isShown) == [false, true, true])
    var new = bench.kiosk.configuration
    new.overlays.removeFirst()
    bench.kiosk.apply(new)
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == ["b", "c"])
  }

  @Test func aConfiguredOverlayWithoutAPlaceIsAMatterOfHealthUntilItHasOne() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "a.geojson")
    let bench = try bench()
    for n in 0..<Configuration.Overlay.maxCount { try add(bench, "o\(n)", "#ff0000") }
    var new = bench.kiosk.configuration
    new.overlays = [Self.overlay("late", path)]
    func detail() -> String? {
      bench.kiosk.health.entries.first { $0.what == "overlays" }?.detail
    }
    bench.kiosk.apply(new)
    #expect(detail()?.contains("late") == true)
    bench.kiosk.removeOverlay("o3")
    bench.kiosk.apply(new)
    #expect(detail() == nil)
    #expect(bench.kiosk.overlayIndex("late") != nil)
  }

  @Test func aReloadTellsWhichOverlaysCameWentAndChanged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "a.geojson")
    let bench = try bench { $0.overlays = ["a", "b", "c"].map { Self.overlay($0, path) } }
    try bench.settle()
    var events: [String] = []
    bench.kiosk.onEvent = {
      if case .overlay(let name, let change) = $0 { events.append("\(change) \(name)") }
    }
    var new = bench.kiosk.configuration
    new.overlays.removeFirst()
    new.overlays[0].strokeWidth = 9
    new.overlays.append(Self.overlay("d", path))
    bench.kiosk.apply(new)
    #expect(events == ["removed a", "changed b", "added d"])
  }

  @Test func anOverlayThatIsReadAnewWhileTheThemeChangesComesInTheNightsColours() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "area.geojson")
    let bench = try bench {
      $0.overlays = [Self.overlay("area", path)]
      $0.theme.night = [.invert]
      $0.theme.mode = .day
    }
    try bench.settle()
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    bench.kiosk.book.checkFiles()
    #expect(bench.run { bench.kiosk.overlays[0].reopening != nil })
    bench.kiosk.setTheme(.night)
    #expect(bench.run { bench.kiosk.overlays[0].reopening == nil })
    try bench.settle()
    #expect(middle(bench) == 0xffff_ff00)
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

  // MARK: The grid

  @Test func whereAGridIsShownQuietCellsHaveNoWords() throws {
    let tiles = MosaicTests.spec(TestData.fixtures + "/tiles/osm")
    let bench = try Bench([tiles], width: 400, height: 300) {
      $0.overlays = [Configuration.Overlay(name: "grid", content: .grid, level: .aboveLabels)]
      $0.view.center = GeoPoint(lat: -40, lon: -120)
      $0.view.zoom = 5
    }
    // The colour of a quiet cell's words.
    func words() -> Int { bench.panel().words.filter { $0 == 0xff9a_9a96 }.count }
    try bench.settle()
    #expect(words() == 0)
    #expect(bench.kiosk.showOverlay("grid", false))
    try bench.settle()
    #expect(words() > 0)
    #expect(bench.kiosk.showOverlay("grid", true))
    try bench.settle()
    #expect(words() == 0)
  }

  @Test func theGridShowsTheTilesOfTheSourceOnTheScreen() throws {
    var large = MosaicTests.spec(MosaicTests.small)
    (large.name, large.tileSize) = ("large", 512)
    let bench = try Bench([MosaicTests.spec(MosaicTests.small), large], width: 512, height: 512) {
      $0.overlays = [Configuration.Overlay(name: "grid", content: .grid, level: .aboveLabels)]
    }
    // Tiles' borders of level 3 lie every 256 pixels, from the middle.
    try bench.settle()
    let line: UInt32 = 0xff14_1c26
    func lines() -> [Int] {
      let panel = bench.panel()
      return (0..<512).filter { x in (20..<40).allSatisfy { panel[x, $0] == line } }
    }
    #expect(lines() == [0, 256])
    #expect(bench.kiosk.use("large"))
    try bench.show(bench.kiosk.goal.panned(dx: 100, dy: 0).center, 3)
    #expect(lines() == [156])
  }
}
