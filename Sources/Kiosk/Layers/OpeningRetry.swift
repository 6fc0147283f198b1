import EventLoop
import TileSources

/// Times new attempts to open a layer, or its changed file, after a failure.
///
/// The cause may pass without any sign: a writer releases a pack, descriptors become free, a
/// program starts to listen on a provider's socket.
struct OpeningRetry {
  /// The first wait and the longest, in nanoseconds. Each is twice the last.
  static let first: UInt64 = 1_000_000_000
  static let longest: UInt64 = 300_000_000_000

  /// On the loop's clock; nil: a try is under way.
  private(set) var due: UInt64?
  private var pause: UInt64 = 0
  /// Whether the layer is open, and only pictures that its style draws are missing.
  var isForPictures = false

  /// It failed at `now`: first or once more.
  mutating func fail(at now: UInt64) {
    pause = min(max(pause * 2, OpeningRetry.first), OpeningRetry.longest)
    due = now &+ pause
  }

  /// The cause may have passed by `now`.
  mutating func hasten(_ now: UInt64) {
    if due != nil { (due, pause) = (now, 0) }
  }

  /// Takes note of a try. Returns false if none is due at `now`.
  mutating func begin(at now: UInt64) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }
}

extension LayerList {
  /// The layer at `i` could not be opened, or only some of the pictures that its style draws. If
  /// the reason may pass, it is tried again.
  func tryAgainLater(_ i: Int, _ error: SourceError, forPictures: Bool = false) {
    guard error.isTransient else {
      entries[i].retry = nil
      return
    }
    var retry = entries[i].retry ?? OpeningRetry()
    retry.isForPictures = forPictures
    retry.fail(at: EventLoop.now())
    entries[i].retry = retry
    armRetries()
  }

  /// Opens again what is due.
  func retryOpenings() {
    let now = EventLoop.now()
    for i in entries.indices where entries[i].retry?.begin(at: now) == true {
      switch entries[i].state {
      case .closed: break
      case .failed:
        // What is wrong stays known until it is open.
        register(i)
        store.loader.open(entries[i].index)
      case .open:
        if entries[i].retry?.isForPictures == true { tryPictures(i) } else { reopen(i) }
      }
    }
    armRetries()
  }

  /// Opens at once what would be opened again some time.
  func hastenRetries() {
    let now = EventLoop.now()
    for i in entries.indices { entries[i].retry?.hasten(now) }
    armRetries()
  }

  /// A layer without such pictures is opened again.
  func tryPictures(_ i: Int) { reopen(i) }

  func armRetries() {
    let due = entries.lazy.compactMap { $0.retry?.due }.min()
    if let due { openingTimer?.arm(at: due) }
  }
}
