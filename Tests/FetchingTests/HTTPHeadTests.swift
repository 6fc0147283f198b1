import Testing

@testable import Fetching

/// What the header of an answer says.
struct HTTPHeadTests {
  private func head(_ lines: [String]) -> HTTPHead {
    var head = HTTPHead()
    for line in lines {
      let more = Array((line + "\r\n").utf8).withUnsafeBytes { head.add($0) }
      #expect(more)
    }
    return head
  }

  @Test func fieldsAreReadWhateverTheirCase() {
    let head = head([
      "HTTP/2 206 ", "CONTENT-RANGE: bytes 5-9/100", "content-length: 5", "ETag: \"a b\"",
      "Content-Type: Image/PNG; charset=x", "Content-Encoding: identity",
    ])
    #expect(head.status == 206 && head.contentLength == 5)
    #expect(head.range?.first == 5 && head.range?.last == 9 && head.range?.size == 100)
    #expect(head.etag == "\"a b\"" && head.contentType == "image/png" && head.encoding == nil)
  }

  @Test func aRedirectionLeavesNothingBehind() {
    let head = head([
      "HTTP/1.1 302 Found", "ETag: \"1\"", "Cache-Control: max-age=5", "", "HTTP/1.1 200 OK", "",
    ])
    #expect(head.status == 200 && head.etag == nil && head.freshness(now: 0) == nil)
  }

  @Test func theStatusIsTheOneThatTheLibraryReads() {
    let lines = [
      "HTTP/1.1\t302 200 x": 302, "HTTP/1.1 302\t200": 302, "HTTP/1.1 2000": 200,
      "HTTP/1.1  200 OK": 0, "HTTP/1.1 x200": 0, " HTTP/1.1 302 Found": 302, "HTTP/2 404": 404,
      "http/1.1 302 Found": 302, "HTTP/1.1": 0,
    ]
    for (line, status) in lines { #expect(head([line]).status == status, "\(line)") }
    // Only an answer's first line has one.
    let other = head(["HTTP/1.1 302 Found", "HTTP/1.1 200 OK", "Location: //a.example/"])
    #expect(other.status == 302 && other.location == "//a.example/")
    // A combining mark does not hide the colon.
    #expect(head(["HTTP/1.1 302 Found", "Location:\u{301}x"]).location == "\u{301}x")
  }

  static let ages: [([String], Int?)] = [
    ([], nil), (["Cache-Control: max-age=600"], 600),
    (["Cache-Control: public, Max-Age=\"600\"", "Age: 100"], 500),
    (["Cache-Control: max-age=600", "Age: 1000"], 0),
    (["Cache-Control: max-age=600, no-cache"], 0), (["Cache-Control: no-store"], 0),
    (["Cache-Control: max-age=x"], 0),
    (["Cache-Control: max-age=99999999999999999999999"], 0),
    (["Cache-Control: max-age=9999999999999"], 315_360_000),
    // max-age is stronger than Expires.
    (["Cache-Control: max-age=5", "Expires: Sun, 06 Nov 1994 08:49:37 GMT"], 5),
    (["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Expires: Mon, 07 Nov 1994 08:49:37 GMT"], 86_400),
    (["Expires: Sun, 06 Nov 1994 08:49:37 GMT"], 0), (["Expires: 0"], 0), (["Expires: -1"], 0),
  ]

  @Test(arguments: ages.indices) func freshnessFollowsTheHeader(_ index: Int) {
    let (lines, wanted) = HTTPHeadTests.ages[index]
    #expect(head(["HTTP/1.1 200 OK"] + lines).freshness(now: 1_800_000_000) == wanted)
  }

  @Test func datesAreThoseOfTheCalendar() {
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(HTTPDate.seconds("Thu, 29 Feb 2024 23:59:60 GMT") == 1_709_251_200)
    #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    let none = [
      "", "0", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ]
    for text in none { #expect(HTTPDate.seconds(text) == nil, "\(text)") }
  }

  @Test func aHeaderWithoutEndIsRefused() {
    var head = HTTPHead()
    let line = Array("X-Line: 1\r\n".utf8)
    var taken = 0
    for _ in 0..<2000 where line.withUnsafeBytes({ head.add($0) }) { taken += 1 }
    #expect(taken == HTTPHead.mostLines)
    var other = HTTPHead()
    let isTaken = [UInt8](repeating: 0x41, count: 8193).withUnsafeBytes { other.add($0) }
    #expect(!isTaken)
  }
}
