import Configuration
import EventLoop
import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

/// A receiver or an antenna that fails for good is a fault, although gpsd answers.
@Suite struct ReceiverSilenceTests {
  private let loop: EventLoop
  private let outbox = Outbox()

  init() throws { loop = try EventLoop() }

  /// Runs the loop until there are notes; nil: none came in `seconds`.
  private func notes(within seconds: Double = 60) -> [HealthNote]? {
    let end = EventLoop.now() + UInt64(seconds * 1e9)
    while EventLoop.now() < end {
      let notes = outbox.takeNotes()
      if !notes.isEmpty { return notes }
      loop.runOnce(timeout: 10_000_000)
    }
    return nil
  }

  @Test func noFixForLongIsToldUntilOneComes() throws {
    let silence = ReceiverSilence(loop: loop, outbox: outbox, patience: 20_000_000)
    silence.begin("localhost:2947", now: EventLoop.now())
    let told = try #require(notes()?.last)
    #expect(told.what == "gpsd" && told.state == .warning)
    #expect(told.detail?.contains("no fix has come") == true)
    silence.heard(at: EventLoop.now())
    let ended = try #require(notes()?.last)
    #expect(ended.what == "gpsd" && ended.detail == nil)
    // And again.
    #expect(notes()?.last?.detail != nil)
  }

  @Test func whileFixesComeNothingIsTold() {
    // The clock may have begun a moment ago.
    let patience = EventLoop.now() / 2
    let silence = ReceiverSilence(loop: loop, outbox: outbox, patience: patience)
    // The timer fires, and finds a fix that is younger.
    silence.begin("localhost:2947", now: EventLoop.now() - patience)
    silence.heard(at: EventLoop.now())
    loop.runOnce(timeout: 100_000_000)
    #expect(outbox.takeNotes().isEmpty)
  }

  @Test func withoutGpsdNothingIsTold() {
    let silence = ReceiverSilence(loop: loop, outbox: outbox, patience: 1_000_000)
    silence.begin("localhost:2947", now: EventLoop.now())
    silence.end()
    #expect(notes(within: 0.1) == nil)
  }

  @Test func aFixOfGpsdEndsItAndOneOfTheSocketDoesNot() throws {
    let server = try ScriptedServer()
    var settings = Configuration().position
    settings.gpsd = "127.0.0.1:\(server.port)"
    let follower = PositionFollower(settings, loop: loop, outbox: outbox, silence: 50_000_000)
    follower.open { [unowned follower] in follower.take($0, from: .gpsd, now: EventLoop.now()) }
    loop.runOnce(timeout: 1_000_000_000)
    try server.accept()
    server.say(#"{"class":"VERSION","release":"3.22"}"# + "\r\n")
    #expect(told { $0?.contains("no fix has come") == true })
    follower.take(
      Fix(place: GeoPoint(lat: 46, lon: 7)), from: .socket, now: EventLoop.now())
    #expect(outbox.takeNotes().isEmpty)
    server.say(#"{"class":"TPV","device":"a","mode":3,"lat":46,"lon":7}"# + "\r\n")
    #expect(told { $0 == nil })
    follower.close()
  }

  /// Whether a note comes with a detail for which `fits` holds.
  private func told(_ fits: (String?) -> Bool) -> Bool {
    let end = EventLoop.now() + 60_000_000_000
    while EventLoop.now() < end {
      if let notes = notes(), notes.contains(where: { fits($0.detail) }) { return true }
    }
    return false
  }
}
