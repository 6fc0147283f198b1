import Drawing
import MapGeometry

@testable import MapOverlays
@testable import MapScene

/// What the tests of a marker layer share.
protocol MarkerLayerCase {}

extension MarkerLayerCase {
  func view(
    _ lat: Double = 46, _ lon: Double = 7.75, zoom: Double = 12, bearing: Double = 0,
    _ width: Int = 800, _ height: Int = 480, scale: Int = 1
  ) -> Viewport {
    Viewport(
      center: GeoPoint(lat: lat, lon: lon), zoom: zoom, bearing: bearing, width: width,
      height: height, scale: scale)
  }

  func marker(
    _ id: String, _ lat: Double, _ lon: Double, _ label: String = "", icon: MarkerIcon = .pin
  ) -> Marker {
    Marker(id: id, place: GeoPoint(lat: lat, lon: lon), label: label, icon: icon)
  }

  func layer(_ markers: [Marker], scale: Int = 1) throws -> MarkerLayer {
    let layer = MarkerLayer(painter(Double(scale)))
    for marker in markers { try layer.set(marker) }
    return layer
  }

  /// Many markers around a place, the same every time.
  func many(_ count: Int, spread: Double = 2) -> [Marker] {
    var numbers = Numbers(11)
    return (0..<count).map {
      marker(
        "m\($0)", 46 + (numbers.unit() - 0.5) * spread, 7.75 + (numbers.unit() - 0.5) * spread,
        $0 % 3 == 0 ? "Place \($0)" : "",
        icon: MarkerIcon.allCases[$0 % MarkerIcon.allCases.count == 0 ? 1 : $0 % 24])
    }
  }
}
