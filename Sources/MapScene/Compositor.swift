import Glibc
import MapGeometry
import Pixels
import TileCache

/// Draws plans: copies what may be copied straight to the display, and mixes the rest in a buffer that
/// stays in the processor's cache before it is written, once and in order.
///
/// The display's memory is never read. A frame allocates nothing once its size has been seen.
public final class Compositor {
  /// Colours where there is no map, 0xFFRRGGBB.
  public struct Palette: Sendable, Equatable {
    /// Beyond the world's northern and southern edge.
    public var outside: UInt32 = 0xFFC9_CDD1
    /// Under what has not come yet.
    public var waiting: UInt32 = 0xFFE4_E4E0

    public init() {}
  }

  // The unit of mixing: 256 x 64 words are 64 KiB.
  private static let chunkWidth = 256
  private static let chunkHeight = 64
  private static let blockEdge = 32

  private let cache: TileCache
  private let over = SpriteIndex()
  private let band: UnsafeMutablePointer<UInt32>
  private let layerBand: UnsafeMutablePointer<UInt32>
  private let rows: UnsafeMutablePointer<UInt32>
  private let block: UnsafeMutablePointer<UInt32>
  private var gatherScratch: UnsafeMutablePointer<UInt32>
  private var gatherWords: Int
  // Source pixels of a row or block: at most √2 a step, turned by any angle, and neighbours.
  private static let rowWords = 800
  private static let blockWords = 72

  public var palette = Palette()

  /// Bytes of the buffers in which pixels are mixed.
  public var bytes: Int {
    (2 * Compositor.chunkWidth * Compositor.chunkHeight + 3 * Compositor.rowWords
      + Compositor.blockWords * Compositor.blockWords + gatherWords) * 4 + over.bytes
  }

  public init(cache: TileCache) {
    self.cache = cache
    let words = Compositor.chunkWidth * Compositor.chunkHeight
    band = .allocate(capacity: words)
    layerBand = .allocate(capacity: words)
    rows = .allocate(capacity: 3 * Compositor.rowWords)
    block = .allocate(capacity: Compositor.blockWords * Compositor.blockWords)
    gatherWords = GridGatherer.scratchWords(edge: 512)
    gatherScratch = .allocate(capacity: gatherWords)
    band.initialize(repeating: 0, count: words)
    layerBand.initialize(repeating: 0, count: words)
    rows.initialize(repeating: 0, count: 3 * Compositor.rowWords)
    block.initialize(repeating: 0, count: Compositor.blockWords * Compositor.blockWords)
    gatherScratch.initialize(repeating: 0, count: gatherWords)
  }

  deinit {
    band.deallocate()
    layerBand.deallocate()
    rows.deallocate()
    block.deallocate()
    gatherScratch.deallocate()
  }

  /// Takes what lies over the map in the frames that are drawn from now on, bottom first.
  ///
  /// - Parameters:
  ///   - sprites: their pictures are to live as long as frames are drawn with them.
  ///   - width: the view's, in pixels.
  public func place(_ sprites: [Sprite], width: Int, height: Int) {
    over.place(sprites, width: width, height: height)
  }

