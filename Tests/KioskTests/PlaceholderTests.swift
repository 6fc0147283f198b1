import Foundation
import Images
import MapGeometry
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// While tiles are on their way what is there stands in for them, and only what changes is drawn.
@Suite struct PlaceholderTests {
  /// Tiles of one plain colour each, told by level, column and row; levels 0 to 6.
  final class PlainSource: TileSource {
    let info = SourceInfo(kind: "plain", format: "png", minZoom: 0, maxZoom: 6)
    static func color(_ id: TileID) -> UInt32 {
      0xFF00_0000 | UInt32(id.z * 36) << 16 | UInt32(id.x % 64 * 4) << 8 | UInt32(id.y % 64 * 4)
    }

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      if id.z > 6 { return .nothing }
      let words = [UInt32](repeating: PlainSource.color(id), count: 256 * 256)
      do {
        let bytes = try words.withUnsafeBufferPointer {
          guard let base = $0.baseAddress else { return [UInt8]() }
          return try PNGWriter.encode(
            base, width: 256, height: 256, rowBytes: 1024, compression: 1)
        }
        return .payload(TilePayload(bytes))
      } catch {
        throw TileError(file: "plain", tile: id, reason: "\(error)")
      }
    }

    func contains(_ id: TileID) throws(TileError) -> Bool { id.z <= 6 }
  }

  /// A kiosk of 1024 × 768 over plain tiles, with its middle on a corner of tiles at every level.
  private func bench() throws -> (Bench, Hold) {
    let bench = try Bench([MosaicTests.spec("/nowhere")], width: 1024, height: 768)
    let hold = Hold()
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "plain") {
      .success(HeldSource(PlainSource(), hold))
    }
    return (bench, hold)
  }

  private func go(_ bench: Bench, _ zoom: Double, _ center: GeoPoint = GeoPoint(lat: 0, lon: 0)) {
    var view = bench.kiosk.goal
    view.zoom = zoom
    view.center = center
    bench.kiosk.go(to: view, animate: false)
    bench.drain()
  }

  /// The level whose tile's colour each 256 px cell of the panel has all over; nil: none.
  private func levels(_ bench: Bench) -> [Int?] {
    let panel = bench.panel()
    let view = bench.kiosk.goal
    let zoom = Int(view.zoom)
    var found: [Int?] = []
    for row in 0..<3 {
      for column in 0..<4 {
        let (x, y) = (view.origin.x + column * 256 + 128, view.origin.y + row * 256 + 128)
        let seen = panel[column * 256 + 128, row * 256 + 128]
        let id = TileID(z: zoom, wrapping: x >> 8, row: y >> 8)
        found.append(
          (0...zoom).first { up in id?.ancestor(up).map(PlainSource.color) == seen }
            .map { zoom - $0 })
      }
    }
    return found
  }

  @Test
  func aTileThatHasNotComeYetIsStoodInForByItsParentAndReplacedWhenItComes() throws {
    let (bench, hold) = try bench()
    // Tiles' edges on the view's: 1024 × 768 around (0, 0) at zoom 4 begins 384 px above the
    // middle.
    let center = MosaicTests.Place(5, 4096, 4096 + 128).center
    try bench.show(center, 4)
    hold.hold { $0.z == 5 }
    defer { hold.release() }
    go(bench, 5, center)
    #expect(levels(bench) == Array(repeating: 4, count: 12), "the parents, enlarged")
    var left = 12
    while left > 0 {
      let before = bench.display.damage.count
      let id = try #require(bench.releaseOne(hold), "nothing is asked for, with \(levels(bench))")
      #expect(bench.run { bench.display.damage.count > before }, "\(id) brought no frame")
      left -= 1
      let seen = levels(bench)
      #expect(seen.filter { $0 == 5 }.count == 12 - left, "\(id) did not replace its parent")
      #expect(!seen.contains(nil), "a blank cell")
      // Its corner lies on a block's corner: it touches that one block, and no other is drawn.
      let origin = bench.kiosk.goal.origin
      #expect(
        bench.display.damage.last == [
          PixelRect(x: id.x * 256 - origin.x, y: id.y * 256 - origin.y, width: 256, height: 256)
        ])
    }
    try bench.settle()
  }

  @Test
  func aTileTouchesTheBlocksThatItLiesInAndNoOther() throws {
    let (bench, hold) = try bench()
    let center = MosaicTests.Place(5, 4100, 4000).center
    try bench.show(center, 4)
    hold.hold { $0.z == 5 }
    defer { hold.release() }
    go(bench, 5, center)
    let origin = bench.kiosk.goal.origin
    let screen = PixelRect(x: 0, y: 0, width: 1024, height: 768)
    for _ in 0..<6 {
      let before = bench.display.damage.count
      let id = try #require(bench.releaseOne(hold), "nothing is asked for, with \(levels(bench))")
      #expect(bench.run { bench.display.damage.count > before }, "\(id) brought no frame")
      let tile = PixelRect(
        x: id.x * 256 - origin.x, y: id.y * 256 - origin.y, width: 256, height: 256
      ).intersection(screen)
      let damage = try #require(bench.display.damage.last)
      let parts = damage.map { $0.intersection(tile) }
      let area = parts.reduce(0) { $0 + $1.width * $1.height }
      #expect(area == tile.width * tile.height, "\(id) is not all drawn")
      for rect in damage {
        #expect(rect.intersects(tile) && rect.width <= 256 && rect.height <= 256, "\(id): \(rect)")
      }
    }
    hold.release()
    try bench.settle()
  }

  @Test func childrenStandInReducedUntilTheirParentComes() throws {
    let (bench, hold) = try bench()
    // Nothing above zoom 5 comes, not even ahead of its time.
    hold.hold { $0.z < 5 }
    defer { hold.release() }
    try bench.show(MosaicTests.Place(5, 4096, 4096).center, 5)
    go(bench, 4)
    let panel = bench.panel()
    let origin = bench.kiosk.goal.origin
    // The tiles of zoom 5 that were on the screen, each at half its size.
    for row in 15..<17 {
      for column in 14..<18 {
        let child = try #require(TileID(z: 5, x: column, y: row))
        let (x, y) = (column * 128 - origin.x, row * 128 - origin.y)
        for (dx, dy) in [(0, 0), (64, 64), (127, 127)] {
          #expect(panel[x + dx, y + dy] == PlainSource.color(child), "\(child)")
        }
      }
    }
    hold.release()
    try bench.settle()
    #expect(levels(bench) == Array(repeating: 4, count: 12))
  }

  @Test func nothingChangedNothingRuns() throws {
    let bench = try Bench([MosaicTests.spec(MosaicTests.small)])
    try bench.show(GeoPoint(lat: 41.9, lon: 12.5), 5)
    // What is loaded ahead may still be under way.
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(bench.run { bench.kiosk.book.files.isQuiet })
    bench.drain()
    let frame = bench.display.frame
    #expect(!bench.isWoken(within: 300_000_000), "something woke the loop")
    #expect(bench.display.frame == frame)
    // The same view again is no new frame either.
    bench.kiosk.go(to: bench.kiosk.goal, animate: false)
    bench.drain()
    #expect(bench.display.frame == frame)
    try bench.settle()
    #expect(bench.display.frame == frame)
  }
}
