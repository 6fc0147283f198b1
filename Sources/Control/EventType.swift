/// What a client can subscribe to.
public enum EventType: String, CaseIterable, Sendable {
  case view, source, overlay, marker, button, display, position
  case tileError = "tile-error"
  case health

  /// The names in use on the wire.
  public static let names = allCases.map { $0.rawValue }
}

/// A set of event types.
public struct EventSet: OptionSet, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public init(_ type: EventType) {
    rawValue = 1 << UInt16(EventType.allCases.firstIndex(of: type) ?? 15)
  }

  public init(_ types: [EventType]) {
    self = types.reduce(into: []) { $0.formUnion(EventSet($1)) }
  }

  public func contains(_ type: EventType) -> Bool { contains(EventSet(type)) }

  /// The types in the interface's order.
  public var types: [EventType] { EventType.allCases.filter { contains($0) } }
}
