/// The limits of a file of features. A larger file is refused, and the error names the limit.
public enum FeatureLimits {
  /// The most bytes of a file.
  public static let fileBytes = 32 << 20
  /// The most points of all features, including those being read.
  public static let points = 2_000_000
  /// The most pieces of a line that is cut at the antimeridian.
  public static let pieces = 4_096
  /// The most features of a file.
  public static let features = 1_000_000
  /// The deepest nesting of arrays, objects or elements.
  public static let depth = 64
  /// The most bytes of a label. Longer ones are cut, not refused.
  public static let text = 256
  /// The most trails of a file; lines beyond have no ascent and no profile.
  public static let trails = 20_000
  /// The most points of all profiles of a file, 4 bytes each; trails beyond have no profile.
  public static let knots = 262_144
  /// The most bytes of all texts for cards of a file; texts beyond are left out.
  public static let cards = 1 << 20
  /// The most points of a line or a ring that goes across the antimeridian, or beyond ±180°.
  /// Cutting one there takes several times its memory.
  public static let crossing = 200_000
  /// The most bytes of all names of shared styles of a file; styles beyond are not used.
  public static let styleNames = 4 << 20
  /// The most shared styles and style maps of a file; those beyond are not used.
  public static let sharedStyles = 65_536
  /// How often one outline may go around the world.
  public static let turns = 8
}

/// What to read from a file besides its geometry.
public struct FeatureOptions: Sendable, Equatable {
  /// The property (in GPX and KML: the element) that is drawn as text; nil: none.
  public var labelKey: String?
  /// The properties (in GPX and KML: the elements) of lines that a card can show, at most 255.
  public var cardKeys: [String] = []
  /// The properties that are drawn instead where a feature has them, the best first: "name:pt-BR",
  /// "name:pt".
  public private(set) var localKeys: [String] = []
  /// What is closed; nil: nothing.
  public var closed: FeatureClosure?
  /// What decides the colour along GPX tracks; nil: a track has one colour.
  public var colorBy: ColorBy?

  /// What can decide the colour along a track.
  public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }

  /// Draws labels in a language where features have them in it.
  ///
  /// - Parameter language: Its tag, BCP 47; nil: `labelKey` alone.
  public mutating func setLanguage(_ language: String?) {
    guard let labelKey, let language else {
      localKeys = []
      return
    }
    let code = language.prefix { $0 != "-" }
    localKeys = ["\(labelKey):\(language)"] + (code == language ? [] : ["\(labelKey):\(code)"])
  }

  /// How well the property `key` suits as a label: 0 for `labelKey`, more for its translations;
  /// nil: not at all.
  func labelRank(_ key: String) -> Int? {
    guard let labelKey else { return nil }
    if key == labelKey { return 0 }
    if localKeys.isEmpty || key.utf8.count <= labelKey.utf8.count { return nil }
    return localKeys.firstIndex(of: key).map { localKeys.count - $0 }
  }

  /// Creates options; nil switches an option off.
  public init(labelKey: String? = nil, colorBy: ColorBy? = nil) {
    self.labelKey = labelKey
    self.colorBy = colorBy
  }
}
