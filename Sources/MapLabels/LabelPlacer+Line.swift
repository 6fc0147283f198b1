import Drawing
import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// Text along lines.
extension LabelPlacer {
  /// The direction of a line at an anchor, clockwise in radians.
  func lineAngle(_ item: LabelItem, _ upright: Bool) -> Float {
    let angle = paths[Int(item.path)].angle(at: item.along)
    return upright && cosf(angle) < 0 ? angle + .pi : angle
  }

  func textAlong(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ old: PlacedLabel?,
    _ colors: [UInt32], _ run: LabelRun
  ) -> TextFit? {
    let settings = layout.settings
    guard let line = block.lines.first else { return nil }
    let path = paths[Int(item.path)]
    let box = layout.textBox(block, settings.textAnchor, choice: nil)
    let (from, to) = (item.along + box.left, item.along + box.right)
    // Letters are a little wider than the room that is kept for them.
    let slack = layout.em * (0.1 + max(0, block.width - block.roomWidth) / 2)
    guard from >= -slack, to <= path.length + slack else { return nil }
    let limit = LabelType.limited(settings.textMaxAngle, 0...360) * .pi / 180
    // A label that is shown may bend a little more, so that turning does not remove it.
    guard
      path.isStraight(
        from: from, to: to, limit: item.isLoyal ? limit * 1.05 : limit, window: layout.em * 0.6)
    else { return nil }
    let flipped = settings.textKeepUpright && isUpsideDown(path, from, to, old, run)
    let middle = (from + to) / 2
    let (baseline, rise) = (box.top + line.baseline * layout.em, box)
    var glyphs: [LabelShape.Glyph] = []
    glyphs.reserveCapacity(line.glyphs.count)
    for number in line.glyphs {
      let glyph = block.glyphs[number]
      let start = from + glyph.x * layout.em
      let end = start + glyph.advance * layout.em
      // Read the other way round, the text begins at the far end.
      let a = path.point(at: flipped ? 2 * middle - start : start)
      let b = path.point(at: flipped ? 2 * middle - end : end)
      var (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      if length > 0.001 {
        (dx, dy) = (dx / length, dy / length)
      } else {
        let angle = path.angle(at: start) + (flipped ? .pi : 0)
        (dx, dy) = (cosf(angle), sinf(angle))
      }
      let down = baseline - glyph.y * layout.em
      glyphs.append(
        LabelShape.Glyph(
          index: glyph.index, font: glyph.font, size: layout.em * glyph.scale,
          x: a.x - dy * down - item.x, y: a.y + dx * down - item.y, cosine: dx, sine: dy,
          color: LabelLayout.color(block, number, colors)))
    }
    let padding = LabelType.limited(settings.textPadding, -64...512) * run.scale
    // Circles along the line, half a line high.
    let radius = max((rise.bottom - rise.top) / 2, 1)
    let lift = (rise.top + rise.bottom) / 2
    let count = max(1, Int(((to - from) / radius).rounded(.up)) - 1)
    var bare: [LabelBox] = []
    bare.reserveCapacity(count)
    for step in 0..<min(count, 512) {
      let t = count == 1 ? 0.5 : Float(step) / Float(count - 1)
      let at = from + radius * 0.75 + t * max(0, to - from - 1.5 * radius)
      let point = path.point(at: at)
      let angle = path.angle(at: at) + (flipped ? .pi : 0)
      let box = LabelBox(
        x: point.x - sinf(angle) * lift - item.x, y: point.y + cosf(angle) * lift - item.y,
        radius: radius)
      bare.append(box)
      let area = box.grown(padding).moved(item.x, item.y)
      guard area.isFinite, grid.isFree(loyal(area, item, run), settings.textOverlap) else {
        return nil
      }
    }
    return TextFit(
      box: box, boxes: bare.map { $0.grown(padding) }, bare: bare, anchor: settings.textAnchor,
      isFlipped: flipped, glyphs: glyphs)
  }

  /// Whether a text along the line would be read from the right. One that stood there keeps its
  /// direction near the vertical.
  private func isUpsideDown(
    _ path: LabelPath, _ from: Float, _ to: Float, _ old: PlacedLabel?, _ run: LabelRun
  ) -> Bool {
    let (a, b) = (path.point(at: from), path.point(at: to))
    let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    let across = length > 0 ? (b.x - a.x) / length : 1
    if let old, old.hasText, abs(across) < 0.2 { return wasReversed(old, a, b, run) }
    return across < 0 || (across == 0 && b.y > a.y)
  }

  /// Whether the previous label ran from `b` to `a`.
  private func wasReversed(
    _ old: PlacedLabel, _ a: LabelPath.Point, _ b: LabelPath.Point, _ run: LabelRun
  ) -> Bool {
    guard let first = old.shape.glyphs.first, let last = old.shape.glyphs.last,
      let bearing = run.previous?.view.bearing
    else { return old.isFlipped }
    // Where it points now, turned with the map since.
    let (c, s) = LabelLayout.turn(
      Float((bearing - run.request.view.bearing) * .pi / 180))
    let (x, y) = (last.x - first.x, last.y - first.y)
    let dot = (x * c - y * s) * (b.x - a.x) + (x * s + y * c) * (b.y - a.y)
    return dot == 0 ? old.isFlipped : dot < 0
  }
}
