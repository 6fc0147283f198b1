/// `subscribe` and `unsubscribe`: which events.
public struct SubscribeParams: ControlMessage, Equatable {
  public var events: [EventType]

  public init(events: [EventType]) { self.events = events }

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

  public var json: JSON { ["events": .array(events.map { .string($0.rawValue) })] }
}

/// All that the connection is subscribed to now.
public struct SubscribeResult: ControlMessage, Equatable {
  public var events: [EventType]

  public init(events: [EventType]) { self.events = events }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    events = (r.value("events")?.array ?? []).compactMap {
      $0.string.flatMap { EventType(rawValue: $0) }
    }
  }

  public var json: JSON { ["events": .array(events.map { .string($0.rawValue) })] }
}

public enum Subscribe: ControlMethod {
  public typealias Params = SubscribeParams
  public typealias Result = SubscribeResult
  public static let name = "subscribe"
}

public enum Unsubscribe: ControlMethod {
  public typealias Params = SubscribeParams
  public typealias Result = SubscribeResult
  public static let name = "unsubscribe"
}

/// `press`: does what a button with that action does.
public struct PressParams: ControlMessage, Equatable {
  /// `zoom-in`, `source:NAME` and so on; whether it exists is for the kiosk to say.
  public var action: String

  public init(action: String) { self.action = action }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["action"])
    action = try r.need("action", r.string("action"))
  }

  public var json: JSON { ["action": .string(action)] }
}

public enum Press: ControlMethod {
  public typealias Params = PressParams
  public typealias Result = EmptyResult
  public static let name = "press"
}
