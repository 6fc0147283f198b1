import MapGeometry
import Pixels
import Testing
import TileSources

@testable import MapScene
@testable import TileLoading

/// A layer with an opacity looks faded by every way to the display.
@Suite struct FadedLayerTests {
  private let view = Viewport(
    center: GeoPoint(lat: 20, lon: 10), zoom: 4, width: 320, height: 256)

  private func layers(_ opacity: Double) -> [SceneLayer] {
    (0..<2).map {
      SceneLayer(
        chain: [SceneSource(index: $0 == 0 ? 0 : 2, levels: 4...4)],
        opacity: $0 == 0 ? 1 : opacity, isBase: $0 == 0)
    }
  }

  private func stage(_ opacity: Double, _ format: PixelFormat = .xrgb8888) -> SceneStage {
    let stage = SceneStage(view: view, layers: layers(opacity), format: format)
    stage.settle(view) { source, _ in .tile(alpha: source > 0) }
    return stage
  }

  /// The picture with nothing copied.
  private func mixed(_ stage: SceneStage) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 320 * 256 * stage.format.bytes)
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      let target = ScanoutBuffer(
        base: base, rowBytes: 320 * stage.format.bytes, width: 320, height: 256,
        format: stage.format)
      stage.compositor.mix(
        stage.scene.plan, PixelRect(x: 0, y: 0, width: 320, height: 256), target, .none)
    }
    return bytes
  }

  /// Whole blocks of the layer are opaque, and nothing lies over them.
  @Test(arguments: PixelFormat.allCases)
  func anOpaqueBlockOfAFadedLayerIsMixedAndNotCopied(format: PixelFormat) {
    for opacity in [0.25, 0.5, 0.99, 1] {
      let stage = stage(opacity, format)
      let isSame = stage.draw() == mixed(stage)
      #expect(isSame, "opacity \(opacity)")
    }
    let differ = stage(0.5).draw() != stage(1).draw()
    #expect(differ)
  }

  /// The tiles stay the same and only the opacity changes.
  @Test(arguments: PixelFormat.allCases)
  func aKeptCellIsMixedAgainWhenOnlyTheOpacityChanges(format: PixelFormat) {
    let stage = stage(1, format)
    stage.compositor.keepsFlatTiles = true
    _ = stage.draw()
    for opacity in [0.5, 0.25, 1] {
      stage.scene.setLayers(layers(opacity))
      _ = stage.scene.update(view: view)
      let isSame = stage.draw() == mixed(stage)
      #expect(isSame, "opacity \(opacity)")
      let isKept = stage.draw() == mixed(stage)
      #expect(isKept, "opacity \(opacity), kept")
    }
  }

  /// Opacities count in 1/256: 1 is 256, so that an opaque pixel stays exactly what it is, and half
  /// of white over black is 128.
  @Test func opacitiesAreScaledBy256() throws {
    let tile = try #require(TileID(z: 4, x: 8, y: 8))
    for (opacity, value) in [(1.0, UInt32(255)), (0.5, 128), (0.25, 64)] {
      let cache = TileCache(limit: 4 << 20)
      let middle = Viewport(
        center: WebMercator.unproject(WorldPoint(x: 8.5 / 16, y: 8.5 / 16)), zoom: 4, width: 64,
        height: 64)
      let scene = Scene(
        cache: cache, missing: MissingTiles(), opaque: .xrgb8888, view: middle)
      scene.setLayers(layers(opacity))
      for (source, word) in [(0, UInt32(0xFF00_0000)), (2, 0xFFFF_FFFF)] {
        let buffer = try #require(cache.reserve(256 * 256 * 4, standing: .needed))
        fill(buffer.assumingMemoryBound(to: UInt32.self), word, 256 * 256)
        cache.insert(
          TileKey(source: source, tile: tile), buffer: buffer, bytes: 256 * 256 * 4, edge: 256,
          format: source == 0 ? .xrgb8888 : .argb8888, standing: .needed)
      }
      _ = scene.update(view: middle)
      #expect(scene.isWholePlan)
      let compositor = Compositor(cache: cache)
      for keeps in [false, true] {
        compositor.keepsFlatTiles = keeps
        var words = [UInt32](repeating: 0, count: 64 * 64)
        words.withUnsafeMutableBytes { raw in
          guard let base = raw.baseAddress else { return }
          let target = ScanoutBuffer(
            base: base, rowBytes: 64 * 4, width: 64, height: 64, format: .xrgb8888)
          compositor.draw(
            scene.plan, in: PixelRect(x: 0, y: 0, width: 64, height: 64), to: target,
            rotation: .none)
        }
        let channels = Set(words.map { $0 & 255 })
        #expect(channels == [value], "opacity \(opacity)")
      }
    }
  }
}
