/// What the colours along tracks stand for.
public struct FeatureRamp: Sendable, Equatable {
  /// What decides the colour.
  public let key: FeatureOptions.ColorBy
  /// The value of the first colour: metres, or metres per second. Lower ones have it, too.
  public let least: Float
  /// The value of the last colour.
  public let most: Float

  /// Creates a ramp; `least` is below `most`.
  public init(_ key: FeatureOptions.ColorBy, least: Float, most: Float) {
    self.key = key
    self.least = least
    self.most = most
  }

  /// The colours from the least to the most, 0xRRGGBB.
  public static let colors: [UInt32] = (0..<TrackColours.classes).map { TrackColours.color($0) }
}
