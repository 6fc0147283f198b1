import CDRM
import Testing

@testable import Displays

private let refresh: UInt64 = 1_000_000_000 / 60

@Test func aDriverWithVerticalBlanksIsTheBeat() {
  var pacer = FlipPacer(refreshRate: 60)
  var time: UInt64 = 5_000_000_000
  for n in 0..<100 {
    // Events shake by up to a tenth of a refresh.
    let event = n % 2 == 0 ? time : time - refresh / 10
    let found1 = pacer.flipped(at: event)
    #expect(found1 == event)
    time += refresh
  }
}

@Test func eventsThatComeAtOnceAreHeldBackToTheClock() {
  var pacer = FlipPacer(refreshRate: 60)
  var now: UInt64 = 5_000_000_000
  let first = now
  // Each frame takes 3 ms to draw, and its event comes with it.
  for _ in 0..<60 {
    let ready = pacer.flipped(at: now)
    #expect(ready >= now)
    now = ready + 3_000_000
  }
  let took = now - 3_000_000 - first
  #expect(took == 59 * pacer.period)
}

@Test func withoutEventsTheClockIsTheBeat() {
  var pacer = FlipPacer(refreshRate: 50)
  var now: UInt64 = 5_000_000_000
  _ = pacer.shown(at: now)
  let first = pacer.lastBeat
  for _ in 0..<50 { now = pacer.shown(at: now + 2_000_000) }
  #expect(now - first == 50 * pacer.period)
  // After a pause the beat begins again, and nothing is caught up with.
  let found2 = pacer.shown(at: now + 1_000_000_000)
  #expect(found2 == now + 1_000_000_000)
}

@Test func aDriverThatLosesEventsIsDrivenWithoutThemAndTriedAgain() {
  let second: UInt64 = 1_000_000_000
  var trust = FlipTrust()
  func asks(_ seconds: UInt64) -> Bool { trust.asks(at: seconds * second) }
  trust.lost(at: 1 * second)
  trust.lost(at: 2 * second)
  #expect(asks(2))
  trust.came()
  for n: UInt64 in 3...5 { trust.lost(at: n * second) }
  // A minute later, and if that event is lost, too, two minutes later.
  #expect([5, 64, 65].map(asks) == [false, false, true])
  trust.lost(at: 66 * second)
  #expect([66, 185, 186].map(asks) == [false, false, true])
  // One that comes makes all well again.
  trust.came()
  trust.lost(at: 187 * second)
  #expect(asks(187))
  for n: UInt64 in 0..<100 { trust.lost(at: (1000 + n) * second) }
  #expect([4698, 4699].map(asks) == [false, true])
}

@Test func aDriverThatCannotFlipIsNotAskedAgain() {
  var trust = FlipTrust()
  trust.giveUp()
  let asks = trust.asks(at: 365 * 86_400_000_000_000)
  #expect(!asks)
}

@Test func aDriverIsLateAfterSomeLateFramesInARow() {
  var pacer = FlipPacer(refreshRate: 60)
  func late(_ pacer: inout FlipPacer, _ n: UInt64) -> Bool {
    pacer.isLate(committed: n, flipped: n + refresh * 2)
  }
  let found3 = late(&pacer, 1)
  #expect(!found3)
  let found4 = late(&pacer, 2)
  #expect(!found4)
  let found5 = late(&pacer, 3)
  #expect(!found5)
  let found6 = pacer.isLate(committed: 4, flipped: 4 + refresh)
  #expect(!found6)
  let found7 = late(&pacer, 5)
  #expect(!found7)
  let found8 = late(&pacer, 6)
  #expect(!found8)
  let found9 = late(&pacer, 7)
  #expect(!found9)
  let found10 = late(&pacer, 8)
  #expect(found10)
}

@Test(arguments: [0, -1, .nan, .infinity, 1e300])
func noRefreshRateTraps(_ rate: Double) {
  var pacer = FlipPacer(refreshRate: rate)
  #expect(pacer.period >= 1_000_000 && pacer.period <= 1_000_000_000)
  let found11 = pacer.flipped(at: 10_000_000_000)
  #expect(found11 == 10_000_000_000)
}

/// An event as the kernel writes it.
private func event(type: UInt32, length: UInt32? = nil, token: UInt64, seconds: UInt32) -> [UInt8] {
  var event = drm_event_vblank()
  event.base.type = type
  event.base.length = length ?? UInt32(MemoryLayout<drm_event_vblank>.size)
  event.user_data = token
  event.tv_sec = seconds
  event.tv_usec = 250_000
  return withUnsafeBytes(of: event) { Array($0) }
}

private func parse(_ bytes: [UInt8]) -> [UInt64] {
  var found: [UInt64] = []
  bytes.withUnsafeBytes { FlipEvents.parse($0) { found += [UInt64($0), $1] } }
  return found
}

@Test func flipEventsAreReadAndOthersPassedOver() {
  let bytes =
    event(type: 3, token: 9, seconds: 1) + event(type: 2, token: 7, seconds: 2)
    + event(type: 1, token: 9, seconds: 1) + event(type: 2, token: 8, seconds: 3)
  #expect(parse(bytes) == [7, 2_250_000_000, 8, 3_250_000_000])
}

@Test func brokenEventsEndTheReading() {
  let good = event(type: 2, token: 7, seconds: 2)
  for length: UInt32 in [0, 4, 7, 65, .max] {
    let broken = event(type: 2, length: length, token: 1, seconds: 1)
    #expect(parse(broken + good).isEmpty)
  }
  for count in 0..<good.count { #expect(parse(Array(good.prefix(count))).isEmpty) }
  // A flip event too short for its fields is passed over.
  #expect(parse(Array(event(type: 2, length: 8, token: 1, seconds: 1).prefix(8)) + good).count == 2)
}
