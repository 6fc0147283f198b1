/// `subscribe` and `unsubscribe`: the events concerned.
public struct SubscribeParams: ControlMessage, Equatable {
  /// The types of events, in any order.
  public var events: [EventType]

  /// Creates the value. Units and ranges are those of its properties.
  public init(events: [EventType]) { self.events = events }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["events"])
    let sent = try r.need("events", r.value("events"))
    guard let list = sent.array else {
      throw r.mistyped("events", "an array of \(EventType.names.joined(separator: ", "))", sent)
    }
    events = []
    for (index, element) in list.enumerated() {
      events.append(try ParamReader.word(element, "events[\(index)]", EventType.self))
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["events": .array(events.map { .string($0.rawValue) })] }
}

/// `subscribe` and `unsubscribe`: all that the connection is subscribed to afterwards.
public struct SubscribeResult: ControlMessage, Equatable {
  /// The types of events, in any order.
  public var events: [EventType]

  /// Creates the value. Units and ranges are those of its properties.
  public init(events: [EventType]) { self.events = events }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    events = (r.value("events")?.array ?? []).compactMap {
      $0.string.flatMap { EventType(rawValue: $0) }
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["events": .array(events.map { .string($0.rawValue) })] }
}

/// `subscribe`: adds events to those that are sent to this connection.
public enum Subscribe: ControlMethod {
  /// The type of its parameters.
  public typealias Params = SubscribeParams
  /// The type of its result.
  public typealias Result = SubscribeResult
  /// The method's name on the wire.
  public static let name = "subscribe"
}

/// `unsubscribe`: removes events from those that are sent to this connection.
public enum Unsubscribe: ControlMethod {
  /// The type of its parameters.
  public typealias Params = SubscribeParams
  /// The type of its result.
  public typealias Result = SubscribeResult
  /// The method's name on the wire.
  public static let name = "unsubscribe"
}

/// `press`: the action to carry out.
public struct PressParams: ControlMessage, Equatable {
  /// `zoom-in`, `source:NAME` and so on (`Action` in `Configuration`). Not checked here.
  public var action: String

  /// Creates the value. Units and ranges are those of its properties.
  public init(action: String) { self.action = action }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["action"])
    action = try r.need("action", r.string("action"))
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["action": .string(action)] }
}

/// `press`: carries out a button's action once.
public enum Press: ControlMethod {
  /// The type of its parameters.
  public typealias Params = PressParams
  /// The method's name on the wire.
  public static let name = "press"
}
