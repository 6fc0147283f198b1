import Control
import Platform

extension Logger {
  /// Logs who was refused something on the control socket, and, at the level debug, who connects.
  func peer(_ event: ControlServer.PeerEvent) {
    switch event {
    case .connected(let peer):
      debug("control: a connection of \(Logger.text(peer)), process \(peer.pid)")
    case .turnedAway(let peer):
      log(
        .warning, run: "control: connections of user \(peer.uid) that were closed",
        "control: a connection of \(Logger.text(peer)) was closed: there are too many",
        Logger.fields(peer))
    case .refused(let peer, let error):
      log(
        .warning, run: "control: refused calls of user \(peer.uid)",
        "control: \(Logger.text(peer)), process \(peer.pid): \(error.message)",
        Logger.fields(peer))
    }
  }

  private static func text(_ peer: PeerCredentials) -> String {
    "user \(peer.uid), group \(peer.gid)"
  }

  private static func fields(_ peer: PeerCredentials) -> [LogField] {
    [
      LogField("WAYPOST_PEER_UID", String(peer.uid)),
      LogField("WAYPOST_PEER_GID", String(peer.gid)),
      LogField("WAYPOST_PEER_PID", String(peer.pid)),
    ]
  }
}
