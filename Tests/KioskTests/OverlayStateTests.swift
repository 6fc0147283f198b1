import Configuration
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// What a restart and a reload keep of overlays.
@Suite struct OverlayStateTests: OverlayCase {
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

  @Test func anOverlayThatWasMovedStaysThereIfAReloadChangesItsColour() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "a.geojson")
    let bench = try bench { $0.overlays = ["a", "b"].map { Self.overlay($0, path) } }
    try add(bench, "c", "#0000ff")
    try bench.kiosk.moveOverlay("c", .below("b"))
    var top = Configuration.Overlay(name: "top", content: .file(path), level: .aboveLabels)
    top.minZoom = 2
    var new = bench.kiosk.configuration
    new.overlays.append(top)
    bench.kiosk.apply(new)
    try bench.kiosk.moveOverlay("a", .above("top"))
    let before = bench.kiosk.overlaysInOrder.map(\.name)
    #expect(before.last == "a")
    new.overlays[0].strokeWidth = 9
    bench.kiosk.apply(new)
    #expect(bench.kiosk.overlaysInOrder.map(\.name) == before)
    let moved = try #require(bench.kiosk.overlays.first { $0.name == "a" })
    #expect(moved.spec.level == .aboveLabels && moved.original.level == .aboveRoads)
    #expect(moved.spec.strokeWidth == 9)
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
    bench.loop.runOnce(timeout: 0)
    #expect(events == ["removed a", "changed b", "added d"])
  }
}