  /// Draws the part `rect` of the view, with the sprites that were placed.
  ///
  /// - Parameters:
  ///   - target: the panel's memory.
  ///   - rotation: how the panel is mounted; `rect` and the plan are in view pixels.
  public func draw(
    _ plan: borrowing FramePlan, in rect: PixelRect, to target: ScanoutBuffer,
    rotation: MountingRotation
  ) {
    let t = plan.transform
    let rect = rect.intersection(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    if rect.isEmpty { return }
    let words = GridGatherer.scratchWords(edge: t.cell)
    if words > gatherWords {
      gatherScratch.deallocate()
      gatherScratch = .allocate(capacity: words)
      gatherScratch.initialize(repeating: 0, count: words)
      gatherWords = words
    }
    if t.isExact {
      drawExact(plan, rect, target, rotation)
    } else {
      mix(plan, rect, target, rotation)
    }
  }

  /// Whole zoom, bearing 0: cell by cell, each copied if nothing but an opaque tile lies there.
  private func drawExact(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    let t = plan.transform
    let (originX, originY) = (Int(t.originX), Int(t.originY))
    let opaque = TilePixelFormat(opaqueFor: target.format)
    let cell = t.cell
    var top = rect.y
    while top < rect.maxY {
      let row = (top + originY) >= 0 ? (top + originY) / cell : -1
      let inWorld = plan.rows.contains(row)
      let bottom =
        inWorld
        ? min(rect.maxY, (row + 1) * cell - originY)
        : worldEdge(
          top, rect.maxY, plan.rows, cell, originY)
      var left = rect.x
      while left < rect.maxX {
        let gridX = left + originX
        let column = gridX >= 0 ? gridX / cell : -((cell - 1 - gridX) / cell)
        let right = inWorld ? min(rect.maxX, (column + 1) * cell - originX) : rect.maxX
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        if inWorld, rotation == .none,
          let piece = copyable(plan, column, row, opaque)
        {
          let tile = cache.entry(piece.slot)
          let bpp = opaque.bytes
          let rowBytes = Int(tile.edge) * bpp
          let source =
            UnsafeRawPointer(tile.pixels) + (top + originY - row * cell - piece.originY) * rowBytes
            + (gridX - column * cell - piece.originX) * bpp
          // Only the rows that something lies on are mixed.
          var from = top
          while from < bottom {
            let rest = PixelRect(x: left, y: from, width: right - left, height: bottom - from)
            let (end, isCovered) = over.run(rest)
            if isCovered {
              mix(
                plan, PixelRect(x: left, y: from, width: rest.width, height: end - from), target,
                rotation)
            } else {
              for y in from..<end {
                target.copyRow(
                  x: left, y: y, count: rest.width, from: source + (y - top) * rowBytes)
              }
            }
            from = end
          }
        } else {
          mix(plan, part, target, rotation)
        }
        left = right
      }
      top = bottom
    }
  }

  /// Where the strip beyond the world that begins at `top` ends.
  private func worldEdge(
    _ top: Int, _ end: Int, _ rows: Range<Int>, _ cell: Int, _ originY: Int
  ) -> Int {
    let worldTop = rows.lowerBound * cell - originY
    return !rows.isEmpty && top < worldTop ? min(end, worldTop) : end
  }

  /// The one tile, in the display's format, that is all there is to be seen in a cell.
  private func copyable(
    _ plan: borrowing FramePlan, _ column: Int, _ row: Int, _ opaque: TilePixelFormat
  ) -> FramePlan.Piece? {
    guard let base = plan.layers.first, base.isBase, base.opacity == 1,
      plan.columns.contains(column)
    else { return nil }
    let cell = plan.cells[plan.index(layer: 0, column: column, row: row)]
    guard cell.pieceCount == 1 else { return nil }
    let piece = plan.pieces[Int(cell.firstPiece)]
    guard piece.shift == 0, cache.entry(piece.slot).format == opaque else { return nil }
    for n in plan.layers.indices.dropFirst()
    where plan.cells[plan.index(layer: n, column: column, row: row)].pieceCount > 0 {
      return nil
    }
    return piece
  }

  /// Mixes `rect` chunk by chunk and writes it; samples straight to the display what nothing lies over.
  private func mix(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    let gatherer = GridGatherer(
      cache: cache, scratch: gatherScratch, outside: palette.outside, waiting: palette.waiting)
    let direct = rotation == .none && isOneOpaqueLayerSampled(plan)
    var y = rect.y
    while y < rect.maxY {
      let height = min(Compositor.chunkHeight, rect.maxY - y)
      var x = rect.x
      while x < rect.maxX {
        // Chunks begin at the same columns whatever part is drawn, so that rounding is the same.
        let width = min(
          Compositor.chunkWidth - x % Compositor.chunkWidth, rect.maxX - x)
        let chunk = PixelRect(x: x, y: y, width: width, height: height)
        if direct, !over.meets(chunk), let out = target.words(of: chunk) {
          sample(plan, 0, chunk, out.first, out.stride, gatherer)
        } else {
          mix(plan, chunk, gatherer)
          over.blend(into: band, chunk)
          store(chunk, plan.transform, target, rotation)
        }
        x += width
      }
      y += height
    }
  }

  /// Whether one opaque layer is all there is, and sampling it writes every pixel once.
  private func isOneOpaqueLayerSampled(_ plan: borrowing FramePlan) -> Bool {
    !plan.transform.isExact && plan.layers.count == 1 && plan.layers[0].isBase
      && plan.layers[0].opacity == 1
  }

  /// Writes the mixed `chunk` to the panel, in its format and turned as it is mounted.
  private func store(
    _ chunk: PixelRect, _ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) {
    var source = UnsafeRawPointer(band)
    if target.format == .rgb565 {
      // Dithered on the grid where a pixel is a grid pixel, as tiles are: no seam, no shimmer.
      let (ax, ay) = t.isExact ? (Int(t.originX), Int(t.originY)) : (0, 0)
      let narrow = UnsafeMutableRawPointer(layerBand).assumingMemoryBound(to: UInt16.self)
      for j in 0..<chunk.height {
        pack565(
          band + j * chunk.width, narrow + j * chunk.width, chunk.width, x: ax + chunk.x,
          y: ay + chunk.y + j)
      }
      source = UnsafeRawPointer(narrow)
    }
    let rowBytes = chunk.width * target.format.bytes
    if rotation == .none {
      for j in 0..<chunk.height {
        target.copyRow(
          x: chunk.x, y: chunk.y + j, count: chunk.width, from: source + j * rowBytes)
      }
    } else {
      target.storeRotated(source, sourceRowBytes: rowBytes, rect: chunk, rotation: rotation)
    }
  }

  private func mix(_ plan: borrowing FramePlan, _ chunk: PixelRect, _ gatherer: GridGatherer) {
    var covered = false
    for n in plan.layers.indices {
      let layer = plan.layers[n]
      if !covered, layer.isBase, layer.opacity == 1 {
        sample(plan, n, chunk, band, chunk.width, gatherer)
        covered = true
        continue
      }
      if !covered {
        fill(band, palette.waiting, chunk.width * chunk.height)
        covered = true
      }
      let opacity = Int((min(max(layer.opacity, 0), 1) * 256).rounded())
      if opacity == 0 { continue }
      sample(plan, n, chunk, layerBand, chunk.width, gatherer)
      blendOver(layerBand, into: band, chunk.width * chunk.height, opacity: opacity)
    }
    if !covered {
      fill(band, palette.waiting, chunk.width * chunk.height)
    }
  }

  /// One layer's pixels for `chunk`, rows `stride` words apart. A view that is not exact is written
  /// without being read.
  private func sample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect,
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int, _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    if t.isExact {
      gatherer.gather(
        plan, layer: n, x: Int(t.originX) + chunk.x, y: Int(t.originY) + chunk.y,
        width: chunk.width, height: chunk.height, into: out, stride: stride)
    } else if t.bearing == 0 {
      resample(plan, n, chunk, out, stride, gatherer)
    } else {
      rotate(plan, n, chunk, out, stride, gatherer)
    }
  }

