import Drawing
import MapGeometry
import Pixels

extension Configuration {
  /// `[[marker]]`: one marked point of the map.
  public struct Marker: Sendable, Equatable {
    /// The marker's name in messages and commands, 1 to 100 bytes, unique among markers.
    public var id: String
    /// The marked point.
    public var place: GeoPoint
    /// The text beside the icon, at most `longestLabel` bytes of UTF-8; nil: none.
    public var label: String?
    /// The callout's text, shown while the marker is selected, at most `longestText` bytes of
    /// UTF-8; nil: none.
    public var text: String?
    /// The label's translations, each at most `longestLabel` bytes.
    public var labels: Translations = [:]
    /// The text's translations, each at most `longestText` bytes.
    public var texts: Translations = [:]
    /// The icon's colour; nil: the icon's default.
    public var color: Color?
    /// The icon; nil: a pin.
    public var icon: MarkerIcon?

    /// There may be at most this many markers.
    public static let most = 20_000
    /// A label has at most this many bytes of UTF-8.
    public static let longestLabel = 500
    /// A callout's text has at most this many bytes of UTF-8.
    public static let longestText = 8192

    /// Creates a marker. Nil leaves a property to its default.
    public init(
      id: String, place: GeoPoint, label: String? = nil, text: String? = nil, color: Color? = nil,
      icon: MarkerIcon? = nil
    ) {
      self.id = id
      self.place = place
      self.label = label
      self.text = text
      self.color = color
      self.icon = icon
    }
  }
}
