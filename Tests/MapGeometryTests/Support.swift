import Foundation
import MapGeometry

/// Random numbers that are the same in every run (SplitMix64, public domain, S. Vigna).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

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
