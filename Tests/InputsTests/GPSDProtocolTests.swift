import Foundation
import MapGeometry
import Testing

@testable import Inputs

@Suite struct GPSDProtocolTests {
  private func report(_ text: String) -> GPSDReport? {
    Array(text.utf8).withUnsafeBytes { GPSDReport(line: $0) }
  }

  private func fix(_ text: String) -> Fix? {
    guard case .position(_, let fix)? = report(text) else { return nil }
    return fix
  }

  @Test func aReportOfAPositionIsAFix() throws {
    let line =
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-21T20:15:30.250Z","lat":46.0207,"#
      + #""lon":7.7491,"altMSL":1608.5,"track":221.16,"speed":15.6,"eph":4.5,"epx":3,"epy":4}"#
    guard case .position(let device, let found)? = report(line) else {
      Issue.record("no position")
      return
    }
    #expect(device == "/dev/ttyACM0")
    let fix = try #require(found)
    #expect(fix.place == GeoPoint(lat: 46.0207, lon: 7.7491))
    #expect(fix.mode == .spatial)
    #expect(fix.heading == 221.16)
    #expect(fix.speed == 15.6)
    #expect(fix.altitude == 1608.5)
    #expect(fix.accuracy == 4.5)
    #expect(fix.time == 1_795_292_130.25)
  }

  @Test func accuracyComesFromTheAxesWhereThereIsNoOther() {
    let line = #"{"class":"TPV","mode":2,"lat":1,"lon":2,"epx":3,"epy":4}"#
    #expect(fix(line)?.accuracy == 5)
    #expect(fix(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"epx":3}"#)?.accuracy == nil)
    #expect(fix(line)?.mode == .flat)
  }

  @Test(arguments: [
    #"{"class":"TPV","mode":0}"#, #"{"class":"TPV","mode":1,"lat":1,"lon":2}"#,
    #"{"class":"TPV"}"#, #"{"class":"TPV","mode":"3","lat":1,"lon":2}"#,
  ])
  func withoutAModeOfTwoOrThreeThereIsNoFix(_ line: String) {
    #expect(report(line) == .position(device: "", fix: nil))
  }

  @Test(arguments: [
    #"{"class":"TPV","mode":3}"#, #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#,
    #"{"class":"TPV","mode":3,"lat":1,"lon":1e300}"#,
    #"{"class":"TPV","mode":3,"lat":null,"lon":2}"#,
    #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, #"{"class":"TPV","mode":3,"lon":2}"#,
  ])
  func aPlaceThatIsNoneIsLeftOut(_ line: String) {
    #expect(report(line) == .partial)
  }

  @Test func whatIsOutOfItsRangeIsNotKnown() throws {
    let line =
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,"track":-1,"speed":-2,"eph":-3,"altMSL":1e99,"time":17}"#
    let found = try #require(fix(line))
    #expect(found == Fix(place: GeoPoint(lat: 1, lon: 2)))
  }

  @Test func aCourseOfAWholeTurnIsNorthAndLongitudesWrap() {
    let line = #"{"class":"TPV","mode":3,"lat":1,"lon":180,"track":360}"#
    #expect(fix(line)?.heading == 0)
    #expect(fix(line)?.place.lon == -180)
  }

  @Test func otherReportsAreKnownByTheirClass() {
    #expect(report(#"{"class":"VERSION","release":"3.22","proto_major":3}"#) == .version("3.22"))
    #expect(report(#"{"class":"ERROR","message":"no"}"#) == .error("no"))
    #expect(report(#"{"class":"SKY","satellites":[{"PRN":1}]}"#) == .other)
  }

  @Test(arguments: [
    "", "{", "[]", "null", "TPV", #"{"class":3}"#, #"{"mode":3}"#, "\u{0}", #"{"class":"TPV",}"#,
    "$GPGGA,165007.000,4143.6058,N*67", String(repeating: "[", count: 30_000),
  ])
  func whatIsNotTheProtocolIsNoReport(_ line: String) {
    #expect(report(line) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29T23:59:59.5Z", 951_868_799.5),
    ("2026-11-21T08:06:01.000Z", 1_795_248_361), ("2016-12-31T23:59:60Z", 1_483_228_800),
  ])
  func timesAreSecondsSince1970(_ text: String, _ seconds: Double) {
    #expect(UTCTime.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-13-21T08:06:01Z", "2026-11-21T24:06:01Z", "2026-11-21T08:06:01",
    "2026-11-21 08:06:01Z", "2026-11-21T08:06:01,5Z", "2026-11-21T08:06:-1Z",
    "1969-01-01T00:00:00Z",
    "2026-11-21T08:06:01.00000000000000000000Z",
  ])
  func whatIsNoTimeIsNotKnown(_ text: String) {
    #expect(UTCTime.seconds(text) == nil)
  }

  // MARK: Lines

  private func lines(_ chunks: [String], _ cutter: inout GPSDLines) -> [String] {
    var found: [String] = []
    for chunk in chunks {
      Array(chunk.utf8).withUnsafeBytes { raw in
        cutter.take(raw) { found.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    return found
  }

  @Test func linesArePutTogetherHoweverTheyArrive() {
    var cutter = GPSDLines()
    #expect(lines(["ab", "c\nde\n\nf", "", "g\n", "h"], &cutter) == ["abc", "de", "fg"])
    #expect(cutter.count == 1)
  }

  @Test func aLineWithoutEndIsLeftOutAndNotHeld() {
    var cutter = GPSDLines()
    let much = String(repeating: "x", count: GPSDLines.limit)
    #expect(lines([much, "y", much, "z\nnext\n"], &cutter) == ["next"])
    #expect(cutter.tooLong == 1)
    #expect(lines([much + "xx\nlast\n"], &cutter) == ["last"])
    #expect(cutter.tooLong == 2)
    #expect(lines([much + "\n"], &cutter) == [much])
  }

  // MARK: Several receivers

  /// Whether each of several reports is believed; times in seconds.
  private func believed(_ said: [(String, Fix.Mode?, UInt64)]) -> [Bool] {
    var choice = DeviceChoice()
    return said.map { choice.takes($0.0, mode: $0.1, now: $0.2 * 1_000_000_000) }
  }

  @Test func theReceiverWithTheBetterModeIsBelieved() {
    // In the last but one b has no fix any more.
    let said: [(String, Fix.Mode?, UInt64)] = [
      ("a", .flat, 1), ("b", .flat, 1), ("b", .spatial, 2), ("a", .flat, 2), ("b", nil, 3),
      ("a", .flat, 3),
    ]
    #expect(believed(said) == [true, false, true, false, false, true])
  }

  @Test func aSilentReceiverGivesWay() {
    #expect(
      believed([("a", .spatial, 1), ("b", .flat, 3), ("b", .flat, 4)]) == [true, false, true])
  }

  @Test func manyReceiversTakeNoMoreRoom() {
    var choice = DeviceChoice()
    for n in 0..<1000 { _ = choice.takes("\(n)", mode: .flat, now: UInt64(n) * 10_000_000_000) }
    #expect(choice.chosen == "999")
    #expect(Mirror(reflecting: choice).children.contains { ($0.value as? [Any])?.count == 8 })
  }
}
