import Testing

@testable import Inputs

/// One report of a screen: when, in milliseconds, and which fingers lay where.
struct Report: Sendable {
  var time: UInt64
  var fingers: [TouchContact]
}

struct Gesture: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var reports: [Report]
  var events: [TouchEvent]
}

private func at(_ time: UInt64, _ fingers: (id: Int32, x: Double, y: Double)...) -> Report {
  Report(
    time: 1_000_000_000 + time * 1_000_000,
    fingers: fingers.map { TouchContact(id: $0.id, x: $0.x, y: $0.y) })
}

/// Each report is a wake-up of its own.
private func play(_ reports: [Report]) -> [TouchEvent] {
  var recognizer = TouchRecognizer()
  return reports.flatMap { report in
    var events: [TouchEvent] = []
    recognizer.report(report.fingers, time: report.time, into: &events)
    return events
  }
}

private let still = TouchEvent.ended(vx: 0, vy: 0)

private let gestures: [Gesture] = [
  Gesture(
    testDescription: "a tap",
    reports: [at(0, (1, 100, 50)), at(80)],
    events: [.began, still, .tapped(x: 100, y: 50)]),
  Gesture(
    testDescription: "a finger that rolls within the slop taps where it came down",
    reports: [at(0, (1, 100, 50)), at(30, (1, 104, 53)), at(60, (1, 106, 55)), at(80)],
    events: [.began, still, .tapped(x: 100, y: 50)]),
  Gesture(
    testDescription: "a finger that leaves before 600 ms taps",
    reports: [at(0, (1, 100, 50)), at(599)],
    events: [.began, still, .tapped(x: 100, y: 50)]),
  Gesture(
    testDescription: "a finger that rests for 600 ms is held where it came down, and no tap",
    reports: [at(0, (1, 100, 50)), at(300, (1, 104, 53)), at(600, (1, 104, 53)), at(900)],
    events: [.began, .held(x: 100, y: 50), still]),
  Gesture(
    testDescription: "a finger is held once",
    reports: [at(0, (1, 9, 9)), at(700, (1, 10, 9)), at(1400, (1, 9, 9)), at(2100)],
    events: [.began, .held(x: 9, y: 9), still]),
  Gesture(
    testDescription: "a finger that was held still drags",
    reports: [at(0, (1, 9, 9)), at(700, (1, 39, 9)), at(1200)],
    events: [.began, .held(x: 9, y: 9), .moved(dx: 30, dy: 0), still]),
  Gesture(
    testDescription: "a finger that moved is not held",
    reports: [at(0, (1, 9, 9)), at(10, (1, 39, 9)), at(900, (1, 39, 9)), at(1200)],
    events: [.began, .moved(dx: 30, dy: 0), still]),
  Gesture(
    testDescription: "a second tap that is held is no double tap",
    reports: [at(0, (1, 9, 9)), at(50), at(150, (2, 9, 9)), at(800)],
    events: [.began, still, .tapped(x: 9, y: 9), .began, .held(x: 9, y: 9), still]),
  Gesture(
    testDescription: "a second tap within 300 ms is a double tap and nothing else",
    reports: [at(0, (1, 100, 50)), at(80), at(380, (2, 120, 60)), at(450)],
    events: [
      .began, still, .tapped(x: 100, y: 50), .began, still, .doubleTapped(x: 120, y: 60),
    ]),
  Gesture(
    testDescription: "after 300 ms it is another tap",
    reports: [at(0, (1, 100, 50)), at(80), at(381, (2, 100, 50)), at(450)],
    events: [.began, still, .tapped(x: 100, y: 50), .began, still, .tapped(x: 100, y: 50)]),
  Gesture(
    testDescription: "more than 40 points away it is another tap",
    reports: [at(0, (1, 100, 50)), at(80), at(180, (2, 141, 50)), at(250)],
    events: [.began, still, .tapped(x: 100, y: 50), .began, still, .tapped(x: 141, y: 50)]),
  Gesture(
    testDescription: "a third tap is the first of the next two",
    reports: [
      at(0, (1, 9, 9)), at(50), at(150, (2, 9, 9)), at(200), at(300, (3, 9, 9)), at(350),
    ],
    events: [
      .began, still, .tapped(x: 9, y: 9), .began, still, .doubleTapped(x: 9, y: 9), .began, still,
      .tapped(x: 9, y: 9),
    ]),
  Gesture(
    testDescription: "a drag after a tap is no double tap",
    reports: [at(0, (1, 9, 9)), at(50), at(150, (2, 9, 9)), at(160, (2, 39, 9)), at(400)],
    events: [.began, still, .tapped(x: 9, y: 9), .began, .moved(dx: 30, dy: 0), still]),
  Gesture(
    testDescription: "the first movement of a drag makes up for the slop",
    reports: [
      at(0, (1, 100, 100)), at(10, (1, 105, 100)), at(20, (1, 109, 102)), at(30, (1, 110, 103)),
      at(40, (1, 108, 103)), at(500),
    ],
    events: [.began, .moved(dx: 9, dy: 2), .moved(dx: 1, dy: 1), .moved(dx: -2, dy: 0), still]),
  Gesture(
    testDescription: "two fingers apart: the map grows about their middle",
    reports: [
      at(0, (1, 300, 200)), at(20, (1, 300, 200), (2, 400, 200)),
      at(40, (1, 250, 200), (2, 450, 200)), at(60, (1, 250, 200), (2, 350, 200)), at(500),
    ],
    events: [
      .began, .pinched(factor: 2, x: 350, y: 200, dx: 0, dy: 0),
      .pinched(factor: 0.5, x: 350, y: 200, dx: -50, dy: 0), still,
    ]),
  Gesture(
    testDescription: "two fingers that go the same way only move the map",
    reports: [
      at(0, (1, 300, 200), (2, 400, 200)), at(20, (1, 320, 230), (2, 420, 230)), at(500),
    ],
    events: [.began, .pinched(factor: 1, x: 350, y: 200, dx: 20, dy: 30), still]),
  Gesture(
    testDescription: "two fingers that do not move are no tap, and not held",
    reports: [at(0, (1, 300, 200), (2, 400, 200)), at(50, (2, 400, 200)), at(900)],
    events: [.began, still]),
  Gesture(
    testDescription: "a second finger that comes down while the first one moves: no jump",
    reports: [
      at(0, (1, 100, 100)), at(10, (1, 120, 100)), at(20, (1, 130, 100), (2, 500, 400)),
      at(30, (1, 130, 110), (2, 500, 410)), at(500),
    ],
    events: [
      .began, .moved(dx: 20, dy: 0), .moved(dx: 10, dy: 0),
      .pinched(factor: 1, x: 315, y: 250, dx: 0, dy: 10), still,
    ]),
  Gesture(
    testDescription: "a finger that leaves a pinch: the other one drags on, without a jump",
    reports: [
      at(0, (1, 100, 100), (2, 300, 100)), at(10, (1, 50, 100), (2, 350, 100)),
      at(20, (2, 355, 100)), at(30, (2, 360, 102)), at(500),
    ],
    events: [
      .began, .pinched(factor: 1.5, x: 200, y: 100, dx: 0, dy: 0), .moved(dx: 5, dy: 0),
      .moved(dx: 5, dy: 2), still,
    ]),
  Gesture(
    testDescription: "the slots' order is not the fingers'",
    reports: [
      at(0, (1, 100, 100), (2, 300, 100)), at(10, (2, 350, 100), (1, 50, 100)),
      at(500),
    ],
    events: [.began, .pinched(factor: 1.5, x: 200, y: 100, dx: 0, dy: 0), still]),
  Gesture(
    testDescription: "touching fingertips that part do not throw the map",
    reports: [at(0, (1, 100, 100), (2, 102, 100)), at(10, (1, 92, 100), (2, 124, 100)), at(500)],
    events: [.began, .pinched(factor: 2, x: 101, y: 100, dx: 7, dy: 0), still]),
  Gesture(
    testDescription: "another finger in the same report ends the gesture and begins one",
    reports: [at(0, (1, 100, 100)), at(40, (2, 600, 300)), at(90)],
    events: [
      .began, still, .tapped(x: 100, y: 100), .began, still, .tapped(x: 600, y: 300),
    ]),
  Gesture(
    testDescription: "reports of a screen on which nothing lies",
    reports: [at(0), at(10)], events: []),
]

