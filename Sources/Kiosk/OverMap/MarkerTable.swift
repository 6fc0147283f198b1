import Configuration
import Control
import MapOverlays

/// Which markers were set over the socket, with the tables that set them. All others are the
/// configuration's.
struct MarkerTable {
  private var tables: [String: JSON] = [:]

  /// Whether the marker `id` was set over the socket.
  func isAdded(_ id: String) -> Bool { tables[id] != nil }

  /// The tables of those of `markers` that were set over the socket, in the markers' order.
  func tables(of markers: [Marker]) -> [JSON] { markers.compactMap { tables[$0.id] } }

  /// Records that `table` set the marker `id`.
  mutating func set(_ id: String, _ table: JSON) { tables[id] = table }

  /// Forgets the marker `id`.
  mutating func remove(_ id: String) { tables[id] = nil }

  /// What the markers of `store` become when the configured ones change from `old` to `new`: the
  /// new ones, then those set over the socket, unless the configuration has one with that id.
  /// Configured markers that were removed over the socket come back.
  ///
  /// - Returns: All markers in their order; nil if nothing changes.
  mutating func merge(
    _ new: [Configuration.Marker], before old: [Configuration.Marker], in store: MarkerStore
  ) -> [Marker]? {
    if new == old, new.allSatisfy({ tables[$0.id] == nil && store[$0.id] != nil }) { return nil }
    for marker in new { tables[marker.id] = nil }
    return new.map(Marker.init) + store.all.filter { tables[$0.id] != nil }
  }
}

extension Marker {
  /// Creates a marker from the configuration.
  init(_ marker: Configuration.Marker) {
    self.init(
      id: marker.id, place: marker.place, label: marker.label ?? "", text: marker.text ?? "",
      color: marker.color.map(\.word), icon: marker.icon ?? .pin)
  }
}
