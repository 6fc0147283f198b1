/// What is taken of a file of features. Beyond it the file is refused, which says so.
public enum FeatureLimits {
  /// Bytes of a file.
  public static let fileBytes = 32 << 20
  /// Points of all its features, those that are being read included.
  public static let points = 2_000_000
  /// Pieces of a line that is cut at the antimeridian.
  public static let pieces = 4_096
  public static let features = 1_000_000
  /// How deeply arrays, objects or elements may lie in each other.
  public static let depth = 64
  /// Bytes of a text that is kept: labels are cut there.
  public static let text = 256
  /// How often one outline may go round the world.
  public static let turns = 8
}

/// What to take from a file besides its geometry.
public struct FeatureOptions: Sendable, Equatable {
  /// The property (in GPX and KML: the element) that is drawn as text; nil for none.
  public var labelKey: String?
  /// What tracks of GPX are coloured by; nil for one colour.
  public var colorBy: ColorBy?

  public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }

  public init(labelKey: String? = nil, colorBy: ColorBy? = nil) {
    self.labelKey = labelKey
    self.colorBy = colorBy
  }
}
