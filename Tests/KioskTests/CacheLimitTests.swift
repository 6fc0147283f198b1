import Configuration
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// Whether the compiler optimised: without, a picture takes it some hundred times as long.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// The cache's limit holds, and the picture is whole all the same.
@Suite(.enabled(if: isOptimised, "thousands of pictures: run by `make test` in an optimised build"))
struct CacheLimitTests {
  /// Numbers that are the same in every run (SplitMix64).
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }
  }

  private static var folder: String {
    TestData.large == nil ? MosaicTests.small : MosaicTests.large
  }

  /// Every third view whole and upright, the others of any zoom, half of them turned.
  private func randomView(_ base: Viewport, _ random: inout Random) -> Viewport {
    var view = base
    view.center = GeoPoint(
      lat: .random(in: -85...85, using: &random), lon: .random(in: -180..<180, using: &random))
    view.zoom = .random(in: 0...8, using: &random)
    view.bearing = Bool.random(using: &random) ? .random(in: 0..<360, using: &random) : 0
    if Int.random(in: 0..<3, using: &random) == 0 {
      view.zoom = view.zoom.rounded()
      view.bearing = 0
    }
    return view
  }

  @Test
  func aCacheOf4MiBHoldsItsLimitInThousandsOfViewsAndEveryOneCanBeWhole() throws {
    let emulated = ProcessInfo.processInfo.environment["WAYPOST_EMULATED"] != nil
    let views = emulated ? 500 : 10_000
    let bench = try Bench([MosaicTests.spec(CacheLimitTests.folder)], width: 1280, height: 720) {
      $0.cache.memory = 4 << 20
    }
    let p = bench.kiosk.pipeline
    var random = Random(state: 11)
    var most = 0
    func look() {
      let stats = p.cache.stats
      most = max(most, stats.bytes)
      if stats.bytes > stats.limit { Issue.record("\(stats.bytes) of \(stats.limit) bytes") }
    }
    try bench.show(GeoPoint(lat: 0, lon: 0), 3)
    let limit = p.cache.stats.limit
    #expect(limit == p.cache.stats.floor, "4 MiB are less than a view can need")
    #expect(bench.kiosk.health.entries.contains { $0.what == "cache" && $0.state == .warning })
    for n in 1...views {
      let view = randomView(bench.kiosk.goal, &random)
      if n % 100 == 0 {
        let outcome = try bench.show(view.center, view.zoom, bearing: view.bearing)
        #expect(outcome.complete)
      } else {
        // Planned and loaded as a frame is, without its pixels: those take most of the time and
        // none of the cache.
        let update = p.scene.update(view: bench.kiosk.view.clamped(view))
        look()
        p.loader.want(update.requests)
        look()
        p.scene.didDraw()
        _ = bench.kiosk.outbox.take(.drawn)
        bench.loop.runOnce(timeout: n % 7 == 0 ? 2_000_000 : 0)
        _ = bench.kiosk.outbox.take(.drawn)
      }
      look()
      #expect(p.cache.stats.limit == limit)
    }
    #expect(most > limit / 2, "the cache was never full: \(most) of \(limit)")
    #expect(p.loader.stats.decodeErrors == 0)
  }

  /// Views that a small cache and a large one show alike.
  private static let views: [(GeoPoint, Double, Double)] = [
    (GeoPoint(lat: 41.9, lon: 12.5), 5, 0), (GeoPoint(lat: 41.9, lon: 12.5), 4.4, 0),
    (GeoPoint(lat: 45, lon: 5), 4.6, 33), (GeoPoint(lat: 10, lon: 179), 3, 200),
    (GeoPoint(lat: 0, lon: 0), 2.51, 45), (GeoPoint(lat: 50, lon: 10), 7, 0),
  ]

  /// The most by which a colour of a pixel differs.
  private static func difference(_ a: Picture, _ b: Picture) -> Int {
    guard a.words.count == b.words.count else { return 255 }
    var most = 0
    for (p, q) in zip(a.words, b.words) where p != q {
      for part in [0, 8, 16, 24] {
        most = max(most, abs(Int(p >> UInt32(part) & 255) - Int(q >> UInt32(part) & 255)))
      }
    }
    return most
  }

  @Test
  func layersThatNeedMoreThanTheLimitAreWholeAllTheSame() throws {
    func layer(_ name: String, _ folder: String, _ role: SourceSpec.Role, _ opacity: Double)
      -> SourceSpec
    {
      var spec = SourceSpec(name: name, location: .path(folder))
      spec.role = role
      spec.opacity = opacity
      return spec
    }
    let osm = CacheLimitTests.folder
    let rgba =
      TestData.large.map { $0 + "/raster-dirs/partial-regional-z0-5-rgba" }
      ?? TestData.fixtures + "/packs/sparse-folder"
    let layers = [
      layer("base", osm, .base, 1), layer("clouds", rgba, .overlay, 1),
      layer("again", osm, .overlay, 0.3), layer("more", osm, .overlay, 0.5),
      layer("names", osm, .labels, 0.25), layer("relief", rgba, .labels, 0.6),
    ]
    let small = try Bench(layers, width: 640, height: 400) { $0.cache.memory = 1 << 20 }
    let large = try Bench(layers, width: 640, height: 400) { $0.cache.memory = 512 << 20 }
    var overflowed = false
    for (center, zoom, bearing) in CacheLimitTests.views {
      try small.show(center, zoom, bearing: bearing, timeout: 300)
      let stats = small.kiosk.pipeline.cache.stats
      #expect(stats.bytes <= stats.limit)
      try large.show(center, zoom, bearing: bearing)
      overflowed = overflowed || large.kiosk.pipeline.cache.stats.bytes > stats.limit
      // Beyond a layer's deepest level it is sampled as finely as what is there around a place
      // allows, and the small cache has less around a place than the large one: rounding differs,
      // nothing else.
      let difference = CacheLimitTests.difference(small.panel(), large.panel())
      #expect(difference <= 8, "\(center), zoom \(zoom), bearing \(bearing) differs")
    }
    #expect(overflowed, "nothing needed more than the small cache holds")
  }
}
