import CLinux
import Glibc
import Testing

@testable import Control

/// JSON-RPC 2.0's rules, with typed-out lines.
@Suite struct ProtocolTests {
  @Test(arguments: [
    (
      #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1.50}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{"a":1.5}}"#
    ),
    (#"{"jsonrpc":"2.0","id":"x","method":"echo"}"#, #"{"jsonrpc":"2.0","id":"x","result":null}"#),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"echo","params":[2]}"#,
      #"{"jsonrpc":"2.0","id":null,"result":[2]}"#
    ),
    (
      #"{"jsonrpc":"2.0","id":-9007199254740993,"method":"echo"}"#,
      #"{"jsonrpc":"2.0","id":-9007199254740993,"result":null}"#
    ),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"twice"}"#, #"{"jsonrpc":"2.0","id":1.5,"result":1}"#),
  ])
  func aRequestIsAnsweredUnderItsID(_ sent: String, _ answer: String) throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(sent + "\n")
    #expect(bench.line(client) == answer)
  }

  @Test(
    arguments: [
      ("{", -32700, JSON.null), ("nonsense", -32700, .null), ("\u{1}", -32700, .null),
      (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}"#, -32700, .null),
      ("1", -32600, .null), ("\"echo\"", -32600, .null), ("null", -32600, .null),
      ("[]", -32600, .null),
      ("{}", -32600, .null), (#"{"id":7,"method":"echo"}"#, -32600, 7),
      (#"{"jsonrpc":"1.0","id":7,"method":"echo"}"#, -32600, 7),
      (#"{"jsonrpc":2.0,"id":7,"method":"echo"}"#, -32600, 7),
      (#"{"jsonrpc":"2.0","id":7}"#, -32600, 7),
      (#"{"jsonrpc":"2.0","id":7,"method":1}"#, -32600, 7),
      (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":7,"method":"echo","params":"bar"}"#, -32600, 7),
      (#"{"jsonrpc":"2.0","id":7,"method":"echo","params":3}"#, -32600, 7),
      (#"{"jsonrpc":"2.0","id":[7],"method":"echo"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":{},"method":"echo"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":true,"method":"echo"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":7,"method":"ecco"}"#, -32601, 7),
      (#"{"jsonrpc":"2.0","id":7,"method":"drop"}"#, -32603, 7),
    ] as [(String, Int64, JSON)])
  func whatIsWrongIsAnsweredByItsCodeAndTheConnectionGoesOn(
    _ sent: String, _ expected: Int64, _ id: JSON
  ) throws {
    let bench = try Bench()
    let client = bench.connect()
    let answer = try bench.ask(client, sent)
    #expect(code(answer) == expected)
    #expect(answer["id"] == id)
    #expect(answer["jsonrpc"] == "2.0")
    #expect(answer["error"]?["message"]?.string?.isEmpty == false)
    let next = try bench.ask(client, #"{"jsonrpc":"2.0","id":8,"method":"echo"}"#)
    #expect(next["id"] == 8)
  }

  @Test(arguments: [
    (#"{"jsonrpc":"1.0","id":7,"method":"echo"}"#, "jsonrpc"), (#"{"jsonrpc":"2.0"}"#, "method"),
    (#"{"jsonrpc":"2.0","id":7,"method":"echo","params":3}"#, "params"),
    (#"{"jsonrpc":"2.0","id":[7],"method":"echo"}"#, "id"),
  ])
  func anInvalidRequestNamesTheMemberAtFault(_ sent: String, _ member: String) throws {
    let bench = try Bench()
    let error = try bench.ask(bench.connect(), sent)["error"]
    #expect(error?["code"] == -32600)
    #expect(error?["data"]?["member"] == .string(member))
  }

  @Test func anUnknownMethodNamesTheNearest() throws {
    let bench = try Bench()
    let answer = try bench.ask(bench.connect(), #"{"jsonrpc":"2.0","id":7,"method":"ecco"}"#)
    #expect(answer["error"]?["data"] == ["method": "ecco", "nearest": "echo"])
  }

  @Test func invalidUTF8IsAParseError() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xFF] + Array("\"}\n".utf8))
    #expect(code(try bench.json(client)) == -32700)
  }

  @Test func notificationsAreCarriedOutWithoutAnAnswer() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(#"{"jsonrpc":"2.0","method":"echo","params":{}}"# + "\n")
    client.send(#"{"jsonrpc":"2.0","method":"unknown"}"# + "\n")
    client.send(#"{"jsonrpc":"2.0","method":"drop"}"# + "\n")
    let answer = try bench.ask(client, #"{"jsonrpc":"2.0","id":5,"method":"echo"}"#)
    #expect(answer["id"] == 5)
    #expect(bench.calls == ["echo", "unknown", "drop", "echo"])
  }

  @Test func aBatchIsAnsweredInOneLineInItsOrder() throws {
    let bench = try Bench()
    let client = bench.connect()
    let answer = try bench.ask(
      client,
      #"[{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}},{"jsonrpc":"2.0","method":"echo"},"#
        + #"1,{"jsonrpc":"2.0","id":"2","method":"nothing"},{"jsonrpc":"2.0","id":3,"method":"echo"}]"#
    )
    let answers = try #require(answer.array)
    #expect(answers.map { $0["id"] } == [1, .null, "2", 3])
    #expect(answers.map { code($0) } == [nil, -32600, -32601, nil])
    #expect(bench.calls == ["echo", "echo", "nothing", "echo"])
  }

  @Test func aBatchOfNotificationsIsNotAnswered() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(#"[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"echo"}]"# + "\n")
    #expect(try bench.ask(client, #"{"jsonrpc":"2.0","id":5,"method":"echo"}"#)["id"] == 5)
    #expect(bench.calls.count == 3)
  }

  @Test func aBatchOfWrongValuesIsAnsweredOneByOne() throws {
    let bench = try Bench()
    let answer = try bench.ask(bench.connect(), "[1,[],\"a\"]")
    #expect(answer.array?.map { code($0) } == [-32600, -32600, -32600])
  }

  @Test func blankLinesAndCarriageReturnsAreTolerated() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send("\r\n\n  \n" + #"{"jsonrpc":"2.0","id":1,"method":"echo"}"# + "\r\n\r\n")
    #expect(bench.line(client) == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
  }

  @Test func aRequestMayComeInPieces() throws {
    let bench = try Bench()
    let client = bench.connect()
    for byte in Array(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"é":"ü"}}"#.utf8) {
      client.send([byte])
      bench.loop.runOnce(timeout: 5_000_000)
    }
    client.send("\n")
    #expect(bench.line(client) == #"{"jsonrpc":"2.0","id":1,"result":{"é":"ü"}}"#)
  }

  @Test func answersKeepTheOrderOfTheRequests() throws {
    let bench = try Bench()
    let client = bench.connect()
    // In one piece: the kernel's room for small ones is soon used up.
    client.send(
      (0..<500).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"echo"}"# + "\n" }.joined())
    for id in 0..<500 {
      #expect(bench.line(client) == #"{"jsonrpc":"2.0","id":\#(id),"result":null}"#)
    }
  }

  @Test func aHalfClosedClientGetsAllItsAnswersBeforeTheEnd() throws {
    let bench = try Bench()
    let client = bench.connect()
    // The last line has no end, as printf writes it.
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"later"}"# + "\n")
    client.send(#"{"jsonrpc":"2.0","id":2,"method":"big","params":{"size":400000}}"#)
    client.finishSending()
    bench.run { bench.later.count == 1 }
    bench.runDry()
    #expect(client.takeLine() == nil && !client.isAtEnd)
    bench.later[0].succeed("done")
    #expect(bench.line(client) == #"{"jsonrpc":"2.0","id":1,"result":"done"}"#)
    #expect(bench.line(client)?.utf8.count ?? 0 > 400_000)
    #expect(bench.line(client) == nil && client.isAtEnd)
    #expect(bench.server.stats.clients == 0)
  }

  @Test func whatAHalfClosedClientAskedForIsAllAnsweredHoweverMuchItIs() throws {
    let bench = try Bench()
    let client = bench.connect()
    let big = #"{"jsonrpc":"2.0","id":2,"method":"big","params":{"size":100000}}"# + "\n"
    client.send(String(repeating: big, count: 20))
    client.finishSending()
    bench.runDry()
    #expect(bench.calls.count < 20)
    var lines = 0
    while bench.line(client) != nil { lines += 1 }
    #expect(lines == 20)
  }

  @Test func whoCallsIsKnown() throws {
    let bench = try Bench()
    let answer = try bench.ask(bench.connect(), #"{"jsonrpc":"2.0","id":1,"method":"peer"}"#)
    #expect(answer["result"]?.int == Int64(getpid()))
  }
}
