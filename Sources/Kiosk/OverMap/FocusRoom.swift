import MapGeometry

/// How far the map moves so that the ring of the focus is seen.
enum FocusRoom {
  /// The shortest movement that brings a ring out from under the plates and onto the screen. If the
  /// plates leave no room for it, the plates are ignored.
  ///
  /// - Parameters:
  ///   - ring: What the ring covers.
  ///   - gap: The space around the ring that is free after a movement.
  ///   - screen: The screen.
  ///   - plates: What would hide it.
  /// - Returns: The movement to the right and down; nil: none is necessary, or none helps. All
  ///   lengths are pixels.
  static func shift(
    _ ring: PixelRect, gap: Int, on screen: PixelRect, clearOf plates: [PixelRect]
  ) -> (x: Int, y: Int)? {
    func isSeen(_ rect: PixelRect) -> Bool {
      rect.intersection(screen) == rect && !plates.contains { $0.intersects(rect) }
    }
    if isSeen(ring) { return nil }
    let wide = ring.widened(by: gap)
    // The shortest movement ends beside a plate or an edge, or keeps the column or the row.
    var (xs, ys) = ([0], [0])
    xs += [screen.x - wide.x, screen.maxX - wide.maxX]
    ys += [screen.y - wide.y, screen.maxY - wide.maxY]
    for plate in plates {
      xs += [plate.x - wide.maxX, plate.maxX - wide.x]
      ys += [plate.y - wide.maxY, plate.maxY - wide.y]
    }
    var best: (shift: (x: Int, y: Int), length: Double)?
    for x in xs {
      for y in ys {
        let length = Double(x) * Double(x) + Double(y) * Double(y)
        if let best, best.length <= length { continue }
        let there = PixelRect(x: wide.x + x, y: wide.y + y, width: wide.width, height: wide.height)
        if isSeen(there) { best = ((x, y), length) }
      }
    }
    if let best { return best.shift }
    return plates.isEmpty ? nil : shift(ring, gap: gap, on: screen, clearOf: [])
  }
}

extension PixelRect {
  /// With `space` pixels more on each side.
  func widened(by space: Int) -> PixelRect {
    PixelRect(x: x - space, y: y - space, width: width + 2 * space, height: height + 2 * space)
  }
}
