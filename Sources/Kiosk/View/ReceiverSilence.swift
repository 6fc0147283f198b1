import EventLoop

/// Tells the health when gpsd answers but has given no fix for a long time: the receiver or its
/// antenna is broken, or sees no sky. A part of the position follower.
///
/// Use it on the loop's thread. While fixes come, it wakes once in each `patience`.
final class ReceiverSilence {
  /// How long no fix may come, in nanoseconds. A receiver that was off for weeks needs up to a
  /// quarter of an hour for its first fix, because it has to read the almanac again (IS-GPS-200,
  /// section 20.3.3.5: 12.5 minutes).
  static let patience: UInt64 = 1_800_000_000_000

  private let outbox: Outbox
  private let patience: UInt64
  private var timer: LoopTimer?
  /// The gpsd that answers; nil: none does.
  private var address: String?
  /// When it began to answer, or gave its last fix, on the monotonic clock.
  private var heardAt: UInt64 = 0
  private var isTold = false

  init(loop: EventLoop, outbox: Outbox, patience: UInt64 = ReceiverSilence.patience) {
    self.outbox = outbox
    self.patience = patience
    timer = loop.timer { [weak self] in self?.look(at: EventLoop.now()) }
  }

  /// The gpsd at `address` answers since `now`.
  func begin(_ address: String, now: UInt64) {
    (self.address, heardAt, isTold) = (address, now, false)
    timer?.arm(at: now &+ patience)
  }

  /// gpsd does not answer any more, or is not asked.
  func end() {
    (address, isTold) = (nil, false)
    timer?.cancel()
  }

  /// A fix came at `now`.
  func heard(at now: UInt64) {
    heardAt = now
    guard isTold else { return }
    isTold = false
    outbox.note(PositionFollower.matter, .warning, nil)
    timer?.arm(at: now &+ patience)
  }

  private func look(at now: UInt64) {
    guard let address else { return }
    let end = heardAt &+ patience
    guard now >= end else {
      timer?.arm(at: end)
      return
    }
    isTold = true
    outbox.note(
      PositionFollower.matter, .warning,
      "\(address): gpsd answers, but no fix has come for \(patience / 60_000_000_000) minutes")
  }
}
