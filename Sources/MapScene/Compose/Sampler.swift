import MapGeometry
import Pixels

/// Samples one layer of a plan: copies grid pixels at a whole zoom, resamples rows between two
/// levels, and samples turned blocks.
///
/// Valid for one frame.
struct Sampler {
  let gatherer: GridGatherer
  let work: Workspace

  /// The shift to sample layer `n` in `chunk` with: its source pixels are 2^shift grid pixels on
  /// a side. Nil: grid pixels are copied unchanged.
  func sampled(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect
  ) -> Int? {
    let t = plan.transform
    // A constant: Swift 6.0 heap-allocates variables that a nested function captures.
    let box = t.isExact ? wholeCells(gridPixels(plan, chunk), t.cell) : gridPixels(plan, chunk)
    func least(_ reach: Int) -> Int {
      gatherer.shift(
        plan, layer: n, x: box.left - reach, y: box.top - reach,
        width: box.right - box.left + 2 * reach, height: box.bottom - box.top + 2 * reach)
    }
    var shift = least(0)
    if shift > 0 { shift = least(GridGatherer.reach(shift: shift)) }
    return t.isExact && shift == 0 ? nil : shift
  }

  /// Expands a box of `gridPixels` to the whole cells it covers, so that the result does not depend
  /// on which part of a cell is drawn.
  private func wholeCells(
    _ box: (left: Int, top: Int, right: Int, bottom: Int), _ edge: Int
  ) -> (left: Int, top: Int, right: Int, bottom: Int) {
    func cell(_ place: Int) -> Int { place - (place % edge + edge) % edge }
    return (
      cell(box.left + 2), cell(box.top + 2), cell(box.right - 3) + edge,
      cell(box.bottom - 3) + edge
    )
  }

  /// The grid pixels under `chunk`, and two more on each side for filtering and rounding.
  private func gridPixels(
    _ plan: borrowing FramePlan, _ chunk: PixelRect
  ) -> (left: Int, top: Int, right: Int, bottom: Int) {
    let box = plan.transform.gridBox(chunk)
    return (
      Int(box.minX.rounded(.down)) - 2, Int(box.minY.rounded(.down)) - 2,
      Int(box.maxX.rounded(.up)) + 2, Int(box.maxY.rounded(.up)) + 2
    )
  }

  /// Whether all layers above the base are transparent in `chunk`.
  func isClear(
    _ plan: borrowing FramePlan, _ chunk: PixelRect
  ) -> Bool {
    for n in 1..<max(1, plan.layers.count) where !isClear(plan, n, chunk) {
      return false
    }
    return true
  }

