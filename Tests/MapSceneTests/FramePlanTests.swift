import MapGeometry
import TestSupport
import Testing

@testable import MapScene
@testable import TileLoading

/// Plans are values: what a view shows and wants is compared without drawing anything.
@Suite struct FramePlanTests {
  /// Two by two cells of level 4 around the corner of tiles 8/8, each a quarter in view.
  private func view(
    zoom: Double = 4, bearing: Double = 0, width: Int = 256, height: Int = 256
  ) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, bearing: bearing, width: width, height: height)
  }

  private func layer(
    _ sources: [Int], levels: ClosedRange<Int> = 0...6, isBase: Bool = true, opacity: Double = 1
  ) -> SceneLayer {
    SceneLayer(
      chain: sources.map { SceneSource(index: $0, levels: levels) }, opacity: opacity,
      isBase: isBase)
  }

  private func stage(_ layers: [SceneLayer], _ view: Viewport? = nil) -> SceneStage {
    SceneStage(view: view ?? self.view(), layers: layers)
  }

  /// The plan's cells, a line each, without the line of the view.
  private func lines(_ stage: SceneStage) -> [String] {
    stage.scene.plan.description.split(separator: "\n").dropFirst().map(String.init)
  }

  private func loads(_ update: Scene.Update, _ standing: TileStanding) -> [String] {
    update.requests.filter { $0.standing == standing }.map(\.key.name)
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileID {
    try #require(TileID(z: z, x: x, y: y))
  }

  @Test func anEmptyCacheWantsEveryTileAndShowsNone() {
    let stage = stage([layer([0])])
    let update = stage.scene.update(view: view())
    #expect(
      lines(stage) == [
        "0: 7/7 waiting", "0: 8/7 waiting", "0: 7/8 waiting", "0: 8/8 waiting",
      ])
    #expect(
      Set(loads(update, .needed)) == ["0:4/7/7", "0:4/8/7", "0:4/7/8", "0:4/8/8"])
    #expect(update.damage == [PixelRect(x: 0, y: 0, width: 256, height: 256)])
    #expect(!stage.scene.isWholePlan)
  }

  @Test func theTilesOfTheViewMakeAWholePlan() {
    let stage = stage([layer([0])])
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    #expect(
      lines(stage) == [
        "0: 7/7 complete 0:4/7/7", "0: 8/7 complete 0:4/8/7", "0: 7/8 complete 0:4/7/8",
        "0: 8/8 complete 0:4/8/8",
      ])
    #expect(stage.scene.isWholePlan)
  }

  @Test func aMissingTileShowsItsAncestorAndIsComplete() throws {
    let stage = stage([layer([0])])
    let hole = try tile(4, 8, 8)
    stage.settle(view()) { _, tile in
      tile == hole ? .missing(ancestorLevel: 2) : .tile(alpha: false)
    }
    #expect(lines(stage).last == "0: 8/8 complete 0:2/2/2<<2")
    #expect(stage.scene.plan.missing == 1)
    #expect(stage.scene.isWholePlan)
  }

  @Test func whatIsFourLevelsAboveStandsForAMissingTileButNothingFurtherUp() {
    for (above, shown) in [(3, "0:3/"), (2, "0:quiet")] {
      let view = view(zoom: 7)
      let stage = stage([layer([0], levels: 0...10)], view)
      stage.settle(view) { _, tile in
        tile.z == above ? .tile(alpha: false) : .missing(ancestorLevel: above)
      }
      let cells = lines(stage)
      #expect(cells.count == 4)
      for cell in cells { #expect(cell.contains("complete \(shown)"), "\(cell)") }
      #expect(stage.scene.plan.quiet == (above == 2 ? 4 : 0))
      #expect(stage.scene.plan.missing == 4)
    }
  }

  @Test func beyondTheDeepestLevelItsTilesAreEnlargedAsFarAsTheViewGoes() {
    let view = view(zoom: 12)
    let stage = stage([layer([0], levels: 0...4)], view)
    stage.settle(view) { _, _ in .tile(alpha: false) }
    #expect(stage.scene.plan.quiet == 0)
  }

  @Test func whereTheSourceHasNothingTheQuietCellStands() {
    let stage = stage([layer([0])])
    let first = stage.scene.update(view: view())
    #expect(first.quietCells == [])
    for request in first.requests {
      stage.missing.insert(request.key, .init(ancestorLevel: nil, failed: false))
    }
    let update = stage.scene.update(view: view())
    #expect(update.quietCells == [0])
    #expect(lines(stage).allSatisfy { $0.hasSuffix("waiting") })
    stage.settle(view()) { _, _ in .late }
    #expect(lines(stage).allSatisfy { $0.hasSuffix("complete 0:quiet") })
    #expect(stage.scene.plan.quiet == 4)
  }

  @Test func aTileOnItsWayShowsItsAncestorAndItsChildrenOverIt() throws {
    let stage = stage([layer([0])])
    stage.insert(0, try tile(2, 2, 2))
    stage.insert(0, try tile(5, 16, 16))
    stage.insert(0, try tile(5, 17, 17))
    let update = stage.scene.update(view: view())
    #expect(lines(stage).last == "0: 8/8 waiting 0:2/2/2<<2 0:5/16/16>>1 0:5/17/17>>1")
    #expect(loads(update, .needed).contains("0:4/8/8"))
    // The lower right quarter of the cell.
    let piece = try #require(stage.scene.plan.pieces.last)
    #expect([piece.x, piece.y, piece.width, piece.height] == [128, 128, 128, 128])
  }

  @Test func theDeepestTileStandsInThenTheFirstSource() throws {
    let stage = stage([layer([0, 1])])
    stage.insert(0, try tile(1, 1, 1))
    stage.insert(1, try tile(3, 4, 4))
    _ = stage.scene.update(view: view())
    #expect(lines(stage).last == "0: 8/8 waiting 1:3/4/4<<1")
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view())
    #expect(lines(stage).last == "0: 8/8 complete 0:4/8/8")
  }

  @Test func whatTookThePlaceOfASourceIsAwaitedOverTheTilesOfTheFormerOne() throws {
    var source = SceneSource(index: 1, levels: 0...6)
    source.former = 0
    let stage = stage([SceneLayer(chain: [source], isBase: true)])
    stage.insert(0, try tile(4, 8, 8))
    _ = stage.scene.update(view: view())
    #expect(lines(stage).last == "0: 8/8 waiting 0:4/8/8")
    // The frame is held until it is whole, and then names the new tiles alone.
    #expect(!stage.scene.isWholePlan)
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    #expect(lines(stage).last == "0: 8/8 complete 1:4/8/8")
    #expect(stage.scene.isWholePlan)
  }

  @Test func everyLayerHasItsCellsAndTheUpperOnesNoQuietCell() throws {
    let stage = stage([layer([0]), layer([1], isBase: false, opacity: 0.5)])
    let drawn = try tile(4, 7, 7)
    stage.settle(view()) { source, tile in
      source == 0
        ? .tile(alpha: false) : tile == drawn ? .tile(alpha: true) : .missing(ancestorLevel: nil)
    }
    #expect(
      lines(stage).suffix(4) == [
        "1: 7/7 complete 1:4/7/7", "1: 8/7 complete", "1: 7/8 complete", "1: 8/8 complete",
      ])
    #expect(stage.scene.plan.layers.map(\.opacity) == [1, 0.5])
    #expect(stage.scene.isWholePlan)
  }

  @Test func aTurnedViewPlansTheCellsThatItTouches() {
    let turned = view(bearing: 45, width: 500, height: 100)
    let stage = stage([layer([0])], turned)
    stage.settle(turned) { _, _ in .tile(alpha: false) }
    let cells = lines(stage).map { $0.split(separator: " ")[1] }
    #expect(cells == ["7/7", "8/7", "7/8", "8/8"])
    let wide = view(bearing: 45, width: 1400, height: 100)
    _ = stage.scene.update(view: wide)
    let more = Set(lines(stage).map { String($0.split(separator: " ")[1]) })
    #expect(more.contains("6/6") && more.contains("9/9"))
    #expect(!more.contains("9/6") && !more.contains("6/9"))
  }

  @Test func onlyBlocksWhoseTilesCameAreDamaged() {
    let wide = view(width: 1024, height: 256)
    let stage = stage([layer([0])], wide)
    _ = stage.scene.update(view: wide)
    stage.scene.didDraw()
    #expect(stage.scene.update(view: wide).damage == [])
    // Columns 6 to 9, each as wide as a block.
    let first = stage.settle(wide) { _, tile in tile.x == 6 ? .tile(alpha: false) : .late }
    #expect(first.damage == [PixelRect(x: 0, y: 0, width: 256, height: 256)])
    stage.scene.didDraw()
    let rest = stage.settle(wide) { _, _ in .tile(alpha: false) }
    #expect(
      rest.damage
        == [256, 512, 768].map { PixelRect(x: $0, y: 0, width: 256, height: 256) })
    stage.scene.didDraw()
    #expect(stage.scene.isComplete)
    stage.scene.invalidate(PixelRect(x: 600, y: 10, width: 5, height: 5))
    #expect(
      stage.scene.update(view: wide).damage
        == [PixelRect(x: 512, y: 0, width: 256, height: 256)])
  }

  @Test func theSameTilesMakeTheSamePlanWhereverTheCacheHasThem() {
    let (a, b) = (stage([layer([0])]), stage([layer([0])]))
    a.settle(view()) { _, _ in .tile(alpha: false) }
    b.settle(view()) { _, _ in .tile(alpha: false) }
    #expect(a.scene.plan == b.scene.plan)
    // The same tile decoded again is another one.
    let before = a.scene.plan
    a.cache.remove(source: 0)
    a.settle(view()) { _, _ in .tile(alpha: false) }
    #expect(a.scene.plan != before)
    #expect(a.scene.plan.description == before.description)
  }

  @Test func aPlanOutlivesItsTiles() {
    let stage = stage([layer([0])])
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    let whole = stage.draw()
    stage.cache.clear()
    let waiting = stage.compositor.palette.waiting
    let words = stage.draw().withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    let areWaiting = words.allSatisfy { $0 == waiting }
    #expect(areWaiting)
    // Other tiles in the same slots are not taken for those of the plan.
    let plan = stage.scene.plan
    for x in 0..<4 { if let tile = TileID(z: 9, x: x, y: 0) { stage.insert(0, tile) } }
    #expect(!plan.isCurrent(in: stage.cache))
    let again = stage.draw().withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    let areStillWaiting = again.allSatisfy { $0 == waiting }
    #expect(areStillWaiting)
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    let isSame = stage.draw() == whole
    #expect(isSame)
  }

  // MARK: The ring ahead

  @Test func theRingAheadOfTheMotionIsWantedBeforeTheRingBehind() throws {
    for (motion, isAhead): ((Double, Double), (TileID) -> Bool) in [
      ((1, 0), { $0.x == 9 }), ((-1, 0), { $0.x == 6 }), ((0, 1), { $0.y == 9 }),
      ((0, -1), { $0.y == 6 }),
    ] {
      let stage = stage([layer([0])])
      stage.settle(view()) { _, _ in .tile(alpha: false) }
      let ring = stage.scene.update(view: view(), motion: motion).requests.filter {
        $0.standing == .ahead && $0.tile.z == 4
      }
      #expect(ring.count == 12)
      #expect(ring.prefix(4).allSatisfy { isAhead($0.tile) }, "\(motion)")
      #expect(!ring.dropFirst(4).contains { isAhead($0.tile) }, "\(motion)")
    }
  }

  @Test func inATurnedViewAheadIsWhereTheScreenMoves() {
    // The screen's right is south-south-east.
    let turned = view(bearing: 60)
    let stage = stage([layer([0])], turned)
    stage.settle(turned) { _, _ in .tile(alpha: false) }
    let ring = stage.scene.update(view: turned, motion: (1, 0)).requests.filter {
      $0.standing == .ahead && $0.tile.z == 4
    }
    #expect(ring.count == 12)
    #expect(ring.prefix(6).allSatisfy { $0.tile.y == 9 || ($0.tile.x == 9 && $0.tile.y > 6) })
  }

  @Test func theLevelAboveComesAfterTheRingAndThenTheLowestLevels() {
    let stage = stage([layer([0])])
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    let ahead = loads(stage.scene.update(view: view()), .ahead)
    #expect(ahead.prefix(16).suffix(4) == ["0:3/3/3", "0:3/4/3", "0:3/3/4", "0:3/4/4"])
    #expect(ahead.dropFirst(16) == ["0:0/0/0", "0:1/0/0", "0:1/1/0", "0:1/0/1", "0:1/1/1"])
  }

  /// A stage whose map is painted, with all tiles of a view far down.
  private func paintedStage() -> (stage: SceneStage, view: Viewport) {
    let view = view(zoom: 10)
    let stage = stage([layer([0], levels: 0...14)], view)
    stage.scene.setCell(view.restingCell)
    stage.settle(view) { _, _ in .tile(alpha: false) }
    return (stage, view)
  }

  @Test func aPaintedMapHasTilesFarAboveThatStandInBeyondTheRing() throws {
    let (stage, view) = paintedStage()
    let ahead = stage.scene.update(view: view).requests.filter { $0.standing == .ahead }
    #expect(
      ahead.dropFirst(16).map(\.key.name) == ["0:7/63/63", "0:7/64/63", "0:7/63/64", "0:7/64/64"])
    for request in ahead.suffix(4) {
      stage.insert(0, request.tile, edge: request.edge)
    }
    #expect(loads(stage.scene.update(view: view), .ahead).count == 16)
    // Six cells on, where nothing has been painted yet.
    var moved = view
    moved.center = GeoPoint(lat: 0, lon: 6 * 360 / 1024)
    _ = stage.scene.update(view: moved)
    let shown = lines(stage)
    #expect(
      shown == [
        "0: 517/511 waiting 0:7/64/63<<3", "0: 518/511 waiting 0:7/64/63<<3",
        "0: 517/512 waiting 0:7/64/64<<3", "0: 518/512 waiting 0:7/64/64<<3",
      ])
  }

  @Test func tilesFarAboveAreNotPaintedAnewForAnotherZoom() throws {
    let (stage, view) = paintedStage()
    for request in stage.scene.update(view: view).requests.suffix(4) {
      stage.insert(0, request.tile, edge: request.edge)
    }
    var zoomed = view
    zoomed.zoom = 10.2
    var layer = layer([1], levels: 0...14)
    layer.chain[0].former = 0
    stage.scene.setCell(zoomed.restingCell)
    stage.scene.setLayers([layer])
    let ahead = loads(stage.scene.update(view: zoomed), .ahead)
    #expect(!ahead.isEmpty)
    #expect(!ahead.contains { $0.hasPrefix("1:7/") })
  }

  @Test func theLowestLevelsOfAMapOfPicturesAreItsOwn() {
    let stage = stage([layer([0])])
    stage.settle(view()) { _, _ in .tile(alpha: false) }
    stage.insert(0, .world)
    var layer = layer([1])
    layer.chain[0].former = 0
    stage.scene.setLayers([layer])
    #expect(loads(stage.scene.update(view: view()), .ahead).contains("1:0/0/0"))
  }

  // MARK: More than the cache holds
}
