import CPixels

/// Coverage becomes pixels.
extension CoverageCells {
  /// Draws the band with the non-zero rule, and clears it. `isSmooth` makes edges steeper.
  mutating func sweep(_ ink: PaintInk, isSmooth: Bool) {
    waypost_sweep(
      sums, stride, spans, rows, width, ink.pixels + top &* ink.stride, ink.stride, ink.color,
      isSmooth ? 1 : 0)
  }

  /// Hands the band's runs of equal coverage to `ink`, and clears it.
  mutating func sweep<Ink: CoverageInk>(rule: PathRasteriser.Rule, ink: inout Ink) {
    for row in 0..<rows {
      let last = Int(spans[2 &* row &+ 1])
      if last < 0 { continue }
      let sums = sums + row &* stride
      var column = Int(spans[2 &* row])
      var sum: Int32 = 0
      let end = min(last + 1, width)
      while column < end {
        sum &+= sums[column]
        sums[column] = 0
        // A run of equal coverage.
        var next = column &+ 1
        while next < end, sums[next] == 0 { next &+= 1 }
        if next == end, end == last + 1, next < width { break }
        let coverage = Self.coverage(sum, rule)
        if coverage != 0 {
          ink.run(top &+ row, column, count: next &- column, coverage: coverage)
        }
        column = next
      }
      sums[width] = 0
      sums[width + 1] = 0
      if column < width {
        // Edges beyond the right side were skipped: the coverage continues to the end.
        let coverage = Self.coverage(sum, rule)
        if coverage != 0 {
          ink.run(top + row, column, count: width - column, coverage: coverage)
        }
      }
    }
  }

  /// The coverage of a sum, 0 to 255.
  @inline(__always)
  private static func coverage(_ sum: Int32, _ rule: PathRasteriser.Rule) -> UInt32 {
    var area = sum.magnitude
    switch rule {
    case .nonZero: area = min(area, UInt32(full))
    case .evenOdd:
      area &= UInt32(2 * full - 1)
      if area > UInt32(full) { area = UInt32(2 * full) - area }
    }
    // 255.0 for `full`, rounded.
    return (area &* 255 &+ UInt32(full / 2)) &>> 17
  }
}
