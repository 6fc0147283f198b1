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

  /// Where a text stands along its line, in pixels from the line's start.
  private struct Stretch {
    var from: Float
    var to: Float
    /// Whether it is read against the line's direction.
    var isFlipped: Bool
    /// Whether it lies on the other side of the anchor because of that.
    var isMirrored: Bool
  }

  func textAlong(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ old: PlacedLabel?,
    _ colors: [UInt32], _ run: LabelRun
  ) -> TextFit? {
    let settings = layout.settings
    guard let line = block.lines.first else { return nil }
    let box = layout.textBox(block, settings.textAnchor, choice: nil)
    guard let stretch = stretch(item, block, layout, box, old, run) else { return nil }
    let flipped = stretch.isFlipped
    let (glyphs, more) = spreadLetters(item, block, layout, line, stretch, box, colors)
    let bare = bareCircles(item, stretch.from - more, stretch.to + more, box, flipped)
    guard bare.allSatisfy({ run.shows($0.moved(item.x, item.y)) }) else { return nil }
    let lift = (flipped ? -0.5 : 0.5) * (box.top + box.bottom)
    // Where the text reaches the end of the line, its outer letters lie beyond the circles.
    let tips = [bare.first, bare.last].compactMap { $0 }
    let ends = ends(item, block, layout, line, stretch)
    let boxes = circles(item, block, layout, line, ends, lift: lift, run) + tips
    // A corner of another label would fit between two of these circles, so the letters' own circles
    // must be free, too.
    for box in boxes + bare {
      let area = box.moved(item.x, item.y)
      guard area.isFinite, grid.isFree(loyal(area, item, run), settings.textOverlap) else {
        return nil
      }
    }
    // Half a line high, of which capitals fill the middle.
    let patches = bare.lazy.map { box in
      let half = (box.right - box.left) * TextBlock.middleToBaseline / max(block.height, 0.1)
      return LabelPatch(
        x: item.x + (box.left + box.right) / 2, y: item.y + (box.top + box.bottom) / 2,
        halfWidth: half, halfHeight: half)
    }
    if run.isCrossed(patches, nil) { return nil }
    return TextFit(
      box: box, boxes: boxes,
      kept: circles(item, block, layout, line, ends, lift: lift, run, dense: true) + tips,
      bare: bare, anchor: settings.textAnchor, isFlipped: flipped, glyphs: glyphs)
  }

  /// The part of the line on which a text stands; nil: it does not fit on the line, or the line
  /// bends too much there. `box` is the text's, relative to its anchor.
  private func stretch(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ box: LabelBox,
    _ old: PlacedLabel?, _ run: LabelRun
  ) -> Stretch? {
    let settings = layout.settings
    let path = paths[Int(item.path)]
    var (from, to) = (item.along + box.left, item.along + box.right)
    // Letters are a little wider than the room that is kept for them.
    let slack = layout.em * (0.1 + max(0, block.width - block.roomWidth) / 2)
    guard from >= -slack, to <= path.length + slack else { return nil }
    let isFlipped = settings.textKeepUpright && isUpsideDown(path, from, to, old, run)
    let isMirrored = isFlipped && settings.textAnchor.horizontal != 0.5
    if isMirrored {
      // Text that reads the other way round lies on the other side of the anchor; `text-offset`
      // still follows the line's direction.
      let mirror =
        2 * (item.along + layout.textOffset(settings.textAnchor, choice: nil).x * layout.em)
      (from, to) = (mirror - to, mirror - from)
      guard from >= -slack, to <= path.length + slack else { return nil }
    }
    // On a line that bends far enough, some letters stand on their heads in either reading
    // direction.
    let mostBackward: Float = item.isLoyal ? 0.3 : 0.2
    if settings.textKeepUpright,
      path.backward(from: from, to: to, flipped: isFlipped) > mostBackward
    {
      return nil
    }
    let limit = LabelType.limited(settings.textMaxAngle, 0...360) * .pi / 180
    // A label that is shown may bend a little more, so that turning does not remove it.
    guard
      path.isStraight(
        from: from, to: to, limit: item.isLoyal ? limit * 1.05 : limit, window: layout.em * 0.6)
    else { return nil }
    return Stretch(from: from, to: to, isFlipped: isFlipped, isMirrored: isMirrored)
  }

  /// Sets the letters along the line. Returns them, and how far the text reaches beyond its usual
  /// start and end because letters were moved apart.
  private func spreadLetters(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ line: TextBlock.Line,
    _ stretch: Stretch, _ box: LabelBox, _ colors: [UInt32]
  ) -> (glyphs: [LabelShape.Glyph], more: Float) {
    let (from, to) = (stretch.from, stretch.to)
    let place = (
      from: from, middle: (from + to) / 2, rise: box.top + line.baseline * layout.em
    )
    let usual = letters(
      item, block, layout, line, place, flipped: stretch.isFlipped, spread: nil, colors)
    guard usual.spread > 0 else { return (usual.glyphs, 0) }
    let half = usual.spread / 2
    if from - half >= 0, to + half <= paths[Int(item.path)].length {
      let wider = letters(
        item, block, layout, line, place, flipped: stretch.isFlipped, spread: half, colors)
      // From there on it may meet other bends, and need more room.
      if wider.spread <= 2 * half + 0.5 { return (wider.glyphs, half) }
    }
    let plain = letters(
      item, block, layout, line, place, flipped: stretch.isFlipped, spread: 0, colors)
    return (plain.glyphs, 0)
  }

  /// How far from the anchor the middles of the first and the last letter along the line stand.
  private func ends(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ line: TextBlock.Line,
    _ stretch: Stretch
  ) -> (back: Float, ahead: Float) {
    func reach(_ number: Int?) -> Float {
      guard let number else { return 0 }
      let glyph = block.glyphs[number]
      let inset = (glyph.x + glyph.advance / 2) * layout.em
      return abs((stretch.isMirrored ? stretch.to - inset : stretch.from + inset) - item.along)
    }
    let (first, last) = (reach(line.glyphs.first), reach(line.glyphs.last))
    return stretch.isMirrored ? (last, first) : (first, last)
  }

  /// Sets the letters along the line.
  ///
  /// On the inner side of a sharp bend, letters lean towards each other and are moved apart.
  ///
  /// `spread` is how much earlier the text begins to make room for that; 0: letters are not moved;
  /// nil: they are moved, but the text begins at its usual start. Returns the letters, and how much
  /// longer the text became.
  private func letters(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ line: TextBlock.Line,
    _ place: (from: Float, middle: Float, rise: Float), flipped: Bool, spread: Float?,
    _ colors: [UInt32]
  ) -> (glyphs: [LabelShape.Glyph], spread: Float) {
    let path = paths[Int(item.path)]
    let em = layout.em
    // How high capitals are, and how far letters stand apart, in ems.
    let (high, apart): (Float, Float) = (2 * TextBlock.middleToBaseline, 0.1)
    var glyphs: [LabelShape.Glyph] = []
    glyphs.reserveCapacity(line.glyphs.count)
    var total: Float = 0
    var previous: LabelPath.Point?
    func stand(_ glyph: SetGlyph) -> (at: LabelPath.Point, way: LabelPath.Point) {
      let start = place.from - (spread ?? 0) + total + glyph.x * em
      let end = start + glyph.advance * em
      // Read the other way round, the text begins at the far end.
      let a = path.point(at: flipped ? 2 * place.middle - start : start)
      let b = path.point(at: flipped ? 2 * place.middle - end : end)
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      if length > 0.001 { return (a, LabelPath.Point(x: dx / length, y: dy / length)) }
      let angle = path.angle(at: start) + (flipped ? .pi : 0)
      return (a, LabelPath.Point(x: cosf(angle), y: sinf(angle)))
    }
    for number in line.glyphs {
      let glyph = block.glyphs[number]
      var letter = stand(glyph)
      if let previous, spread != 0, glyph.advance > 0 {
        let sine = abs(previous.x * letter.way.y - previous.y * letter.way.x)
        let cosine = previous.x * letter.way.x + previous.y * letter.way.y
        // Twice the tangent of half the angle, times half the height.
        let gap = (high * sine / max(1 + cosine, 0.5) - apart) * em
        if gap > 0 {
          total += gap
          letter = stand(glyph)
        }
      }
      previous = letter.way
      let down = place.rise - glyph.y * em
      let (at, way) = letter
      glyphs.append(
        LabelShape.Glyph(
          index: glyph.index, font: glyph.font, size: em * glyph.scale,
          x: at.x - way.y * down - item.x, y: at.y + way.x * down - item.y, cosine: way.x,
          sine: way.y, color: LabelLayout.color(block, number, colors)))
    }
    return (glyphs, total)
  }

  /// The circles along the line that the text occupies, relative to the anchor.
  ///
  /// They are MapLibre's: as large as the text at the next whole zoom, laid out at the whole zoom
  /// below, and reaching a little beyond the first and the last letter (`ends`). Where they are
  /// dense, every second one is left out. Labels placed later avoid all of them, because a letter
  /// would fit between two that are left. Unlike MapLibre's, the circles lie `lift` pixels beside
  /// the line, like a text with an offset.
  private func circles(
    _ item: LabelItem, _ block: TextBlock, _ layout: LabelLayout, _ line: TextBlock.Line,
    _ ends: (back: Float, ahead: Float), lift: Float, _ run: LabelRun, dense: Bool = false
  ) -> [LabelBox] {
    let settings = layout.settings
    let path = paths[Int(item.path)]
    let em = layout.em * settings.roomGrowth
    let padding = LabelType.limited(settings.textPadding, -64...512) * run.scale
    let height = block.height * em + 2 * padding
    let length = block.roomWidth * em + 2 * padding
    guard height > 0, length.isFinite, height.isFinite, !line.glyphs.isEmpty else { return [] }
    let size = max(em * 10 / 24, height)
    let step = size / 2
    let zoom = run.request.view.zoom
    let growth = Float(exp2(zoom - zoom.rounded(.down)))
    let (back, ahead) = (ends.back / growth, ends.ahead / growth)
    func padded(_ at: Float) -> Float { abs(at) < step ? 0 : at * 0.8 }
    let count = max(1, Int(min(length / step, 256)))
    let more = count / 2
    var boxes: [LabelBox] = []
    var previous: LabelPath.Point?
    func position(_ number: Int) -> Float {
      let offset = Float(number) * step
      var at = offset - length / 2 + step
      if offset < 0 { at += offset }
      if offset > length { at += offset - length }
      return at
    }
    for number in -more..<count + more {
      let at = position(number)
      let along = item.along + at * growth
      guard padded(at) >= -back, padded(at) <= ahead, along >= 0, along <= path.length else {
        previous = nil
        continue
      }
      let point = path.point(at: along)
      if !dense, let other = previous, number + 1 < count + more {
        let (dx, dy) = (point.x - other.x, point.y - other.y)
        let next = padded(position(number + 1))
        if dx * dx + dy * dy < 2 * step * step, next > -back, next < ahead {
          previous = nil
          continue
        }
      }
      previous = point
      var box = LabelBox(x: point.x - item.x, y: point.y - item.y, radius: step)
      if abs(lift) > 0.5 {
        let angle = path.angle(at: along)
        box = box.moved(-sinf(angle) * lift, cosf(angle) * lift)
      }
      boxes.append(box)
    }
    return boxes
  }

  /// Circles that the letters fill, half a line high.
  private func bareCircles(
    _ item: LabelItem, _ from: Float, _ to: Float, _ rise: LabelBox, _ flipped: Bool
  ) -> [LabelBox] {
    let path = paths[Int(item.path)]
    let radius = max((rise.bottom - rise.top) / 2, 1)
    let lift = (rise.top + rise.bottom) / 2
    let count = max(1, Int(min(((to - from) / radius).rounded(.up), 513)) - 1)
    return (0..<count).map { step in
      let t = count == 1 ? 0.5 : Float(step) / Float(count - 1)
      let at = from + radius * 0.75 + t * max(0, to - from - 1.5 * radius)
      let point = path.point(at: at)
      let angle = path.angle(at: at) + (flipped ? .pi : 0)
      return LabelBox(
        x: point.x - sinf(angle) * lift - item.x, y: point.y + cosf(angle) * lift - item.y,
        radius: radius)
    }
  }

  /// Whether a text along the line would read from right to left. Near the vertical, a label that
  /// was shown there before keeps its direction.
  func isUpsideDown(
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
