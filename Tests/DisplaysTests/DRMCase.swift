import EventLoop

@testable import Displays

/// What the tests on a `FakeDRM` share.
protocol DRMCase {
  var loop: EventLoop { get }
}

extension DRMCase {
  /// Runs the loop until `isDone`, or for so long that it never will be.
  func run(until isDone: () -> Bool) {
    let end = EventLoop.now() + 20_000_000_000
    while !isDone(), EventLoop.now() < end { loop.runOnce(timeout: 100_000_000) }
  }

  /// Shows a frame without changes.
  func show(on screen: DRMScreen) {
    _ = screen.display.begin()
    screen.display.present(damage: [])
  }
}
