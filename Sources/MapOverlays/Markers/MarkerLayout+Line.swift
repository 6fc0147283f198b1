import MapGeometry
import MapScene

/// Markers over the selected line: so that the line is seen, those that hide most of it are left
/// out.
extension MarkerLayout {
  /// The share of the selected line that markers may hide together.
  static let mostHidden = 0.25

  /// Leaves out the markers and clusters that hide most of the selected line, until the others hide
  /// no more than a quarter of what `window` has of it. "Here" stays, and does not count.
  static func uncover(
    _ selected: SelectedLine, from placed: inout [Placed], in window: GridBox, _ t: ViewTransform
  ) {
    var budget = OverlayLabelPlacer.mostPieces
    let all = selected.length(in: window, t, budget: &budget)
    var parts: [(index: Int, length: Double)] = []
    for i in placed.indices where !placed[i].isHere {
      let length = selected.length(under: placed[i].rect(t), t, budget: &budget)
      if length > 0 { parts.append((i, length)) }
    }
    parts.sort {
      ($0.length, placed[$0.index].item.first) < ($1.length, placed[$1.index].item.first)
    }
    var (hidden, leftOut): (Double, Set<Int>) = (0, [])
    for part in parts {
      hidden += part.length
      if hidden > all * mostHidden { leftOut.insert(part.index) }
    }
    if leftOut.isEmpty { return }
    placed = placed.indices.filter { !leftOut.contains($0) }.map { placed[$0] }
  }
}
