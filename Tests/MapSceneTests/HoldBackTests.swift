import MapGeometry
import Testing

@testable import MapScene
@testable import TileLoading

/// A view that needs more than its cache holds is completed part by part.
@Suite struct HoldBackTests {
  private func view(
    zoom: Double = 4, bearing: Double = 0, width: Int = 1280, height: Int = 256
  ) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, bearing: bearing, width: width, height: height)
  }

  /// A base and overlays, each with its own source.
  private func layers(_ count: Int) -> [SceneLayer] {
    (0..<count).map {
      SceneLayer(chain: [SceneSource(index: $0, levels: 0...6)], isBase: $0 == 0)
    }
  }

  /// Draws until the view is whole, or for twenty rounds.
  private func complete(
    _ stage: SceneStage, _ view: Viewport,
    _ answer: (_ source: Int, _ tile: TileID) -> SceneStage.Answer = { source, _ in
      .tile(alpha: source > 0)
    }
  ) {
    for _ in 0..<20 {
      stage.settle(view, answer)
      stage.scene.didDraw()
      if stage.scene.isComplete { return }
    }
  }

  @Test func aViewThatNeedsMoreThanTheCacheIsCompletedFromTheMiddle() {
    let stage = SceneStage(view: view(), layers: layers(6), cacheLimit: 40 * 256 * 256 * 4)
    stage.settle(view()) { source, _ in .tile(alpha: source > 0) }
    #expect(stage.scene.isHeldBack)
    let cells = stage.scene.plan.description.split(separator: "\n").map(String.init)
    #expect(cells.contains("0: 7/7 complete 0:4/7/7"))
    #expect(cells.contains("5: 8/8 complete 5:4/8/8"))
    #expect(cells.contains("0: 10/7 waiting"))
    stage.scene.didDraw()
    #expect((1..<5).contains(stage.scene.doneBlocks))
    complete(stage, view())
    #expect(stage.scene.isComplete)
    #expect(stage.cache.stats.bytes <= stage.cache.limit)
  }

  @Test func noneOfItsPartsWaitsForAnother() {
    // Each block is a cell, so that its enlarged tile ends where the next one's begins.
    let view = view(width: 1024, height: 512)
    let stage = SceneStage(view: view, layers: layers(6), cacheLimit: 10 * 256 * 256 * 4)
    // The parent is enlarged, and so mixed with what is beside it.
    func answer(_ source: Int, _ tile: TileID) -> SceneStage.Answer {
      tile.z == 4 ? .missing(ancestorLevel: 3) : .tile(alpha: source > 0)
    }
    stage.settle(view, answer)
    #expect(stage.scene.isHeldBack)
    stage.scene.didDraw()
    #expect(!stage.scene.isComplete)
    #expect(stage.scene.doneBlocks > 0)
    complete(stage, view, answer)
    #expect(stage.scene.isComplete)
  }

  @Test func theSmallestCacheCompletesEveryTurnedView() {
    let demand = CacheFloor.Demand(
      width: 1280, height: 256, edge: 256, opaqueBytes: 4, layers: 1, overlays: 9, jobs: 0)
    for (zoom, bearing) in [(4, 14), (4, 28), (4, 70), (3.51, 35), (4.49, 56)] as [(Double, Double)]
    {
      let view = view(zoom: zoom, bearing: bearing)
      let stage = SceneStage(view: view, layers: layers(10), cacheLimit: demand.floor)
      complete(stage, view)
      #expect(stage.scene.isComplete, "zoom \(zoom), bearing \(bearing)")
    }
  }
}
