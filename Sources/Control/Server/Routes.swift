/// The methods of a server: a table from each method's name to the code that carries it out.
///
/// A route is registered by its method's type, so that its parameters are read and checked before
/// its body runs, and its body cannot answer with anything but the method's result. Names that are
/// not in the table are answered with the nearest one that is.
///
/// Belongs to the loop's thread, like the server.
public final class Routes {
  private var table: [String: (ControlCall) -> Void] = [:]

  /// The names of the methods, in the order in which they were registered.
  public private(set) var names: [String] = []

  /// An empty table.
  public init() {}

  /// Registers a method that is answered as it comes.
  ///
  /// - Parameters:
  ///   - method: the method. A second route for the same name is a mistake in the program.
  ///   - body: carries the method out with its checked parameters. What it throws is the answer.
  public func on<Method: ControlMethod>(
    _ method: Method.Type,
    _ body: @escaping (Method.Params) throws(ControlError) -> Method.Result
  ) {
    add(method) { call in
      call.answer { () throws(ControlError) -> JSON in
        try body(Method.Params(call.params)).json
      }
    }
  }

  /// Registers a method that is answered later, or that needs to know who calls.
  ///
  /// - Parameters:
  ///   - method: the method. A second route for the same name is a mistake in the program.
  ///   - body: begins the work and keeps the reply until it is done. What it throws is the answer.
  public func onLater<Method: ControlMethod>(
    _ method: Method.Type,
    _ body: @escaping (Method.Params, ControlReply<Method>) throws(ControlError) -> Void
  ) {
    add(method) { call in
      do throws(ControlError) {
        try body(Method.Params(call.params), ControlReply(call))
      } catch {
        call.fail(error)
      }
    }
  }

  /// Registers `subscribe` and `unsubscribe`, which concern nothing but the caller's connection.
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

  /// Carries out a call, or answers that there is no such method and which one comes nearest.
  public func handle(_ call: ControlCall) {
    guard let route = table[call.method] else {
      return call.fail(.method(call.method, known: names))
    }
    route(call)
  }

  private func add<Method: ControlMethod>(
    _ method: Method.Type, _ route: @escaping (ControlCall) -> Void
  ) {
    precondition(table[Method.name] == nil, "two routes for \(Method.name)")
    table[Method.name] = route
    names.append(Method.name)
  }
}

/// The answer to one call, which its route gives when it is ready. A reply that is dropped without
/// an answer answers itself with an internal error.
public struct ControlReply<Method: ControlMethod> {
  private let call: ControlCall

  init(_ call: ControlCall) { self.call = call }

  /// Who called, and what it is subscribed to.
  public var client: ControlClient { call.client }

  /// Whether the caller is root or the daemon's own user.
  public var isTrusted: Bool { call.peer.isTrusted }

  /// Whether an answer would reach anybody: false once the client has gone, and for a notification.
  public var isAwaited: Bool { call.isAwaited }

  /// Whether it was given.
  public var isAnswered: Bool { call.isAnswered }

  /// Whether the client has gone.
  public var isCancelled: Bool { call.isCancelled }

  /// Answers with the result. A second answer is ignored.
  public func succeed(_ result: Method.Result) { call.succeed(result.json) }

  /// Answers with an error. A second answer is ignored.
  public func fail(_ error: ControlError) { call.fail(error) }

  /// Has `body` called once if the client goes before it is answered.
  public func onCancel(_ body: @escaping () -> Void) { call.onCancel = body }
}
