import MapGeometry
import MapScene
import Pixels

/// A map key that hides nothing of overlays' lines and of markers.
extension Hud {
  /// A key has at least this many signs, or all, where it is made smaller to hide no line.
  private static let signsBesideLines = 5

  /// How much a part of the screen hides of overlays' lines and of markers, in pixels.
  func hiddenArea(_ rect: PixelRect) -> Int {
    (shown?.keyObstacles ?? []).reduce(0) { sum, other in
      let both = other.intersection(rect)
      return both.isEmpty ? sum : sum + both.width * both.height
    }
  }

  /// Lays out a key that hides lines or markers in each corner, and is at `present`, above or below
  /// them, if enough of its signs fit there.
  func layOutBesideLines(_ key: MapKey, _ present: PixelRect, _ margin: Int, _ gap: Int) {
    free.removeAll { $0 == present }
    let former = elements[Part.panel.rawValue]
    // What stands beside the key's own columns takes none of its rows.
    let width = min(view.width - 2 * margin, panelsBesideLines.width(of: key, painter))
    var rooms: [PanelRoom.Room] = []
    for isRight in [false, true] {
      rooms += rowsBesideLines(width, isRight: isRight, margin, gap).map {
        PanelRoom.Room(width: width, rows: $0.rows, hasBar: true, isRight: isRight, isTop: $0.isTop)
      }
    }
    let choice = panelsBesideLines.best(.key(key), rooms, painter)
    if let choice, choice.signs(of: key, painter) >= min(key.listed.count, Hud.signsBesideLines),
      placePanel(
        .key(key), choice.room.width, choice.room.rows, choice.unit, margin, gap,
        mayHidePins: false, isRight: choice.room.isRight, isTop: choice.room.isTop)
    {
      return
    }
    elements[Part.panel.rawValue] = former
    free.append(present)
  }

  /// The rows above and below all lines, markers and pins that a key at the left or the right may
  /// take.
  private func rowsBesideLines(
    _ width: Int, isRight: Bool, _ margin: Int, _ gap: Int
  ) -> [(rows: Range<Int>, isTop: Bool)] {
    let left = isRight ? view.width - margin - width : margin
    let all = columnRows(left..<(left + width), margin, gap)
    let column = PixelRect(x: left, y: all.lowerBound, width: width, height: all.count)
    let lines = (shown?.keyObstacles ?? []).filter { $0.intersects(column) }
    let taken = pins(in: column).map(\.rows) + lines.map { $0.y - gap / 2..<$0.maxY + gap / 2 }
    guard let upper = taken.map(\.lowerBound).min(), let lower = taken.map(\.upperBound).max()
    else { return [] }
    let half = view.width > view.height ? view.height : view.height / 2
    var parts: [(rows: Range<Int>, isTop: Bool)] = []
    if lower < all.upperBound {
      parts.append((max(lower, all.upperBound - half)..<all.upperBound, false))
    }
    if upper > all.lowerBound {
      parts.append((all.lowerBound..<min(upper, all.lowerBound + half), true))
    }
    return parts
  }
}
