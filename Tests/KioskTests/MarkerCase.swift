import MapGeometry
import TestSupport

@testable import Configuration
@testable import Kiosk

/// What the tests of markers and the HUD share: a small kiosk that shows tiles of the fixtures.
protocol MarkerCase {}

extension MarkerCase {
  static var tiles: String { TestData.fixtures + "/tiles/osm" }

  func marker(
    _ id: String, _ lat: Double, _ lon: Double, _ label: String? = nil, _ text: String? = nil
  ) -> Configuration.Marker {
    Configuration.Marker(id: id, place: GeoPoint(lat: lat, lon: lon), label: label, text: text)
  }

  /// On the corner of four tiles that are carried with the project.
  func bench(
    width: Int = 400, height: Int = 300, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench([MosaicTests.spec(Self.tiles)], width: width, height: height) {
      $0.view.center = GeoPoint(lat: 40.98, lon: 11.25)
      $0.view.zoom = 5
      set(&$0)
    }
  }

  func events(_ bench: Bench) -> () -> [String] {
    let box = Box()
    bench.kiosk.onEvent = {
      if case .marker(let id, let change) = $0 { box.all.append("\(change.rawValue) \(id)") }
    }
    return { box.all }
  }

  func frame(_ bench: Bench) { bench.loop.runOnce(timeout: 0) }
}

private final class Box { var all: [String] = [] }
