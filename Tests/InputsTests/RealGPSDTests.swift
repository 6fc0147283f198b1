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

  /// What comes of a log by way of gpsd: to the client, and to another one beside it.
  private func fixes(of log: String) throws -> (client: [Fix], witness: [String]) {
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
    let witness = try ReceiverWitness(port: feed.port)
    for sentence in try ReceiverFeed.sentences(of: log) {
      feed.say(sentence)
      // One after the other, as a receiver says them; gpsd's reports are read meanwhile.
      loop.runOnce(timeout: 2_000_000)
      witness.listen()
    }
    // gpsd may wait for a moment's end before it reports: the next moments are somewhere else.
    var second = 0
    func isElsewhere(_ fix: Fix) -> Bool {
      fix.place.lat == ReceiverFeed.elsewhere.lat && fix.place.lon == ReceiverFeed.elsewhere.lon
    }
    let ended = loop.run {
      witness.listen()
      guard let last = fixes.last, isElsewhere(last) else {
        feed.say(ReceiverFeed.elsewhere(second: second))
        second += 1
        return false
      }
      return true
    }
    #expect(ended, "\(log): the end")
    #expect(client.counts.badLines == 0)
    let mark = ReceiverFeed.place(ReceiverFeed.elsewhere.lat, ReceiverFeed.elsewhere.lon)
    return (fixes.filter { !isElsewhere($0) }, witness.fixes.filter { !$0.hasPrefix(mark) })
  }

  private static func place(_ fix: Fix) -> String {
    ReceiverFeed.place(fix.place.lat, fix.place.lon)
  }

  /// Releases of gpsd differ in which sentences they report, how often, and with which mode. All of
  /// them report places that the receiver said, in its order.
  private func check(_ log: String) throws -> [Fix] {
    let (fixes, witness) = try fixes(of: log)
    #expect(fixes.map { "\(RealGPSDTests.place($0)) \($0.mode.rawValue)" } == witness)
    var rest = try ReceiverFeed.places(of: log)[...]
    for place in fixes.map(RealGPSDTests.place) {
      let at = rest.firstIndex(of: place)
      #expect(at != nil, "\(place) in \(log)")
      if let at { rest = rest[at...] }
    }
    return fixes
  }

  @Test(.enabled(if: ReceiverFeed.program != nil, isThere), arguments: fixtures)
  func theFixesOfALogAreThePlacesThatItsSentencesName(_ log: String) throws {
    let fixes = try check(log)
    let last = try ReceiverFeed.places(of: log).last
    #expect(fixes.last.map(RealGPSDTests.place) == last)
  }

  @Test(
    .enabled(
      if: ReceiverFeed.program != nil && !large.isEmpty, "gpsd or the large data set is not at hand"
    ),
    arguments: large)
  func theFixesOfEveryLogOfTheDataSetAreThePlacesThatItsSentencesName(_ log: String) throws {
    _ = try check(log)
  }

  @Test(.enabled(if: ReceiverFeed.program != nil, isThere))
  func gpsdMayBeStoppedAndStartedAgain() throws {
    let loop = try EventLoop()
    var feed: ReceiverFeed? = try ReceiverFeed()
    let port = try #require(feed?.port)
    let address = try #require(GPSDAddress("localhost:\(port)"))
    var states: [Bool] = []
    let client = GPSDClient(
      address: address, loop: loop, onFix: { _ in },
      onState: { if case .up = $0 { states.append(true) } else { states.append(false) } })
    defer { client.close() }
    #expect(loop.run { states == [true] })
    feed = nil
    #expect(loop.run { states == [true, false] })
    #expect(feed == nil)
    feed = try ReceiverFeed(port: port)
    #expect(loop.run { states == [true, false, true] })
    #expect(client.counts.connections == 2)
    withExtendedLifetime(feed) {}
  }
}
