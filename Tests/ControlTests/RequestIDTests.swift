import Testing

@testable import Control

/// An id comes back as it was sent.
@Suite struct RequestIDTests {
  @Test(arguments: [
    "0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "123456789012345678901234567890", "1.0", "1e3", "0.1",
    "1234567890.123456789012345", #""a""#, #""\"é\n""#, "null",
  ])
  func anIDComesBackUnchanged(_ id: String) throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(
      #"{"jsonrpc":"2.0","method":"echo","params":{"id":7,"a":[{"id":8}]},"id": \#(id) }"# + "\n")
    let line = try #require(bench.line(client))
    #expect(line.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"result""#), "\(line)")
  }

  @Test func theIDsOfABatchComeBackEachToItsRequest() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(
      #"[{"id":18446744073709551615,"jsonrpc":"2.0","method":"echo","params":{"id":1}},1,"#
        + #"{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"echo","id":2.50}]"# + "\n")
    let line = try #require(bench.line(client))
    #expect(line.hasPrefix(#"[{"jsonrpc":"2.0","id":18446744073709551615,"result":{"id":1}},"#))
    #expect(line.contains(#"{"jsonrpc":"2.0","id":null,"error""#))
    #expect(line.hasSuffix(#"{"jsonrpc":"2.0","id":2.50,"result":null}]"#), "\(line)")
  }

  @Test func anErrorHasItsRequestsID() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(#"{"jsonrpc":"2.0","method":"nothing","id":18446744073709551615}"# + "\n")
    let line = try #require(bench.line(client))
    #expect(line.hasPrefix(#"{"jsonrpc":"2.0","id":18446744073709551615,"error""#))
  }
}
