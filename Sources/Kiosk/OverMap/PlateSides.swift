import MapGeometry

/// Where a plate stands beside the position's dot.
enum PlateSides {
  /// The side on which a plate is whole on the screen and covers no marker: right, left, below or
  /// above; where there is none, the one that covers the fewest.
  ///
  /// - Parameters:
  ///   - width: The plate's width.
  ///   - height: The plate's height.
  ///   - dot: The dot's picture.
  ///   - reach: The distance from the dot's middle to a plate on its right or left.
  ///   - gap: The distance from the dot's picture to a plate below or above it.
  ///   - screen: The screen.
  ///   - markers: What is not to be covered.
  /// - Returns: The plate's corner. All lengths are pixels.
  static func place(
    width: Int, height: Int, beside dot: PixelRect, reach: Int, gap: Int, on screen: PixelRect,
    clearOf markers: [PixelRect]
  ) -> (x: Int, y: Int) {
    let (x, y) = (dot.x + dot.width / 2, dot.y + (dot.height - height) / 2)
    let middle = max(screen.x, min(x - width / 2, screen.maxX - width))
    let sides = [
      (x + reach, y), (x - reach - width, y), (middle, dot.maxY + gap),
      (middle, dot.y - gap - height),
    ]
    var best: (side: (x: Int, y: Int), covered: Int)?
    for side in sides {
      let rect = PixelRect(x: side.0, y: side.1, width: width, height: height)
      guard rect.intersection(screen) == rect else { continue }
      let covered = markers.count { $0.intersects(rect) }
      if covered < best?.covered ?? .max { best = (side, covered) }
    }
    if let best { return best.side }
    // A dot at the screen's edge: as much of the plate as there is room for.
    return (
      max(screen.x, min(x + reach, screen.maxX - width)),
      max(screen.y, min(y, screen.maxY - height))
    )
  }
}
