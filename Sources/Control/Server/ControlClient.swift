/// A connected client, as the methods see it.
public final class ControlClient {
  /// Its credentials, from the kernel.
  public let peer: PeerCredentials
  /// The events it is sent.
  public var subscriptions: EventSet = []
  weak var connection: ServerConnection?

  init(peer: PeerCredentials) { self.peer = peer }

  /// Whether it is still there.
  public var isConnected: Bool { connection != nil }
}
