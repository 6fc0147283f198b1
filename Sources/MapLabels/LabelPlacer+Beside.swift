import Drawing
import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// The names of lines over the map, set beside them.
///
/// Letters follow a smoothed line at the distance at which they stand, so that they neither spread
/// on the outer side of a bend nor crowd on the inner one.
extension LabelPlacer {
  /// The most points of a smoothed line.
  private static let mostPoints: Float = 512

  /// A text on one side of its line.
  private struct Side {
    /// The line through the middle of the letters, in the direction of reading.
    var line: LabelPath
    /// Where on it the anchor is.
    var middle: Float
    var isFlipped: Bool
    /// 0: above the line, 1: below it.
    var choice: UInt8
  }

  /// Where the name of a line stands: above or below it, where it was before it will do; nil: there
  /// is no room.
  func textBeside(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ old: PlacedLabel?,
    _ colors: [UInt32], _ run: LabelRun
  ) -> TextFit? {
    let path = paths[Int(item.path)]
    let box = layout.textBox(block, .bottom, choice: nil)
    let (from, to) = (item.along + box.left, item.along + box.right)
    let slack = layout.em * 0.1
    guard box.right > box.left, from >= -slack, to <= path.length + slack else { return nil }
    let isFlipped = isUpsideDown(path, from, to, old, run)
    // From the line to the middle of capitals.
    let lift = -(box.top + box.bottom) / 2
    let first: UInt8 = old?.anchorChoice == 1 ? 1 : 0
    for choice in [first, 1 - first] {
      let smooth = smoothed(
        path, around: item.along, reach: (to - from) / 2 + slack,
        lift: choice == 0 ? lift : -lift, em: layout.em, isFlipped: isFlipped)
      let side = Side(
        line: smooth.line, middle: smooth.middle, isFlipped: isFlipped, choice: choice)
      if let found = besideFit(item, block, layout, side, box, colors, run) { return found }
    }
    return nil
  }

  /// The line along which the letters' middles stand, and where on it the anchor is. It ends where
  /// it would fold.
  ///
  /// - Parameters:
  ///   - path: The line.
  ///   - along: The distance of the anchor from its start.
  ///   - reach: How much of it is needed on each side of the anchor.
  ///   - lift: How far above the line the letters' middles are, in the direction of reading;
  ///     negative: below.
  ///   - em: The size of the letters. The line is smoothed within a letter and a half.
  ///   - isFlipped: Whether the text is read against the direction of the line.
  /// - Returns: The line in the direction of reading, and the anchor's distance from its start.
  private func smoothed(
    _ path: LabelPath, around along: Float, reach: Float, lift: Float, em: Float, isFlipped: Bool
  ) -> (line: LabelPath, middle: Float) {
    let step = max(em / 4, 2 * reach / Self.mostPoints, 0.5)
    /// A point, and the direction of reading there.
    func place(_ at: Float) -> (point: LabelPath.Point, way: LabelPath.Point) {
      let half = min(0.6 * em, at, path.length - at)
      var point = path.point(at: at)
      let angle = path.angle(at: at) + (isFlipped ? .pi : 0)
      var way = LabelPath.Point(x: cosf(angle), y: sinf(angle))
      if half > 0.1 {
        let (a, b) = (path.point(at: at - half), path.point(at: at + half))
        let (p, q) = (path.point(at: at - half / 2), path.point(at: at + half / 2))
        point.x = (a.x + b.x + 2 * (p.x + point.x + q.x)) / 8
        point.y = (a.y + b.y + 2 * (p.y + point.y + q.y)) / 8
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = (dx * dx + dy * dy).squareRoot() * (isFlipped ? -1 : 1)
        if abs(length) > 0.01 { way = LabelPath.Point(x: dx / length, y: dy / length) }
      }
      return (LabelPath.Point(x: point.x + way.y * lift, y: point.y - way.x * lift), way)
    }
    let start = place(along).point
    /// The points from the anchor on, against the direction of reading if `sign` is negative.
    func walk(_ sign: Float) -> [LabelPath.Point] {
      let most = (sign > 0) != isFlipped ? path.length - along : along
      var points: [LabelPath.Point] = []
      var (last, length, gone): (LabelPath.Point, Float, Float) = (start, 0, 0)
      while gone < most, length < reach, points.count < Int(Self.mostPoints) {
        gone = min(gone + step, most)
        let (point, way) = place(along + gone * sign * (isFlipped ? -1 : 1))
        let (dx, dy) = (sign * (point.x - last.x), sign * (point.y - last.y))
        guard dx * way.x + dy * way.y > 0 else { break }
        length += (dx * dx + dy * dy).squareRoot()
        points.append(point)
        last = point
      }
      return points
    }
    var line = LabelPath(walk(-1).reversed())
    line.append(start)
    let middle = line.length
    for point in walk(1) { line.append(point) }
    return (line, middle)
  }

