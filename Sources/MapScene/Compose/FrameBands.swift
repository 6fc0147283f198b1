import MapGeometry

/// A part of a frame in bands of rows, which two threads draw. A pixel's value does not depend on
/// the band that it is in.
///
/// Valid for one frame.
struct FrameBands {
  /// A band's rows. Bands begin at multiples of it.
  static let height = Workspace.chunkHeight
  let plan: FramePlan
  let rect: PixelRect
  /// What each of the threads mixes with, in memory of its own.
  let mixers: (first: ChunkMixer, second: ChunkMixer)
  let isExact: Bool

  private var top: Int { rect.y / Self.height }

  /// How many bands there are.
  var count: Int { (rect.maxY + Self.height - 1) / Self.height - top }

  /// Draws a band, 0 ..< `count`.
  func draw(_ band: Int, isSecond: Bool) {
    let begin = max(rect.y, (top + band) * Self.height)
    let end = min(rect.maxY, (top + band + 1) * Self.height)
    let part = PixelRect(x: rect.x, y: begin, width: rect.width, height: end - begin)
    let mixer = isSecond ? mixers.second : mixers.first
    if isExact {
      CellCopier(cache: mixer.sampler.gatherer.cache, flats: nil, mixer: mixer)
        .drawExact(plan, part)
    } else {
      mixer.mix(plan, part)
    }
  }
}
