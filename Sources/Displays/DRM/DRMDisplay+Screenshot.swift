import Pixels

extension DRMDisplay {
  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    guard frame > 0, let last = buffers.first(where: { $0.presentedAt == frame }) ?? shownBuffer
    else { return false }
    let words = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    defer { words.deallocate() }
    return last.withPixels { pixels in
      for y in 0..<height {
        format.widen(pixels + y * last.rowBytes, words, width)
        row(y, words)
      }
    }
  }

  /// The buffer of the last frame, even if its age is no longer known.
  private var shownBuffer: DRMBuffer? { turns.front.map { buffers[$0] } }
}
