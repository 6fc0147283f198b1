import MapGeometry
import Pixels

/// A part of a frame in bands of rows, which one thread or two draw.
///
/// Bands are as high as the chunks of mixing and begin where these do, so that rounding does not
/// depend on them.
///
/// Valid for one frame.
struct FrameBands {
  /// A band's rows.
  static let height = Workspace.chunkHeight
  let plan: FramePlan
  let rect: PixelRect
  /// What this thread mixes with.
  let mixer: ChunkMixer
  /// What a second thread mixes with, in memory of its own.
  var second: ChunkMixer?
  /// Keeps flattened cells if one thread draws; nil: none are kept.
  var flats: FlatTiles?
  /// What rows are copied from instead of being drawn; nil: none.
  let backdrop: BackdropRows?

  /// How many bands there are.
  var count: Int { (rect.height + Self.height - 1) / Self.height }

  /// Draws everything. Without a backdrop, there is no need for bands.
  func drawAll() {
    if backdrop == nil {
      draw(rect, mixer)
    } else {
      for band in 0..<count { draw(band, isSecond: false) }
    }
    finishStreaming()
  }

  /// Draws a band, 0 ..< `count`.
  func draw(_ band: Int, isSecond: Bool) {
    let y = rect.y + band * Self.height
    let part = PixelRect(
      x: rect.x, y: y, width: rect.width, height: min(rect.maxY - y, Self.height))
    let mixer = isSecond ? second ?? mixer : mixer
    if let backdrop {
      for rect in backdrop.damage where rect.y < part.maxY && rect.maxY > part.y {
        backdrop.forEachPart(of: rect.intersection(part)) { part, pixels in
          draw(part, mixer.with(backdrop.standing, on: pixels, plan.transform))
        }
      }
      // The copy reads what was written past the caches.
      finishStreaming()
      if backdrop.rows.contains(part.y), backdrop.rows.contains(part.maxY - 1) {
        backdrop.copy(part, mixer)
      } else {
        draw(part, mixer)
      }
    } else {
      draw(part, mixer)
    }
    finishStreaming()
  }

  private func draw(_ part: PixelRect, _ mixer: ChunkMixer) {
    if plan.transform.isExact {
      CellCopier(cache: mixer.sampler.gatherer.cache, flats: flats, mixer: mixer)
        .drawExact(plan, part)
    } else {
      mixer.mix(plan, part)
    }
  }
}
