/// Where an expression is evaluated.
public struct StyleContext: Sendable {
  /// The zoom as styles count it: Waypost's zoom − 1.
  public var zoom: Double
  /// The feature; nil where there is none, as for a background.
  public var feature: StyleFeature?
  /// Names of the images that the style's sprite sheet has; nil: every name is taken to exist.
  public var images: Set<String>?

  /// Creates a context.
  public init(zoom: Double, feature: StyleFeature? = nil, images: Set<String>? = nil) {
    self.zoom = zoom
    self.feature = feature
    self.images = images
  }
}

/// What a feature's geometry consists of.
public enum StyleGeometry: Sendable, Hashable {
  /// Not known.
  case unknown
  /// Points.
  case point
  /// Lines.
  case line
  /// Polygons.
  case polygon
}

/// A feature as expressions see it.
public struct StyleFeature: Sendable, Hashable {
  /// What its geometry consists of.
  public var geometry: StyleGeometry
  /// Its id; `.null` if it has none.
  public var id: StyleValue
  /// Its properties, or those of them that the expressions read.
  public var properties: [String: StyleValue]

  /// Creates a feature.
  public init(
    geometry: StyleGeometry = .unknown, id: StyleValue = .null,
    properties: [String: StyleValue] = [:]
  ) {
    self.geometry = geometry
    self.id = id
    self.properties = properties
  }
}
