import MapGeometry
import Pixels
import Testing

@testable import MapScene

/// The labels of the base lie below the layers that are above labels, and over all others.
@Suite struct LabelLayerTests {
  private static let green: UInt32 = 0xFF20_9040
  private static let red: UInt32 = 0xFFFF_0000
  private static let blue: UInt32 = 0xFF00_00FF

  private func picture(
    isAbove: Bool, zoom: Double = 4, bearing: Double = 0, keepsFlatTiles: Bool = false
  ) -> [UInt32] {
    let view = Viewport(
      center: GeoPoint(lat: 0, lon: 0), zoom: zoom, bearing: bearing, width: 256, height: 256)
    var layers = [0, 2].map {
      SceneLayer(
        chain: [SceneSource(index: $0, levels: 0...6)], isBase: $0 == 0)
    }
    layers[1].isAboveLabels = isAbove
    let stage = SceneStage(view: view, layers: layers)
    stage.compositor.keepsFlatTiles = keepsFlatTiles
    stage.settle(view) { source, _ in .tile(alpha: source == 2) }
    #expect(stage.scene.hasLayersAboveLabels == isAbove)
    let sprites = [
      Sprite(plain(256, 200, LabelLayerTests.red), x: 0, y: 0),
      Sprite(plain(256, 20, LabelLayerTests.blue), x: 0, y: 190),
    ]
    let bytes = stage.draw(sprites: sprites, labels: isAbove ? 1 : 0)
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.load(fromByteOffset: $0 * 4, as: UInt32.self) | 0xFF00_0000 }
    }
  }

  @Test(arguments: [false, true])
  func aLayerAboveLabelsCoversThem(_ keepsFlatTiles: Bool) {
    let words = picture(isAbove: true, keepsFlatTiles: keepsFlatTiles)
    let upper = words.prefix(256 * 190)
    #expect(upper.contains(LabelLayerTests.green))
    #expect(upper.contains(LabelLayerTests.red))
    // Other sprites lie over all layers.
    let band = words[(256 * 190)..<(256 * 210)]
    #expect(band.filter { $0 != LabelLayerTests.blue }.isEmpty)
  }

  @Test func soItDoesInATurnedViewAndBetweenLevels() {
    for (zoom, bearing) in [(4.3, 0.0), (4.0, 30.0)] {
      let upper = picture(isAbove: true, zoom: zoom, bearing: bearing).prefix(256 * 190)
      #expect(upper.contains(LabelLayerTests.green))
      #expect(upper.contains(LabelLayerTests.red))
    }
  }

  @Test func otherLayersLieBelowTheLabels() {
    let words = picture(isAbove: false)
    #expect(words.prefix(256 * 190).filter { $0 != LabelLayerTests.red }.isEmpty)
  }
}
