/// The methods of a server: a table from each method's name to the code that carries it out.
///
/// A route is registered by its method's type, so its parameters are checked before its body runs,
/// and its body can return only the method's result. Calls of other names are answered with the
/// nearest name in the table.
///
/// Belongs to the loop's thread, like the server.
public final class Routes {
  private var table: [String: (ControlCall) -> Void] = [:]

  /// The names of the methods, in the order in which they were registered.
  public private(set) var names: [String] = []

  /// Creates an empty table.
  public init() {}

  /// Registers a method that is answered at once.
  ///
  /// - Parameters:
  ///   - method: the method. A second route for the same name is a programming error.
  ///   - body: carries out the method with its checked parameters. An error that it throws is the
  ///     answer.
  @inlinable
  public func on<Method: ControlMethod>(
    _ method: Method.Type,
    _ body: @escaping (Method.Params) throws(ControlError) -> Method.Result
  ) {
    add(Method.name) { call in
      call.answer { () throws(ControlError) -> JSON in
        try body(Method.Params(call.params)).json
      }
    }
  }

  /// Registers a method that is answered later, or that needs to know the caller.
  ///
  /// - Parameters:
  ///   - method: the method. A second route for the same name is a programming error.
  ///   - body: starts the work and keeps the reply until it is done. An error that it throws is the
  ///     answer.
  @inlinable
  public func onLater<Method: ControlMethod>(
    _ method: Method.Type,
    _ body: @escaping (Method.Params, ControlReply<Method>) throws(ControlError) -> Void
  ) {
    add(Method.name) { call in
      do throws(ControlError) {
        try body(Method.Params(call.params), ControlReply(call))
      } catch {
        call.fail(error)
      }
    }
  }

  /// Registers `subscribe` and `unsubscribe`, which concern only the caller's connection.
  public func addSubscriptions() {
    onLater(Subscribe.self) { params, reply in
      reply.client.subscriptions.formUnion(EventSet(params.events))
      reply.succeed(SubscribeResult(events: reply.client.subscriptions.types))
    }
    onLater(Unsubscribe.self) { params, reply in
      reply.client.subscriptions.subtract(EventSet(params.events))
      reply.succeed(SubscribeResult(events: reply.client.subscriptions.types))
    }
  }

  /// Carries out a call. If there is no such method, answers with the nearest name.
  public func handle(_ call: ControlCall) {
    guard let route = table[call.method] else {
      return call.fail(.method(call.method, known: names))
    }
    route(call)
  }

  /// Registration is inlinable, so that each route is compiled for its method's types.
  @usableFromInline
  func add(_ name: String, _ route: @escaping (ControlCall) -> Void) {
    precondition(table[name] == nil, "two routes for \(name)")
    table[name] = route
    names.append(name)
  }
}

/// The answer to one call, given by its route when it is ready. If it is dropped without an answer,
/// the call is answered with an internal error.
public struct ControlReply<Method: ControlMethod> {
  private let call: ControlCall

  @usableFromInline
  init(_ call: ControlCall) { self.call = call }

  /// The caller, with its subscriptions.
  public var client: ControlClient { call.client }

  /// Whether the caller is root or the daemon's own user.
  public var isTrusted: Bool { call.peer.isTrusted }

  /// Whether an answer would reach anybody: false once the client has disconnected, and for a
  /// notification.
  public var isAwaited: Bool { call.isAwaited }

  /// Whether the call was answered, with a result or an error.
  public var isAnswered: Bool { call.isAnswered }

  /// Whether the client has disconnected.
  public var isCancelled: Bool { call.isCancelled }

  /// Answers with `result`. Only the first answer counts.
  public func succeed(_ result: Method.Result) { call.succeed(result.json) }

  /// Answers with `error`. Only the first answer counts.
  public func fail(_ error: ControlError) { call.fail(error) }

  /// Has `body` called once if the client disconnects before the call is answered.
  public func onCancel(_ body: @escaping () -> Void) { call.onCancel = body }
}
