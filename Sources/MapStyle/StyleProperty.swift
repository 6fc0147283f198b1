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
