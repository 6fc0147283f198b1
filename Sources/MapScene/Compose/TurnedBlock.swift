import MapGeometry

/// A block of a turned view: its rectangle on the screen, and the source pixels it samples.
struct TurnedBlock {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
  var left: Int
  var top: Int
  var across: Int
  var down: Int
  /// The first sample's position from (left, top), in 16.16 fixed point.
  var u: Int
  var v: Int

  /// - Parameters:
  ///   - t: The view.
  ///   - rect: The block on the screen.
  ///   - size: Source pixels per grid pixel, at most 1.
  init(_ t: ViewTransform, _ rect: PixelRect, _ size: Double) {
    (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
    let (acrossX, acrossY) = (t.stepX * size, t.stepY * size)
    let start = t.grid(Double(x) + 0.5, Double(y) + 0.5)
    let first = (x: start.x * size - 0.5, y: start.y * size - 0.5)
    // The bounding box of all samples.
    let (w, h) = (Double(width - 1), Double(height - 1))
    let minX = first.x + min(0, w * acrossX) + min(0, -h * acrossY)
    let maxX = first.x + max(0, w * acrossX) + max(0, -h * acrossY)
    let minY = first.y + min(0, w * acrossY) + min(0, h * acrossX)
    let maxY = first.y + max(0, w * acrossY) + max(0, h * acrossX)
    // One pixel of margin for the rounding of the steps.
    left = Int(minX.rounded(.down)) - 1
    top = Int(minY.rounded(.down)) - 1
    across = min(Int(maxX.rounded(.down)) + 3 - left, Workspace.blockWords)
    down = min(Int(maxY.rounded(.down)) + 3 - top, Workspace.blockWords)
    u = Int(((first.x - Double(left)) * 65536).rounded())
    v = Int(((first.y - Double(top)) * 65536).rounded())
  }
}
