/// A connected client, as the methods see it.
public final class ControlClient {
  public let peer: PeerCredentials
  /// The events it is sent.
  public var subscriptions: EventSet = []
  weak var connection: ServerConnection?

  init(peer: PeerCredentials) { self.peer = peer }

  /// Whether it is still there.
  public var isConnected: Bool { connection != nil }
}

extension ControlCall {
  /// Handles `subscribe` and `unsubscribe`, which concern the connection alone. False, with nothing
  /// done, for any other method.
  public func answerSubscription() -> Bool {
    guard method == Subscribe.name || method == Unsubscribe.name else { return false }
    answer { () throws(ControlError) -> JSON in
      let events = EventSet(try SubscribeParams(params).events)
      if method == Subscribe.name {
        client.subscriptions.formUnion(events)
      } else {
        client.subscriptions.subtract(events)
      }
      return SubscribeResult(events: client.subscriptions.types).json
    }
    return true
  }
}