  /// Bilinear, separable. Enlarged, a row of the grid is resampled across once and then mixed with the
  /// next for each row in between; reduced, rows are mixed first and each result resampled across.
  private func resample(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect,
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int, _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    let step = Int((t.stepX * 65536).rounded())
    // Samples lie at pixel centres: half a grid pixel to the left is the left neighbour's centre.
    let startX = t.originX + (Double(chunk.x) + 0.5) * t.stepX - 0.5
    let startY = t.originY + (Double(chunk.y) + 0.5) * t.stepX - 0.5
    let left = Int(startX.rounded(.down))
    let top = Int(startY.rounded(.down))
    let position = Int((startX - Double(left)) * 65536)
    let count = (position + step * (chunk.width - 1)) >> 16 + 2
    let enlarged = step < 65536
    let single = rows
    let (even, odd) = (rows + Compositor.rowWords, rows + 2 * Compositor.rowWords)
    var (evenRow, oddRow) = (-1, -1)
    // Weights of 7 bits, to the nearest.
    var place = Int((startY - Double(top)) * 65536) + 256
    for j in 0..<chunk.height {
      let y = place >> 16
      let weight = place >> 9 & 127
      place += step
      // Rows y and y + 1, as far as they are of use and not there from the row above.
      for row in y...(weight == 0 ? y : y + 1) where row != (row & 1 == 0 ? evenRow : oddRow) {
        let target = row & 1 == 0 ? even : odd
        gatherer.gather(
          plan, layer: n, x: left, y: top + row, width: count, height: 1,
          into: enlarged ? single : target, stride: count)
        if enlarged {
          resampleRow(
            source: single, destination: target, count: chunk.width, position: position,
            step: step)
        }
        if row & 1 == 0 { evenRow = row } else { oddRow = row }
      }
      let (upper, lower) = y & 1 == 0 ? (even, odd) : (odd, even)
      let target = out + j * stride
      if enlarged {
        lerpRows(upper, lower, weight: weight, target, chunk.width)
      } else {
        if weight != 0 { lerpRows(upper, lower, weight: weight, single, count) }
        resampleRow(
          source: weight == 0 ? upper : single, destination: target, count: chunk.width,
          position: position, step: step)
      }
    }
  }

