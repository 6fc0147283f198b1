import Configuration
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Inputs

@Suite(
  .serialized,
  .enabled(
    if: getenv("WAYPOST_EMULATED") == nil,
    "skipped under emulation: too slow to read along with gpsd")
)
struct RealGPSDTests {
  static let fixtures = ["garmin-10x", "haicom-305N"].map { TestData.fixtures + "/nmea/\($0).log" }

  static let large: [String] = {
    guard let folder = TestData.large.map({ $0 + "/nmea/gpsd" }) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".log") }.sorted().map { "\(folder)/\($0)" }
  }()

  static let isThere: Comment = "gpsd is not installed (Debian: gpsd)"

  /// What comes of a log by way of gpsd.
  private func fixes(of log: String, until last: String?) throws -> [Fix] {
    let loop = try EventLoop()
    let feed = try ReceiverFeed()
    defer { withExtendedLifetime(feed) {} }
    let address = try #require(GPSDAddress("127.0.0.1:\(feed.port)"))
    var fixes: [Fix] = []
    var isUp = false
    let client = GPSDClient(
      address: address, loop: loop, onFix: { fixes.append($0) },
      onState: { if case .up = $0 { isUp = true } else { isUp = false } })
    defer { client.close() }
    #expect(loop.run { isUp && client.counts.reports >= 3 })
    for sentence in try ReceiverFeed.sentences(of: log) {
      feed.say(sentence)
      // One after the other, as a receiver says them; gpsd's reports are read meanwhile.
      loop.runOnce(timeout: 2_000_000)
    }
    if let last {
      #expect(loop.run { fixes.last.map(RealGPSDTests.place) == last }, "\(log): \(last)")
    } else {
      while loop.runOnce(timeout: 200_000_000) {}
    }
    #expect(client.counts.badLines == 0)
    return fixes
  }

  private static func place(_ fix: Fix) -> String {
    ReceiverFeed.place(fix.place.lat, fix.place.lon, fix.mode.rawValue)
  }

  private func check(_ log: String) throws {
    let expected = try ReceiverFeed.expected(log + ".chk")
    let places = try fixes(of: log, until: expected.last).map(RealGPSDTests.place)
    // gpsd's tests report after each sentence, a running gpsd after some: of the first, in order.
    var rest = expected[...]
    for place in places {
      let at = rest.firstIndex(of: place)
      #expect(at != nil, "\(place) in \(log)")
      if let at { rest = rest[at...] }
    }
  }

  @Test(.enabled(if: ReceiverFeed.program != nil, isThere), arguments: fixtures)
  func aLogGivesThePlacesThatGPSDsOwnTestsExpect(_ log: String) throws {
    try check(log)
  }

  @Test(
    .enabled(
      if: ReceiverFeed.program != nil && !large.isEmpty, "gpsd or the large data set is not at hand"
    ),
    arguments: large)
  func everyLogOfTheDataSetGivesThePlacesThatGPSDsOwnTestsExpect(_ log: String) throws {
    try check(log)
  }

  @Test(.enabled(if: ReceiverFeed.program != nil, isThere))
  func gpsdMayBeStoppedAndStartedAgain() throws {
    let loop = try EventLoop()
    var feed: ReceiverFeed? = try ReceiverFeed()
    let address = try #require(GPSDAddress("localhost:\(feed?.port ?? 0)"))
    var states: [Bool] = []
    let client = GPSDClient(
      address: address, loop: loop, onFix: { _ in },
      onState: { if case .up = $0 { states.append(true) } else { states.append(false) } })
    defer { client.close() }
    #expect(loop.run { states == [true] })
    feed = nil
    #expect(loop.run { states == [true, false] })
    #expect(feed == nil)
  }
}
