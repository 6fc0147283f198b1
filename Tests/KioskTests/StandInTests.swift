import Foundation
import MapGeometry
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Kiosk
@testable import MapScene

/// Where a source has no tile of its own for a place, what stands there.
@Suite struct StandInTests {
  typealias Place = MosaicTests.Place

  private static var folder: String {
    TestData.large == nil ? MosaicTests.small : MosaicTests.large
  }

  /// Whether the picture's pixel lies within the colours of the 3 × 3 pixels of `tile` around
  /// (u, v): what any filter that enlarges by mixing neighbours gives.
  private func isBetween(_ pixel: UInt32, _ tile: [UInt32], _ u: Int, _ v: Int) -> Bool {
    for shift in [UInt32(0), 8, 16] {
      var (least, most) = (UInt32(255), UInt32(0))
      for y in max(0, v - 1)...min(255, v + 1) {
        for x in max(0, u - 1)...min(255, u + 1) {
          let c = tile[y * 256 + x] >> shift & 255
          (least, most) = (min(least, c), max(most, c))
        }
      }
      let c = Int(pixel >> shift & 255)
      if c < Int(least) - 2 || c > Int(most) + 2 { return false }
    }
    return true
  }

  /// The pixels of a picture inside a tile that are not its ancestor enlarged.
  private struct Comparison: CustomStringConvertible {
    var (wrong, seen) = (0, 0)
    /// The rectangle around the wrong ones, and the first of them with what the ancestor has there.
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    var first = ""

    mutating func note(_ x: Int, _ y: Int, _ pixel: UInt32, for expected: UInt32) {
      wrong += 1
      (left, top) = (min(left, x), min(top, y))
      (right, bottom) = (max(right, x), max(bottom, y))
      if wrong == 1 {
        first = "\(String(pixel, radix: 16)) for \(String(expected, radix: 16)) at (\(x), \(y))"
      }
    }

    var description: String {
      wrong == 0
        ? "none of \(seen) pixels"
        : "\(wrong) of \(seen) pixels, within (\(left), \(top)) to (\(right), \(bottom)): \(first)"
    }
  }

  /// The pixels of `picture` inside tile `id` of `view`'s level that are not `ancestor` enlarged.
  private func notEnlarged(
    _ picture: Picture, _ view: Viewport, _ id: TileID, from ancestor: TileID, _ mosaic: Mosaic
  ) throws -> Comparison {
    let tile = try #require(try mosaic.tile(ancestor))
    let up = id.z - ancestor.z
    let origin = view.origin
    var result = Comparison()
    for y in max(0, id.y * 256 - origin.y)..<min(view.height, id.y * 256 + 256 - origin.y) {
      for x in max(0, id.x * 256 - origin.x)..<min(view.width, id.x * 256 + 256 - origin.x) {
        let u = (origin.x + x) >> up - ancestor.x * 256
        let v = (origin.y + y) >> up - ancestor.y * 256
        result.seen += 1
        if !isBetween(picture[x, y], tile, u, v) {
          result.note(x, y, picture[x, y], for: tile[v * 256 + u])
        }
      }
    }
    return result
  }

  @Test(.enabled(if: Mosaic.program != nil, "needs netpbm's pngtopam"))
  func inAHoleOfTheMapTheParentIsEnlarged() throws {
    let places =
      TestData.large == nil
      ? [Place(5, 2304, 4352, 300, 200)]
      : [Place(5, 2304, 4352, 300, 200), Place(5, 2432, 8000), Place(5, 2688, 1000, 700, 1800)]
    let mosaic = Mosaic(folder: StandInTests.folder)
    for place in places {
      let bench = try MosaicTests.bench(MosaicTests.spec(StandInTests.folder), place)
      let outcome = try bench.show(place.center, 5)
      #expect(outcome.missing > 0, "a hole counts as missing")
      let picture = try bench.picture()
      let view = bench.kiosk.goal
      var seen = 0
      for row in view.origin.y >> 8...(view.origin.y + view.height - 1) >> 8 {
        for column in view.origin.x >> 8...(view.origin.x + view.width - 1) >> 8 {
          guard let id = TileID(z: 5, x: column, y: row), try mosaic.tile(id) == nil,
            let parent = id.ancestor(1), try mosaic.tile(parent) != nil
          else { continue }
          let result = try notEnlarged(picture, view, id, from: parent, mosaic)
          #expect(result.wrong == 0, "\(id): \(result)")
          seen += result.seen
        }
      }
      #expect(seen > 5000)
    }
  }

