/// What a client can subscribe to.
public enum EventType: String, CaseIterable, Sendable {
  // The part that changed, by its name on the wire.
  case view, source, overlay, marker, button, display, position
  /// A tile could not be read or decoded.
  case tileError = "tile-error"
  /// Something became well or unwell.
  case health

  /// The names in use on the wire.
  public static let names = allCases.map { $0.rawValue }
}

/// A set of event types.
public struct EventSet: OptionSet, Sendable {
  /// A bit for each type, in the interface's order.
  public let rawValue: UInt16
  /// A bit for each type, in the interface's order.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The set of one type.
  public init(_ type: EventType) {
    rawValue = 1 << UInt16(EventType.allCases.firstIndex(of: type) ?? 15)
  }

  /// The set of these types.
  public init(_ types: [EventType]) {
    self = types.reduce(into: []) { $0.formUnion(EventSet($1)) }
  }

  /// Whether the set has that type.
  public func contains(_ type: EventType) -> Bool { contains(EventSet(type)) }

  /// The types in the interface's order.
  public var types: [EventType] { EventType.allCases.filter { contains($0) } }
}
