import CLinux
import Glibc
import Testing

@testable import Control

@Suite struct EventTests {
  private func subscribe(_ bench: Bench, _ events: String) throws -> RawClient {
    let client = bench.connect()
    let answer = try bench.ask(
      client, #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":[\#(events)]}}"#)
    #expect(answer["result"]?["events"]?.array != nil)
    return client
  }

  @Test func subscribersGetTheEventAndOthersDoNot() throws {
    let bench = try Bench()
    let viewer = try subscribe(bench, #""view","tile-error""#)
    let other = try subscribe(bench, #""health""#)
    bench.server.publish(.view) { ["lat": 46.5, "animating": false] }
    bench.server.publish(.health) { ["what": "display"] }
    #expect(
      bench.line(viewer)
        == #"{"jsonrpc":"2.0","method":"event","params":{"type":"view","lat":46.5,"animating":false}}"#
    )
    #expect(
      bench.line(other)
        == #"{"jsonrpc":"2.0","method":"event","params":{"type":"health","what":"display"}}"#)
    #expect(viewer.takeLine() == nil)
  }

  @Test func nobodySubscribedMeansNothingIsMade() throws {
    let bench = try Bench()
    let client = try subscribe(bench, #""view""#)
    var made = 0
    bench.server.publish(.source) {
      made += 1
      return [:]
    }
    _ = try bench.ask(
      client, #"{"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"events":["view"]}}"#)
    bench.server.publish(.view) {
      made += 1
      return [:]
    }
    #expect(made == 0)
  }

  @Test func anEventIsMadeOnceForAll() throws {
    let bench = try Bench()
    let clients = try (0..<4).map { _ in try subscribe(bench, #""view""#) }
    var made = 0
    bench.server.publish(.view) {
      made += 1
      return [:]
    }
    for client in clients { #expect(bench.line(client) != nil) }
    #expect(made == 1)
  }

  @Test func subscriptionsAddUpAndAreToldInOrder() throws {
    let bench = try Bench()
    let client = try subscribe(bench, #""health","view""#)
    var answer = try bench.ask(
      client,
      #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["source","view"]}}"#)
    #expect(answer["result"] == ["events": ["view", "source", "health"]])
    answer = try bench.ask(
      client, #"{"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"events":["source"]}}"#)
    #expect(answer["result"] == ["events": ["view", "health"]])
    answer = try bench.ask(
      client, #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["veiw"]}}"#)
    #expect(code(answer) == -32602)
    #expect(answer["error"]?["data"] == ["parameter": "events[0]"])
    #expect(answer["error"]?["message"]?.string?.contains("did you mean \"view\"?") == true)
  }

  @Test func aSlowReaderLosesEventsAndIsToldHowMany() throws {
    let bench = try Bench()
    let client = try subscribe(bench, #""view""#)
    let text = JSON.string(String(repeating: "x", count: 1000))
    let published = 3000
    for number in 0..<published {
      bench.server.publish(.view) { ["n": .int(Int64(number)), "text": text] }
      bench.loop.runOnce(timeout: 0)
      #expect(bench.server.stats.queuedBytes <= OutputQueue.eventLimit)
    }
    // It reads again: what was kept comes in order, then how many were lost, then new ones.
    var expected: Int64 = 0
    var lost: Int64?
    while lost == nil {
      let params = try #require(try bench.json(client)["params"])
      if params["type"] == "overflow" {
        lost = params["lost"]?.int
      } else {
        #expect(params["n"]?.int == expected)
        expected += 1
      }
    }
    #expect(lost == Int64(published) - expected)
    #expect(expected > 200)
    bench.server.publish(.view) { ["n": -1] }
    #expect(try bench.json(client)["params"]?["n"] == -1)
    #expect(try bench.ask(client, #"{"jsonrpc":"2.0","id":9,"method":"echo"}"#)["id"] == 9)
  }

  @Test func anEventDoesNotBreakIntoABatchsLine() throws {
    let bench = try Bench()
    let client = try subscribe(bench, #""view""#)
    client.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","id":2,"method":"later"}]"#
        + "\n")
    bench.run { bench.later.count == 1 }
    bench.server.publish(.view) { [:] }
    bench.runDry()
    bench.later[0].succeed(2)
    #expect(try bench.json(client).array?.count == 2)
    #expect(try bench.json(client)["method"] == "event")
  }

  @Test func everyTypeHasItsPlaceInASet() {
    for type in EventType.allCases {
      #expect(EventSet(type).types == [type])
    }
    #expect(EventSet(EventType.allCases).types == EventType.allCases)
    #expect(
      EventType.names.joined(separator: " ")
        == "view source overlay marker notice button display position tile-error health")
  }
}
