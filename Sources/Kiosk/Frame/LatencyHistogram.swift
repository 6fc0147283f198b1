import Glibc

/// A histogram of durations in 8 buckets per doubling, from 1 µs to about 17 s. Percentiles are
/// within 9 %, the maximum is exact, and its size is fixed.
public struct LatencyHistogram: Sendable {
  private static let perDoubling = 8.0
  private var buckets = [Int](repeating: 0, count: 24 * 8)
  /// How many durations were added since the start.
  public private(set) var count = 0
  /// The longest duration in nanoseconds.
  private var longest = 0

  /// Creates an empty histogram.
  public init() {}

  /// Adds a duration in nanoseconds.
  public mutating func add(nanoseconds: Int) {
    let micro = max(Double(nanoseconds) / 1000, 1)
    let bucket = Int(log2(micro) * LatencyHistogram.perDoubling)
    buckets[min(bucket, buckets.count - 1)] += 1
    count += 1
    longest = max(longest, nanoseconds)
  }

  /// The longest duration in milliseconds, to the microsecond; nil if it is empty.
  public var maximum: Double? {
    count > 0 ? (Double(longest) / 1000).rounded() / 1000 : nil
  }

  /// The duration in milliseconds that `fraction` (0...1) of all did not exceed, the maximum at
  /// most; nil if it is empty.
  public func milliseconds(at fraction: Double) -> Double? {
    guard let maximum else { return nil }
    let rank = max(1, Int((Double(count) * fraction).rounded(.up)))
    var seen = 0
    for (i, n) in buckets.enumerated() {
      seen += n
      if seen >= rank {
        let upper = exp2(Double(i + 1) / LatencyHistogram.perDoubling) / 1000
        return min((upper * 1000).rounded() / 1000, maximum)
      }
    }
    return nil
  }
}
