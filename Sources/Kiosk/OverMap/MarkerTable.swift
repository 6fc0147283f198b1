import Configuration
import Control
import MapOverlays

/// Which markers were set over the socket, with the tables that set them. All others are the
/// configuration's.
final class MarkerTable {
  private var tables: [String: JSON] = [:]
  /// The markers that have translations, by their ids.
  private var others: [String: Configuration.Marker] = [:]
  private var otherBytes = 0

  /// Whether the marker `id` was set over the socket.
  func isAdded(_ id: String) -> Bool { tables[id] != nil }

  /// The tables of those of `markers` that were set over the socket, in the markers' order.
  func tables(of markers: [Marker]) -> [JSON] { markers.compactMap { tables[$0.id] } }

  /// The markers that have translations.
  var translated: [Configuration.Marker] { Array(others.values) }

  /// Bytes of all translations once those of `marker` are among them.
  private func bytes(with marker: Configuration.Marker) -> Int {
    otherBytes + marker.translationBytes - (others[marker.id]?.translationBytes ?? 0)
  }

  /// Whether there is room for the translations of `marker`.
  ///
  /// - Throws: `MarkerError.tooMuchText` if not.
  func checkRoom(for marker: Configuration.Marker) throws(MarkerError) {
    if bytes(with: marker) > MarkerStore.maxBytes { throw .tooMuchText }
  }

  /// Remembers the translations of `marker`, if there is room for them.
  func translate(_ marker: Configuration.Marker) throws(MarkerError) {
    try checkRoom(for: marker)
    let bytes = marker.translationBytes
    otherBytes = self.bytes(with: marker)
    others[marker.id] = bytes == 0 ? nil : marker
  }

  private func forget(_ id: String) {
    otherBytes -= others.removeValue(forKey: id)?.translationBytes ?? 0
  }

  /// Records that `table` set the marker `id`.
  func set(_ id: String, _ table: JSON) { tables[id] = table }

  /// Forgets the marker `id`.
  func remove(_ id: String) {
    tables[id] = nil
    forget(id)
  }

  /// What the markers of `store` become when the configured ones change from `old` to `new`: the
  /// new ones, then the others that were set over the socket. One of the socket also stays in the
  /// place of a configured one that has not changed. Configured markers that were removed over the
  /// socket come back.
  ///
  /// - Returns: All markers in their order; nil if nothing changes.
  func merge(
    _ new: [Configuration.Marker], before old: [Configuration.Marker], in store: MarkerStore,
    _ language: String
  ) -> [Marker]? {
    if new == old, new.allSatisfy({ store[$0.id] != nil }) { return nil }
    for marker in old where tables[marker.id] == nil { forget(marker.id) }
    let former = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    let configured = new.map { marker in
      if tables[marker.id] != nil, former[marker.id] == marker, let own = store[marker.id] {
        return own
      }
      tables[marker.id] = nil
      // A configuration's texts are bounded by its files; what has no room stays untranslated.
      try? translate(marker)
      return Marker(marker, in: language)
    }
    let ids = Set(new.map(\.id))
    return configured + store.all.filter { tables[$0.id] != nil && !ids.contains($0.id) }
  }
}

extension Configuration.Marker {
  /// Bytes of the label's and the text's translations.
  fileprivate var translationBytes: Int {
    labels.reduce(0) { $0 + 32 + $1.value.utf8.count }
      + texts.reduce(0) { $0 + 32 + $1.value.utf8.count }
  }
}

extension Marker {
  /// Creates a marker from the configuration, with its words in `language`.
  init(_ marker: Configuration.Marker, in language: String) {
    self.init(
      id: marker.id, place: marker.place,
      label: marker.labels.text(in: language, else: marker.label) ?? "",
      text: marker.texts.text(in: language, else: marker.text) ?? "",
      color: marker.color.map(\.word), icon: marker.icon ?? .pin)
  }
}
