import EventLoop

extension EventLoop {
  /// Runs until `condition` holds; false after ten minutes.
  func run(until condition: () -> Bool) -> Bool {
    let end = EventLoop.now() + 600_000_000_000
    while !condition() {
      if EventLoop.now() > end { return false }
      runOnce(timeout: 20_000_000)
    }
    return true
  }
}
