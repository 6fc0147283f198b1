/// The properties of one object of a card: their IDs and values, by name.
struct DRMProperties {
  private var entries: [String: (id: UInt32, value: UInt64)] = [:]

  /// Adds a property, or replaces the one with the same name.
  mutating func add(_ name: String, id: UInt32, value: UInt64) { entries[name] = (id, value) }

  /// The property's ID; nil if the driver does not have it.
  func id(_ name: String) -> UInt32? { entries[name]?.id }
  /// The property's value when it was read; nil if the driver does not have it.
  func value(_ name: String) -> UInt64? { entries[name]?.value }
}
