import EventLoop

/// What is wrong with a source although its tiles come, as connected programs are told: at most
/// once a second, with what is true then. Belongs to the loop's thread.
final class ProblemReport {
  /// The least time between two reports, in nanoseconds.
  static let pause: UInt64 = 1_000_000_000

  /// What they were told last; nil: nothing is wrong.
  private(set) var told: String?
  private var text: String?
  private var timer: LoopTimer?
  /// When the next report may be sent.
  private var dueAt: UInt64 = 0
  private let send: (String?) -> Void

  /// Nothing is wrong.
  ///
  /// - Parameters:
  ///   - loop: runs on this thread.
  ///   - send: tells all of them.
  init(loop: EventLoop, send: @escaping (String?) -> Void) {
    self.send = send
    timer = loop.timer { [weak self] in self?.tell() }
  }

  deinit { timer?.cancel() }

  /// From now on this is wrong; nil: nothing is.
  ///
  /// - Returns: whether that is news.
  func change(to new: String?) -> Bool {
    guard new != text else { return false }
    text = new
    if EventLoop.now() >= dueAt { tell() } else { timer?.arm(at: dueAt) }
    return true
  }

  private func tell() {
    timer?.cancel()
    guard told != text else { return }
    told = text
    dueAt = EventLoop.now() + ProblemReport.pause
    send(text)
  }
}
