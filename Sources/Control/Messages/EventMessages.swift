/// `subscribe` and `unsubscribe`: which events.
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

/// All that the connection is subscribed to now.
public struct SubscribeResult: ControlMessage, Equatable {
  /// The types of events, in any order.
  public var events: [EventType]

  /// Creates the value. Units and ranges are those of its properties.
  public init(events: [EventType]) { self.events = events }

  /// Reads what the daemon sent. Unknown members are left out.
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

/// `subscribe`: adds events to those that this connection is sent.
public enum Subscribe: ControlMethod {
  /// What it is called with.
  public typealias Params = SubscribeParams
  /// What it answers.
  public typealias Result = SubscribeResult
  /// Its name on the wire.
  public static let name = "subscribe"
}

/// `unsubscribe`: takes events from those that this connection is sent.
public enum Unsubscribe: ControlMethod {
  /// What it is called with.
  public typealias Params = SubscribeParams
  /// What it answers.
  public typealias Result = SubscribeResult
  /// Its name on the wire.
  public static let name = "unsubscribe"
}

/// `press`: does what a button with that action does.
public struct PressParams: ControlMessage, Equatable {
  /// `zoom-in`, `source:NAME` and so on; whether it exists is for the kiosk to say.
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
  /// What it is called with.
  public typealias Params = PressParams
  /// Its name on the wire.
  public static let name = "press"
}