  func isClear(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect
  ) -> Bool {
    if plan.layers[n].opacity <= 0 { return true }
    let (left, top, right, bottom) = gridPixels(plan, chunk)
    return gatherer.isClear(
      plan, layer: n, x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Writes one layer's pixels for `chunk` to `out`. `shift` comes from `sampled`; if it is nil,
  /// `out` must have 32-bit pixels.
  func sample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int?,
    _ out: PanelWriter.Output
  ) {
    let t = plan.transform
    guard let shift else {
      guard let words = out.words else { return }
      gatherer.gather(
        plan, layer: n, x: Int(t.originX) + chunk.x, y: Int(t.originY) + chunk.y,
        width: chunk.width, height: chunk.height, into: words, stride: out.stride)
      return
    }
    if t.bearing == 0 {
      resample(plan, n, chunk, shift, out)
    } else {
      rotate(plan, n, chunk, shift, out)
    }
  }

  /// The source pixels under a chunk that is resampled.
  private struct SourceArea {
    let layer: Int
    let shift: Int
    /// The corner, in source pixels.
    let left: Int
    let top: Int
    /// How many columns are needed.
    let count: Int
    /// The last row that is needed, counted from `top`.
    let last: Int
    /// The most rows that are supplied at a time, an even number.
    let most: Int
  }

  /// Consecutive rows of a `SourceArea`, counted from its top.
  private struct SourceRows {
    let rows: Range<Int>
    let words: UnsafePointer<UInt32>
    let stride: Int

    @inline(__always)
    func row(_ y: Int) -> UnsafePointer<UInt32> { words + (y - rows.lowerBound) * stride }
  }

  /// Separable bilinear filtering, a few rows at a time, directly from a tile where one holds them
  /// all.
  private func resample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int,
    _ out: PanelWriter.Output
  ) {
    let t = plan.transform
    let size = 1 / Double(1 << shift)
    let step = max(1, Int((t.stepX * size * 65536).rounded()))
    // Samples lie at pixel centres, so subtract half a source pixel to get the left neighbour.
    let startX = (t.originX + (Double(chunk.x) + 0.5) * t.stepX) * size - 0.5
    let startY = (t.originY + (Double(chunk.y) + 0.5) * t.stepX) * size - 0.5
    let left = Int(startX.rounded(.down))
    let top = Int(startY.rounded(.down))
    let position = Int((startX - Double(left)) * 65536)
    let count = (position + step * (chunk.width - 1)) >> 16 + 2
    work.table.fill(count: chunk.width, position: position, step: step)
    // Weights have 7 bits; this rounds to the nearest.
    let place = Int((startY - Double(top)) * 65536) + 256
    let area = SourceArea(
      layer: n, shift: shift, left: left, top: top, count: count,
      last: (place + step * (chunk.height - 1)) >> 16 + 1,
      most: max(2, min(Workspace.fieldRows, Workspace.fieldWords / count) & ~1))
    if step >= 65536 {
      reduce(plan, area, chunk, place, step, out)
    } else {
      enlarge(plan, area, chunk, place, step, out)
    }
  }

  /// The rows of `area` from `first` on, as many as are supplied at a time.
  private func supply(
    _ plan: borrowing FramePlan, _ area: SourceArea, from first: Int
  ) -> SourceRows {
    let end = min(first + area.most, area.last + 1)
    if let tile = gatherer.tile(
      plan, layer: area.layer, shift: area.shift, x: area.left, y: area.top + first,
      width: area.count, height: end - first)
    {
      return SourceRows(rows: first..<end, words: tile.pixels, stride: tile.stride)
    }
    gatherer.gather(
      plan, layer: area.layer, shift: area.shift, x: area.left, y: area.top + first,
      width: area.count, height: end - first, into: work.field, stride: area.count)
    return SourceRows(rows: first..<end, words: UnsafePointer(work.field), stride: area.count)
  }

  /// Each output row mixes two source rows, then resamples across. `place` is that of the first
  /// output row, and `step` the distance of two, in 1/65536 source rows.
  @inline(__always)
  private func reduce(
    _ plan: borrowing FramePlan, _ area: SourceArea, _ chunk: PixelRect, _ place: Int, _ step: Int,
    _ out: PanelWriter.Output
  ) {
    var source = supply(plan, area, from: place >> 16)
    for j in 0..<chunk.height {
      let at = place + j * step
      let (y, weight) = (at >> 16, at >> 9 & 127)
      if y + 1 >= source.rows.upperBound, source.rows.upperBound <= area.last {
        source = supply(plan, area, from: y)
      }
      if let words = out.words {
        resampleBetween(
          source: source.row(y), next: source.stride, weight: weight, table: work.table,
          destination: words + j * out.stride, count: chunk.width)
      } else if let halves = out.halves {
        resampleBetween565(
          source: source.row(y), next: source.stride, weight: weight, table: work.table,
          destination: halves + j * out.stride, count: chunk.width, x: out.x, y: out.y + j)
      }
    }
  }

