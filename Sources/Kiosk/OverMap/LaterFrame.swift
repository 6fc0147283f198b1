import EventLoop
import Features
import MapOverlays
import Words

/// Schedules a frame for something that is not due yet. A part of `OverMap`.
final class LaterFrame {
  private(set) var timer: LoopTimer?
  private var due: UInt64 = 0

  init(loop: EventLoop, outbox: Outbox) {
    timer = loop.timer { [outbox] in outbox.add(.picture) }
  }

  /// Schedules a frame at `time` on the loop's clock or earlier.
  func follow(at time: UInt64) {
    if timer?.isArmed == true, due <= time { return }
    due = time
    timer?.arm(at: time)
  }
}

/// The colours of tracks in words, made once for each ramp, system of units and language. A part of
/// `OverMap`.
struct RampWords {
  private var known: (ramp: FeatureRamp, units: ScaleBar.Units, words: Words, key: RampKey)?

  mutating func key(_ ramp: FeatureRamp, _ units: ScaleBar.Units, _ words: Words) -> RampKey {
    if let known, known.ramp == ramp, known.units == units, known.words == words {
      return known.key
    }
    let key = RampKey(ramp, units: units, words)
    known = (ramp, units, words, key)
    return key
  }
}
