/// One call of a client. Answer it once, now or later; until then only its own connection waits. A
/// call that is dropped without an answer is answered with an internal error.
///
/// Belongs to the loop's thread, like its server.
public final class ControlCall {
  /// The method's name as it was sent; it may be unknown.
  public let method: String
  /// The parameters as they were sent: an object or an array; null if there were none.
  public let params: JSON
  /// The caller. Its event subscriptions are set here.
  public let client: ControlClient
  /// Called once if the client disconnects before the call is answered, to cancel the work.
  public var onCancel: (() -> Void)?
  /// Whether the client has disconnected, so that an answer would reach nobody.
  public private(set) var isCancelled = false
  /// Whether the call was answered, with a result or an error.
  public private(set) var isAnswered = false

  /// The request's id; nil for a notification.
  let id: RequestID?

  /// Whether an answer would reach anybody: false for a notification, and once the client has
  /// disconnected.
  public var isAwaited: Bool { id != nil && !isCancelled && client.isConnected }

  init(_ request: Request, client: ControlClient) {
    method = request.method
    params = request.params
    id = request.id
    self.client = client
  }

  deinit {
    if !isAnswered && !isCancelled {
      client.connection?.finish(id: id, .failure(.broken("\(method) was given up")))
    }
  }

  /// The caller's credentials, as the kernel recorded them.
  public var peer: PeerCredentials { client.peer }

  /// Answers with `result`. Only the first answer counts.
  public func succeed(_ result: JSON) { answer(.success(result)) }

  /// Answers with `error`. Only the first answer counts.
  public func fail(_ error: ControlError) { answer(.failure(error)) }

  /// Answers with what `body` returns or throws.
  public func answer(with body: () throws(ControlError) -> JSON) {
    do throws(ControlError) { succeed(try body()) } catch { fail(error) }
  }

  private func answer(_ result: Result<JSON, ControlError>) {
    if isAnswered { return }
    isAnswered = true
    onCancel = nil
    if !isCancelled { client.connection?.finish(id: id, result) }
  }

  /// Tells that the client has disconnected.
  func cancel() {
    if isAnswered || isCancelled { return }
    isCancelled = true
    let cancelled = onCancel
    onCancel = nil
    cancelled?()
  }
}
