import MapGeometry
import Pixels
import Testing
import TileSources

@testable import MapScene
@testable import TileLoading

/// Beyond a source's deepest level each pixel is sampled once, straight out of that level's tiles
/// and across their edges.
@Suite struct OverzoomTests {
  private static let deepest = 4

  /// A pixel of the world at the deepest level: nothing like its neighbours.
  private static func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let mixed = UInt32(truncatingIfNeeded: (x &* 73_856_093) ^ (y &* 19_349_663)) &* 2_654_435_761
    return 0xFF00_0000 | (mixed >> 8 & 0x003f_3f3f)
  }

  /// How far the picture is from exact bilinear samples of the deepest level, a channel.
  private func error(
    zoom: Double, bearing: Double, format: PixelFormat = .xrgb8888, tileEdge: Int = 256
  ) -> Double {
    let (width, height) = (400, 300)
    let cache = TileCache(limit: 64 << 20)
    let opaque = TilePixelFormat(opaqueFor: format)
    let deepest = OverzoomTests.deepest
    let lift = tileEdge == 512 ? 1 : 0
    // A corner of four tiles in the middle of the view.
    let view = Viewport(
      center: WebMercator.unproject(WorldPoint(x: 0.50001, y: 0.25002)), zoom: zoom,
      bearing: bearing, width: width, height: height)
    let scene = Scene(cache: cache, missing: MissingTiles(), opaque: opaque, view: view)
    scene.setLayers([
      SceneLayer(
        chain: [
          SceneSource(index: 0, tileSize: tileEdge, levels: deepest - lift...deepest - lift)
        ], isBase: true)
    ])
    for request in scene.update(view: view).requests where request.levels == 0 {
      let bytes = tileEdge * tileEdge * 4
      guard let buffer = cache.reserve(bytes, standing: .needed) else { continue }
      let words = buffer.assumingMemoryBound(to: UInt32.self)
      let tile = request.tile
      for y in 0..<tileEdge {
        for x in 0..<tileEdge {
          words[y * tileEdge + x] = OverzoomTests.pixel(
            tile.x * tileEdge + x, tile.y * tileEdge + y)
        }
      }
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: tileEdge, format: .xrgb8888,
        standing: .needed)
    }
    _ = scene.update(view: view)
    let compositor = Compositor(cache: cache)
    var words = [UInt32](repeating: 0, count: width * height)
    words.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      let target = ScanoutBuffer(
        base: base, rowBytes: width * 4, width: width, height: height, format: format)
      compositor.draw(
        scene.plan, in: PixelRect(x: 0, y: 0, width: width, height: height), to: target,
        rotation: .none)
    }
    let t = scene.plan.transform
    let size = Double(1 << max(0, t.level - deepest))
    var most = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let at = t.grid(Double(x) + 0.5, Double(y) + 0.5)
        let (u, v) = (at.x / size - 0.5, at.y / size - 0.5)
        let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (f, g) = (u - Double(i), v - Double(j))
        for shift: UInt32 in [0, 8, 16] {
          func channel(_ dx: Int, _ dy: Int) -> Double {
            Double(OverzoomTests.pixel(i + dx, j + dy) >> shift & 255)
          }
          let upper = channel(0, 0) * (1 - f) + channel(1, 0) * f
          let lower = channel(0, 1) * (1 - f) + channel(1, 1) * f
          let exact = upper * (1 - g) + lower * g
          most = max(most, abs(Double(words[y * width + x] >> shift & 255) - exact))
        }
      }
    }
    return most
  }

  /// Cells 15/15 and 16/15 of level 5, each of which is a block of the screen.
  private static let holeView = Viewport(
    center: WebMercator.unproject(WorldPoint(x: 0.5, y: 15.5 / 32)), zoom: 5, bearing: 0,
    width: 512, height: 256)

  private static func holeStage() -> SceneStage {
    SceneStage(
      view: holeView,
      layers: [SceneLayer(chain: [SceneSource(index: 0, levels: 0...5)], isBase: true)])
  }

  /// The left cell is a hole whose parent comes before what is beside it.
  private static func holeFirst(_ source: Int, _ tile: TileID) -> SceneStage.Answer {
    let hole = TileID(z: 5, x: 15, y: 15)
    if tile == hole { return .missing(ancestorLevel: 4) }
    return tile == hole?.ancestor(1) ? .tile(alpha: false) : .late
  }

  /// Has a hole's enlarged parent drawn before the cell beside it.
  ///
  /// - Parameters:
  ///   - standIn: A tile that stands in for that cell until its own is there.
  ///   - isHole: Whether that cell is a hole, too.
  private func showsTheSameInAnyOrder(standIn: TileID?, isHole: Bool) throws {
    let (view, stage) = (OverzoomTests.holeView, OverzoomTests.holeStage())
    let other = try #require(TileID(z: 5, x: 16, y: 15))
    if let standIn { stage.insert(0, standIn) }
    var shown = [UInt8](repeating: 0, count: 512 * 256 * 4)
    func draw(_ update: Scene.Update) {
      let drawn = stage.draw(update.damage)
      for rect in update.damage {
        for y in rect.y..<rect.maxY {
          let row = (y * 512 + rect.x) * 4..<(y * 512 + rect.maxX) * 4
          shown.replaceSubrange(row, with: drawn[row])
        }
      }
      stage.scene.didDraw()
    }
    draw(stage.settle(view, OverzoomTests.holeFirst))
    #expect(!stage.scene.isComplete)
    let nothing = shown
    draw(
      stage.settle(view) { _, tile in
        isHole && tile == other ? .missing(ancestorLevel: 4) : .tile(alpha: false)
      })
    #expect(stage.scene.isComplete)
    #expect(shown != nothing)
    // No #expect of both: it would print them.
    let isEqual = shown == stage.draw()
    #expect(isEqual)
  }

  @Test func whatIsBesideAnEnlargedTileIsMixedWithItsEdgeWheneverItComes() throws {
    for isHole in [false, true] {
      try showsTheSameInAnyOrder(standIn: nil, isHole: isHole)
      try showsTheSameInAnyOrder(standIn: TileID(z: 3, x: 4, y: 3), isHole: isHole)
    }
  }

  @Test func anEnlargedTilesEdgeIsNotMixedWithTheColourOfNothing() {
    let stage = OverzoomTests.holeStage()
    stage.settle(OverzoomTests.holeView, OverzoomTests.holeFirst)
    func edge() -> [UInt8] {
      let drawn = stage.draw()
      return (0..<256).flatMap { drawn[($0 * 512 + 255) * 4..<($0 * 512 + 256) * 4] }
    }
    let byDay = edge()
    stage.compositor.palette.waiting = 0xFFFF_0000
    let isSame = edge() == byDay
    #expect(isSame)
  }

  @Test(arguments: [4.2, 4.926, 5, 5.4, 6, 7.3, 9, 10.8, 12, 12.4])
  func beyondTheDeepestLevelTilesAreSampledOnce(zoom: Double) {
    #expect(error(zoom: zoom, bearing: 0) < 2.2)
  }

  @Test(arguments: [4.2, 4.926, 5, 6.7])
  func soTheyAreInATurnedView(zoom: Double) {
    #expect(error(zoom: zoom, bearing: 30) < 2.2)
  }

  @Test(arguments: [4.3, 4.926, 5, 6.7])
  func soAreTilesOf512Pixels(zoom: Double) {
    #expect(error(zoom: zoom, bearing: 0, tileEdge: 512) < 2.2)
  }
}
