import Glibc
import Testing

@testable import Control

/// Whom the socket trusts to name any file.
@Suite struct PeerTests {
  @Test func rootAndTheOwnUserAreTrustedAndNobodyElse() {
    func isTrusted(_ uid: UInt32) -> Bool {
      PeerCredentials(uid: uid, gid: 0, pid: 1).isTrusted
    }
    #expect(isTrusted(0))
    #expect(isTrusted(geteuid()))
    #expect(!isTrusted(geteuid() + 1))
    #expect(!isTrusted(.max))
  }

  @Test func whoConnectsAndWhoIsTurnedAwayIsTold() throws {
    let bench = try Bench(maxClients: 1)
    var connected: [PeerCredentials] = []
    var turnedAway: [PeerCredentials] = []
    bench.server.onPeer = { event in
      switch event {
      case .connected(let peer): connected.append(peer)
      case .turnedAway(let peer): turnedAway.append(peer)
      case .refused: break
      }
    }
    let first = bench.connect()
    let second = bench.connect()
    bench.run { turnedAway.count == 1 }
    let own = PeerCredentials(uid: geteuid(), gid: getegid(), pid: getpid())
    #expect(connected == [own])
    #expect(turnedAway == [own])
    withExtendedLifetime((first, second)) {}
  }

  @Test func aCallThatIsNotAllowedIsToldWithWhoMadeIt() throws {
    let bench = try Bench()
    var refused: [Int] = []
    bench.server.onPeer = { event in
      if case .refused(_, let error) = event { refused.append(error.code) }
    }
    let client = bench.connect()
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"forbidden"}"# + "\n")
    bench.run { !refused.isEmpty }
    #expect(refused == [ControlError.notAllowed])
  }

  @Test func whatIsNoSocketIsTrustedByNobody() {
    #expect(!PeerCredentials(of: -1).isTrusted)
  }
}