  @Test(
    .enabled(if: Mosaic.program != nil, "needs netpbm's pngtopam"), arguments: [6.0, 7, 8])
  func pastTheDeepestZoomTheDeepestTileIsEnlarged(zoom: Double) throws {
    let mosaic = Mosaic(folder: MosaicTests.small)
    let bench = try MosaicTests.bench(
      MosaicTests.spec(MosaicTests.small), Place(5, 0, 0, 400, 240))
    // The middle of tile 5/17/11.
    let outcome = try bench.show(Place(5, 17 * 256 + 128, 11 * 256 + 128).center, zoom)
    #expect(outcome.missing == 0, "beyond the deepest zoom nothing is missing")
    let picture = try bench.picture()
    let view = bench.kiosk.goal
    var seen = 0
    let deepest = try #require(TileID(z: 5, x: 17, y: 11))
    for row in view.origin.y >> 8...(view.origin.y + view.height - 1) >> 8 {
      for column in view.origin.x >> 8...(view.origin.x + view.width - 1) >> 8 {
        guard let id = TileID(z: Int(zoom), x: column, y: row), id.ancestor(atLevel: 5) == deepest
        else { continue }
        let result = try notEnlarged(picture, view, id, from: deepest, mosaic)
        #expect(result.wrong == 0, "\(id): \(result)")
        seen += result.seen
      }
    }
    #expect(seen > 80000)
  }

  @Test(
    .enabled(if: Mosaic.program != nil && TestData.large != nil, "needs the data set and netpbm"))
  func aboveTheShallowestZoomItsTilesAreReduced() throws {
    let mosaic = Mosaic(folder: MosaicTests.large)
    let bench = try MosaicTests.bench(
      MosaicTests.spec(MosaicTests.large), Place(5, 0, 0, 400, 240))
    try bench.show(GeoPoint(lat: 30, lon: 20), 2)
    let picture = try bench.picture()
    let view = bench.kiosk.goal
    let (w, h) = (view.width, view.height)
    let truth = try mosaic.picture(
      level: 3, x: view.origin.x * 2, y: view.origin.y * 2, width: 2 * w, height: 2 * h)
    var far = 0
    for y in 0..<h {
      for x in 0..<w {
        for shift in [UInt32(0), 8, 16] {
          var (least, most) = (255, 0)
          for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let c = Int((truth[(2 * y + dy) * 2 * w + 2 * x + dx] ?? 0) >> shift & 255)
            (least, most) = (min(least, c), max(most, c))
          }
          let c = Int(picture[x, y] >> shift & 255)
          if c < least - 2 || c > most + 2 { far += 1 }
        }
      }
    }
    #expect(far == 0, "\(far) samples are none of the four pixels' they are made of")
  }

  @Test func whereThereIsNothingAQuietCellStandsThatIsDrawnOnce() throws {
    let bench = try MosaicTests.bench(
      MosaicTests.spec(MosaicTests.small), Place(5, 0, 0, 800, 480))
    let outcome = try bench.show(GeoPoint(lat: -50, lon: 100), 9)
    #expect(outcome.complete)
    let panel = bench.panel()
    let field = Compositor.Palette.day.waiting
    #expect(panel.words.filter { $0 == field }.count > panel.words.count / 2)
    #expect(panel.words.contains { $0 != field }, "no hatch")
    let key = bench.kiosk.pipeline.cache.stats.tiles
    try bench.show(GeoPoint(lat: -51, lon: 101), 9)
    #expect(bench.kiosk.pipeline.cache.stats.tiles == key)
  }
}
