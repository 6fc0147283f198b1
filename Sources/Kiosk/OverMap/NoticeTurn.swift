import EventLoop
import MapOverlays

/// Turns the pages of the notices, so that all of them are read without touching anything. A part
/// of `OverMap`.
final class NoticeTurn {
  /// How long a page is shown, in nanoseconds.
  static let time: UInt64 = 8_000_000_000

  private(set) var timer: LoopTimer?
  /// Counts the pages that were shown.
  private(set) var page = 0
  private let outbox: Outbox

  init(loop: EventLoop, outbox: Outbox) {
    self.outbox = outbox
    timer = loop.timer { [weak self] in self?.turn() }
  }

  /// Takes how many pages there are on the screen.
  func follow(pages: Int) {
    if pages < 2 {
      timer?.cancel()
    } else if timer?.isArmed != true {
      timer?.arm(after: NoticeTurn.time)
    }
  }

  /// Shows the next page now.
  func turn() {
    timer?.cancel()
    page = page == .max ? 0 : page + 1
    outbox.add(.picture)
  }

  /// Takes other notices: begins with the worst, unless only the names of what they close differ,
  /// which come and go with overlays.
  func change(from before: [NoticeLine], to now: [NoticeLine]) {
    if now.elementsEqual(before, by: { $0.text == $1.text && $0.severity == $1.severity }) {
      return
    }
    timer?.cancel()
    page = 0
  }
}
