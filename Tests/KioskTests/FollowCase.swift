import Configuration
import Inputs
import MapGeometry

@testable import Kiosk

/// What the tests of the followed position share: a small kiosk at zoom 15, and three places 80 m
/// apart.
protocol FollowCase {}

extension FollowCase {
  func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try Bench([], width: 400, height: 300) {
      $0.view.zoom = 15
      set(&$0)
    }
  }

  var places: [GeoPoint] {
    [
      GeoPoint(lat: 46.02, lon: 7.75), GeoPoint(lat: 46.0205, lon: 7.7507),
      GeoPoint(lat: 46.021, lon: 7.7514),
    ]
  }

  func fix(_ n: Int, heading: Double? = nil, speed: Double? = nil) -> Fix {
    Fix(place: places[n], heading: heading, speed: speed)
  }

  /// Takes a fix and lets everything come to rest.
  func take(_ fix: Fix, _ bench: Bench) throws {
    bench.kiosk.take(fix, from: .socket)
    try rest(bench)
  }

  func rest(_ bench: Bench) throws {
    bench.loop.runOnce(timeout: 0)
    while bench.kiosk.view.isMoving || bench.kiosk.dotMoves {
      bench.loop.runOnce(timeout: 5_000_000)
    }
  }
}
