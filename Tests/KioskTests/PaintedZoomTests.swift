import Configuration
import Displays
import EventLoop
import MapGeometry
import MapScene
import Pixels
import Synchronization
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// A map that is painted for the zoom on the screen is crisp once the view rests, and never blank.
@Suite struct PaintedZoomTests {
  /// Paints each pixel of the world at the zoom that it is asked for.
  final class Painter: TilePainter {
    let edges = Mutex<[Int]>([])
    var needsPayload: Bool { false }
    var dependsOnZoom: Bool { true }

    static func word(_ x: Int, _ y: Int, cell: Int) -> UInt32 {
      let hash = UInt64(truncatingIfNeeded: x &* 0x9E37_79B9 &+ y &* 0x85EB_CA6B &+ cell)
      return 0xFF00_0040 | UInt32(truncatingIfNeeded: hash >> 9) & 0x3F_3F3F
    }

    func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
      -> PaintOutcome
    {
      edges.withLock { $0.append(target.edge) }
      guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
      for y in 0..<target.edge {
        for x in 0..<target.edge {
          canvas.pixels[y * canvas.stride + x] = Painter.word(
            tile.x * target.edge + x, tile.y * target.edge + y, cell: target.edge)
        }
      }
      return .painted(target.opaque)
    }
  }

  final class Source: DrawnSource {
    let info = SourceInfo(kind: "pattern", minZoom: 0, maxZoom: 24)
    let painter: any TilePainter
    init(_ painter: Painter) { self.painter = painter }
    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      .nothing
    }
  }

  /// A map without tiles.
  final class Empty: TileSource {
    let info = SourceInfo(kind: "empty", minZoom: 0, maxZoom: 9)
    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      .nothing
    }
  }

  private struct Stage {
    let bench: Bench
    let painter = Painter()

    init(zoom: Double, cache: Int = 64 << 20) throws {
      bench = try Bench([], width: 480, height: 320) {
        $0.view.zoom = zoom
        $0.view.maxZoom = 22
        $0.view.center = GeoPoint(lat: 20.123, lon: 10.456)
        $0.cache.memory = cache
      }
      let painter = painter
      #expect(bench.kiosk.addSource("pattern") { .success(Source(painter)) })
    }

    /// What is on the display, and the pattern at the kiosk's zoom.
    func compare() -> (Picture, [UInt32?]) {
      let view = bench.kiosk.currentView
      let (left, top) = view.resting.origin
      let cell = view.restingCell
      return (
        bench.panel(),
        (0..<view.width * view.height).map {
          Painter.word(left + $0 % view.width, top + $0 / view.width, cell: cell)
        }
      )
    }
  }

  @Test func atRestEveryZoomIsCrisp() throws {
    let stage = try Stage(zoom: 3.3)
    try stage.bench.settle()
    for zoom in [3.3, 3.37, 5, 5.49, 16.21, 3] {
      try stage.bench.show(GeoPoint(lat: 20.123, lon: 10.456), zoom)
      let (picture, truth) = stage.compare()
      let differences = picture.differences(from: truth)
      #expect(differences.count == 0, "zoom \(zoom): \(differences.first)")
    }
  }

  @Test func theFirstPictureIsPaintedOnce() throws {
    let stage = try Stage(zoom: 3.3)
    try stage.bench.settle()
    let edges = stage.painter.edges.withLock { Set($0) }
    #expect(edges == [stage.bench.kiosk.currentView.restingCell])
  }

  @Test func panningBetweenLevelsPaintsNothingTwice() throws {
    let stage = try Stage(zoom: 4.3)
    try stage.bench.settle()
    let number = stage.bench.kiosk.sources.first?.index
    var view = stage.bench.kiosk.goal
    for _ in 0..<5 {
      view = view.panned(dx: 31, dy: 17)
      stage.bench.kiosk.go(to: view, animate: false)
      try stage.bench.settle()
      #expect(stage.bench.kiosk.pipeline.scene.plan.transform.isExact)
    }
    #expect(stage.bench.kiosk.sources.first?.index == number)
    let (picture, truth) = stage.compare()
    #expect(picture.differences(from: truth).count == 0)
  }

  @Test func formerTilesStandInUntilTheNewOnesAreThere() throws {
    let stage = try Stage(zoom: 4.3)
    let kiosk = stage.bench.kiosk
    try stage.bench.settle()
    var view = kiosk.goal
    var blanks = 0
    for step in 1...6 {
      view.zoom = 4.3 + Double(step) * 0.04
      kiosk.go(to: view, animate: false)
      var outcome: SettleOutcome?
      kiosk.settle(timeout: 60) { outcome = $0 }
      while outcome == nil {
        stage.bench.loop.runOnce(timeout: 1_000_000_000)
        for cell in kiosk.pipeline.scene.plan.cells where cell.visible && cell.pieceCount == 0 {
          blanks += 1
        }
      }
      #expect(outcome?.complete == true)
    }
    #expect(blanks == 0)
    // Nothing stands in any more.
    #expect(kiosk.sources.first?.former == nil)
    #expect(kiosk.sources.first?.older == nil)
    let (picture, truth) = stage.compare()
    #expect(picture.differences(from: truth).count == 0)
  }

  @Test func anotherMapWithoutPaintingHasTheUsualGrid() throws {
    let stage = try Stage(zoom: 4.3)
    let kiosk = stage.bench.kiosk
    try stage.bench.settle()
    #expect(kiosk.pipeline.scene.cell == kiosk.currentView.restingCell)
    #expect(kiosk.addSource("plain") { .success(Empty()) })
    #expect(kiosk.use("plain"))
    try stage.bench.settle()
    #expect(kiosk.pipeline.scene.cell == nil)
    #expect(kiosk.pipeline.scene.plan.transform == ViewTransform(kiosk.currentView))
    #expect(kiosk.use("pattern"))
    try stage.bench.settle()
    let (picture, truth) = stage.compare()
    #expect(picture.differences(from: truth).count == 0)
  }

  @Test func aCacheThatIsTooSmallIsEnough() throws {
    let stage = try Stage(zoom: 4.45, cache: 1 << 20)
    try stage.bench.settle()
    var view = stage.bench.kiosk.goal
    view.zoom = 4.3
    stage.bench.kiosk.go(to: view, animate: false)
    try stage.bench.settle()
    let (picture, truth) = stage.compare()
    #expect(picture.differences(from: truth).count == 0)
    #expect(stage.bench.kiosk.pipeline.cache.stats.bytes <= stage.bench.kiosk.pipeline.cache.limit)
  }
}
