/// The part of a label's box that stands at its anchor (`text-anchor`, `icon-anchor`).
public enum LabelAnchor: UInt8, Sendable, Hashable, CaseIterable {
  /// The box's middle.
  case center
  /// The middle of an edge: the box lies beside, below or above the anchor.
  case left, right, top, bottom
  /// A corner.
  case topLeft, topRight, bottomLeft, bottomRight

  /// Creates an anchor from its name in the style language; nil for other names.
  public init?(style name: String) {
    switch name {
    case "center": self = .center
    case "left": self = .left
    case "right": self = .right
    case "top": self = .top
    case "bottom": self = .bottom
    case "top-left": self = .topLeft
    case "top-right": self = .topRight
    case "bottom-left": self = .bottomLeft
    case "bottom-right": self = .bottomRight
    default: return nil
    }
  }

  /// How much of the box's width lies left of the anchor, 0, ½ or 1.
  var horizontal: Float {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .right, .topRight, .bottomRight: 1
    default: 0.5
    }
  }

  /// How much of the box's height lies above the anchor, 0, ½ or 1.
  var vertical: Float {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .bottom, .bottomLeft, .bottomRight: 1
    default: 0.5
    }
  }
}

/// Where the labels of a feature stand (`symbol-placement`).
public enum LabelPlace: UInt8, Sendable, Hashable {
  /// At a point.
  case point
  /// Along a line, repeatedly.
  case line
  /// Once, at the middle of a line.
  case lineCenter
}

/// How the lines of a text are aligned (`text-justify`).
public enum LabelJustify: UInt8, Sendable, Hashable {
  /// Towards the anchor.
  case auto
  /// To an edge, or centred.
  case left, center, right
}

/// Whether a part of a label is shown over others (`text-overlap`, `icon-overlap`).
public enum LabelOverlap: UInt8, Sendable, Hashable {
  /// Only where it covers nothing.
  case never
  /// Always.
  case always
  /// Over parts that may be covered as well.
  case cooperative
}

/// What a part of a label turns with (`text-rotation-alignment`, `icon-rotation-alignment`).
public enum LabelAlignment: UInt8, Sendable, Hashable {
  /// `map` along lines, otherwise `viewport`.
  case auto
  /// With the map.
  case map
  /// With the screen: it stays upright.
  case viewport
}

/// How the name of a line that is drawn over the map stands. Such names keep clear of the lines of
/// `LabelRequest.lines`.
public enum LineNaming: UInt8, Sendable, Hashable {
  /// Beside the line, above or below it, wherever along the line there is room. The text's
  /// offset upwards reaches from the line to the text's lower edge. Lines are joined across tiles.
  case beside
  /// Upright at a point of the line. Names beside the line come first, whatever was shown before.
  case upright
}

/// How an icon is stretched over its text (`icon-text-fit`).
public enum IconTextFit: UInt8, Sendable, Hashable {
  /// Not at all.
  case none
  /// To the text's width, height, or both.
  case width, height, both
}

/// The order within a layer (`symbol-z-order`).
public enum LabelZOrder: UInt8, Sendable, Hashable {
  /// By sort key if there is one, otherwise as `viewportY` where labels may overlap.
  case auto
  /// What is lower on the screen lies above.
  case viewportY
  /// As in the source.
  case source
}

/// A distance to the right and down.
public struct LabelOffset: Sendable, Hashable {
  /// To the right.
  public var x: Float
  /// Down.
  public var y: Float
  /// Creates an offset.
  public init(_ x: Float, _ y: Float) {
    self.x = x
    self.y = y
  }
  /// No offset.
  public static let zero = LabelOffset(0, 0)
}

/// Distances from the four edges of a box.
public struct LabelInsets: Sendable, Hashable {
  /// Beyond an edge.
  public var top: Float, right: Float, bottom: Float, left: Float
  /// Creates distances, in the order of the style language.
  public init(top: Float, right: Float, bottom: Float, left: Float) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }
  /// Creates four equal distances.
  public init(_ all: Float) { self.init(top: all, right: all, bottom: all, left: all) }
}

/// The resolved layout and paint properties of a symbol.
///
/// Values and defaults are those of the style language: lengths in points, ems where it says so,
/// angles in degrees clockwise, colours `0xAARRGGBB` and not premultiplied. No value is an error;
/// those beyond what can be drawn are limited when the label is laid out.
public struct LabelSettings: Sendable, Hashable {
  // MARK: Symbol
  /// `symbol-placement`.
  public var placement = LabelPlace.point
  /// `symbol-spacing`, in points.
  public var spacing: Float = 250
  /// The least distance in points between labels with the same text, including those of other
  /// layers that set a distance; 0: only MapLibre's own rules apply.
  public var repeatDistance: Float = 0
  /// `symbol-z-order`.
  public var zOrder = LabelZOrder.auto
  /// Whether the layer has a `symbol-sort-key`.
  public var hasSortKey = false
  /// Whether the label names a place, such as a town or a quarter. Of two labels for the same place
  /// only one is shown.
  public var isPlace = false

  /// How the name of a line over the map stands; nil: the label belongs to the map.
  public var naming: LineNaming?

  /// Whether the label keeps its colours when those of the map are changed.
  public var keepsColors = false

