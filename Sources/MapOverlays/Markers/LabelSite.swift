import MapGeometry

/// Where a label stands relative to what it names.
enum LabelSlot: UInt8, CaseIterable {
  // In the order of preference.
  case right, left, above, below, aboveRight, aboveLeft, belowRight, belowLeft
}

/// What a label stands beside, in pixels from its position: an icon, a disc.
struct LabelSite: Equatable {
  var left: Int
  var right: Int
  var top: Int
  var bottom: Int
  /// The row of text to the right or left of it.
  var middle: Int
  /// The distance to keep to the right and to the left.
  var gap: Int

  /// What the label stands beside, if its position is the pixel (x, y).
  func icon(at x: Int, _ y: Int) -> PixelRect {
    PixelRect(x: x + left, y: y + top, width: right - left, height: bottom - top)
  }

  /// The offset from the position's pixel to the corner of a label.
  ///
  /// - Parameters:
  ///   - slot: The side.
  ///   - width: The label's width in pixels.
  ///   - height: The label's height in pixels.
  /// - Returns: The offset in pixels.
  func offset(_ slot: LabelSlot, _ width: Int, _ height: Int) -> (x: Int, y: Int) {
    let (right, left) = (right + gap, left - gap - width)
    let center = (self.left + self.right - width) / 2
    switch slot {
    case .right: return (right, middle - height / 2)
    case .left: return (left, middle - height / 2)
    case .above: return (center, top - height)
    case .below: return (center, bottom)
    case .aboveRight: return (right, top - height / 2)
    case .aboveLeft: return (left, top - height / 2)
    case .belowRight: return (right, bottom - height / 2)
    case .belowLeft: return (left, bottom - height / 2)
    }
  }

  /// The side on which a label with this offset stands; nil: on none.
  func slot(_ offset: (x: Int, y: Int), _ width: Int, _ height: Int) -> LabelSlot? {
    LabelSlot.allCases.first { self.offset($0, width, height) == offset }
  }

  /// How far from another marker the label of "here", and from another point that of an overlay,
  /// must be, in points.
  static let apart = 8.0

  /// Whether a label would be read as the name of another thing than it belongs to: of one that it
  /// is nearly as near to as may be, or nearer than to its own.
  ///
  /// - Parameters:
  ///   - label: What the label covers.
  ///   - own: What it names.
  ///   - others: The other things.
  ///   - gap: How far from those it must be at least, in pixels.
  /// - Returns: Whether it would.
  static func isRead(
    _ label: PixelRect, of own: PixelRect, asNameOf others: [PixelRect], gap: Int
  ) -> Bool {
    func distance(_ other: PixelRect) -> Int {
      let across = max(0, other.x - label.maxX, label.x - other.maxX)
      let down = max(0, other.y - label.maxY, label.y - other.maxY)
      return max(across, down)
    }
    if others.isEmpty { return false }
    let least = max(gap, distance(own))
    return others.contains { distance($0) < least }
  }

  /// The same for something that is larger by `edge` pixels on every side.
  func widened(by edge: Int) -> LabelSite {
    var site = self
    site.left -= edge
    site.right += edge
    site.top -= edge
    site.bottom += edge
    return site
  }
}

extension LabelSlot {
  /// The edge at which the lines of a text begin, or end, on this side.
  var alignment: TextAlignment {
    switch self {
    case .right, .aboveRight, .belowRight: .left
    case .left, .aboveLeft, .belowLeft: .right
    case .above, .below: .middle
    }
  }
}

/// How the lines of a label of two lines stand over each other.
enum TextAlignment: Hashable { case left, middle, right }
