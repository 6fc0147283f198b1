import MapGeometry

/// Where a plate stands beside the position's dot.
enum PlateSides {
  /// The side on which a plate is whole on the screen, is not under one of the HUD's and covers no
  /// marker: right, left, below or above; where there is none, the one with the fewest. If a plate
  /// is on each side, or the screen's edge, it may be off the middle of a side, too.
  ///
  /// - Parameters:
  ///   - width: The plate's width.
  ///   - height: The plate's height.
  ///   - dot: The dot's picture.
  ///   - reach: The distance from the dot's middle to a plate on its right or left.
  ///   - gap: The distance from the dot's picture to a plate below or above it.
  ///   - screen: The screen.
  ///   - markers: What is not to be covered.
  ///   - plates: What would hide it: the HUD's plates.
  /// - Returns: The plate's corner. All lengths are pixels.
  static func place(
    width: Int, height: Int, beside dot: PixelRect, reach: Int, gap: Int, on screen: PixelRect,
    clearOf markers: [PixelRect], under plates: [PixelRect] = []
  ) -> (x: Int, y: Int) {
    let (x, y) = (dot.x + dot.width / 2, dot.y + (dot.height - height) / 2)
    let middle = max(screen.x, min(x - width / 2, screen.maxX - width))
    let sides = [
      (x + reach, y), (x - reach - width, y), (middle, dot.maxY + gap),
      (middle, dot.y - gap - height),
    ]
    // Beside the dot further up or down, below and above it further left or right.
    let (left, right) = (dot.x - width, dot.maxX)
    let corners = [
      (x + reach, dot.maxY - height), (x + reach, dot.y), (x - reach - width, dot.maxY - height),
      (x - reach - width, dot.y), (dot.x, dot.maxY + gap), (right - width, dot.maxY + gap),
      (dot.x, dot.y - gap - height), (right - width, dot.y - gap - height),
      (right, dot.maxY + gap), (left, dot.maxY + gap), (right, dot.y - gap - height),
      (left, dot.y - gap - height),
    ]
    var best: (side: (x: Int, y: Int), covered: Covered)?
    for places in [sides, corners] where best.map({ $0.covered.plates > 0 }) ?? true {
      for place in places {
        let rect = PixelRect(x: place.0, y: place.1, width: width, height: height)
        guard rect.intersection(screen) == rect else { continue }
        let covered = Covered(rect, markers, plates)
        if best.map({ covered < $0.covered }) ?? true { best = (place, covered) }
      }
    }
    if let best { return best.side }
    // A dot at the screen's edge: as much of the plate as there is room for.
    return (
      max(screen.x, min(x + reach, screen.maxX - width)),
      max(screen.y, min(y, screen.maxY - height))
    )
  }

  /// How many of the HUD's plates a plate is under, and how many markers it covers.
  struct Covered: Comparable {
    var plates: Int
    var markers: Int

    init(_ rect: PixelRect, _ markers: [PixelRect], _ plates: [PixelRect]) {
      self.plates = plates.count { $0.intersects(rect) }
      self.markers = markers.count { $0.intersects(rect) }
    }

    static func < (a: Covered, b: Covered) -> Bool {
      (a.plates, a.markers) < (b.plates, b.markers)
    }
  }
}
