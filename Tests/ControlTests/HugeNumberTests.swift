import Testing

@testable import Control

/// A number that no double holds is a wrong parameter, not a broken line.
@Suite struct HugeNumberTests {
  private func answer(_ line: String) throws -> String {
    let bench = try Bench()
    let client = bench.connect()
    client.send(line + "\n")
    return try #require(bench.line(client))
  }

  @Test(arguments: ["1e999", "-1e999", "[1, 1e400]", #"{"b": 1e999}"#])
  func itIsRefusedWithTheNameOfItsParameterAndTheID(_ number: String) throws {
    let line = try answer(
      #"{"jsonrpc":"2.0","id":"q","method":"echo","params":{"a":1,"lat":\#(number)}}"#)
    let error = try JSON.parse(line)
    #expect(error["id"] == "q")
    #expect(error["error"]?["code"] == -32602)
    #expect(error["error"]?["data"]?["parameter"] == "lat")
    #expect(error["error"]?["message"]?.string?.contains("too large") == true)
  }

  @Test func onlyTheRequestOfABatchThatHasOneIsRefused() throws {
    let line = try answer(
      #"[{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}},"#
        + #"{"jsonrpc":"2.0","id":2,"method":"echo","params":{"a":1e999}}]"#)
    let answers = try JSON.parse(line)
    #expect(answers[0]?["result"]?["a"] == 1)
    #expect(answers[1]?["id"] == 2)
    #expect(answers[1]?["error"]?["code"] == -32602)
  }

  @Test func digitsInATextAreNoNumber() throws {
    let line = try answer(
      #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"1e999 \" 1e999"}}"#)
    #expect(try JSON.parse(line)["result"]?["a"] == "1e999 \" 1e999")
  }

  @Test func anIDThatNothingHoldsMakesNoRequest() throws {
    let error = try JSON.parse(try answer(#"{"jsonrpc":"2.0","id":1e999,"method":"echo"}"#))
    #expect(error["id"]?.isNull == true)
    #expect(error["error"]?["code"] == -32600)
  }

  @Test(arguments: [#"{"a":1e999"#, #"{"a":1e999,}"#, "1e999 x", #"["1e999]"#, "-", "1e"])
  func aLineThatIsNoJSONStaysBroken(_ line: String) throws {
    let error = try JSON.parse(try answer(line))
    #expect(error["error"]?["code"] == -32700)
  }
}
