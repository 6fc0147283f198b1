import Drawing
import MapGeometry
import MapScene
import Pixels

/// The elevation profile on the card of a line: the graph, the lowest and the highest elevation,
/// and an axis of distances below.
extension PanelArt {
  /// The sizes of the elevations beside the graph in points, the best first.
  private static let elevationSizes = [HudStyle.body, 15, 14, 13, HudStyle.fine]

  /// Where the parts of a profile are, in pixels from its upper left corner. None overlap.
  struct ProfileParts {
    /// A line of text.
    struct Label {
      var text: String
      /// The font's size in points.
      var size: Double
      /// The line from its ascent to its descent.
      var rect: PixelRect
      var baseline: Int
    }

    var graph: PixelRect
    /// The elevations: the highest, then the lowest; else lines with both.
    var elevations: [Label] = []
    /// The start, if there is room for it, and the length.
    var distances: [Label] = []
    var height: Int
  }

  /// The profile on a card whose contents are `inner` pixels wide; the graph is `height` pixels
  /// high.
  func graph(
    _ profile: TrailCard.Profile, _ color: UInt32, _ inner: Int, height: Int, isRight: Bool,
    rank: Int
  ) -> Block {
    let parts = parts(of: profile, inner, height: height, isRight: isRight)
    return Block(height: parts.height, rank: rank) { y, canvas in
      let x = px(HudStyle.padX)
      let graph = parts.graph
      draw(
        profile, color, x: x + graph.x, y: y + graph.y, width: graph.width, height: graph.height,
        canvas)
      func write(_ label: ProfileParts.Label, _ ink: UInt32) {
        painter.drawText(
          label.text, size: px(label.size), color: ink, x: x + label.rect.x,
          baseline: y + label.baseline, on: canvas)
      }
      for label in parts.elevations { write(label, theme.ink) }
      for label in parts.distances { write(label, theme.secondInk) }
    }
  }

  /// Lays a profile out. The elevations are beside the graph, at the side that the card's rows
  /// begin at; above it if they would leave it too little of the width.
  func parts(
    of profile: TrailCard.Profile, _ inner: Int, height: Int, isRight: Bool
  ) -> ProfileParts {
    let gap = px(8)
    var parts = ProfileParts(
      graph: PixelRect(x: 0, y: 0, width: inner, height: height), height: height)
    func label(
      _ text: String, _ size: Double, top: Int, x: (_ width: Int) -> Int
    ) -> ProfileParts.Label {
      let (ascent, line) = lineHeight(size)
      let width = painter.width(text, size: px(size))
      let rect = PixelRect(x: max(x(width), 0), y: top, width: width, height: line)
      return ProfileParts.Label(text: text, size: size, rect: rect, baseline: top + ascent)
    }
    /// Beside the graph, or above it.
    func side(_ width: Int) -> Int { isRight ? inner - width : 0 }

    if let (size, width) = elevations(profile, inner, height: height, gap: gap) {
      parts.graph.width = inner - width - gap
      parts.graph.x = isRight ? 0 : width + gap
      let line = lineHeight(size).height
      // The highest is level with the highest place, the lowest stands on the foot of the graph.
      let scale = ProfileScale(
        PanelArt.columns(profile, count: parts.graph.width + 1), height: height,
        unit: painter.unit)
      let peak = scale.map { Int($0.row($0.high)) - line / 2 } ?? 0
      parts.elevations = [
        label(profile.highest, size, top: min(max(peak, 0), height - 2 * line), x: side),
        label(profile.lowest, size, top: height - line, x: side),
      ]
    } else {
      let lines =
        painter.text?.wrap(profile.range, size: px(HudStyle.fine), width: inner, maxLines: 2) ?? []
      let line = lineHeight(HudStyle.fine).height
      parts.elevations = lines.enumerated().map { n, text in
        label(text, HudStyle.fine, top: n * line, x: side)
      }
      parts.graph.y = lines.count * line
    }

    // The way goes from left to right in every language.
    let (left, right, foot) = (parts.graph.x, parts.graph.maxX, parts.graph.maxY)
    let length = label(profile.length, HudStyle.fine, top: foot) { right - $0 }
    let start = label(profile.start, HudStyle.fine, top: foot) { _ in left }
    if start.rect.maxX + gap <= length.rect.x { parts.distances.append(start) }
    parts.distances.append(length)
    parts.height = foot + length.rect.height
    return parts
  }