  /// Each source row is resampled across once, two at a time, and output rows mix two of them. The
  /// last four rows are kept in a ring. `place` and `step` are as for `reduce`.
  @inline(__always)
  private func enlarge(
    _ plan: borrowing FramePlan, _ area: SourceArea, _ chunk: PixelRect, _ place: Int, _ step: Int,
    _ out: PanelWriter.Output
  ) {
    let planes = UnsafeMutableRawPointer(work.rows).assumingMemoryBound(to: UInt16.self)
    let room = Workspace.chunkWidth
    var next = place >> 16
    let even = next
    var source = supply(plan, area, from: next)
    for j in 0..<chunk.height {
      let at = place + j * step
      let y = at >> 16
      while next <= y + 1, next <= area.last {
        // Rows come in pairs; `most` is even.
        if next >= source.rows.upperBound { source = supply(plan, area, from: next) }
        let other = next < area.last ? source.stride : 0
        let lanes = planes + ((next - even) & 3) * 4 * room
        if out.words != nil {
          resampleRowsToPlanes(
            source: source.row(next), next: other, table: work.table, destination: lanes,
            room: room, count: chunk.width)
        } else {
          resampleRowsToPlanes565(
            source: source.row(next), next: other, table: work.table, destination: lanes,
            room: room, count: chunk.width)
        }
        next += 2
      }
      let upper = planes + ((y - even) & 3) * 4 * room
      let lower = planes + ((y - even + 1) & 3) * 4 * room
      if let words = out.words {
        lerpPlanes(
          upper, lower, weight: at >> 9 & 127, words + j * out.stride, chunk.width)
      } else if let halves = out.halves {
        lerpPlanes565(
          upper, lower, weight: at >> 9 & 127, halves + j * out.stride, chunk.width, x: out.x,
          y: out.y + j)
      }
    }
  }

  /// Bilinear at any angle, in blocks. A block's source pixels lie in one tile or are gathered
  /// first; those of the next block are prefetched while this one is drawn.
  private func rotate(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect, _ shift: Int,
    _ out: PanelWriter.Output
  ) {
    let t = plan.transform
    let e = Workspace.blockEdge
    let size = 1 / Double(1 << shift)
    let stepX = Int((t.stepX * size * 65536).rounded())
    let stepY = Int((t.stepY * size * 65536).rounded())
    func block(_ x: Int, _ y: Int) -> TurnedBlock {
      let rect = PixelRect(
        x: chunk.x + x, y: chunk.y + y, width: min(e, max(1, chunk.width - x)),
        height: min(e, chunk.height - y))
      return TurnedBlock(t, rect, size)
    }
    var next = block(0, 0)
    var y = 0
    while y < chunk.height {
      var x = 0
      while x < chunk.width {
        let now = next
        var ahead = BlockAhead()
        // The block drawn next. After the chunk's last block it is the one to its right, in the
        // next chunk.
        let isLast = x + e >= chunk.width && y + e < chunk.height
        next = isLast ? block(0, y + e) : block(x + e, y)
        if next.x < t.width {
          ahead = gatherer.fetch(
            plan, layer: n, shift: shift, x: next.left, y: next.top, width: next.across,
            height: next.down)
        }
        var source = UnsafePointer(work.block)
        var stride = now.across
        if let tile = gatherer.tile(
          plan, layer: n, shift: shift, x: now.left, y: now.top, width: now.across,
          height: now.down)
        {
          (source, stride) = tile
        } else {
          gatherer.gather(
            plan, layer: n, shift: shift, x: now.left, y: now.top, width: now.across,
            height: now.down, into: work.block, stride: now.across)
        }
        if let words = out.words {
          rotateBlock(
            source: source, sourceStride: stride, u: now.u, v: now.v, du: stepX, dv: stepY,
            destination: words + y * out.stride + x, destinationStride: out.stride,
            width: now.width, height: now.height, next: ahead)
        } else if let halves = out.halves {
          rotateBlock565(
            source: source, sourceStride: stride, u: now.u, v: now.v, du: stepX, dv: stepY,
            destination: halves + y * out.stride + x, destinationStride: out.stride,
            width: now.width, height: now.height, x: out.x + x, y: out.y + y, next: ahead)
        }
        x += e
      }
      y += e
    }
  }
}
