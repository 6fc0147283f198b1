/// One call of a client. Answer it once, now or later: until then only its own connection waits.
/// A call that is dropped without an answer answers itself with an internal error.
///
/// Belongs to the loop's thread, like its server.
public final class ControlCall {
  /// The method's name, as sent.
  public let method: String
  /// As sent: an object or an array; null where there were none.
  public let params: JSON
  /// Who called; its event subscriptions are set here.
  public let client: ControlClient
  /// Called once if the client goes before the call is answered, to drop the work.
  public var onCancel: (() -> Void)?
  /// Whether the client has gone; an answer would reach nobody.
  public private(set) var isCancelled = false
  /// Whether it was answered, with a result or an error.
  public private(set) var isAnswered = false

  /// nil for a notification.
  let id: RequestID?

  /// Whether an answer would reach anybody: false for a notification, and once the client has gone.
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

  /// The caller's credentials, from the kernel.
  public var peer: PeerCredentials { client.peer }

  /// Answers with a result. A second answer is ignored.
  public func succeed(_ result: JSON) { answer(.success(result)) }

  /// Answers with an error. A second answer is ignored.
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

  /// The client has gone.
  func cancel() {
    if isAnswered || isCancelled { return }
    isCancelled = true
    let cancelled = onCancel
    onCancel = nil
    cancelled?()
  }
}
