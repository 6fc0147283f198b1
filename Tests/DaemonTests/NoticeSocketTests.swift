import Control
import TestSupport
import Testing

@testable import Daemon

/// Notices and languages over the socket.
@Suite struct NoticeSocketTests {
  @Test func aNoticeIsSetListedToldAndRemoved() throws {
    let bench = try ServiceBench(patience: 1)
    let (client, listener) = (bench.connect(), bench.connect())
    #expect(try bench.ask(listener, "subscribe", ["events": ["notice"]])?["result"] != nil)
    let set = try bench.ask(
      client, "notice.set",
      [
        "id": "bridge", "text": "Bridge closed", "text.de": "Gesperrt", "severity": "warning",
        "until": "2099-06-01",
      ])?["result"]
    #expect(set?["text"] == "Bridge closed")
    #expect(set?["until"] == "2099-06-01")
    #expect(set?["added"] == true)
    let event = try bench.line(listener)?["params"]
    #expect(event?["type"] == "notice")
    #expect(event?["change"] == "set")
    #expect(event?["id"] == "bridge")
    let list = try bench.ask(client, "notice.list")?["result"]?.array
    #expect(list?.count == 1)
    #expect(list?.first?["severity"] == "warning")
    #expect(try bench.ask(client, "notice.remove", ["id": "bridge"])?["result"] != nil)
    #expect(try bench.line(listener)?["params"]?["change"] == "removed")
    let error = try bench.ask(client, "notice.remove", ["id": "bridge"])?["error"]
    #expect(error?["code"] == -32001)
  }

  @Test func aWrongNoticeIsRefusedWithItsParameter() throws {
    let bench = try ServiceBench(patience: 1)
    let client = bench.connect()
    func refusal(_ params: JSON) throws -> JSON? {
      try bench.ask(client, "notice.set", params)?["error"]
    }
    let cases: [(JSON, String)] = [
      (["id": "a"], "text"), (["text": "a"], "id"),
      (["id": "a", "text": "b", "severity": "bad"], "severity"),
      (["id": "a", "text": "b", "until": "soon"], "until"),
      (["id": "a", "text": "b", "untill": "2027-01-01"], "untill"),
      (["id": "a", "text": 3], "text"), (["id": "a", "text": ""], "text"),
      (["id": "a", "text": " \n"], "text"), (["id": "a", "text": "b", "text.de": ""], "text.de"),
      (["id": "a", "text": "\u{0}\u{7}"], "text"),
      (["id": "a", "text": "\u{200b}\u{feff}"], "text"),
      (["id": "a", "text": "b", "until": "2020-01-01"], "until"),
    ]
    for (params, parameter) in cases {
      let error = try refusal(params)
      #expect(error?["code"] == -32602, "\(params.text)")
      #expect(error?["data"]?["parameter"] == .string(parameter), "\(params.text)")
    }
    let over = try refusal(["id": "a", "text": "b", "until": "2020-01-01"])
    let message = over?["message"]?.string ?? ""
    #expect(message.hasPrefix("until = \"2020-01-01\" is over already; it is 20"), "\(message)")
    #expect(message.hasSuffix("Z now"))
    let drawn = try refusal(["id": "a", "text": "b", "geojson": ["type": "Point"]])
    #expect(drawn?["code"] == -32003)
    let unknown = try refusal(["id": "a", "text": "b", "closes": "trials"])
    #expect(unknown?["code"] == -32001)
    #expect(unknown?["message"]?.string?.hasPrefix("no overlay \"trials\"") == true)
    #expect(bench.kiosk.notices.isEmpty)
  }

