import Testing

@testable import Inputs

@Test func aLineNamesTheDevicesAndWhatWouldBeRight() {
  var problems = DeviceProblems()
  #expect(problems.text == nil)
  problems.devices[3] = .forbidden
  #expect(
    problems.text
      == "/dev/input/event3: permission denied: add waypostd's user to the group input")
  for number in 4..<10 { problems.devices[number] = .forbidden }
  for number in 1...2 { problems.devices[number] = .other("taken by another program") }
  problems.stuckKeys = ["KEY_LEFT"]
  #expect(
    problems.text
      == "/dev/input/event1, /dev/input/event2: taken by another program; "
      + "/dev/input/event3, /dev/input/event4, /dev/input/event5, /dev/input/event6 and 3 more: "
      + "permission denied: add waypostd's user to the group input; "
      + "KEY_LEFT: down for 60 s, taken for stuck until it comes up")
}

@Test func aLineHasAnEndHoweverManyTroublesThereAre() throws {
  var problems = DeviceProblems()
  for number in 0..<64 { problems.devices[number] = .other("trouble \(number)") }
  let text = try #require(problems.text)
  #expect(text.utf8.count < 500)
}

@Test func openingIsTriedAgainForAboutEightSecondsAndThenNoMore() {
  var retries = OpeningRetries()
  var now: UInt64 = 1_000_000_000
  #expect(retries.deadline == nil)
  var tries = 0
  while retries.failed(5, now: now) {
    tries += 1
    now = retries.deadline ?? 0
    #expect(retries.due(at: now - 1) == [])
    #expect(retries.due(at: now) == [5])
  }
  #expect(tries == OpeningRetries.delays.count)
  #expect((7_000_000_000...10_000_000_000).contains(now))
  #expect(retries.deadline == nil)
}

@Test func anOpenDeviceIsNotTriedAgain() {
  var retries = OpeningRetries()
  let again = [retries.failed(5, now: 0), retries.failed(6, now: 10)]
  #expect(again == [true, true])
  retries.forget(5)
  #expect(retries.due(at: .max) == [6])
  retries.forget(6)
  #expect(retries.count == 0)
}
