extension Int {
  /// `value` rounded down, limited to ±2^53 (so that sums of a few never overflow); 0 for NaN.
  /// `Int(_:)` would trap on NaN and on numbers beyond its range.
  init(flooring value: Double) {
    let limit = 9_007_199_254_740_992.0
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit).rounded(.down))
  }

  /// The sum, limited to the range of `Int`.
  @inlinable
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, limited to the range of `Int`.
  @inlinable
  func subtractingClamped(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