  // MARK: Text layout
  /// `text-font`: names of fonts, the preferred one first.
  public var textFont: [String] = []
  /// `text-size`, in points.
  public var textSize: Float = 16
  /// The `text-size` for which MapLibre reserves room: its value at the next whole zoom, or at the
  /// whole zoom below if it depends only on the zoom. 0: `textSize`.
  public var textRoomSize: Float = 0
  /// The value of `text-size` at zoom 18, or at the whole zoom below if it depends only on the
  /// zoom. As in MapLibre, lines too short for text of this size get no labels. 0: `textSize`.
  public var textLargestSize: Float = 0
  /// `text-max-width`, in ems.
  public var textMaxWidth: Float = 10
  /// `text-line-height`, in ems.
  public var textLineHeight: Float = 1.2
  /// `text-letter-spacing`, in ems.
  public var textLetterSpacing: Float = 0
  /// `text-justify`.
  public var textJustify = LabelJustify.center
  /// `text-anchor`.
  public var textAnchor = LabelAnchor.center
  /// `text-variable-anchor`; empty: only `textAnchor`.
  public var textVariableAnchors: [LabelAnchor] = []
  /// `text-variable-anchor-offset`, an offset in ems for each of `textVariableAnchors`; empty: the
  /// offset is `textRadialOffset` or `textOffset`.
  public var textVariableOffsets: [LabelOffset] = []
  /// `text-radial-offset`, in ems; nil if the style has none.
  public var textRadialOffset: Float?
  /// `text-offset`, in ems.
  public var textOffset = LabelOffset.zero
  /// `text-rotate`, in degrees.
  public var textRotate: Float = 0
  /// `text-padding`, in points.
  public var textPadding: Float = 2
  /// `text-max-angle`, in degrees.
  public var textMaxAngle: Float = 45
  /// `text-keep-upright`.
  public var textKeepUpright = true
  /// `text-overlap`, or `text-allow-overlap`.
  public var textOverlap = LabelOverlap.never
  /// `text-ignore-placement`.
  public var textIgnorePlacement = false
  /// `text-optional`.
  public var textOptional = false
  /// `text-rotation-alignment`.
  public var textAlignment = LabelAlignment.auto

  // MARK: Icon layout
  /// `icon-size`, a factor.
  public var iconSize: Float = 1
  /// `icon-anchor`.
  public var iconAnchor = LabelAnchor.center
  /// `icon-offset`, in points at `iconSize` 1.
  public var iconOffset = LabelOffset.zero
  /// `icon-rotate`, in degrees.
  public var iconRotate: Float = 0
  /// `icon-padding`, in points.
  public var iconPadding = LabelInsets(2)
  /// `icon-keep-upright`.
  public var iconKeepUpright = false
  /// `icon-text-fit`.
  public var iconTextFit = IconTextFit.none
  /// `icon-text-fit-padding`, in points.
  public var iconTextFitPadding = LabelInsets(0)
  /// `icon-overlap`, or `icon-allow-overlap`.
  public var iconOverlap = LabelOverlap.never
  /// `icon-ignore-placement`.
  public var iconIgnorePlacement = false
  /// `icon-optional`.
  public var iconOptional = false
  /// `icon-rotation-alignment`.
  public var iconAlignment = LabelAlignment.auto

  // MARK: Paint
  /// `text-color`.
  public var textColor: UInt32 = 0xFF00_0000
  /// `text-halo-color`.
  public var textHaloColor: UInt32 = 0
  /// `text-halo-width`, in points.
  public var textHaloWidth: Float = 0
  /// `text-halo-blur`, in points.
  public var textHaloBlur: Float = 0
  /// `text-opacity`, 0 ... 1.
  public var textOpacity: Float = 1
  /// `text-translate`, in points.
  public var textTranslate = LabelOffset.zero
  /// Whether `text-translate-anchor` is `viewport`.
  public var textTranslatesOnScreen = false
  /// `icon-color`, of icons that are distance fields.
  public var iconColor: UInt32 = 0xFF00_0000
  /// `icon-halo-color`.
  public var iconHaloColor: UInt32 = 0
  /// `icon-halo-width`, in points.
  public var iconHaloWidth: Float = 0
  /// `icon-halo-blur`, in points.
  public var iconHaloBlur: Float = 0
  /// `icon-opacity`, 0 ... 1.
  public var iconOpacity: Float = 1
  /// `icon-translate`, in points.
  public var iconTranslate = LabelOffset.zero
  /// Whether `icon-translate-anchor` is `viewport`.
  public var iconTranslatesOnScreen = false

  /// Creates settings with the style language's defaults.
  public init() {}
}

/// Settings that many symbols share. Equal if the settings are.
public final class LabelLook: Sendable, Hashable {
  /// The settings.
  public let settings: LabelSettings
  /// The settings' hash in this process.
  let settingsHash: Int

  /// Creates a look.
  public init(_ settings: LabelSettings) {
    self.settings = settings
    settingsHash = settings.hashValue
  }

  /// Whether both have the same settings.
  public static func == (a: LabelLook, b: LabelLook) -> Bool {
    a === b || (a.settingsHash == b.settingsHash && a.settings == b.settings)
  }

  /// Hashes the settings, which were hashed before.
  public func hash(into hasher: inout Hasher) { hasher.combine(settingsHash) }

  /// Its size in memory in bytes: the object, and the lists it owns.
  var bytes: Int {
    16 + MemoryLayout<LabelSettings>.size + 8 + 32 * 3
      + settings.textFont.reduce(0) { $0 + 16 + $1.heapBytes }
      + settings.textVariableAnchors.count
      + settings.textVariableOffsets.count * MemoryLayout<LabelOffset>.stride
  }
}

extension String {
  /// Bytes outside the string's 16: 15 bytes of UTF-8 fit inside.
  var heapBytes: Int { utf8.count > 15 ? 32 + utf8.count + 1 : 0 }
}
