import MapGeometry
import Pixels

/// Writes finished pixels to the display's memory, and never reads it.
///
/// Valid for one frame.
struct PanelWriter {
  let target: ScanoutBuffer
  let rotation: MountingRotation
  let work: Workspace
  /// The position of the view's first pixel in the dither pattern of RGB565.
  let dither: (x: Int, y: Int)

  init(_ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation, _ work: Workspace)
  {
    (self.target, self.rotation, self.work) = (target, rotation, work)
    // Without scaling, dither in grid coordinates as tiles do: no seams, no shimmer in motion.
    dither = t.isExact ? (Int(t.originX), Int(t.originY)) : (0, 0)
  }

  /// A write-only destination for samples.
  struct Output {
    /// The first pixel: either 32-bit words or RGB565 half-words are set.
    var words: UnsafeMutablePointer<UInt32>?
    var halves: UnsafeMutablePointer<UInt16>?
    /// Pixels from row to row.
    var stride: Int
    /// The first pixel's position in the dither pattern of RGB565.
    var x = 0
    var y = 0
  }

  /// Copies a part of a cell.
  ///
  /// - Parameters:
  ///   - sheet: An opaque tile in the panel's format.
  ///   - part: The part in view pixels.
  ///   - x: The part's first column in the cell.
  ///   - y: The part's first row in the cell.
  func copy(
    _ sheet: Sheet, _ part: PixelRect, x: Int, y: Int
  ) {
    var source = sheet.corner + y * sheet.rowBytes + x * target.format.bytes
    if rotation == .none {
      for row in part.y..<part.maxY {
        target.copyRow(x: part.x, y: row, count: part.width, from: source)
        source += sheet.rowBytes
      }
    } else {
      target.storeRotated(source, sourceRowBytes: sheet.rowBytes, rect: part, rotation: rotation)
    }
  }

  /// Writes the mixed `chunk` to the panel, in the panel's format and rotation.
  @inline(never)
  func store(
    _ chunk: PixelRect
  ) {
    var source = UnsafeRawPointer(work.band)
    if target.format == .rgb565 {
      let (ax, ay) = dither
      if rotation == .none, let out = target.halfWords(of: chunk) {
        for j in 0..<chunk.height {
          pack565(
            work.band + j * chunk.width, out.first + j * out.stride, chunk.width, x: ax + chunk.x,
            y: ay + chunk.y + j)
        }
        return
      }
      let narrow = UnsafeMutableRawPointer(work.layerBand).assumingMemoryBound(to: UInt16.self)
      for j in 0..<chunk.height {
        pack565(
          work.band + j * chunk.width, narrow + j * chunk.width, chunk.width, x: ax + chunk.x,
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

  /// `chunk` in the display's memory; nil: it is not entirely inside.
  func output(
    _ chunk: PixelRect
  ) -> Output? {
    if let (first, stride) = target.words(of: chunk) { return Output(words: first, stride: stride) }
    guard let (first, stride) = target.halfWords(of: chunk) else { return nil }
    let (x, y) = dither
    return Output(halves: first, stride: stride, x: x + chunk.x, y: y + chunk.y)
  }
}