  /// Bilinear at any angle, in blocks whose source pixels lie in one tile or are gathered first.
  private func rotate(
    _ plan: borrowing FramePlan, _ n: Int, _ chunk: PixelRect,
    _ out: UnsafeMutablePointer<UInt32>, _ stride: Int, _ gatherer: GridGatherer
  ) {
    let t = plan.transform
    let e = Compositor.blockEdge
    let stepX = Int((t.stepX * 65536).rounded())
    let stepY = Int((t.stepY * 65536).rounded())
    var y = 0
    while y < chunk.height {
      let height = min(e, chunk.height - y)
      var x = 0
      while x < chunk.width {
        let width = min(e, chunk.width - x)
        let first = t.grid(Double(chunk.x + x) + 0.5, Double(chunk.y + y) + 0.5)
        // The box of all samples, in whole grid pixels from (left, top).
        let (w, h) = (Double(width - 1), Double(height - 1))
        let minX = first.x - 0.5 + min(0, w * t.stepX) + min(0, -h * t.stepY)
        let maxX = first.x - 0.5 + max(0, w * t.stepX) + max(0, -h * t.stepY)
        let minY = first.y - 0.5 + min(0, w * t.stepY) + min(0, h * t.stepX)
        let maxY = first.y - 0.5 + max(0, w * t.stepY) + max(0, h * t.stepX)
        // One pixel of room for the rounding of the steps.
        let left = Int(minX.rounded(.down)) - 1
        let top = Int(minY.rounded(.down)) - 1
        let across = min(Int(maxX.rounded(.down)) + 3 - left, Compositor.blockWords)
        let down = min(Int(maxY.rounded(.down)) + 3 - top, Compositor.blockWords)
        var source = UnsafePointer(block)
        var sourceStride = across
        if let tile = gatherer.tile(
          plan, layer: n, x: left, y: top, width: across, height: down)
        {
          (source, sourceStride) = tile
        } else {
          gatherer.gather(
            plan, layer: n, x: left, y: top, width: across, height: down, into: block,
            stride: across)
        }
        rotateBlock(
          source: source, sourceStride: sourceStride,
          u: Int(((first.x - 0.5 - Double(left)) * 65536).rounded()),
          v: Int(((first.y - 0.5 - Double(top)) * 65536).rounded()),
          du: stepX, dv: stepY, destination: out + y * stride + x, destinationStride: stride,
          width: width, height: height)
        x += width
      }
      y += height
    }
  }
}
