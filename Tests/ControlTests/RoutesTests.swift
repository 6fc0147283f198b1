import EventLoop
import Testing

@testable import Control

/// The table of methods.
@Suite struct RoutesTests {
  private let routes = Routes()

  /// Serves `routes` to one client, and gives the answer to one request.
  private func ask(_ request: String) throws -> JSON {
    let folder = ScratchFolder()
    let loop = try EventLoop()
    let server = try ControlServer(
      loop: loop, listener: ControlListener(path: folder.socket), routes: routes)
    let client = RawClient(folder.socket)
    client.send(request + "\n")
    var line: String?
    for _ in 0..<3000 where line == nil {
      loop.runOnce(timeout: 20_000_000)
      line = client.takeLine()
    }
    server.close()
    return try JSON.parse(try #require(line))
  }

  @Test func aRouteGetsItsCheckedParametersAndAnswersWithItsResult() throws {
    routes.on(CacheResize.self) { params in
      CacheStats(
        bytes: 1, limit: params.bytes, floor: 0, tiles: 0, hits: 0, misses: 0, evictions: 0,
        decodes: 0, decodeErrors: 0)
    }
    let answer = try ask(#"{"jsonrpc":"2.0","id":1,"method":"cache.resize","params":{"bytes":5}}"#)
    #expect(answer["result"]?["limit"] == 5)
    let refused = try ask(
      #"{"jsonrpc":"2.0","id":1,"method":"cache.resize","params":{"bytes":-5}}"#)
    #expect(code(refused) == -32602)
  }

  @Test func anUnknownMethodIsAnsweredWithTheNearestOfTheTable() throws {
    routes.on(ViewHome.self) { _ throws(ControlError) in throw .broken("not asked for") }
    let answer = try ask(#"{"jsonrpc":"2.0","id":1,"method":"view.hom"}"#)
    #expect(code(answer) == -32601)
    #expect(answer["error"]?["data"]?["nearest"] == "view.home")
    // What is not in the table is not known, whatever else the protocol has.
    #expect(code(try ask(#"{"jsonrpc":"2.0","id":1,"method":"view.get"}"#)) == -32601)
  }

  @Test func theNamesAreThoseOfTheTableInItsOrder() {
    routes.on(ViewHome.self) { _ throws(ControlError) in throw .broken("") }
    routes.on(Version.self) { _ in VersionResult(version: "1") }
    routes.addSubscriptions()
    #expect(routes.names == ["view.home", "version", "subscribe", "unsubscribe"])
  }

  @Test func aReplyThatIsDroppedAnswersItself() throws {
    routes.onLater(Settle.self) { _, _ in }
    #expect(code(try ask(#"{"jsonrpc":"2.0","id":1,"method":"settle"}"#)) == -32603)
  }
}