@Test(arguments: gestures)
func gesturesAreWhatTheFingersDo(_ gesture: Gesture) {
  #expect(play(gesture.reports) == gesture.events)
}

/// A finger that goes `speed` points a second to the right and reports every `period` ms.
private func drag(
  speed: Double, period: UInt64, until end: UInt64, lift: UInt64, noise: [Double] = [0]
) -> [Report] {
  var reports: [Report] = []
  for (index, time) in stride(from: 0, through: end, by: UInt64.Stride(period)).enumerated() {
    let x = 100 + speed * Double(time) / 1000 + noise[index % noise.count]
    reports.append(at(time, (1, x, 200)))
  }
  return reports + [at(lift)]
}

private func speed(_ reports: [Report]) throws -> Double {
  guard case .ended(let vx, let vy) = play(reports).last else {
    Issue.record("no end")
    return .nan
  }
  #expect(abs(vy) < 1e-6)
  return vx
}

@Test(arguments: [8, 16, 33] as [UInt64])
func aFlickGoesOnAtTheFingersSpeed(_ period: UInt64) throws {
  let end = 200 / period * period
  let found = try speed(drag(speed: 900, period: period, until: end, lift: end + period))
  #expect(abs(found - 900) < 1)
}

@Test func aNoisyScreenStillTellsTheSpeedWithinATenth() throws {
  let noise = [0, 2, -1, 1, -2, 1.5]
  let found = try speed(drag(speed: 900, period: 10, until: 200, lift: 208, noise: noise))
  #expect(abs(found - 900) < 90)
}

