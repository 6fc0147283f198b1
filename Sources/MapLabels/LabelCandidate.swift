import MapStyle

/// A point in a tile: fractions of its edge from its upper left corner.
public struct TilePoint: Sendable, Hashable {
  /// From the left edge, 0 ... 1 inside the tile.
  public var x: Float
  /// From the upper edge, 0 ... 1 inside the tile.
  public var y: Float

  /// Creates a point of fractions of the tile's edge.
  public init(_ x: Float, _ y: Float) {
    self.x = x
    self.y = y
  }
}

/// What a painted tile leaves for one symbol.
public struct LabelCandidate: Sendable {
  /// The style layer's number; layers with greater numbers lie above and are placed first.
  public var layer: Int
  /// `symbol-sort-key`; lower ones are placed first.
  public var sortKey: Float
  /// Its place in the vector tile's layer: of candidates with the same key, lower ones come first.
  public var order = 0
  /// The text after `text-transform`; without sections: no text.
  public var text: FormattedText
  /// The icon's name in the sprite sheet.
  public var icon: String?
  /// The resolved settings.
  public var look: LabelLook
  /// One point; or the line along which the label stands, for line placements.
  public var points: [TilePoint]

  /// Creates a candidate.
  ///
  /// - Parameters:
  ///   - layer: The style layer's number, from the bottom.
  ///   - sortKey: `symbol-sort-key`, 0 if there is none.
  ///   - text: The text after `text-transform`.
  ///   - icon: The icon's name; nil: none.
  ///   - look: The resolved settings, shared by as many candidates as possible.
  ///   - points: One point, or a line.
  public init(
    layer: Int, sortKey: Float = 0, text: FormattedText, icon: String? = nil, look: LabelLook,
    points: [TilePoint]
  ) {
    self.layer = layer
    self.sortKey = sortKey
    self.text = text
    self.icon = icon
    self.look = look
    self.points = points
  }
}