  /// The size of the elevations beside the graph in points, and their width in pixels; nil: there
  /// is no room for them. Only the least size may take more than two fifths of the width. The graph
  /// stays at least as wide as the length below it.
  private func elevations(
    _ profile: TrailCard.Profile, _ inner: Int, height: Int, gap: Int
  ) -> (size: Double, width: Int)? {
    let rest = inner - painter.width(profile.length, size: px(HudStyle.fine))
    for size in PanelArt.elevationSizes {
      let width = max(
        painter.width(profile.lowest, size: px(size)),
        painter.width(profile.highest, size: px(size)))
      let most = min(size > HudStyle.fine ? inner * 2 / 5 : inner / 2, rest)
      if width + gap <= most, 2 * lineHeight(size).height <= height { return (size, width) }
    }
    return nil
  }

  private func draw(
    _ profile: TrailCard.Profile, _ color: UInt32, x: Int, y: Int, width: Int, height: Int,
    _ canvas: PixelCanvas
  ) {
    let heights = PanelArt.columns(profile, count: width + 1)
    guard width > 1, let scale = ProfileScale(heights, height: height, unit: painter.unit) else {
      return
    }
    let foot = Double(y) + scale.foot
    func row(_ elevation: Float) -> Double { Double(y) + scale.row(elevation) }
    var area: [Double] = [Double(x), foot]
    var edge = Path()
    for (column, elevation) in heights.enumerated() {
      area += [Double(x + column), row(elevation)]
      let point = Path.Point(Float(x + column), Float(row(elevation)))
      if column == 0 { edge.move(to: point) } else { edge.line(to: point) }
    }
    edge.finish()
    area += [Double(x + width), foot]
    var ground = Path()
    ground.addPolygon(area)
    let shown = InkContrast.line(color, theme)
    painter.fill(ground, shown & 0xFF_FFFF | 0x4D00_0000, on: canvas)
    var base = Path()
    base.addRect(Double(x), foot, Double(width), max(painter.unit, 1))
    painter.fill(base, theme.secondInk, on: canvas)
    painter.stroke(edge, width: 2 * painter.unit, shown, on: canvas)
    guard let position = profile.position else { return }
    let column = min(max(Int((Double(position) * Double(width)).rounded()), 0), width)
    let (cx, cy) = (Double(x + column), row(heights[column]))
    var stem = Path()
    stem.addRect(cx - painter.unit / 2, cy, painter.unit, foot - cy)
    painter.fill(stem, theme.position, on: canvas)
    var dot = Path()
    dot.addCircle(cx, cy, 6 * painter.unit)
    painter.fill(dot, theme.positionRing, on: canvas)
    dot.removeAll()
    dot.addCircle(cx, cy, 4.5 * painter.unit)
    painter.fill(dot, theme.position, on: canvas)
  }

  /// The elevation at each of `count` columns, from the first place to the last.
  static func columns(_ profile: TrailCard.Profile, count: Int) -> [Float] {
    let (ways, heights) = (profile.distances, profile.elevations)
    guard !ways.isEmpty, ways.count == heights.count, count > 1 else { return [] }
    var next = 0
    return (0..<count).map { column in
      let way = Float(column) / Float(count - 1)
      while next < ways.count, ways[next] < way { next += 1 }
      if next == 0 { return heights[0] }
      if next == ways.count { return heights[next - 1] }
      let (a, b) = (ways[next - 1], ways[next])
      let part = b > a ? (way - a) / (b - a) : 1
      return heights[next - 1] + (heights[next] - heights[next - 1]) * part
    }
  }
}

/// The rows of a graph at which elevations are, from its upper edge, in pixels.
private struct ProfileScale {
  let low, high: Float
  private let span: Float
  private let top, lowest: Double
  /// The row of the line below the graph.
  let foot: Double

  /// Nil if there are no elevations.
  init?(_ elevations: [Float], height: Int, unit: Double) {
    guard let low = elevations.min(), let high = elevations.max() else { return nil }
    (self.low, self.high) = (low, high)
    // Keep a level trail level: a few metres of noise must not look like mountains.
    span = max(high - low, 20)
    (top, foot) = (6 * unit, Double(height) - unit)
    lowest = foot - 3 * unit
  }

  func row(_ elevation: Float) -> Double {
    lowest - Double((elevation - low) / span) * (lowest - top)
  }
}