@Test func aShortFlickCounts() throws {
  let found = try speed(drag(speed: 1500, period: 16, until: 48, lift: 56))
  #expect(abs(found - 1500) < 1)
}

@Test func aFingerThatRestedBeforeItLeftDoesNotFlick() throws {
  #expect(try speed(drag(speed: 900, period: 10, until: 200, lift: 261)) == 0)
}

@Test func whatTheFingerDidLongAgoDoesNotCount() throws {
  let reports =
    drag(speed: 2000, period: 10, until: 200, lift: 0).dropLast() + [
      at(400, (1, 500, 200)), at(420, (1, 502, 200)), at(440, (1, 504, 200)),
      at(460, (1, 506, 200)), at(470),
    ]
  let found = try speed(Array(reports))
  #expect(abs(found - 100) < 1)
}

@Test func twoReportsAtOnceTellNoSpeed() throws {
  #expect(try speed([at(0, (1, 0, 0)), at(500, (1, 20, 0)), at(514, (1, 50, 0)), at(520)]) == 0)
  let found = try speed([at(0, (1, 0, 0)), at(500, (1, 20, 0)), at(520, (1, 50, 0)), at(530)])
  #expect(abs(found - 1500) < 1)
}

@Test func creepIsNoFlickAndNoFlickIsWithoutLimit() throws {
  #expect(try speed(drag(speed: 45, period: 10, until: 400, lift: 405)) == 0)
  let fast = try speed(drag(speed: 90_000, period: 10, until: 100, lift: 105))
  #expect(abs(fast - FlickVelocity.fastest) < 1e-6)
}

@Test func theFingerThatLeavesAPinchLastDoesNotFlick() throws {
  let pinch = [at(0, (1, 100, 200), (2, 400, 200)), at(16, (1, 60, 200), (2, 440, 200))]
  let soon = pinch + [at(32, (2, 470, 200)), at(48, (2, 500, 200)), at(64, (2, 530, 200)), at(70)]
  #expect(try speed(soon) == 0)
  let later =
    pinch + (2...20).map { at($0 * 16, (2, 440 + Double($0) * 16, 200)) } + [at(21 * 16)]
  let found = try speed(later)
  #expect(abs(found - 1000) < 1)
}

@Test func severalReportsOfOneWakeUpAreOneMovement() {
  var recognizer = TouchRecognizer()
  var events: [TouchEvent] = []
  recognizer.report([TouchContact(id: 1, x: 0, y: 0)], time: 0, into: &events)
  for step in 1...9 {
    let finger = TouchContact(id: 1, x: Double(step) * 10, y: Double(step))
    recognizer.report([finger], time: UInt64(step) * 1_000_000, into: &events)
  }
  #expect(events == [.began, .moved(dx: 90, dy: 9)])
}

