import Configuration
import EventLoop
import Glibc
import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

/// A unit whose power is cut on the way shows, at the next start, where it was last.
@Suite struct FollowedSavesTests: FollowCase {
  private static let second: UInt64 = 1_000_000_000
  private let start = GeoPoint(lat: 46, lon: 7)

  /// A view of 400x300 pixels, `pixels` east of the start.
  private func view(_ pixels: Double) -> Viewport {
    Viewport(center: start, zoom: 15, bearing: 0, width: 400, height: 300, scale: 1)
      .panned(dx: pixels, dy: 0)
  }

  /// Whether a view at each distance in pixels is saved, at each second.
  private func due(
    _ steps: [(pixels: Double, second: Int)], after saved: Double = 0
  ) -> [Bool] {
    var saves = FollowedSaves(at: start)
    saves.saved(at: view(saved).center)
    return steps.map { saves.isDue(view($0.pixels), now: UInt64($0.second) * Self.second) }
  }

  @Test func itIsSavedWhenItMovedByHalfOfItsShorterSide() {
    #expect(due([(0, 1), (149, 2), (151, 3), (151, 100)]) == [false, false, true, false])
  }

  @Test func itIsSavedOnceAMinuteAtMost() {
    let times = due((1...240).map { (Double($0) * 200, $0) }).enumerated()
    #expect(times.filter { $0.element }.map { $0.offset + 1 } == [1, 61, 121, 181])
  }

  @Test func aViewThatWasSavedForAnotherReasonIsNotSavedAgain() {
    #expect(due([(600, 1), (700, 2)], after: 500) == [false, true])
  }

  @Test func theDateLineIsNoDistance() {
    var saves = FollowedSaves(at: GeoPoint(lat: 0, lon: 179.9999))
    let east = Viewport(
      center: GeoPoint(lat: 0, lon: -179.9999), zoom: 15, bearing: 0, width: 400, height: 300,
      scale: 1)
    let isDue = saves.isDue(east, now: Self.second)
    #expect(!isDue)
  }

  @Test func theFileHasTheFollowedPlaceThoughNobodyTouchesTheKiosk() throws {
    let folder = try TemporaryFolder()
    let path = folder["state.json"]
    let bench = try bench {
      $0.view.center = GeoPoint(lat: 10, lon: 10)
      $0.state.path = path
      $0.state.writeEvery = 0.1
    }
    try take(fix(0), bench)
    #expect(bench.run { access(path, F_OK) == 0 })
    let next = try self.bench {
      $0.state.path = path
      $0.position.follow = false
    }
    next.kiosk.restoreState()
    #expect(abs(next.kiosk.goal.center.lat - places[0].lat) < 1e-6)
    #expect(abs(next.kiosk.goal.center.lon - places[0].lon) < 1e-6)
  }

  @Test func aUnitAtRestWritesNothingThoughFixesCome() throws {
    let bench = try bench { $0.view.center = places[0] }
    try take(fix(0), bench)
    try rest(bench)
    _ = bench.kiosk.outbox.take(.state)
    for n in 0..<20 {
      var place = places[0]
      place.lat += Double(n % 3) * 1e-5
      bench.kiosk.take(Fix(place: place), from: .socket)
      bench.kiosk.view.follow(EventLoop.now())
      #expect(!bench.kiosk.outbox.take(.state))
    }
  }
}
