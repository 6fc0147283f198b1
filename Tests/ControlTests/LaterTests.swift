import CLinux
import EventLoop
import Glibc
import Testing

@testable import Control

/// Calls that are answered later.
@Suite struct LaterTests {
  private let later = #"{"jsonrpc":"2.0","id":1,"method":"later"}"# + "\n"
  private let echo = #"{"jsonrpc":"2.0","id":2,"method":"echo"}"#

  @Test func onlyTheOwnConnectionWaits() throws {
    let bench = try Bench()
    let waiting = bench.connect()
    let other = bench.connect()
    waiting.send(later + echo + "\n")
    bench.run { bench.later.count == 1 }
    #expect(try bench.ask(other, echo)["id"] == 2)
    #expect(bench.calls == ["later", "echo"])
    #expect(waiting.takeLine() == nil)
    bench.later[0].succeed(7)
    #expect(bench.line(waiting) == #"{"jsonrpc":"2.0","id":1,"result":7}"#)
    #expect(bench.line(waiting) == #"{"jsonrpc":"2.0","id":2,"result":null}"#)
  }

  @Test func anAnswerDoesNotRunTheNextRequestWithinTheAnswerer() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later + echo + "\n")
    bench.run { bench.later.count == 1 }
    bench.later[0].succeed(7)
    #expect(bench.calls == ["later"])
    #expect(bench.line(client) != nil)
    #expect(bench.line(client) != nil)
  }

  @Test func aBatchWaitsWithinItself() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(#"[{"jsonrpc":"2.0","id":1,"method":"later"},"# + echo + "]\n")
    bench.run { bench.later.count == 1 }
    #expect(bench.calls == ["later"])
    bench.later[0].fail(ControlError(code: -32004, message: "late"))
    let answer = try bench.json(client)
    #expect(answer.array?.map { $0["id"] } == [1, 2])
    #expect(code(answer[0] ?? .null) == -32004)
  }

  @Test func aClientThatGoesCancelsItsCall() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later)
    bench.run { bench.later.count == 1 }
    #expect(!bench.later[0].isCancelled)
    client.hangUp()
    bench.run { bench.cancelled == 1 }
    #expect(bench.later[0].isCancelled)
    #expect(!bench.later[0].client.isConnected)
    bench.later[0].succeed(1)
    #expect(bench.server.stats.clients == 0)
    #expect(bench.cancelled == 1)
  }

  @Test func aHalfClosedClientDoesNotCancelItsCall() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later)
    client.finishSending()
    bench.run { bench.later.count == 1 }
    bench.runDry()
    #expect(!bench.later[0].isCancelled)
    bench.later[0].succeed(1)
    #expect(bench.line(client) == #"{"jsonrpc":"2.0","id":1,"result":1}"#)
  }

  @Test func waitingDoesNotKeepTheLoopAwake() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later + echo + "\n")
    client.finishSending()
    bench.run { bench.later.count == 1 }
    bench.runDry()
    let before = bench.loop.wakeups
    #expect(!bench.loop.runOnce(timeout: 30_000_000))
    #expect(bench.loop.wakeups == before + 1)
  }

  @Test func aCallThatIsForgottenLaterAnswersItself() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later)
    bench.run { bench.later.count == 1 }
    bench.later = []
    #expect(code(try bench.json(client)) == -32603)
  }

  @Test func requestsOfAClientThatHasGoneAreNotCarriedOutButItsNotificationsAre() throws {
    let bench = try Bench()
    let client = bench.connect()
    let last = #"{"jsonrpc":"2.0","method":"last"}"#
    client.send(echo + "\n" + "[" + echo + "," + last + "]\n" + echo + "\n")
    client.hangUp()
    bench.run { !bench.calls.isEmpty }
    bench.run { bench.server.stats.clients == 0 }
    #expect(bench.calls == ["last"])
  }

  @Test func whatIsQueuedBehindACallGoesWithItsClient() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later + String(repeating: echo + "\n", count: 100))
    bench.run { bench.later.count == 1 }
    client.hangUp()
    bench.run { bench.server.stats.clients == 0 }
    #expect(bench.cancelled == 1)
    bench.runDry()
    #expect(bench.calls == ["later"])
  }

  @Test func closingTheServerCancelsAndEndsEverything() throws {
    let bench = try Bench()
    let client = bench.connect()
    client.send(later)
    bench.run { bench.later.count == 1 }
    bench.server.close()
    #expect(bench.cancelled == 1)
    #expect(bench.line(client) == nil && client.isAtEnd)
    #expect(access(bench.folder.socket, F_OK) != 0)
    bench.later[0].succeed(1)
    bench.runDry()
  }
}
