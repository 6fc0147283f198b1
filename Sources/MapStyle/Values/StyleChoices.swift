/// The end of a line (`line-cap`).
public enum StyleLineCap: String, StyleChoice {
  /// Cut off at the last point.
  case butt
  /// A half circle beyond it.
  case round
  /// A half square beyond it.
  case square
}

/// A corner of a line (`line-join`).
public enum StyleLineJoin: String, StyleChoice {
  /// Cut off.
  case bevel
  /// Rounded.
  case round
  /// Pointed, up to the miter limit.
  case miter
}

/// What an offset on the screen turns with (`…-translate-anchor`).
public enum StyleTranslateAnchor: String, StyleChoice {
  /// With the map.
  case map
  /// With nothing: up stays up.
  case viewport
}

/// Where a layer's symbols stand (`symbol-placement`).
public enum StyleSymbolPlacement: String, StyleChoice {
  /// At points.
  case point
  /// Repeatedly along lines.
  case line
  /// Once in the middle of each line.
  case lineCenter = "line-center"
}

/// The order of a layer's symbols among each other (`symbol-z-order`).
public enum StyleSymbolOrder: String, StyleChoice {
  /// By the sort key if there is one, else by the height on the screen.
  case auto
  /// The lower on the screen the later.
  case viewportY = "viewport-y"
  /// As the source has them.
  case source
}

/// Whether a symbol may lie over another (`icon-overlap`, `text-overlap`).
public enum StyleOverlap: String, StyleChoice {
  /// It is left out.
  case never
  /// It is drawn anyway.
  case always
  /// It is drawn over those that allow it too.
  case cooperative
}

/// What a symbol's rotation follows (`…-rotation-alignment`).
public enum StyleRotationAlignment: String, StyleChoice {
  /// The map, and the line that the symbol lies on.
  case map
  /// The screen.
  case viewport
  /// The screen for each letter, the line for their places.
  case viewportGlyph = "viewport-glyph"
  /// The map on lines, the screen at points.
  case auto
}

/// How an icon is stretched to its text (`icon-text-fit`).
public enum StyleTextFit: String, StyleChoice {
  /// Not at all.
  case none
  /// To its width.
  case width
  /// To its height.
  case height
  /// To both.
  case both
}

/// Which part of a symbol stands at its point (`text-anchor`, `icon-anchor`).
public enum StyleAnchor: String, StyleChoice {
  /// The middle.
  case center
  /// The left edge.
  case left
  /// The right edge.
  case right
  /// The upper edge.
  case top
  /// The lower edge.
  case bottom
  /// The upper left corner.
  case topLeft = "top-left"
  /// The upper right corner.
  case topRight = "top-right"
  /// The lower left corner.
  case bottomLeft = "bottom-left"
  /// The lower right corner.
  case bottomRight = "bottom-right"
}

/// How the lines of a text stand to each other (`text-justify`).
public enum StyleTextJustify: String, StyleChoice {
  /// Towards the anchor.
  case auto
  /// Their left ends in one column.
  case left
  /// Their middles in one column.
  case center
  /// Their right ends in one column.
  case right
}

/// How letters are changed (`text-transform`).
public enum StyleTextTransform: String, StyleChoice {
  /// Not at all.
  case none
  /// To capitals.
  case uppercase
  /// To small letters.
  case lowercase
}

/// Two numbers: to the right and down.
public struct StyleOffset: Sendable, Hashable {
  /// To the right.
  public var x: Double
  /// Down.
  public var y: Double

  /// Creates an offset.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// No offset.
  public static let zero = StyleOffset(x: 0, y: 0)
}

/// Distances from the four edges.
public struct StylePadding: Sendable, Hashable {
  /// From the upper edge.
  public var top: Double
  /// From the right edge.
  public var right: Double
  /// From the lower edge.
  public var bottom: Double
  /// From the left edge.
  public var left: Double

  /// Creates distances from the four edges.
  public init(top: Double, right: Double, bottom: Double, left: Double) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  /// The same distance from all edges.
  public init(_ all: Double) { self.init(top: all, right: all, bottom: all, left: all) }
}

/// An anchor to try, and the text's offset there in ems (`text-variable-anchor-offset`).
public struct StyleAnchorOffset: Sendable, Hashable {
  /// The part of the text that stands at the point.
  public var anchor: StyleAnchor
  /// The offset in ems.
  public var offset: StyleOffset

  /// Creates a pair.
  public init(anchor: StyleAnchor, offset: StyleOffset) {
    self.anchor = anchor
    self.offset = offset
  }
}
