import Configuration
import EventLoop
import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import Inputs

@Suite struct GPSDClientTests {
  /// A client of a scripted server, and what it told.
  private final class Setting {
    let loop: EventLoop
    let server: ScriptedServer
    var fixes: [Fix] = []
    var states: [GPSDClient.State] = []
    var client: GPSDClient?

    init() throws {
      loop = try EventLoop()
      server = try ScriptedServer()
      let address = try #require(GPSDAddress("127.0.0.1:\(server.port)"))
      client = GPSDClient(
        address: address, loop: loop, onFix: { [unowned self] in fixes.append($0) },
        onState: { [unowned self] in states.append($0) })
    }

    func connect() throws {
      loop.runOnce(timeout: 1_000_000_000)
      try server.accept()
    }

    static let version = "{\"class\":\"VERSION\",\"release\":\"3.22\"}\r\n"

    static func position(_ lat: Double) -> String {
      "{\"class\":\"TPV\",\"device\":\"a\",\"mode\":3,\"lat\":\(lat),\"lon\":7}\r\n"
    }
  }

  @Test func theServerIsAskedToReportInJSON() throws {
    let s = try Setting()
    try s.connect()
    var asked = ""
    #expect(
      s.loop.run {
        asked += s.server.heard()
        return asked.hasSuffix("\n")
      })
    #expect(asked == "?WATCH={\"enable\":true,\"json\":true};\n")
  }

  @Test func fixesComeWithTheirLinesHoweverTheseAreCut() throws {
    let s = try Setting()
    try s.connect()
    s.server.say(Setting.version)
    let line = Setting.position(1)
    s.server.say(String(line.prefix(20)))
    #expect(s.loop.run { s.states == [.up("3.22")] })
    #expect(s.fixes.isEmpty)
    s.server.say(line.dropFirst(20) + Setting.position(2))
    #expect(s.loop.run { s.fixes.count == 2 })
    #expect(s.fixes.map(\.place.lat) == [1, 2])
  }

  @Test func garbageIsCountedAndChangesNothing() throws {
    let s = try Setting()
    try s.connect()
    s.server.say(Setting.version + "{\u{1}\n$GPGGA,,,\n[1\n")
    s.server.say(String(repeating: "long ", count: 20_000) + "\n" + Setting.position(3))
    #expect(s.loop.run { s.fixes.count == 1 })
    #expect(s.client?.counts.badLines == 4)
    #expect(s.client?.bytes == 0)
    #expect(s.states == [.up("3.22")])
  }

  @Test func aServerThatGoesIsToldOnceAndSoIsItsReturn() throws {
    let s = try Setting()
    try s.connect()
    s.server.say(Setting.version)
    #expect(s.loop.run { s.states.count == 1 })
    s.server.closeClients()
    #expect(s.loop.run { s.states.count == 2 })
    #expect(s.states.last.map { if case .down = $0 { true } else { false } } == true)
    // It comes again by itself; a server that hangs up without a word is not told again.
    #expect(s.loop.run { (try? s.server.acceptNow()) == true })
    s.server.closeClients()
    #expect(s.loop.run { (try? s.server.acceptNow()) == true })
    s.server.say(Setting.version + Setting.position(4))
    #expect(s.loop.run { s.fixes.count == 1 })
    #expect(s.states.count == 3)
    #expect(s.states.last == .up("3.22"))
  }

  @Test func whereNobodyListensTheReasonIsToldOnce() throws {
    let s = try Setting()
    s.server.stop()
    #expect(s.loop.run { !s.states.isEmpty })
    #expect(s.states == [.down("Connection refused")])
  }

  @Test func nothingRunsWhileConnectedAndNothingComes() throws {
    let s = try Setting()
    try s.connect()
    s.server.say(Setting.version)
    #expect(s.loop.run { s.states.count == 1 })
    // Whatever was ready is taken; after that nothing is.
    while s.loop.runOnce(timeout: 0) {}
    #expect(s.loop.runOnce(timeout: 300_000_000) == false)
  }

  @Test func aClosedClientSaysNothingMore() throws {
    let s = try Setting()
    try s.connect()
    s.server.say(Setting.version)
    #expect(s.loop.run { s.states.count == 1 })
    s.client?.close()
    s.server.say(Setting.position(5))
    while s.loop.runOnce(timeout: 0) {}
    #expect(s.fixes.isEmpty)
    #expect(s.states.count == 1)
  }
}

extension ScriptedServer {
  /// Whether a client was waiting; it is accepted.
  func acceptNow() throws -> Bool {
    guard isAwaited else { return false }
    try accept()
    return true
  }
}
