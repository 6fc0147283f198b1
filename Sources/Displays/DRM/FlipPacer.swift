/// Decides when the next frame may begin: after a page flip, but never less than a refresh after
/// the previous beat.
///
/// A driver with vertical blanks sends its events a refresh apart, and they are the beat. A driver
/// without (older virtio, SPI and USB panels) either sends them at once, and the clock delays the
/// next frame; or only after it has transferred the frame, and then a third buffer lets the next
/// frame be drawn meanwhile.
struct FlipPacer {
  /// Nanoseconds of a refresh.
  let period: UInt64
  private(set) var lastBeat: UInt64 = 0
  private var lateInARow = 0

  /// After this many late frames in a row the driver counts as late in general.
  static let lateFrames = 4

  init(refreshRate: Double) {
    let rate = refreshRate.isFinite ? min(max(refreshRate, 1), 1000) : 60
    period = UInt64(1e9 / rate)
  }

  /// Records a flip at `time` and returns when the next frame may begin. Event times jitter, so an
  /// event up to an eighth of a refresh early is on the beat.
  mutating func flipped(at time: UInt64) -> UInt64 {
    let next = lastBeat &+ period
    lastBeat = next <= time &+ period / 8 ? time : next
    return lastBeat
  }

  /// Records a frame shown at `now` without an event, and returns when the next one may begin.
  mutating func shown(at now: UInt64) -> UInt64 {
    lastBeat = max(lastBeat &+ period, now)
    return lastBeat
  }

  /// Records that a flip took from `committed` to `flipped`. Returns whether the driver has been
  /// late, by more than half a refresh, for `lateFrames` frames in a row.
  mutating func isLate(committed: UInt64, flipped: UInt64) -> Bool {
    let late = flipped > committed &+ period &+ period / 2
    lateInARow = late ? min(lateInARow + 1, Self.lateFrames) : 0
    return lateInARow == Self.lateFrames
  }
}
