import MapGeometry
import Testing

@testable import MapScene
@testable import TileLoading

/// The base and the overlays of a cell appear together.
@Suite struct NewCellTests {
  private static let patience = NewCells.patience

  /// Two by two cells of level 4 around the corner of tiles 8/8, each a quarter in view.
  private func view(zoom: Double = 4, width: Int = 256, height: Int = 256) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, bearing: 0, width: width, height: height)
  }

  /// A base and `count` overlays from local sources.
  private func layers(_ count: Int = 1, isLocal: Bool = true) -> [SceneLayer] {
    (0...count).map {
      var source = SceneSource(index: $0, levels: 0...6)
      source.isLocal = isLocal
      return SceneLayer(chain: [source], isBase: $0 == 0)
    }
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileID {
    try #require(TileID(z: z, x: x, y: y))
  }

  /// A stage whose base has the level above the view's, and whose first frame is drawn.
  private func stage(_ layers: [SceneLayer]) throws -> SceneStage {
    let stage = SceneStage(view: view(), layers: layers)
    for x in 3...4 { for y in 3...4 { stage.insert(0, try tile(3, x, y)) } }
    _ = stage.scene.update(view: view(), now: 1)
    stage.scene.didDraw()
    return stage
  }

  /// What the base shows in the cell of tile 8/8.
  private func shown(_ stage: SceneStage) -> String {
    stage.scene.plan.description.split(separator: "\n").map(String.init)
      .first { $0.hasPrefix("0: 8/8 ") } ?? ""
  }

  private let standIn = "0: 8/8 waiting 0:3/4/4<<1"
  private let own = "0: 8/8 complete 0:4/8/8"

  @Test func aNewTileOfTheBaseWaitsForTheOverlayOverIt() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 8, 8))
    let waiting = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == standIn)
    #expect(waiting.damage == [])
    #expect(waiting.waitsUntil == 2 + Self.patience)
    #expect(!stage.scene.isComplete)
    // Both are drawn in one frame.
    stage.insert(1, try tile(4, 8, 8), alpha: true)
    let together = stage.scene.update(view: view(), now: 3)
    #expect(shown(stage) == own)
    #expect(together.damage == [PixelRect(x: 0, y: 0, width: 256, height: 256)])
    #expect(together.improved == together.damage)
    #expect(together.waitsUntil == nil)
  }

  @Test func itWaitsForEveryOverlay() throws {
    let stage = try stage(layers(2))
    stage.insert(0, try tile(4, 8, 8))
    stage.insert(1, try tile(4, 8, 8), alpha: true)
    _ = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == standIn)
    stage.insert(2, try tile(4, 8, 8), alpha: true)
    _ = stage.scene.update(view: view(), now: 3)
    #expect(shown(stage) == own)
  }

  @Test func itIsKeptWhileItWaits() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view(), now: 2)
    // Only what stands in may give way to other tiles that the view needs.
    stage.cache.squeeze(to: 8 * 256 * 256 * 4)
    for (x, y) in [(7, 7), (8, 7), (7, 8)] {
      stage.insert(1, try tile(4, x, y), alpha: true)
      stage.insert(0, try tile(4, x, y))
    }
    stage.insert(1, try tile(4, 8, 8), alpha: true)
    let update = stage.scene.update(view: view(), now: 3)
    #expect(shown(stage) == own)
    #expect(stage.scene.isWholePlan && update.waitsUntil == nil)
  }

  @Test func itWaitsAQuarterOfASecondAtMost() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view(), now: 2)
    // The time counts from the tile's arrival.
    let last = stage.scene.update(view: view(), now: 1 + Self.patience)
    #expect(shown(stage) == standIn)
    #expect(last.waitsUntil == 2 + Self.patience)
    let due = stage.scene.update(view: view(), now: 2 + Self.patience)
    #expect(shown(stage) == own)
    #expect(due.damage == [PixelRect(x: 0, y: 0, width: 256, height: 256)])
    #expect(due.waitsUntil == nil)
    // It does not wait again.
    _ = stage.scene.update(view: view(), now: 3 + Self.patience)
    #expect(shown(stage) == own)
  }

  @Test func afterAWaitInVainNoOtherBeginsUntilTheOverlaysAreComplete() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 7, 7))
    _ = stage.scene.update(view: view(), now: 2)
    _ = stage.scene.update(view: view(), now: 2 + Self.patience)
    stage.insert(0, try tile(4, 8, 8))
    let update = stage.scene.update(view: view(), now: 3 + Self.patience)
    #expect(shown(stage) == own)
    #expect(update.waitsUntil == nil)
    stage.settle(view()) { source, _ in .tile(alpha: source > 0) }
    // The next level, for which this one stands in.
    let deeper = view(zoom: 5)
    _ = stage.scene.update(view: deeper, now: 4 + Self.patience)
    stage.insert(0, try tile(5, 16, 16))
    let again = stage.scene.update(view: deeper, now: 5 + Self.patience)
    #expect(again.waitsUntil == 5 + 2 * Self.patience)
  }

  @Test func itDoesNotWaitForAnOverlayThatIsNotLocal() throws {
    let stage = try stage(layers(isLocal: false))
    stage.insert(0, try tile(4, 8, 8))
    let update = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == own)
    #expect(update.waitsUntil == nil)
  }

  @Test func itDoesNotWaitForAnOverlayThatHasNothingThere() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == standIn)
    let key = TileKey(source: 1, tile: try tile(4, 8, 8))
    stage.missing.insert(key, .init(ancestorLevel: nil, failed: true))
    _ = stage.scene.update(view: view(), now: 3)
    #expect(shown(stage) == own)
  }

  @Test func itDoesNotWaitForAnOverlayWhoseFormerTileIsAsSharp() throws {
    var layers = layers()
    layers[1].chain[0].former = 2
    let stage = try stage(layers)
    stage.insert(2, try tile(4, 8, 8), alpha: true)
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == own)
  }

  @Test func whereNothingStandsInItIsShownAtOnce() throws {
    let stage = SceneStage(view: view(), layers: layers())
    _ = stage.scene.update(view: view(), now: 1)
    stage.insert(0, try tile(4, 8, 8))
    let update = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == own)
    #expect(update.waitsUntil == nil)
    // Nor does what shows a colour and nothing else count.
    let deep = view(zoom: 6)
    for level in [1, 2] {
      let stage = SceneStage(view: deep, layers: layers())
      stage.insert(0, try tile(level, 1 << (level - 1), 1 << (level - 1)))
      stage.insert(0, try tile(6, 32, 32))
      let update = stage.scene.update(view: deep, now: 2)
      #expect((update.waitsUntil == nil) == (level == 1), "level \(level)")
    }
  }

  @Test func anOverlayThatIsTurnedOnTakesNoTileBack() throws {
    let stage = try stage([layers()[0]])
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view(), now: 2)
    stage.scene.setLayers(layers())
    _ = stage.scene.update(view: view(), now: 3)
    #expect(shown(stage) == own)
    // Not in a view that moves, either.
    for step in 1...3 {
      let update = stage.scene.update(
        view: view().panned(dx: Double(step) * 8, dy: 0), now: 3 + UInt64(step))
      #expect(shown(stage) == own)
      #expect(update.waitsUntil == nil)
    }
  }

  @Test func withoutATimeNothingWaits() throws {
    let stage = try stage(layers())
    stage.insert(0, try tile(4, 8, 8))
    let update = stage.scene.update(view: view())
    #expect(shown(stage) == own)
    #expect(update.waitsUntil == nil)
    // What was shown does not wait later.
    _ = stage.scene.update(view: view(), now: 2)
    #expect(shown(stage) == own)
  }

  @Test func inAViewThatIsHeldBackNothingWaits() throws {
    let wide = view(width: 1280)
    let stage = SceneStage(view: wide, layers: layers(5), cacheLimit: 40 * 256 * 256 * 4)
    for x in 2...5 { for y in 3...4 { stage.insert(0, try tile(3, x, y)) } }
    _ = stage.scene.update(view: wide, now: 1)
    #expect(stage.scene.isHeldBack)
    stage.insert(0, try tile(4, 8, 8))
    let update = stage.scene.update(view: wide, now: 2)
    #expect(shown(stage) == own)
    #expect(update.waitsUntil == nil)
    // Nor once what is left of it fits. Overlays come after the base's tiles.
    for round in 3..<100 {
      let update = stage.scene.update(view: wide, now: UInt64(round))
      #expect(update.waitsUntil == nil)
      stage.scene.didDraw()
      if stage.scene.isComplete { break }
      let needed = update.requests.filter { $0.standing == .needed }
      let base = needed.filter { $0.key.source == 0 }
      for request in base.isEmpty ? needed : base {
        stage.insert(request.key.source, request.tile, alpha: request.key.source > 0)
      }
    }
    #expect(stage.scene.isComplete)
  }
}
