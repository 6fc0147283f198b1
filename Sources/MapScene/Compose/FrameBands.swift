import MapGeometry
import Pixels

/// A part of a frame in bands of rows, which two threads draw.
///
/// Bands are as high as the chunks of mixing and begin where these do, so that rounding is the same
/// as with one thread.
///
/// Valid for one frame.
struct FrameBands {
  /// A band's rows.
  static let height = Workspace.chunkHeight
  let plan: FramePlan
  let rect: PixelRect
  /// What each of the threads mixes with, in memory of its own.
  let mixers: (first: ChunkMixer, second: ChunkMixer)
  let isExact: Bool

  /// How many bands there are.
  var count: Int { (rect.height + Self.height - 1) / Self.height }

  /// Draws a band, 0 ..< `count`.
  func draw(_ band: Int, isSecond: Bool) {
    let y = rect.y + band * Self.height
    let part = PixelRect(
      x: rect.x, y: y, width: rect.width, height: min(rect.maxY - y, Self.height))
    let mixer = isSecond ? mixers.second : mixers.first
    if isExact {
      CellCopier(cache: mixer.sampler.gatherer.cache, flats: nil, mixer: mixer)
        .drawExact(plan, part)
    } else {
      mixer.mix(plan, part)
    }
    finishStreaming()
  }
}
