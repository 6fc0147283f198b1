import MapGeometry
import Pixels

/// Writes finished pixels to the display's memory, which is never read.
///
/// A value for the time of one frame.
struct PanelWriter {
  let target: ScanoutBuffer
  let rotation: MountingRotation
  let work: Workspace
  /// Where the view's first pixel lies in the pattern that RGB565 is dithered with.
  let dither: (x: Int, y: Int)

  init(_ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation, _ work: Workspace)
  {
    (self.target, self.rotation, self.work) = (target, rotation, work)
    // Dithered on the grid where a pixel is a grid pixel, as tiles are: no seam, no shimmer.
    dither = t.isExact ? (Int(t.originX), Int(t.originY)) : (0, 0)
  }

  /// Where samples are written to, without being read.
  struct Output {
    /// Words, or RGB565: one of them is there.
    var words: UnsafeMutablePointer<UInt32>?
    var halves: UnsafeMutablePointer<UInt16>?
    /// Pixels from row to row.
    var stride: Int
    /// Of the first pixel, in the pattern that RGB565 is dithered with.
    var x = 0
    var y = 0
  }

  /// Copies a part of a cell.
  ///
  /// - Parameters:
  ///   - sheet: an opaque tile in the format of the panel.
  ///   - part: the part in view pixels.
  ///   - x: its first column in the cell.
  ///   - y: its first row.
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

  /// Writes the mixed `chunk` to the panel, in its format and turned as it is mounted.
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

  /// `chunk` in the display's memory; nil: it is not all there.
  func output(
    _ chunk: PixelRect
  ) -> Output? {
    if let (first, stride) = target.words(of: chunk) { return Output(words: first, stride: stride) }
    guard let (first, stride) = target.halfWords(of: chunk) else { return nil }
    let (x, y) = dither
    return Output(halves: first, stride: stride, x: x + chunk.x, y: y + chunk.y)
  }
}
