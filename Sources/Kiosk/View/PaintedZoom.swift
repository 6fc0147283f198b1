import EventLoop
import MapGeometry

/// Decides for which zoom the tiles of a painted map are made, as the size of a grid cell.
///
/// A part of the kiosk's view. While the zoom changes, the tiles for the former zoom are shown
/// scaled. Once it has been the same for a moment, tiles are painted for it. Panning and turning
/// change nothing.
final class PaintedZoom {
  /// How long the zoom must stay the same, in nanoseconds.
  static let pause: UInt64 = 150_000_000
  /// A change of the zoom within one frame that is no part of a movement, in levels.
  static let jump = 0.5

  /// The edge of a grid cell in pixels, for which tiles are painted; nil: 256 points, because the
  /// map is not painted for its zoom.
  private(set) var cell: Int?
  /// The edge in pixels of a grid cell on the screen, for which lines of overlays are drawn over a
  /// map that is not painted for its zoom; nil: there are none, or `cell` is set.
  private(set) var shownCell: Int?
  /// Whether tiles for the present zoom are still to be requested.
  private(set) var isPending = false
  private(set) var timer: LoopTimer?
  /// The zoom of the last frame, and when it became that, on the loop's clock.
  private var zoom: Double?
  private var changedAt: UInt64 = 0

  /// Has a frame follow once the zoom has been the same for long enough.
  init(loop: EventLoop, outbox: Outbox) {
    timer = loop.timer { [outbox] in outbox.add(.picture) }
  }

  /// Takes the view of the frame that is due at `now`. Returns whether `cell` or `shownCell` has
  /// changed.
  ///
  /// `isPainted`: the base map is painted for the zoom on the screen. `hasLines`: lines of overlays
  /// are shown.
  func take(_ view: Viewport, isPainted: Bool, hasLines: Bool, now: UInt64) -> Bool {
    let isJump = zoom.map { abs($0 - view.zoom) >= PaintedZoom.jump } ?? true
    if view.zoom != zoom { (zoom, changedAt) = (view.zoom, now) }
    let wanted = isPainted ? view.restingCell : nil
    let shown = hasLines && !isPainted ? view.restingCell : nil
    let due = changedAt &+ PaintedZoom.pause
    let isSame = wanted == cell && shown == shownCell
    let hasOthers = (wanted == nil) == (cell == nil) && (shown == nil) == (shownCell == nil)
    if isSame || !hasOthers || isJump || now >= due {
      if isPending { timer?.cancel() }
      isPending = false
      (cell, shownCell) = (wanted, shown)
      return !isSame
    }
    isPending = true
    timer?.arm(at: due)
    return false
  }

  /// Forgets the present cells: the display is another one.
  func reset() { (cell, shownCell, zoom) = (nil, nil, nil) }
}
