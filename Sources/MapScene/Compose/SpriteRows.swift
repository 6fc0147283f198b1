import Glibc
import MapGeometry
import Pixels

/// Draws cells under sprites. Each row is written once, in order: copied where no sprite lies,
/// mixed where one does.
///
/// Valid for one frame.
struct SpriteRows {
  let over: SpriteLists
  let panel: PanelWriter
  let work: Workspace

  /// Copies a part of a cell and mixes only the pixels that sprites cover.
  @inline(never)
  func drawUnderSprites(
    _ base: Sheet, _ part: PixelRect, x: Int, y: Int
  ) {
    var top = part.y
    while top < part.maxY {
      // A strip of sprites, or as many rows of it as there is room to mix.
      let end = (top / SpriteLists.stripHeight + 1) * SpriteLists.stripHeight
      let room = max(1, Workspace.chunkWidth * Workspace.chunkHeight / max(1, part.width))
      let rect = PixelRect(
        x: part.x, y: top, width: part.width, height: min(part.maxY, end, top + room) - top)
      let cellY = y + top - part.y
      top = rect.maxY
      let count = over.find(rect, work.sprites, most: Workspace.mostSprites)
      if count == 0 {
        panel.copy(base, rect, x: x, y: cellY)
        continue
      }
      if panel.rotation == .none, rect.width <= Workspace.rowsWords, let count,
        let out = panel.output(rect)
      {
        let from = base.corner + cellY * base.rowBytes + x * panel.target.format.bytes
        for row in 0..<rect.height {
          let spans = findSpans(count, rect, rect.y + row)
          draw(from + row * base.rowBytes, spans, rect, row, out)
        }
      } else {
        blendSprites(base, rect, x: x, y: cellY)
      }
    }
  }

  /// Mixes a part of a cell with the sprites that lie on it, and writes it.
  private func blendSprites(
    _ base: Sheet, _ part: PixelRect, x: Int, y: Int
  ) {
    let from = base.corner + y * base.rowBytes + x * panel.target.format.bytes
    for j in 0..<part.height {
      let row = from + j * base.rowBytes
      if panel.target.format == .rgb565 {
        expand565(row.assumingMemoryBound(to: UInt16.self), work.band + j * part.width, part.width)
      } else {
        copyRow(row.assumingMemoryBound(to: UInt32.self), work.band + j * part.width, part.width)
      }
    }
    over.blend(into: work.band, part)
    panel.store(part)
  }

  /// Writes the columns of row `y` of `rect` in which one of the first `count` sprites is not
  /// transparent to `work.spans`, left to right, with overlapping sprites merged into one span.
  /// Returns the number of spans.
  private func findSpans(_ count: Int, _ rect: PixelRect, _ y: Int) -> Int {
    var found = 0
    for n in 0..<count {
      let box = work.sprites[n].rect
      if y < box.y || y >= box.maxY { continue }
      let (left, right) = work.sprites[n].columns(y, from: rect.x, to: rect.maxX)
      if left >= right { continue }
      var span = Workspace.Span(left: left, right: right, first: n, last: n)
      // Merge the spans that it overlaps.
      var first = 0
      while first < found, work.spans[first].right <= left { first += 1 }
      var next = first
      while next < found, work.spans[next].left < right {
        let other = work.spans[next]
        span.left = min(span.left, other.left)
        span.right = max(span.right, other.right)
        span.first = min(span.first, other.first)
        next += 1
      }
      let shift = 1 - (next - first)
      if shift > 0 {
        for i in stride(from: found, to: first, by: -1) { work.spans[i] = work.spans[i - 1] }
      } else if shift < 0 {
        for i in next..<found { work.spans[i + shift] = work.spans[i] }
      }
      found += shift
      work.spans[first] = span
    }
    return found
  }

  /// Writes row `row` of `rect` once, in order: copied where no sprite lies, mixed where one does.
  /// `from` is the row's first pixel in the cell.
  private func draw(
    _ from: UnsafeRawPointer, _ spanCount: Int, _ rect: PixelRect, _ row: Int,
    _ out: PanelWriter.Output
  ) {
    let y = rect.y + row
    let bytes = out.words == nil ? 2 : 4
    let target =
      out.words.map { UnsafeMutableRawPointer($0 + row * out.stride) }
      ?? out.halves.map { UnsafeMutableRawPointer($0 + row * out.stride) }
    guard let target else { return }
    // The columns already written, from the rectangle's left.
    var done = 0
    for n in 0..<spanCount {
      let span = work.spans[n]
      let (left, right) = (span.left - rect.x, span.right - rect.x)
      if left > done {
        memcpy(target + done * bytes, from + done * bytes, (left - done) * bytes)
      }
      done = right
      let under = from + left * bytes
      if span.first == span.last, out.words != nil {
        let sprite = work.sprites[span.first]
        let pixels =
          sprite.pixels + (y - sprite.rect.y) * sprite.rect.width + span.left - sprite.rect.x
        blend(
          pixels, over: under.assumingMemoryBound(to: UInt32.self),
          to: (target + left * 4).assumingMemoryBound(to: UInt32.self), right - left,
          opacity: sprite.opacity)
        continue
      }
      if out.words == nil {
        expand565(under.assumingMemoryBound(to: UInt16.self), work.rows, right - left)
      } else {
        copyRow(under.assumingMemoryBound(to: UInt32.self), work.rows, right - left)
      }
      for i in span.first...span.last {
        let box = work.sprites[i].rect
        if box.y > y || box.maxY <= y { continue }
        let (start, end) = work.sprites[i].columns(y, from: span.left, to: span.right)
        if start >= end { continue }
        blendOver(
          work.sprites[i].pixels + (y - box.y) * box.width + start - box.x,
          into: work.rows + start - span.left, end - start, opacity: work.sprites[i].opacity)
      }
      if out.words == nil {
        pack565(
          work.rows, (target + left * 2).assumingMemoryBound(to: UInt16.self), right - left,
          x: out.x + left, y: out.y + row)
      } else {
        memcpy(target + left * 4, work.rows, (right - left) * 4)
      }
    }
    if done < rect.width {
      memcpy(target + done * bytes, from + done * bytes, (rect.width - done) * bytes)
    }
  }
}
