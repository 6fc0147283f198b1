import Glibc
import MapGeometry
import MapScene
import Pixels

/// Labels and the lines of overlays: a name over a trail hides both.
extension LabelPlacer {
  /// How many pieces of lines a layout looks at. Beyond that, labels may stand over lines.
  static let mostPieces = 65_536

  /// Whether a label that covers `rect`, in view pixels, would lie over a line.
  mutating func isOverLine(_ rect: PixelRect, _ tools: Tools) -> Bool {
    if tools.lines.isEmpty || linesBudget <= 0 { return false }
    let t = tools.t
    let middle = t.grid(
      Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2)
    let step = (t.stepX * t.stepX + t.stepY * t.stepY).squareRoot()
    let pixel = step / tools.side
    let patch = MapPatch(
      middle: WorldPoint(x: middle.x / tools.side, y: middle.y / tools.side),
      along: (t.stepX / step, t.stepY / step), halfWidth: Double(rect.width) / 2 * pixel,
      halfHeight: Double(rect.height) / 2 * pixel)
    let point = tools.art.painter.unit * pixel
    for lines in tools.lines
    where lines.features.hasLine(in: patch, point: point, budget: &linesBudget) {
      return true
    }
    return false
  }
}
