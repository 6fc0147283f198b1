/// The properties of one object of a card: their ids and present values by name.
struct DRMProperties {
  private var entries: [String: (id: UInt32, value: UInt64)] = [:]

  /// Notes a property; a later one of the same name replaces it.
  mutating func add(_ name: String, id: UInt32, value: UInt64) { entries[name] = (id, value) }

  /// The property's id; nil: the driver does not have it.
  func id(_ name: String) -> UInt32? { entries[name]?.id }
  /// The property's value when it was read; nil: the driver does not have it.
  func value(_ name: String) -> UInt64? { entries[name]?.value }
}