  @Test func theLanguageIsShownAndChosen() throws {
    let bench = try ServiceBench(patience: 1)
    let client = bench.connect()
    #expect(try bench.ask(client, "display.get")?["result"]?["language"] == "en")
    let error = try bench.ask(client, "display.set", ["language": "de"])?["error"]
    #expect(error?["code"] == -32001)
    var configuration = bench.kiosk.configuration
    configuration.hud.languages = ["en", "de"]
    bench.kiosk.apply(configuration)
    let set = try bench.ask(client, "display.set", ["language": "de"])?["result"]
    #expect(set?["language"] == "de")
    #expect(try bench.ask(client, "press", ["action": "language-next"])?["result"] != nil)
    #expect(bench.kiosk.language == "en")
    #expect(try bench.ask(client, "press", ["action": "select-next"])?["error"]?["code"] == -32005)
  }

  @Test func whatANoticeClosesIsNoOverlayOfItsOwn() throws {
    let bench = try ServiceBench(patience: 1)
    let client = bench.connect()
    let area: JSON = ["type": "LineString", "coordinates": [[7, 46], [8, 47]]]
    _ = try bench.ask(client, "overlay.add", ["name": "ways", "geojson": area])
    _ = try bench.ask(client, "notice.set", ["id": "q", "text": "Closed", "geojson": area])
    #expect(bench.run { bench.kiosk.overlays.contains { $0.name == "notice:q" } })
    let list = try bench.ask(client, "overlay.list")?["result"]?.array
    #expect(list?.compactMap { $0["name"]?.string } == ["ways"])
    let calls: [(String, JSON)] = [
      ("overlay.remove", ["name": "notice:q"]), ("overlay.hide", ["name": "notice:q"]),
      ("overlay.show", ["name": "notice:q"]),
      ("overlay.move", ["name": "notice:q", "above": "ways"]),
      ("overlay.move", ["name": "ways", "below": "notice:q"]),
    ]
    for (method, params) in calls {
      let error = try bench.ask(client, method, params)?["error"]
      #expect(error?["code"] == -32001, "\(method)")
      #expect(error?["data"]?["name"] == "notice:q", "\(method)")
      #expect(error?["message"]?.string?.contains("`notice.remove`") == true, "\(method)")
    }
    #expect(bench.kiosk.overlays.contains { $0.name == "notice:q" && $0.isShown })
    let closing = try bench.ask(
      client, "notice.set", ["id": "r", "text": "s", "closes": "notice:q"])
    #expect(closing?["error"]?["code"] == -32001)
    _ = try bench.ask(client, "notice.remove", ["id": "q"])
    #expect(bench.run { !bench.kiosk.overlays.contains { $0.name == "notice:q" } })
    let gone = try bench.ask(client, "overlay.remove", ["name": "notice:q"])?["error"]
    #expect(gone?["code"] == -32001)
  }

  @Test func aMistypedActionNamesTheNearestOne() throws {
    let bench = try ServiceBench(patience: 1)
    let error = try bench.ask(bench.connect(), "press", ["action": "zoom-inn"])?["error"]
    #expect(error?["code"] == -32602)
    #expect(error?["data"]?["parameter"] == "action")
    let message = error?["message"]?.string ?? ""
    #expect(message.hasPrefix("\"zoom-inn\" is not an action: perhaps \"zoom-in\"; one of "))
  }

  @Test func withoutABaseSourceTheNextOneIsRefusedWithTheRole() throws {
    let bench = try ServiceBench(patience: 1)
    let client = bench.connect()
    let name = try #require(bench.kiosk.activeSource)
    _ = try bench.ask(client, "source.remove", ["name": .string(name)])
    for method in ["source.next", "source.previous"] {
      let error = try bench.ask(client, method)?["error"]
      #expect(error?["code"] == -32005 && error?["data"]?["role"] == "base")
    }
  }

  @Test func theStatisticsCountTheBytesOfNotices() throws {
    let bench = try ServiceBench(patience: 1)
    let client = bench.connect()
    _ = try bench.ask(client, "notice.set", ["id": "ab", "text": "cde"])
    let memory = try bench.ask(client, "stats")?["result"]?["memory"]
    #expect(memory?["notices"] == 5)
  }
}
