import MapGeometry
import Pixels
import Testing
import TileLoading

@testable import MapScene

/// A scene of one layer without a base map, over an empty cache.
private func scene(_ view: Viewport) -> Scene {
  let scene = Scene(
    cache: TileCache(limit: 64 << 20), missing: MissingTiles(), opaque: .xrgb8888, view: view)
  scene.setLayers([
    SceneLayer(chain: [SceneSource(index: 0, levels: 0...9)], isBase: false)
  ])
  return scene
}

@Suite struct PromisedTileTests {
  private let view = Viewport(
    center: GeoPoint(lat: 40, lon: 10), zoom: 5, bearing: 0, width: 600, height: 400)

  private func needed(_ scene: Scene) -> [TileKey] {
    let requests = scene.update(view: view).requests
    scene.didDraw()
    return requests.filter { $0.standing == .needed }.map(\.key)
  }

  @Test func aPictureIsNotWholeWithoutATileThatComesLater() {
    let scene = scene(view)
    let keys = needed(scene)
    #expect(keys.count >= 6)
    for key in keys {
      scene.missing.insert(key, .init(ancestorLevel: nil, failed: false, isAwaited: true))
    }
    // It is not asked for again, nor counted as missing.
    #expect(needed(scene) == [])
    #expect(!scene.isComplete && !scene.isWholePlan && scene.plan.missing == 0)
    for key in keys { scene.missing.insert(key, .init(ancestorLevel: nil, failed: false)) }
    #expect(needed(scene) == [])
    #expect(scene.isComplete && scene.plan.missing == keys.count)
  }
}
