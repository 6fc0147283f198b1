import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapScene

/// Large parts of a frame are drawn by two threads, each band by one of them.
@Suite struct SecondHandTests {
  private func stage(bearing: Double, leastShared: Int?) -> (SceneStage, Viewport) {
    let view = Viewport(
      center: GeoPoint(lat: 20.1, lon: 10.7), zoom: 5, bearing: bearing, width: 700, height: 600)
    let stage = SceneStage(
      view: view, layers: [SceneLayer(chain: [SceneSource(index: 0, levels: 5...5)], isBase: true)],
      leastShared: leastShared)
    stage.settle(view) { _, _ in .tile(alpha: false) }
    return (stage, view)
  }

  private func sprites(_ round: Int) -> [Sprite] {
    (0..<60).map { n in
      var sprite = Sprite(
        plain(20 + n * 7 % 90, 6 + n % 20, 0x8040_2010 + UInt32(n)),
        x: (n * 53 + round * 3) % 720 - 20, y: n * 31 % 600)
      if n % 7 == 0 { sprite.opacity = 100 }
      return sprite
    }
  }

  @Test(arguments: [0.0, 33])
  func manyFramesInARowAreTheSameAsByOneThread(bearing: Double) {
    let (one, _) = stage(bearing: bearing, leastShared: nil)
    let (two, _) = stage(bearing: bearing, leastShared: 1)
    for round in 0..<Emulation.rounds(200) {
      let sprites = sprites(round)
      // Parts that do not begin where bands do, too.
      let parts =
        round % 3 == 0
        ? [PixelRect(x: 5, y: 37 + round % 11, width: 600, height: 480)] : nil
      let areSame = one.draw(parts, sprites: sprites) == two.draw(parts, sprites: sprites)
      #expect(areSame, "round \(round)")
    }
  }

  @Test func onlyLargePartsWakeTheOtherThread() {
    let (stage, _) = stage(bearing: 0, leastShared: 200 * 200)
    _ = stage.draw([PixelRect(x: 0, y: 0, width: 199, height: 200)])
    let before = stage.compositor.bytes
    _ = stage.draw([PixelRect(x: 0, y: 0, width: 200, height: 200)])
    // Its memory for mixing counts.
    #expect(stage.compositor.bytes > before + 65_536)
  }

  @Test func aThreadThatComesLateLeavesNothingUndone() throws {
    // Far more frames than a thread wakes up for, one after the other without a pause.
    let (one, _) = stage(bearing: 0, leastShared: nil)
    let (two, _) = stage(bearing: 0, leastShared: 1)
    let small = [PixelRect(x: 100, y: 60, width: 9, height: 10)]
    let expected = one.draw(small)
    for _ in 0..<Emulation.rounds(2000) {
      guard two.draw(small) == expected else {
        Issue.record("a frame differs")
        return
      }
    }
  }
}
