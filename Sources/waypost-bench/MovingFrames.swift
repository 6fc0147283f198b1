import CBench
import Glibc
import MapGeometry

/// Times the frames of animated movements, as users make them: at the display's pace, with labels
/// that are placed anew now and then.
struct MovingFrames {
  let bench: KioskBench

  /// Moves the view to `goal`, and returns the processor time in nanoseconds of those turns of the
  /// loop that drew a frame. `between` runs after each of them.
  func times(to goal: Viewport, between: () -> Void = {}) -> [Double] {
    var times: [Double] = []
    bench.kiosk.go(to: goal, animate: true)
    repeat {
      let (frame, begun) = (bench.display.frame, bench_thread_time())
      bench.loop.runOnce(timeout: 20_000_000)
      let time = Double(bench_thread_time() - begun)
      if bench.display.frame != frame {
        times.append(time)
        between()
      }
    } while bench.kiosk.currentView != bench.kiosk.goal
    bench.settle()
    return times
  }

  /// The nanoseconds of a copy of `bytes` bytes, made as a frame is: after a sleep.
  static func copy(
    _ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer, _ bytes: Int
  ) -> Double {
    usleep(4000)
    let begun = bench_thread_time()
    memcpy(to, from, bytes)
    return Double(bench_thread_time() - begun)
  }

  /// The mean of `times`; 0 for none.
  static func mean(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.reduce(0, +) / Double(times.count)
  }
}
