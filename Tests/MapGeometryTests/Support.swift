import Foundation
import MapGeometry
import TestSupport

/// Web Mercator by the textbook's other formula, ln(tan φ + sec φ): the unit square's x and y.
func textbook(lat: Double, lon: Double) -> (x: Double, y: Double) {
  let phi = lat * .pi / 180
  return ((lon + 180) / 360, (1 - log(tan(phi) + 1 / cos(phi)) / .pi) / 2)
}

/// What a careless or hostile caller may pass.
let absurdNumbers: [Double] = [
  .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e20, -1e20, 9.3e18, -9.3e18, 4e9, -4e9, 1000,
  -1000, 540, -540, 360, -360, 180, -180, 90, -90, 85.06, -85.06, 24, 1, -1, 0, -0.0,
]

/// `difference` of two unit-square columns by whole turns nearest to 0.
func wrapped(_ difference: Double) -> Double { difference - difference.rounded() }
