/// What a file of features may hold. A file beyond it is refused, and the error says so.
public enum FeatureLimits {
  /// Bytes of a file.
  public static let fileBytes = 32 << 20
  /// Points of all features, including those being read.
  public static let points = 2_000_000
  /// Pieces of a line that is cut at the antimeridian.
  public static let pieces = 4_096
  /// Features of a file.
  public static let features = 1_000_000
  /// Nesting of arrays, objects or elements.
  public static let depth = 64
  /// Bytes of a label; longer ones are cut.
  public static let text = 256
  /// How often one outline may go around the world.
  public static let turns = 8
}

/// What to take from a file besides its geometry.
public struct FeatureOptions: Sendable, Equatable {
  /// The property (in GPX and KML: the element) that is drawn as text; nil for none.
  public var labelKey: String?
  /// What tracks of GPX are coloured by; nil for one colour.
  public var colorBy: ColorBy?

  /// What colours a track along its way.
  public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }

  /// Options with these values.
  public init(labelKey: String? = nil, colorBy: ColorBy? = nil) {
    self.labelKey = labelKey
    self.colorBy = colorBy
  }
}
