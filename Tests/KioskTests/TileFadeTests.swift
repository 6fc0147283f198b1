import EventLoop
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// New tiles fade in over what stood in for them.
struct TileFadeTests {
  /// A view of zoom 3 in which tiles of zoom 2 stand in. Returns the view's bench, what lets its
  /// tiles go, and the picture of the stand-ins.
  private func standIns(fade: Double) throws -> (bench: Bench, hold: Hold, picture: Picture) {
    let map = Bundled.sources[0]
    let bench = try Bench([map])
    let hold = bench.hold(map)
    try bench.show(GeoPoint(lat: 45, lon: 10), 2)
    hold.hold { $0.z == 3 }
    bench.kiosk.fade.setTime(fade)
    var view = bench.kiosk.goal
    view.zoom = 3
    let before = bench.kiosk.pipeline.display.frame
    bench.kiosk.go(to: view, animate: false)
    #expect(bench.run { bench.kiosk.pipeline.display.frame > before })
    return (bench, hold, bench.panel())
  }

  /// The settled picture of the same view without any fade.
  private func settled() throws -> Picture {
    let bench = try Bench([Bundled.sources[0]])
    try bench.show(GeoPoint(lat: 45, lon: 10), 3)
    return bench.panel()
  }

  /// The largest difference of a channel.
  private func difference(_ a: Picture, _ b: Picture) -> UInt32 {
    var most: UInt32 = 0
    for (x, y) in zip(a.words, b.words) {
      for shift: UInt32 in [0, 8, 16] {
        let (p, q) = (x >> shift & 255, y >> shift & 255)
        most = max(most, p > q ? p - q : q - p)
      }
    }
    return most
  }

  @Test func aTileThatArrivesFadesInOverWhatStoodInForIt() throws {
    let final = try settled()
    let (bench, hold, standIn) = try standIns(fade: 1000)
    #expect(difference(standIn, final) > 100)
    hold.release()
    #expect(bench.run { bench.kiosk.pipeline.scene.isComplete && bench.kiosk.fade.isFading })
    // The tiles are there, and almost nothing of them can be seen yet.
    // Parts of a block are resampled a little differently than the whole.
    #expect(difference(bench.panel(), standIn) <= 40)
    #expect(bench.kiosk.fade.bytes > 0)
    bench.kiosk.fade.setTime(1e-9)
    bench.kiosk.outbox.add(.picture)
    try bench.settle()
    #expect(!bench.kiosk.fade.isFading && bench.kiosk.fade.bytes == 0)
    #expect(bench.panel() == final)
    // Then there is nothing more to draw.
    let frame = bench.kiosk.pipeline.display.frame
    for _ in 0..<5 { bench.loop.runOnce(timeout: 20_000_000) }
    #expect(bench.kiosk.pipeline.display.frame == frame)
  }

  @Test func partsThatLookAlikeShareAPicture() throws {
    let map = Bundled.sources[0]
    let bench = try Bench([map])
    let hold = bench.hold(map)
    try bench.show(GeoPoint(lat: 45, lon: 10), 3)
    // The lowest zooms are read after the view's own. One that came now would stand in for others.
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle })
    // No tile is left, so all cells are quiet.
    hold.hold { _ in true }
    bench.kiosk.fade.setTime(1000)
    let before = bench.kiosk.pipeline.display.frame
    bench.kiosk.clearCache()
    #expect(bench.run { bench.kiosk.pipeline.display.frame > before })
    hold.release()
    #expect(bench.run { bench.kiosk.pipeline.scene.isComplete && bench.kiosk.fade.isFading })
    let images = bench.kiosk.fade.sprites.map(\.image)
    var different: [ObjectIdentifier: Int] = [:]
    for image in images { different[ObjectIdentifier(image)] = image.bytes }
    #expect(different.count < images.count)
    #expect(bench.kiosk.fade.bytes == different.values.reduce(0, +))
  }

  @Test func aFadeIsOverByItself() throws {
    let (bench, hold, _) = try standIns(fade: 0.15)
    hold.release()
    #expect(bench.run { bench.kiosk.fade.isFading })
    try bench.settle()
    #expect(!bench.kiosk.fade.isFading)
    let final = try settled()
    #expect(bench.panel() == final)
  }

  @Test func aViewThatMovesShowsItsTilesAtOnce() throws {
    let (bench, hold, _) = try standIns(fade: 10)
    hold.release()
    #expect(bench.run { bench.kiosk.fade.isFading })
    bench.kiosk.go(to: bench.kiosk.goal.panned(dx: 40, dy: 0), animate: false)
    #expect(bench.run { !bench.kiosk.fade.isFading })
    let frame = bench.kiosk.pipeline.display.frame
    bench.kiosk.go(to: bench.kiosk.goal.panned(dx: -40, dy: 0), animate: false)
    #expect(bench.run { bench.kiosk.pipeline.display.frame > frame })
    try bench.settle()
    let final = try settled()
    #expect(bench.panel() == final)
  }

  @Test func oldTilesDoNotLieOverAnotherTheme() throws {
    let (bench, hold, _) = try standIns(fade: 1000)
    hold.release()
    #expect(bench.run { bench.kiosk.fade.isFading })
    bench.kiosk.setTheme(.night)
    try bench.settle()
    #expect(!bench.kiosk.fade.isFading && bench.kiosk.fade.bytes == 0)
    let truth = try Bench([Bundled.sources[0]]) { $0.theme.mode = .night }
    try truth.show(GeoPoint(lat: 45, lon: 10), 3)
    #expect(bench.panel() == truth.panel())
  }

  @Test func withoutFadeTilesAppearAtOnce() throws {
    let (bench, hold, _) = try standIns(fade: 0)
    hold.release()
    try bench.settle()
    #expect(bench.kiosk.fade.bytes == 0)
    let final = try settled()
    #expect(bench.panel() == final)
  }
}
