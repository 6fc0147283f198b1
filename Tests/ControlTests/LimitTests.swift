import CLinux
import EventLoop
import Glibc
import Testing

@testable import Control

/// What a client cannot do to the server.
@Suite struct LimitTests {
  private func request(_ id: Int, padding: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"echo","params":{"a":""#
      + String(repeating: "x", count: padding) + "\"}}"
  }

  @Test func aLineOf64KiBIsTaken() throws {
    let bench = try Bench()
    let line = request(1, padding: 65536 - request(1, padding: 0).utf8.count)
    #expect(line.utf8.count == 65536)
    #expect(try bench.ask(bench.connect(), line)["id"] == 1)
  }

  @Test func aLongerLineIsRefusedAndTheConnectionCloses() throws {
    let bench = try Bench()
    let client = bench.connect()
    let line = request(1, padding: 65537 - request(1, padding: 0).utf8.count)
    #expect(code(try bench.ask(client, line)) == -32600)
    #expect(bench.line(client) == nil && client.isAtEnd)
    #expect(bench.calls.isEmpty)
  }

  @Test func anEndlessLineIsRefusedToo() throws {
    let bench = try Bench()
    let client = bench.connect()
    var sent = 0
    let chunk = [UInt8](repeating: 0x20, count: 16384)[...]
    var answer: String?
    bench.run {
      sent += client.trySend(chunk)
      answer = client.takeLine()
      return answer != nil
    }
    #expect(code(try JSON.parse(try #require(answer))) == -32600)
    #expect(bench.line(client) == nil && client.isAtEnd)
    #expect(bench.server.stats.clients == 0)
  }

  @Test func oneClientTooManyIsToldAndOthersGoOn() throws {
    let bench = try Bench(maxClients: 3)
    let clients = (0..<3).map { _ in bench.connect() }
    for client in clients { _ = try bench.ask(client, request(1, padding: 0)) }
    let extra = bench.connect()
    #expect(code(try bench.json(extra)) == -32006)
    #expect(bench.line(extra) == nil && extra.isAtEnd)
    for client in clients { #expect(try bench.ask(client, request(2, padding: 0))["id"] == 2) }
    clients[0].hangUp()
    bench.run { bench.server.stats.clients == 2 }
    #expect(try bench.ask(bench.connect(), request(3, padding: 0))["id"] == 3)
  }

  @Test func othersCannotLockOutRootAndTheDaemonsUser() throws {
    let bench = try Bench(maxClients: 1, areTrusted: true)
    let clients = (0..<3).map { _ in bench.connect() }
    for client in clients { #expect(try bench.ask(client, request(1, padding: 0))["id"] == 1) }
    // Nor do these have room without end.
    #expect(code(try bench.json(bench.connect())) == -32006)
  }

  @Test func whatAllClientsLeaveUnreadIsBoundedAndSmallAnswersAreStillGiven() throws {
    let bench = try Bench()
    let large = #"{"jsonrpc":"2.0","id":1,"method":"big","params":{"size":4000000}}"# + "\n"
    let deaf = (0..<8).map { _ in bench.connect() }
    for client in deaf { client.send(large) }
    bench.run { bench.calls.count == deaf.count }
    let most = ControlServer.queueLimit + 4_000_100
    #expect(bench.server.stats.queuedBytes <= most)
    let refused = try bench.ask(bench.connect(), String(large.dropLast()))
    #expect(code(refused) == -32005)
    #expect(refused["error"]?["message"]?.string?.contains("more than 16 MiB") == true)
    #expect(try bench.ask(bench.connect(), request(2, padding: 1000))["id"] == 2)
    // Those who read make room.
    for client in deaf.prefix(4) { _ = bench.line(client) }
    #expect(try bench.ask(bench.connect(), String(large.dropLast()))["error"] == nil)
  }

  @Test func rootIsAnsweredHoweverMuchOthersLeaveUnread() throws {
    let bench = try Bench(areTrusted: true)
    let large = #"{"jsonrpc":"2.0","id":1,"method":"big","params":{"size":4000000}}"# + "\n"
    let deaf = (0..<8).map { _ in bench.connect() }
    for client in deaf { client.send(large) }
    bench.run { bench.calls.count == deaf.count }
    #expect(bench.server.stats.queuedBytes > ControlServer.queueLimit)
    #expect(try bench.ask(bench.connect(), String(large.dropLast()))["error"] == nil)
  }

  @Test func aClientThatDoesNotReadIsNotReadEither() throws {
    let bench = try Bench()
    let slow = bench.connect()
    let requests = Array(
      (0..<100).map {
        #"{"jsonrpc":"2.0","id":\#($0),"method":"big","params":{"size":20000}}"# + "\n"
      }
      .joined().utf8)
    var sent = 0
    for _ in 0..<200 {
      sent += slow.trySend(requests[sent...])
      bench.loop.runOnce(timeout: 1_000_000)
    }
    // 2 MB of answers were asked for; about 1 MiB is queued.
    let queued = bench.server.stats.queuedBytes
    #expect(queued > 1024 * 1024 && queued < 1024 * 1024 + 50_000)
    #expect(bench.calls.count < 80)
    // Others are served, and once it reads it gets everything.
    #expect(try bench.ask(bench.connect(), request(1, padding: 0))["id"] == 1)
    var lines = 0
    bench.run {
      sent += sent < requests.count ? slow.trySend(requests[sent...]) : 0
      while slow.takeLine() != nil { lines += 1 }
      return lines == 100
    }
    #expect(lines == 100)
    #expect(bench.server.stats.queuedBytes == 0)
  }

  @Test func requestsOfAClientThatDoesNotReadStayInItsSocket() throws {
    let bench = try Bench()
    let slow = bench.connect()
    let request = #"{"jsonrpc":"2.0","id":1,"method":"big","params":{"size":20000}}"# + "\n"
    let requests = Array(String(repeating: request, count: 1000).utf8)
    var sent = 0
    var refusals = 0
    // Until the socket has taken nothing for many turns of the loop.
    while refusals < 200 {
      let count = slow.trySend(requests[(sent % request.utf8.count)...])
      sent += count
      refusals = count == 0 ? refusals + 1 : 0
      bench.loop.runOnce(timeout: 1_000_000)
      if sent > 16 << 20 { break }
    }
    // The kernel's buffers, a line's buffer, and what was answered: no more is taken off it.
    #expect(sent < 4 << 20)
  }

  @Test func aBatchOfLargeAnswersIsHeldUpAsWell() throws {
    let bench = try Bench()
    let client = bench.connect()
    let call = #"{"jsonrpc":"2.0","id":1,"method":"big","params":{"size":100000}}"#
    let batch = "[" + Array(repeating: call, count: 20).joined(separator: ",") + "]\n"
    client.send(batch)
    bench.runDry()
    #expect(bench.server.stats.queuedBytes < 1_300_000)
    let answer = try bench.json(client)
    #expect(answer.array?.count == 20)
  }

  @Test func aClientThatKeepsTheLoopBusyGoesBehindTheOthers() throws {
    let bench = try Bench()
    let busy = bench.connect()
    let other = bench.connect()
    _ = try bench.ask(other, request(0, padding: 0))
    // A millisecond each.
    let work = #"{"jsonrpc":"2.0","id":1,"method":"work"}"#
    busy.send("[" + Array(repeating: work, count: 60).joined(separator: ",") + "]\n")
    bench.run { bench.calls.contains("work") }
    #expect(try bench.ask(other, request(1, padding: 0))["id"] == 1)
    // The batch is far from through.
    #expect(bench.calls.filter { $0 == "work" }.count < 30)
    #expect(try bench.json(busy).array?.count == 60)
  }

  @Test func randomBytesAreAnsweredWithErrorsAndNothingTraps() throws {
    let bench = try Bench()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let client = bench.connect()
      var bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.append(0x0A)
      client.send(bytes)
      client.finishSending()
      var answers = 0
      while let line = bench.line(client) {
        #expect(line.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32"#))
        answers += 1
      }
      #expect(answers > 0)
    }
    #expect(bench.server.stats.clients == 0)
  }

  @Test(arguments: [
    String(repeating: "[", count: 60_000), String(repeating: "{\"a\":", count: 12_000),
    String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000),
    String(repeating: "9", count: 60_000), "-" + String(repeating: "9", count: 60_000),
    "1e99999999999999999999",
    "\"" + String(repeating: "\\u0000", count: 10_000) + "\"",
    String(repeating: "-", count: 60_000),
  ])
  func hostileLinesAreRefused(_ line: String) throws {
    let bench = try Bench()
    let client = bench.connect()
    #expect([-32700, -32600].contains(code(try bench.ask(client, line))))
    #expect(try bench.ask(client, request(2, padding: 0))["id"] == 2)
  }
}
