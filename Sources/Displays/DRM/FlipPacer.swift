/// When the next frame may begin: after a page flip, but never sooner than a refresh after the
/// beat before.
///
/// A driver with vertical blanks sends its events a refresh apart, and they are the beat. One
/// without (older virtio, SPI and USB panels) sends them at once, and the clock holds the next
/// frame back; or as late as it is done sending, and then a third buffer lets the next frame be
/// drawn meanwhile.
struct FlipPacer {
  /// Nanoseconds of a refresh.
  let period: UInt64
  private(set) var lastBeat: UInt64 = 0
  private var lateInARow = 0

  /// Frames in a row that must be late before that is the driver's way.
  static let lateFrames = 4

  init(refreshRate: Double) {
    let rate = refreshRate.isFinite ? min(max(refreshRate, 1), 1000) : 60
    period = UInt64(1e9 / rate)
  }

  /// A flip was done at `time`: the moment from which on the next frame may begin. An event's time
  /// shakes by a little, so what comes an eighth of a refresh early is on the beat.
  mutating func flipped(at time: UInt64) -> UInt64 {
    let next = lastBeat &+ period
    lastBeat = next <= time &+ period / 8 ? time : next
    return lastBeat
  }

  /// A frame was shown at `now`, and no event will say so: the moment of the next one by the clock.
  mutating func shown(at now: UInt64) -> UInt64 {
    lastBeat = max(lastBeat &+ period, now)
    return lastBeat
  }

  /// A flip took from `committed` to `flipped`. True when the driver has been late for some frames
  /// in a row: more than one and a half refreshes.
  mutating func isLate(committed: UInt64, flipped: UInt64) -> Bool {
    let late = flipped > committed &+ period &+ period / 2
    lateInARow = late ? min(lateInARow + 1, Self.lateFrames) : 0
    return lateInARow == Self.lateFrames
  }
}
