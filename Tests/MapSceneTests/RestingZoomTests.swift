import Glibc
import MapGeometry
import Pixels
import Testing
import TileSources

@testable import MapScene
@testable import TileLoading

/// Maps that are painted for the zoom on the screen are drawn without scaling at every zoom, and
/// scaled while they change it.
@Suite struct RestingZoomTests {
  static let zooms = (0..<20).map { 3 + Double($0) * 0.0537 + Double($0 % 5) }

  private func view(_ zoom: Double, bearing: Double = 0, scale: Int = 1) -> Viewport {
    Viewport(
      center: GeoPoint(lat: 20.1234567, lon: 10.7654321), zoom: zoom, bearing: bearing,
      width: 320, height: 200, scale: scale)
  }

  private func layer(
    _ index: Int, former: Int? = nil, levels: ClosedRange<Int> = 0...24, isBase: Bool = true
  ) -> SceneLayer {
    var source = SceneSource(index: index, levels: levels)
    source.former = former
    return SceneLayer(chain: [source], isBase: isBase)
  }

  /// A stage whose scene has the cells of `view` at rest.
  private func stage(
    _ view: Viewport, _ layers: [SceneLayer], format: PixelFormat = .xrgb8888,
    cacheLimit: Int = 96 << 20
  ) -> SceneStage {
    let stage = SceneStage(
      view: view, layers: layers, format: format, cacheLimit: cacheLimit)
    stage.scene.setCell(view.restingCell)
    return stage
  }

  private func pieces(_ stage: SceneStage) -> [FramePlan.Piece] { stage.scene.plan.pieces }

  private func exactCount(_ stage: SceneStage) -> Int {
    pieces(stage).filter { $0.isExact }.count
  }

  private func areExact(_ stage: SceneStage) -> Bool {
    exactCount(stage) == pieces(stage).count && !pieces(stage).isEmpty
  }

  /// The pattern of the whole view, painted at once.
  private func truth(_ view: Viewport, hasHoles: Bool = false) -> [UInt32] {
    let (resting, cell) = (view.resting, view.restingCell)
    let (left, top) = resting.origin
    return (0..<view.width * view.height).map {
      ZoomPattern.word(
        left + $0 % view.width, top + $0 / view.width, cell: cell, hasHoles: hasHoles)
    }
  }

