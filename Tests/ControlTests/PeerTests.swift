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

  @Test func whatIsNoSocketIsTrustedByNobody() {
    #expect(!PeerCredentials(of: -1).isTrusted)
  }
}
