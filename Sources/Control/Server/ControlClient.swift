/// A connected client, as the methods see it.
public final class ControlClient {
  /// The client's credentials, as the kernel recorded them when it connected.
  public let peer: PeerCredentials
  /// The events that the client receives.
  public var subscriptions: EventSet = []
  weak var connection: ServerConnection?

  init(peer: PeerCredentials) { self.peer = peer }

  /// Whether the client is still connected.
  public var isConnected: Bool { connection != nil }
}
