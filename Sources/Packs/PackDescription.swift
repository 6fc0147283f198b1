import MapGeometry
import TileSources

/// What a pack says of itself, whatever its container.
package struct PackDescription: Equatable, Sendable {
  /// One value beside those that have a place of their own.
  package enum Value: Equatable, Sendable {
    case text(String)
    /// A number, a list, an object: as JSON on one line.
    case json(String)
  }

  /// Names and values in the pack's order, each name once: `name`, `attribution` (HTML),
  /// `vector_layers` and whatever else.
  package var values: [(name: String, value: Value)] = []
  /// What it says that it covers; nil if it does not.
  package var bounds: GeoBounds?
  /// Where it would have a map begin.
  package var center: GeoPoint?
  /// The tile level there.
  package var centerZoom: Int?
  /// The levels that it states.
  package var minZoom: Int?
  package var maxZoom: Int?
  /// The format that it states, as its container writes it.
  package var format: String?
  /// How it says that its tiles are compressed.
  package var compression = PackCompression.unknown

  package init() {}

  /// The most values that are taken over.
  static let mostValues = 1000
  /// What is wrong with metadata of more.
  static let tooMany = PackFault("has more than \(mostValues) members: the others are ignored")
  var hasRoom: Bool { values.count < PackDescription.mostValues }

  /// The value `name`.
  package subscript(_ name: String) -> Value? {
    get { values.first { $0.name == name }?.value }
    set {
      guard let index = values.firstIndex(where: { $0.name == name }) else {
        if let newValue { values.append((name, newValue)) }
        return
      }
      if let newValue { values[index].value = newValue } else { values.remove(at: index) }
    }
  }

  /// The text `name`; empty if there is none.
  package func text(_ name: String) -> String {
    if case .text(let text)? = self[name] { text } else { "" }
  }

  package static func == (one: PackDescription, other: PackDescription) -> Bool {
    one.values.elementsEqual(other.values) { $0.name == $1.name && $0.value == $1.value }
      && one.bounds == other.bounds && one.center == other.center
      && one.centerZoom == other.centerZoom && one.minZoom == other.minZoom
      && one.maxZoom == other.maxZoom && one.format == other.format
      && one.compression == other.compression
  }
}
