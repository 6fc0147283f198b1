import Configuration
import Control
import MapGeometry
import MapScene
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// Overlays: which there are, and in which order they lie.
@Suite struct OverlayTests: OverlayCase {
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

  @Test func anotherOverlayInThePlaceOfARemovedOneIsDrawnAlsoIfNoFrameCameBetween() throws {
    let bench = try bench()
    try bench.settle()
    try add(bench, "a", "#ff0000")
    #expect(bench.run { middle(bench) == red })
    bench.kiosk.removeOverlay("a")
    try add(bench, "b", "#0000ff")
    #expect(bench.run { middle(bench) == blue })
    try add(bench, "b", "#ff0000")
    #expect(bench.run { middle(bench) == red })
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
    func refusal(_ path: String) -> Int? {
      var outcome: ControlError??
      bench.kiosk.checkPaths(ofOverlay: ["path": .string(path)]) { outcome = .some($0) }
      #expect(bench.run { outcome != nil })
      return outcome??.code
    }
    #expect(refusal(good) == nil)
    #expect(refusal(bad) == ControlError.notAllowed)
    _ = try bench.kiosk.addOverlay(["path": .string(good)], trusted: false)
    _ = try bench.kiosk.addOverlay(["path": .string(bad)], trusted: true)
    #expect(bench.kiosk.overlays.map(\.name) == ["a", "b"])
  }

  @Test func labelsOfMarkersKeepClearOfTheLinesOfOverlaysThatAreShown() throws {
    let bench = try bench()
    let line = #"{"type":"LineString","coordinates":[[-30,0],[30,0]]}"#
    _ = try bench.kiosk.addOverlay(
      ["name": "trail", "geojson": try JSON.parse(line)], trusted: false)
    _ = bench.kiosk.showOverlay("trail", false)
    _ = try bench.kiosk.setMarker([
      "id": "a", "lat": 0, "lon": 0, "icon": "dot", "label": "Spring",
    ])
    /// The parts of the marker and its label that lie over the line on its right.
    func overLine() throws -> Int {
      try bench.show(GeoPoint(lat: 0, lon: 0), 4)
      var rects: [PixelRect] = []
      bench.kiosk.overMap.addObstacles(to: &rects)
      return rects.filter { $0.x > 200 && $0.y < 150 && $0.maxY > 150 }.count
    }
    #expect(try overLine() == 1)
    _ = bench.kiosk.showOverlay("trail", true)
    #expect(try overLine() == 0)
  }
}