  private func words(_ bytes: [UInt8]) -> [UInt32] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.load(fromByteOffset: $0 * 4, as: UInt32.self) | 0xFF00_0000 }
    }
  }

  // MARK: The transform

  @Test(arguments: [1, 2, 3])
  func everyZoomIsExactWithinThreeThousandths(_ scale: Int) {
    for step in 0...2400 {
      let view = view(Double(step) / 100, scale: scale)
      let transform = ViewTransform.resting(view)
      #expect(transform.isExact, "zoom \(view.zoom)")
      #expect(abs(exp2(view.resting.zoom - view.zoom) - 1) < 0.003)
      #expect(transform.level == view.restingLevel)
      #expect(transform.cell == view.restingCell)
      #expect(view.resting.center == view.center)
    }
  }

  @Test func aWholeZoomHasTheTransformThatItAlwaysHad() {
    let view = view(7)
    #expect(ViewTransform.resting(view) == ViewTransform(view))
    #expect(ViewTransform(view, cell: 256) == ViewTransform(view))
    #expect(view.resting == view)
  }

  @Test func aTurnedViewIsOnlyTurned() {
    let transform = ViewTransform.resting(view(4.4, bearing: 30))
    #expect(transform.magnification == 1)
    #expect(!transform.isExact)
    #expect(abs(hypot(transform.stepX, transform.stepY) - 1) < 1e-12)
  }

  @Test func overlaysUseTheSamePixels() {
    let resting = view(4.37).resting
    let transform = ViewTransform(resting, cell: resting.restingCell)
    let origin = resting.origin
    #expect(transform.originX == Double(origin.x))
    #expect(transform.originY == Double(origin.y))
  }

  @Test func whileZoomingTheGridIsEnlargedByAtMostARootOfTwo() {
    let cell = view(4.37).restingCell
    for step in 0...400 {
      let transform = ViewTransform(view(2 + Double(step) / 100), cell: cell)
      #expect(transform.cell == cell)
      #expect(transform.magnification > 0.707 && transform.magnification < 1.4143)
    }
  }

  // MARK: Pixels

  @Test(arguments: [1, 2])
  func atRestEveryPixelIsThePaintersOwn(_ scale: Int) {
    for zoom in RestingZoomTests.zooms {
      let view = view(zoom, scale: scale)
      let stage = stage(view, [layer(0)])
      stage.paint(stage.scene.update(view: view.resting), scale: scale)
      _ = stage.scene.update(view: view.resting)
      #expect(stage.scene.isWholePlan)
      #expect(words(stage.draw()) == truth(view), "zoom \(zoom)")
    }
  }

  @Test func anOverlayIsPaintedForTheSameCells() {
    for zoom in [4.1, 4.45, 5.3] {
      let view = view(zoom)
      let stage = stage(view, [layer(0), layer(1, isBase: false)])
      stage.paint(stage.scene.update(view: view.resting), scale: 1, holes: [1])
      _ = stage.scene.update(view: view.resting)
      let over = truth(view, hasHoles: true)
      let expected = zip(truth(view), over).map { $1 == 0 ? $0 : $1 }
      #expect(words(stage.draw()) == expected, "zoom \(zoom)")
      stage.compositor.keepsFlatTiles = true
      #expect(words(stage.draw()) == expected, "flattened at zoom \(zoom)")
      #expect(words(stage.draw()) == expected, "flattened before at zoom \(zoom)")
    }
  }

  @Test func sixteenBitsPerPixelHaveOddEdgesToo() {
    let view = view(4.413)
    #expect(view.restingCell % 2 == 1)
    let stage = stage(view, [layer(0)], format: .rgb565)
    stage.paint(stage.scene.update(view: view.resting), scale: 1)
    _ = stage.scene.update(view: view.resting)
    let copied = stage.draw()
    let transform = stage.scene.plan.transform
    let tile = stage.scene.plan.pieces.first.flatMap { stage.cache.peek($0.key) }
    #expect(tile.map { Int(stage.cache.entry($0).edge) } == transform.cell)
    // Dithering changes a value by less than a step of 8.
    let expected = truth(view)
    var wrong = 0
    for (i, word) in expected.enumerated() {
      let half = UInt32(copied[2 * i]) | UInt32(copied[2 * i + 1]) << 8
      let (red, green, blue) = ((half >> 11) << 3, half >> 5 & 63, half & 31)
      let isRight =
        abs(Int(red) - Int(word >> 16 & 255)) < 9
        && abs(Int(green << 2) - Int(word >> 8 & 255)) < 9
        && abs(Int(blue << 3) - Int(word & 255)) < 9
      wrong += isRight ? 0 : 1
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [1, 2])
  func aPictureWithoutADaemonIsPaintedForItsZoom(_ scale: Int) {
    for zoom in [3.0, 3.3, 4.49, 11.6] {
      let view = view(zoom, scale: scale)
      let renderer = StillRenderer(
        view: view, source: ZoomPatternSource(), levels: 0...24, tileSize: 256)
      var drawn: [UInt32] = []
      renderer.render { rows, count in
        drawn += UnsafeBufferPointer(start: rows, count: count * view.width)
      }
      #expect(renderer.view == view.resting)
      #expect(drawn == truth(view), "zoom \(zoom)")
    }
  }

  // MARK: Plans

  @Test func atRestThePiecesAreExact() {
    let view = view(4.3)
    let stage = stage(view, [layer(0)])
    stage.settle(view.resting) { _, _ in .tile(alpha: false) }
    #expect(stage.scene.isWholePlan)
    #expect(areExact(stage))
    #expect(stage.scene.plan.transform.isExact)
    #expect(pieces(stage).allSatisfy { Int($0.width) == view.restingCell })
  }

  @Test func whileZoomingTheTilesStay() {
    let view = view(4.3)
    let stage = stage(view, [layer(0)])
    stage.settle(view.resting) { _, _ in .tile(alpha: false) }
    let before = Set(pieces(stage).map(\.description))
    var moved = view
    moved.zoom = 4.4
    let update = stage.scene.update(view: moved)
    #expect(update.requests.filter { $0.standing == .needed }.isEmpty)
    #expect(Set(pieces(stage).map(\.description)).isSubset(of: before))
    #expect(!stage.scene.plan.transform.isExact)
  }

  @Test func atAnotherRestTheFormerTilesStandInStretched() {
    let (old, new) = (view(4.3), view(4.4))
    let stage = stage(old, [layer(0)])
    stage.settle(old.resting) { _, _ in .tile(alpha: false) }
    stage.scene.setCell(new.restingCell)
    stage.scene.setLayers([layer(1, former: 0)])
    let update = stage.scene.update(view: new.resting)
    let cell = new.restingCell
    #expect(!pieces(stage).isEmpty)
    #expect(pieces(stage).allSatisfy { $0.key.source == 0 })
    #expect(
      pieces(stage).allSatisfy { $0.scaling == FramePlan.Scaling(width: cell, height: cell) })
    #expect(pieces(stage).first?.description.hasSuffix("~\(cell)x\(cell)") == true)
    let needed = update.requests.filter { $0.standing == .needed }
    #expect(needed.allSatisfy { $0.edge == cell && $0.key.source == 1 })
    #expect(needed.count == stage.scene.plan.visible || needed.count == pieces(stage).count)
    // Each tile that arrives replaces its stand-in.
    stage.insert(1, needed[0].tile, edge: cell)
    _ = stage.scene.update(view: new.resting)
    #expect(exactCount(stage) == 1)
    stage.settle(new.resting) { _, _ in .tile(alpha: false) }
    #expect(stage.scene.isWholePlan)
    #expect(areExact(stage))
  }

  @Test func stretchedTilesCoverEveryPixel() {
    let (old, new) = (view(4.3), view(4.44))
    for bearing in [0.0, 33.0] {
      for format in [PixelFormat.xrgb8888, .rgb565] {
        let stage = stage(old, [layer(0)], format: format)
        // More than the view: turned, it shows other tiles.
        var wide = old.resting
        (wide.width, wide.height) = (1000, 1000)
        stage.settle(wide) { _, _ in .tile(alpha: false) }
        stage.scene.setCell(new.restingCell)
        stage.scene.setLayers([layer(1, former: 0)])
        var turned = new.resting
        turned.bearing = bearing
        _ = stage.scene.update(view: turned)
        #expect(pieces(stage).allSatisfy { $0.scaling != nil })
        stage.compositor.palette.waiting = 0xFFFF_00FF
        stage.compositor.palette.outside = 0xFFFF_00FF
        let bytes = stage.draw()
        guard format == .xrgb8888 else { continue }
        #expect(!words(bytes).contains(0xFFFF_00FF))
      }
    }
  }

  @Test func aStretchedTileIsItsPictureAtTheOtherSize() throws {
    // A slope stays the same slope.
    let cache = TileCache(limit: 1 << 20)
    let buffer = try #require(cache.reserve(100 * 100 * 4, standing: .needed))
    for i in 0..<100 * 100 {
      let value = UInt32(i % 100 + i / 100)
      buffer.storeBytes(of: 0xFF00_0000 | value << 8, toByteOffset: i * 4, as: UInt32.self)
    }
    let key = TileKey(source: 0, tile: .world)
    cache.insert(
      key, buffer: buffer, bytes: 40000, edge: 100, format: .xrgb8888, standing: .needed)
    let slot = try #require(cache.peek(key))
    let tile = ScaledTile(cache.entry(slot), to: FramePlan.Scaling(width: 133, height: 133))
    var out = [UInt32](repeating: 0, count: 133 * 133)
    var row = [UInt32](repeating: 0, count: 133)
    tile.draw(
      PixelRect(x: 0, y: 0, width: 133, height: 133), to: &out, stride: 133, blend: false,
      row: &row)
    var worst = 0.0
    for y in 2..<131 {
      for x in 2..<131 {
        let exact = (Double(x) + 0.5) * 100 / 133 + (Double(y) + 0.5) * 100 / 133 - 1
        worst = max(worst, abs(Double(out[y * 133 + x] >> 8 & 255) - exact))
      }
    }
    #expect(worst <= 1.01)
  }

  @Test func beyondTheDeepestLevelItsTilesAreEnlargedExactly() {
    let view = view(7.4)
    let stage = stage(view, [layer(0, levels: 0...5)])
    stage.settle(view.resting) { _, _ in .tile(alpha: false) }
    #expect(stage.scene.isWholePlan)
    #expect(pieces(stage).allSatisfy { $0.shift == 2 && $0.scaling == nil })
    stage.compositor.palette.waiting = 0xFFFF_00FF
    #expect(!words(stage.draw()).contains(0xFFFF_00FF))
  }

  @Test func reducedChildrenOfAnOddCellFillIt() {
    let view = view(4.413)
    let stage = stage(view, [layer(0)])
    stage.settle(view.resting) { _, tile in
      for quarter in 0..<4 {
        if let child = tile.child(quarter & 1, quarter >> 1) {
          stage.insert(0, child, edge: view.restingCell)
        }
      }
      return .late
    }
    _ = stage.scene.update(view: view.resting)
    #expect(pieces(stage).count == 4 * stage.scene.plan.visible)
    stage.compositor.palette.waiting = 0xFFFF_00FF
    #expect(!words(stage.draw()).contains(0xFFFF_00FF))
  }

  @Test func aMapOfPicturesUnderAPaintedOverlayKeepsItsGrid() {
    let view = view(4.3)
    let stage = SceneStage(view: view, layers: [layer(0), layer(1, isBase: false)])
    let update = stage.scene.update(view: view)
    #expect(update.requests.allSatisfy { $0.edge == 256 })
    #expect(stage.scene.plan.transform == ViewTransform(view))
  }

  @Test func aCacheTooSmallForTheViewStillCompletesIt() {
    let view = view(4.45)
    let cell = view.restingCell
    var wide = view.resting
    (wide.width, wide.height) = (1280, 720)
    let stage = stage(wide, [layer(0)], cacheLimit: 12 * cell * cell * 4)
    var rounds = 0
    while !stage.scene.isComplete, rounds < 40 {
      let update = stage.scene.update(view: wide)
      stage.paint(update, scale: 1)
      _ = stage.scene.update(view: wide)
      stage.scene.didDraw()
      rounds += 1
      #expect(stage.cache.stats.bytes <= stage.cache.limit)
    }
    #expect(stage.scene.isComplete)
    #expect(rounds > 1)
  }

  // MARK: What painters learn

  @Test func aPainterLearnsTheZoomItPaintsFor() throws {
    final class Asked: @unchecked Sendable {
      // Written and read on this thread only.
      var zooms: [Double] = []
    }
    struct Asking: TilePainter {
      let asked: Asked
      var needsPayload: Bool { false }
      func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
        -> PaintOutcome
      {
        if let zoom = target.zoom { asked.zooms.append(zoom) }
        return .nothing
      }
    }
    let asked = Asked()
    for (edge, scale, tile) in [(256, 1, 3), (724, 2, 3), (181, 1, 5)] {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: edge * edge * 4, alignment: 4096)
      defer { memory.deallocate() }
      let id = try #require(TileID(z: tile, x: 0, y: 0))
      var job = PaintJob(
        key: TileKey(source: 0, tile: id), tile: id, levels: 0,
        memory: TileMemory(pointer: memory, bytes: edge * edge * 4), edge: edge,
        opaque: .xrgb8888, scale: scale, generation: 0)
      job.painter = Asking(asked: asked)
      _ = job.run(PaintTools())
    }
    #expect(asked.zooms.count == 3)
    #expect(asked.zooms.first == 3)
    let rounded = asked.zooms.map { ($0 * 1000).rounded() / 1000 }
    #expect(rounded == [3, 3.5, 4.5])
  }
}
