import Control
import Foundation
import TestSupport
import Testing

/// The position over the socket of a real `waypostd`.
@Suite struct DaemonPositionTests {
  private func daemon(_ tables: String = "") throws -> DaemonProcess {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles) + tables,
      to: "waypost.toml")
    return try DaemonProcess(folder)
  }

  @Test func aPositionThatIsSetIsToldAndFollowed() throws {
    let daemon = try daemon()
    let client = try daemon.connect()
    #expect(try client.call(Status.self, NoParams()).position == .null)
    #expect(try client.call(PositionGet.self, NoParams()).state == "none")
    #expect(client.refusal("press", ["action": "follow"])?.code == ControlError.notAvailable)
    let watcher = try daemon.connect()
    _ = try watcher.call(Subscribe.self, SubscribeParams(events: [.position]))
    let set = try client.call(
      PositionSet.self,
      PositionSetParams(lat: 40.5, lon: 371.5, heading: 90, speed: 3, accuracy: 20))
    #expect(set.state == "fix")
    #expect(set.lat == 40.5)
    #expect(set.lon == 11.5)
    #expect(set.source == "socket")
    #expect(set.following)
    #expect(try watcher.event(.position)?["lat"]?.double == 40.5)
    try client.settled()
    let view = try client.call(ViewGet.self, NoParams())
    #expect(view.lat == 40.5)
    #expect(view.lon == 11.5)
    #expect(try client.call(Status.self, NoParams()).position["heading"]?.double == 90)
    let memory = try client.call(Stats.self, NoParams()).memory
    #expect((memory.first { $0.owner == "track" }?.bytes ?? 0) > 0)
    #expect((memory.first { $0.owner == "position" }?.bytes ?? 0) > 1000)

    _ = try client.call("view.pan", ["direction": "left"])
    #expect(try client.call(PositionGet.self, NoParams()).following == false)
    _ = try client.call("press", ["action": "follow"])
    try client.settled()
    #expect(try client.call(ViewGet.self, NoParams()).lon == 11.5)
  }

  @Test func aFixThatStopsComingIsToldAsLost() throws {
    let daemon = try daemon()
    let client = try daemon.connect()
    _ = try client.call(Subscribe.self, SubscribeParams(events: [.position]))
    _ = try client.call(PositionSet.self, PositionSetParams(lat: 40.5, lon: 11.5))
    let event = try client.event(.position) { $0["state"]?.string == "lost" }
    #expect((event?["age"]?.double ?? 0) >= 5)
  }

  @Test func agpsdThatIsNotThereIsAMatterOfHealthAndOneLineInTheLog() throws {
    let daemon = try daemon("[position]\ngpsd = \"127.0.0.1:1\"\n")
    let client = try daemon.connect()
    #expect(try waitUntil { try client.health("gpsd") != nil })
    let health = try client.health("gpsd")
    #expect(health?.state == "warning")
    #expect(health?.detail?.contains("127.0.0.1:1") == true)
    #expect(try client.call(Status.self, NoParams()).position["state"] == "none")
    try client.settled()
    func lines() -> [Substring] {
      daemon.program.log.split(separator: "\n").filter { $0.contains("127.0.0.1:1") }
    }
    #expect(waitUntil { !lines().isEmpty })
    #expect(daemon.end() == 0)
    #expect(lines().count == 1, "\(daemon.program.log)")
  }

  @Test(.enabled(if: ReceiverFeed.program != nil, "gpsd is not installed (Debian: gpsd)"))
  func theRealgpsdMovesTheView() throws {
    let feed = try ReceiverFeed()
    let daemon = try daemon("[position]\ngpsd = \"localhost:\(feed.port)\"\n")
    let client = try daemon.connect()
    for sentence in try ReceiverFeed.sentences(
      of: TestData.fixtures + "/nmea/garmin-10x.log")
    {
      feed.say(sentence)
      // One after the other, as a receiver says them.
      usleep(2000)
    }
    // The last place of the log.
    #expect(
      try waitUntil { try client.call(PositionGet.self, NoParams()).lat == 41.72685 })
    let position = try client.call(PositionGet.self, NoParams())
    #expect(position.lon == -83.634803333)
    #expect(position.mode == 3)
    #expect(position.source == "gpsd")
    try client.settled()
    #expect(try client.health("gpsd") == nil)
  }
}
