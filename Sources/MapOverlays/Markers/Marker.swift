import Drawing
import MapGeometry
import Pixels

/// A place with a name on the map.
public struct Marker: Sendable, Equatable {
  /// The identifier, unique among all markers.
  public var id: String
  /// The position, WGS 84.
  public var place: GeoPoint
  /// The text beside the icon; empty: none.
  public var label: String
  /// The callout's text below the label.
  public var text: String
  /// The colour, 0xAARRGGBB; nil: the icon's own.
  public var color: UInt32?
  /// The picture on the map.
  public var icon: MarkerIcon

  /// Creates a marker.
  ///
  /// - Parameters:
  ///   - id: The identifier, unique among all markers.
  ///   - place: The position, WGS 84.
  ///   - label: The text beside the icon; empty: none.
  ///   - text: The callout's text below the label.
  ///   - color: The colour, 0xAARRGGBB; nil: the icon's own.
  ///   - icon: The picture on the map.
  public init(
    id: String, place: GeoPoint, label: String = "", text: String = "", color: UInt32? = nil,
    icon: MarkerIcon = .pin
  ) {
    self.id = id
    self.place = place
    self.label = label
    self.text = text
    self.color = color
    self.icon = icon
  }

  /// Whether the marker shows where the kiosk stands: it has the icon or the id "here". Such a
  /// marker is large, in front of the others, and never part of a cluster.
  public var isHere: Bool { icon == .here || id.lowercased() == "here" }

  /// The approximate memory use in bytes.
  var bytes: Int {
    MemoryLayout<Marker>.stride + id.utf8.count + label.utf8.count + text.utf8.count
  }
}
