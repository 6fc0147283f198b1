/// The events that a client can subscribe to, by their names on the wire.
public enum EventType: String, CaseIterable, Sendable {
  // The named part of the kiosk's state changed.
  case view, source, overlay, marker, notice, button, display, position
  /// A tile could not be read or decoded.
  case tileError = "tile-error"
  /// The list of problems changed.
  case health

  /// The names on the wire, in the order of the cases.
  public static let names = allCases.map { $0.rawValue }
}

/// A set of event types.
public struct EventSet: OptionSet, Sendable {
  /// A bit for each type, in the order of the cases.
  public let rawValue: UInt16
  /// Creates a set from a bit for each type, in the order of the cases.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates the set of one type.
  public init(_ type: EventType) {
    rawValue = 1 << UInt16(EventType.allCases.firstIndex(of: type) ?? 15)
  }

  /// Creates the set of the types in an array.
  public init(_ types: [EventType]) {
    self = types.reduce(into: []) { $0.formUnion(EventSet($1)) }
  }

  /// Whether the set contains `type`.
  public func contains(_ type: EventType) -> Bool { contains(EventSet(type)) }

  /// The types in the set, in the order of the cases.
  public var types: [EventType] { EventType.allCases.filter { contains($0) } }
}
