import MapGeometry
import MapScene
import Pixels

/// Where the scale bar stands. `raised` is the end of the rows above the buttons' legend, or above
/// an attribution that takes the whole width.
extension Hud {
  /// Lays out the scale bar in the lower left corner, or, where it would hide the position, one or
  /// two of its heights above, or beside that place, or left of the attribution.
  func layOutScale(_ bar: PlatePicture, _ raised: Int, _ margin: Int, _ gap: Int) {
    let (low, step) = (raised - margin - bar.height, bar.height + gap)
    var places = [
      (margin, low), (margin, low - step), (margin, low - 2 * step),
      (margin + bar.width + gap, low),
    ]
    if let attributionRect { places.append((attributionRect.x - gap - bar.width, low)) }
    let free = places.first { x, y in
      let rect = PixelRect(x: x, y: y, width: bar.width, height: bar.height)
      return (y == low || y >= view.height / 2) && canPlace(rect) && !hidesDot(rect)
    }
    place(.scale, bar, x: free?.0 ?? margin, y: free?.1 ?? low)
  }

  /// Lays out a scale bar whose place a panel took, on the lowest row of the map: in the corner,
  /// beside the panel, or left of the attribution. It hides neither pins of "here" nor the position
  /// there, and beside a card it leaves the line its room.
  func layOutScaleBesidePanel(
    _ scale: Element, _ content: HudContent, _ raised: Int, _ margin: Int, _ gap: Int
  ) {
    guard elements[Part.scale.rawValue] == nil, let panel = panelRect else { return }
    let (width, height) = (scale.picture.width, scale.picture.height)
    let row = raised - margin - height
    if content.isCardOpen {
      let top = free.filter { $0.maxX > panel.maxX && $0.y < view.height / 2 }.map(\.maxY).max()
      let least = Int(2 * Hud.leastMap * painter.leastUnit)
      guard row - gap - (top ?? 0) >= least else { return }
    }
    var columns = [margin, panel.maxX + gap, panel.x - gap - width]
    if let attributionRect { columns.append(attributionRect.x - gap - width) }
    let free = columns.first { x in
      let around = PixelRect(
        x: x - gap, y: row - gap, width: width + 2 * gap, height: height + 2 * gap)
      guard x >= margin, x + width <= view.width - margin, row >= margin,
        !self.free.contains(where: { $0.intersects(around) })
      else { return false }
      return !hidesPin(PixelRect(x: x, y: row, width: width, height: height))
    }
    guard let free else { return }
    elements[Part.scale.rawValue] = scale
    place(.scale, scale.picture, x: free, y: row)
  }
}
