import MapGeometry

/// Where a plate stands beside the position's dot.
enum PlateSides {
  /// What a plate beside the dot is to keep clear of, all in view pixels.
  struct Obstacles {
    /// The HUD's plates and the callout's, under which nothing is seen.
    var plates: [PixelRect] = []
    /// The pins of "here", and their labels.
    var heres: [PixelRect] = []
    /// The markers and their labels.
    var markers: [PixelRect] = []
    /// The pins of "here" alone.
    var pins: [PixelRect] = []

    /// Whether a plate would hide more than a third of a pin of "here".
    func loseAPin(under plate: PixelRect) -> Bool {
      pins.contains { pin in
        let part = pin.intersection(plate)
        return !part.isEmpty && 3 * part.width * part.height > pin.width * pin.height
      }
    }
  }

  /// The place where a plate is whole on the screen, is not under one of the HUD's and covers
  /// nothing: right, left, below or above; otherwise off the middle of a side; otherwise beside the
  /// pin of "here" that the dot touches. Where each place costs something, it is the one that costs
  /// the least.
  ///
  /// - Parameters:
  ///   - width: The plate's width.
  ///   - height: The plate's height.
  ///   - dot: The dot's picture.
  ///   - reach: The distance from the dot's middle to a plate on its right or left.
  ///   - gap: The distance from the dot's picture to a plate below or above it.
  ///   - screen: The screen.
  ///   - obstacles: What is not to be covered, and what would hide it.
  /// - Returns: The plate's corner. All lengths are pixels.
  static func place(
    width: Int, height: Int, beside dot: PixelRect, reach: Int, gap: Int, on screen: PixelRect,
    clearOf obstacles: Obstacles
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
    // The same beside the whole pin.
    var pin = dot
    for here in obstacles.heres where here.intersects(dot) { pin = pin.union(here) }
    var besidePin = [
      (pin.maxX + gap, y), (pin.x - gap - width, y), (middle, pin.maxY + gap),
      (dot.x, pin.maxY + gap), (right - width, pin.maxY + gap), (right, pin.maxY + gap),
      (left, pin.maxY + gap), (middle, pin.y - gap - height),
    ]
    // Beside it above the dot, at the pin's head, and further down.
    for row in [dot.y - gap - height, pin.y, dot.maxY - height] {
      besidePin += [(pin.maxX + gap, row), (pin.x - gap - width, row)]
    }
    var best: (side: (x: Int, y: Int), covered: Covered)?
    for places in [sides, corners, besidePin] where best.map({ !$0.covered.isNothing }) ?? true {
      for place in places {
        let rect = PixelRect(x: place.0, y: place.1, width: width, height: height)
        guard rect.intersection(screen) == rect else { continue }
        let covered = Covered(rect, obstacles)
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

  /// How many pixels of a plate are under others, how many it covers of "here", and how many of
  /// markers: the first counts most.
  struct Covered: Comparable {
    var plates: Int
    var heres: Int
    var markers: Int

    init(_ rect: PixelRect, _ obstacles: Obstacles) {
      func pixels(_ others: [PixelRect]) -> Int {
        others.reduce(0) { sum, other in
          let part = other.intersection(rect)
          return sum + max(0, part.width) * max(0, part.height)
        }
      }
      plates = pixels(obstacles.plates)
      heres = pixels(obstacles.heres)
      markers = pixels(obstacles.markers)
    }

    /// Whether the plate is seen whole and covers nothing.
    var isNothing: Bool { plates == 0 && heres == 0 && markers == 0 }

    static func < (a: Covered, b: Covered) -> Bool {
      (a.plates, a.heres, a.markers) < (b.plates, b.heres, b.markers)
    }
  }
}