  /// The text on one side of its line; nil: it bends too much there, or something is in the way.
  private func besideFit(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ side: Side, _ box: LabelBox,
    _ colors: [UInt32], _ run: LabelRun
  ) -> TextFit? {
    let (line, em, settings) = (side.line, layout.em, layout.settings)
    let from = side.middle - (box.right - box.left) / 2
    let to = from + (box.right - box.left)
    guard from >= -0.1 * em, to <= line.length + 0.1 * em,
      let glyphs = letters(item, block, layout, side, from, colors)
    else { return nil }
    // Circles half a line high, as near to each other as to touch the next but one.
    let radius = max((box.bottom - box.top) / 2, 1)
    let count = max(1, Int(min(((to - from) / radius).rounded(.up), 513)) - 1)
    let inset = min(radius * 0.75, (to - from) / 2)
    let gap = count > 1 ? (to - from - 2 * inset) / Float(count - 1) : to - from
    var bare: [LabelBox] = []
    var patches: [LabelPatch] = []
    // A label that is shown needs a little less room, so that rounding does not remove it.
    let high = max(TextBlock.middleToBaseline * em - (item.isLoyal ? run.scale / 2 : 0), 0.5)
    for number in 0..<count {
      let at = count > 1 ? from + inset + Float(number) * gap : (from + to) / 2
      let (point, angle) = (line.point(at: at), line.angle(at: at))
      bare.append(LabelBox(x: point.x - item.x, y: point.y - item.y, radius: radius))
      patches.append(
        LabelPatch(
          x: point.x, y: point.y, cosine: cosf(angle), sine: sinf(angle),
          halfWidth: max(gap / 2, inset), halfHeight: high))
    }
    let padding = LabelType.limited(settings.textPadding, -64...512) * run.scale
    let boxes = bare.map { $0.grown(padding) }
    guard bare.allSatisfy({ run.shows($0.moved(item.x, item.y)) }) else { return nil }
    for box in boxes {
      let area = box.moved(item.x, item.y)
      guard area.isFinite, grid.isFree(loyal(area, item, run), settings.textOverlap) else {
        return nil
      }
    }
    if run.isCrossed(patches, settings.naming) { return nil }
    return TextFit(
      box: box, boxes: boxes, bare: bare, anchor: .bottom, choice: side.choice,
      isFlipped: side.isFlipped, glyphs: glyphs)
  }

  /// The letters along the line; nil: two that follow each other lean away from each other, or
  /// the text turns so far that a part of it is not read.
  private func letters(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ side: Side, _ from: Float,
    _ colors: [UInt32]
  ) -> [LabelShape.Glyph]? {
    guard let text = block.lines.first else { return nil }
    let (line, em) = (side.line, layout.em)
    let limit = LabelType.limited(layout.settings.textMaxAngle, 0...180) * .pi / 180
    let least = cosf(item.isLoyal ? min(limit * 1.1, .pi) : limit)
    var glyphs: [LabelShape.Glyph] = []
    glyphs.reserveCapacity(text.glyphs.count)
    var (first, last): (LabelPath.Point?, LabelPath.Point?)
    var (count, backward) = (0, 0)
    for number in text.glyphs {
      let glyph = block.glyphs[number]
      let start = from + glyph.x * em
      let (a, b) = (line.point(at: start), line.point(at: start + glyph.advance * em))
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      let angle = length > 0.001 ? atan2f(dy, dx) : line.angle(at: start)
      let way = LabelPath.Point(x: cosf(angle), y: sinf(angle))
      if glyph.advance > 0 {
        if let last, last.x * way.x + last.y * way.y < least { return nil }
        if first == nil { first = way }
        last = way
        count += 1
        if way.x < -0.17 { backward += 1 }
      }
      let down = TextBlock.middleToBaseline * em - glyph.y * em
      glyphs.append(
        LabelShape.Glyph(
          index: glyph.index, font: glyph.font, size: em * glyph.scale,
          x: a.x - way.y * down - item.x, y: a.y + way.x * down - item.y, cosine: way.x,
          sine: way.y, color: LabelLayout.color(block, number, colors)))
    }
    if backward * (item.isLoyal ? 3 : 5) > count { return nil }
    if let first, let last, first.x * last.x + first.y * last.y < 0 { return nil }
    return glyphs
  }
}
