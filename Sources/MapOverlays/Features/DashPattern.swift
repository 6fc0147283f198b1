/// The lengths of dashes and gaps along a line, in turn, beginning with a dash.
struct DashPattern: Equatable {
  /// The lengths, an even number; none: the line has no gaps.
  let lengths: [Double]

  /// How long it is.
  var period: Double { lengths.reduce(0, +) }

  /// Creates a pattern. An odd number of lengths is taken twice, so that dashes and gaps change
  /// places.
  init(_ lengths: [Double]) { self.lengths = lengths.count % 2 == 0 ? lengths : lengths + lengths }

  /// The pattern stretched or shrunk so that a line of `length` ends with its first dash, or one
  /// that is `isRound` with its last gap. Otherwise the casing would show beyond the last dash.
  /// A line that is hardly longer than that dash has no gaps.
  func fitted(to length: Double, isRound: Bool) -> DashPattern {
    guard let dash = lengths.first, period > 0, length > 0 else { return self }
    let end = isRound ? 0 : dash
    let count = max(((length - end) / period).rounded(), isRound ? 1 : 0)
    if count == 0 { return DashPattern([]) }
    let factor = length / (count * period + end)
    return DashPattern(lengths.map { $0 * factor })
  }
}
