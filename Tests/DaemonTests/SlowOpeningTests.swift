import Control
import TestSupport
import Testing

@testable import Daemon

/// Calls that wait for a medium that hangs are answered all the same.
@Suite struct SlowOpeningTests {
  @Test func aSwitchToASourceThatDoesNotOpenIsAnsweredInTimeAndTheSourceShownLater() throws {
    let bench = try ServiceBench(patience: 0.2)
    let medium = HangingMedium()
    defer { medium.letGo() }
    #expect(bench.kiosk.addSource("slow") { medium.source() })
    let (waiting, other) = (bench.connect(), bench.connect())
    bench.send(waiting, "source.use", ["name": "slow"])
    // Others are served meanwhile.
    #expect(try bench.ask(other, "version")?["result"] != nil)
    let late = try bench.line(waiting)?["error"]
    #expect(late?["code"] == -32004)
    #expect(late?["data"]?["name"] == "slow")
    #expect(late?["message"]?.string?.hasPrefix("slow is not open after ") == true)
    #expect(bench.service.openings.using.isEmpty)
    // It stays the one to be shown, and is answered no second time.
    #expect(bench.kiosk.activeSource == "slow")
    medium.letGo()
    #expect(bench.run { bench.kiosk.entry("slow")?.info != nil })
    #expect(try bench.ask(waiting, "version")?["result"] != nil)
    #expect(try bench.ask(waiting, "source.use", ["name": "slow"])?["result"]?["healthy"] == true)
  }

  /// A bench all of whose readers' threads hang on `medium`: what is added now cannot be opened.
  private func hungBench(_ medium: HangingMedium) throws -> ServiceBench {
    let bench = try ServiceBench(patience: 0.2)
    for i in 0..<bench.kiosk.readerThreads.limit {
      #expect(bench.kiosk.addSource("hung\(i)") { medium.source() })
      #expect(bench.kiosk.use("hung\(i)"))
      #expect(bench.run { medium.hanging == i + 1 })
    }
    return bench
  }

  private let tiles = JSON.string(TestData.fixtures + "/tiles/osm")

  @Test func aSourceThatDoesNotOpenInTimeIsAddedOnceItIsOpen() throws {
    let medium = HangingMedium()
    defer { medium.letGo() }
    let bench = try hungBench(medium)
    let (caller, listener) = (bench.connect(), bench.connect())
    let events: JSON = ["events": ["source"]]
    #expect(try bench.ask(listener, "subscribe", events)?["result"] != nil)
    let late = try bench.ask(caller, "source.add", ["name": "osm", "path": tiles])?["error"]
    #expect(late?["code"] == -32004)
    #expect(late?["data"]?["name"] == "osm")
    medium.letGo()
    var event: JSON?
    for _ in 0..<200 where event?["change"] != "added" {
      event = try bench.line(listener)?["params"]
    }
    #expect(event?["name"] == "osm" && event?["healthy"] == true)
    #expect(bench.service.openings.adding.isEmpty)
  }

  @Test func aSourceThatFailsAfterItsCallWasAnsweredIsWithdrawn() throws {
    let medium = HangingMedium()
    defer { medium.letGo() }
    let bench = try hungBench(medium)
    let path = JSON.string(bench.folder["none.mbtiles"])
    let late = try bench.ask(bench.connect(), "source.add", ["name": "none", "path": path])
    #expect(late?["error"]?["code"] == -32004)
    #expect(bench.kiosk.entry("none") != nil)
    medium.letGo()
    #expect(bench.run { bench.kiosk.entry("none") == nil })
    #expect(bench.service.openings.adding.isEmpty)
  }

  @Test func anOverlayThatDoesNotOpenInTimeIsAddedOnceItIsOpen() throws {
    let medium = HangingMedium()
    defer { medium.letGo() }
    let bench = try hungBench(medium)
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let good: JSON = ["name": "good", "geojson": try JSON.parse(point)]
    let bad: JSON = ["name": "bad", "path": .string(bench.folder["none.gpx"])]
    for table in [good, bad] {
      let late = try bench.ask(bench.connect(), "overlay.add", table)?["error"]
      #expect(late?["code"] == -32004, "\(late?.text ?? "")")
    }
    #expect(bench.kiosk.overlays.map(\.name) == ["good", "bad"])
    medium.letGo()
    #expect(bench.run { bench.service.overlayOpenings.isEmpty })
    #expect(bench.kiosk.overlays.map(\.name) == ["good"])
  }

  @Test func whoIsAnsweredOrGoneIsNotRefused() throws {
    let bench = try ServiceBench(patience: 0.2)
    let medium = HangingMedium()
    defer { medium.letGo() }
    #expect(bench.kiosk.addSource("slow") { medium.source() })
    let gone = bench.connect()
    bench.send(gone, "source.use", ["name": "slow"])
    #expect(bench.run { bench.service.deadlines.count == 1 })
    gone.hangUp()
    let client = bench.connect()
    #expect(bench.run { bench.service.deadlines.count == 0 })
    medium.letGo()
    #expect(bench.run { bench.kiosk.entry("slow")?.info != nil })
    #expect(try bench.ask(client, "version")?["result"] != nil)
  }
}
