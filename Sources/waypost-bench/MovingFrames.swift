import CBench
import Glibc
import MapGeometry

/// Times the frames of animated movements, as users make them: at the display's pace, with labels
/// that are placed anew now and then.
struct MovingFrames {
  let bench: KioskBench

  /// Moves the view to `goal`, and returns the nanoseconds, by the clock, of those turns of the
  /// loop that drew a frame, which two threads do. `between` runs after each of them.
  func times(to goal: Viewport, between: () -> Void = {}) -> [Double] {
    var times: [Double] = []
    bench.kiosk.go(to: goal, animate: true)
    repeat {
      let frame = bench.display.frame
      bench.loop.runOnce(timeout: 20_000_000)
      if bench.display.frame != frame {
        times.append(bench.turnTime)
        between()
      }
    } while bench.kiosk.currentView != bench.kiosk.goal
    bench.settle()
    return times
  }

  /// The mean of `times`; 0 for none.
  static func mean(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.reduce(0, +) / Double(times.count)
  }
}

/// Copies a frame of 1920x1080 pixels.
final class FrameCopyBench {
  private static let bytes = 1920 * 1080 * 4
  private let from = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
  private let to = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)

  init() {
    memset(from, 2, Self.bytes)
    memset(to, 2, Self.bytes)
  }

  deinit {
    from.deallocate()
    to.deallocate()
  }

  /// The nanoseconds of a copy, made as a frame is: after a sleep.
  func time() -> Double {
    usleep(4000)
    let begun = bench_now()
    memcpy(to, from, Self.bytes)
    return Double(bench_now() - begun)
  }
}
