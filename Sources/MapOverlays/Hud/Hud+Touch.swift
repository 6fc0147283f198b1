import MapGeometry

/// What fingers touch of the HUD.
extension Hud {
  /// A part of the HUD under a finger.
  public enum Touched: Equatable, Sendable {
    /// The buttons' legend: a slot in the order of its items, from 0; nil: none has that place.
    case legend(Int?)
    /// The notices.
    case notices
    /// The sign of the notices, which make way for a panel.
    case noticeSign
    /// The compass.
    case north
    /// The card of a line or the map key.
    case panel
    /// The message where there is no map.
    case card
    /// A part that only informs: attribution, scale bar, toast, numbers, colours, caption.
    case other
  }

  /// The part of the HUD at a place.
  ///
  /// - Parameters:
  ///   - x: The column in view pixels.
  ///   - y: The row in view pixels.
  /// - Returns: The part; nil: the map is there.
  public func touched(x: Int, y: Int) -> Touched? {
    let place = PixelRect(x: x, y: y, width: 1, height: 1)
    let part = Part.allCases.first {
      elements[$0.rawValue]?.rect.intersects(place) == true && !makesWay($0)
    }
    guard let part else { return nil }
    switch part {
    case .legend: return .legend(legendSlot(x: x, y: y))
    case .notice:
      if case .noticeSign? = elements[part.rawValue]?.key { return .noticeSign }
      return .notices
    case .north: return .north
    case .panel: return .panel
    case .card: return .card
    case .attribution, .scale, .toast, .numbers, .ramp, .caption: return .other
    }
  }

  private func legendSlot(x: Int, y: Int) -> Int? {
    guard let rect = elements[Part.legend.rawValue]?.rect, let fit = legendPlan?.fit else {
      return nil
    }
    return fit.slot(x: x, y: y - rect.y, width: rect.width, of: shown?.legend.count ?? 0)
  }
}

extension LegendFit {
  /// The columns of the slot `k` of a row in a legend of `width` pixels.
  func columns(_ k: Int, width: Int) -> Range<Int> {
    let room = width - 2 * inset
    return inset + k * room / perRow..<inset + (k + 1) * room / perRow
  }

  /// The slot at a place of a legend of `width` pixels with `count` items; nil: there is none. The
  /// space beside the first and the last slot of a row is theirs.
  func slot(x: Int, y: Int, width: Int, of count: Int) -> Int? {
    var top = 0
    for (n, row) in rows.enumerated() {
      if y >= top, y < top + row.height {
        let k = (0..<perRow).first { x < columns($0, width: width).upperBound } ?? perRow - 1
        let slot = n * perRow + k
        return slot < count ? slot : nil
      }
      top += row.height
    }
    return nil
  }
}