@Test func joinedPinchesPutThePointsUnderTheFingersWhereTheFingersAre() throws {
  var recognizer = TouchRecognizer()
  var events: [TouchEvent] = []
  let places: [[(Double, Double)]] = [
    [(100, 100), (300, 100)], [(80, 110), (330, 150)], [(60, 140), (420, 220)],
    [(90, 100), (400, 300)],
  ]
  for (step, fingers) in places.enumerated() {
    let contacts = [
      TouchContact(id: 1, x: fingers[0].0, y: fingers[0].1),
      TouchContact(id: 2, x: fingers[1].0, y: fingers[1].1),
    ]
    recognizer.report(contacts, time: UInt64(step) * 10_000_000, into: &events)
  }
  #expect(events.count == 2)
  guard case .pinched(let factor, let x, let y, let dx, let dy) = events.last else {
    Issue.record("no pinch")
    return
  }
  // The point between the fingers went with them, and distances grew as the fingers' did.
  let (middleX, middleY) = ((200 - x) * factor + x + dx, (100 - y) * factor + y + dy)
  #expect(abs(middleX - 245) < 1e-9 && abs(middleY - 200) < 1e-9)
  let distance = (310.0 * 310 + 200 * 200).squareRoot()
  #expect(abs(factor - distance / 200) < 1e-9)
}

@Test func joinedPinchesAboutDifferentMiddlesDoWhatOneAfterTheOtherWould() {
  func apply(_ event: TouchEvent, _ p: Double) -> Double {
    guard case .pinched(let factor, let x, _, let dx, _) = event else { return .nan }
    return (p - x) * factor + x + dx
  }
  func movement(_ from: [Double], _ to: [Double], _ id: Int32) -> TouchMovement {
    let contacts = [from, to].map { places in
      places.enumerated().map { TouchContact(id: id + Int32($0), x: $1, y: 0) }
    }
    return TouchMovement(from: contacts[0], to: contacts[1])
  }
  let first = movement([100, 200], [90, 240], 1)
  let second = movement([500, 620], [480, 660], 7)
  var joined: [TouchEvent] = []
  joined.add(first)
  var other: [TouchEvent] = []
  other.add(second)
  let (one, two) = (joined[0], other[0])
  joined.add(second)
  #expect(joined.count == 1)
  for place in [0.0, 150, 777] {
    #expect(abs(apply(joined[0], place) - apply(two, apply(one, place))) < 1e-9)
  }
}

@Test func onlyARestingFingerIsWaitedFor() {
  var recognizer = TouchRecognizer()
  var events: [TouchEvent] = []
  #expect(recognizer.deadline == nil)
  let finger = TouchContact(id: 1, x: 5, y: 5)
  recognizer.report([finger], time: 1000, into: &events)
  #expect(recognizer.deadline == 1000 + TouchRecognizer.holdAfter)
  recognizer.advance(to: 999 + TouchRecognizer.holdAfter, into: &events)
  #expect(events == [.began])
  recognizer.advance(to: 1000 + TouchRecognizer.holdAfter, into: &events)
  #expect(events == [.began, .held(x: 5, y: 5)])
  #expect(recognizer.deadline == nil)
  recognizer.report([], time: 2000 + TouchRecognizer.holdAfter, into: &events)
  #expect(recognizer.deadline == nil)
  // Neither is one that moves, nor one of two.
  recognizer.report([finger], time: 0, into: &events)
  recognizer.report([finger, TouchContact(id: 2, x: 90, y: 5)], time: 10, into: &events)
  #expect(recognizer.deadline == nil)
  recognizer.cancel(into: &events)
  recognizer.report([finger], time: 0, into: &events)
  recognizer.report([TouchContact(id: 1, x: 90, y: 5)], time: 10, into: &events)
  #expect(recognizer.deadline == nil)
}

@Test func aScreenThatVanishesEndsItsGesture() {
  var recognizer = TouchRecognizer()
  var events: [TouchEvent] = []
  recognizer.report([TouchContact(id: 1, x: 5, y: 5)], time: 0, into: &events)
  recognizer.cancel(into: &events)
  recognizer.cancel(into: &events)
  #expect(events == [.began, .ended(vx: 0, vy: 0)])
}

@Test func otherPointsUnderARestingFingerAreNoMovement() {
  var recognizer = TouchRecognizer()
  var events: [TouchEvent] = []
  recognizer.report([TouchContact(id: 1, x: 0, y: 0)], time: 0, into: &events)
  recognizer.report([TouchContact(id: 1, x: 20, y: 0)], time: 10_000_000, into: &events)
  recognizer.restart(from: [TouchContact(id: 1, x: 400, y: 300)])
  events = []
  recognizer.report([TouchContact(id: 1, x: 401, y: 300)], time: 20_000_000, into: &events)
  #expect(events == [.moved(dx: 1, dy: 0)])
}
