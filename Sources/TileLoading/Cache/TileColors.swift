import MapGeometry
import Pixels
import Platform

/// The colour changes applied to a source's tiles as they are decoded.
public struct TileColors: Sendable, Equatable {
  /// One colour change.
  public enum Step: Sendable, Equatable {
    /// Filters, applied one after the other.
    case colors([ColorFilter])
    /// A translucent colour over each tile, constant for that tile; the strength is 0 ... 1.
    case mosaic(Double)
  }

  /// The change that leaves all colours as they are.
  public static let none = TileColors([], source: "")

  /// The changes, in the order in which they are applied.
  public let steps: [Step]
  /// The source's name. It seeds the mosaic, so that each source has different colours.
  public let source: String
  /// Whether the night is shown.
  public var isNight = false
  /// The edge in pixels of a grid cell on the screen, if tiles are made for cells of 256 points and
  /// shown scaled. Painters choose the widths of lines by it. Nil: it is unknown, or tiles are made
  /// for the cells on the screen.
  public var shownCell: Int?
  /// How many of `steps` are the source's own; the rest are the theme's.
  private let ownCount: Int
  /// Precomputed if it is the same for every tile.
  private let common: ColorTransform?

  /// Creates the colour changes of a source.
  ///
  /// - Parameters:
  ///   - steps: The changes, in the order in which they are applied.
  ///   - theme: The theme's changes, which follow them.
  ///   - source: The source's name, for its mosaic.
  public init(_ steps: [Step], theme: [Step] = [], source: String) {
    let steps = steps + theme
    ownCount = steps.count - theme.count
    self.steps = steps
    self.source = source
    var all: [ColorFilter] = []
    var hasMosaic = false
    for step in steps {
      switch step {
      case .colors(let filters): all += filters
      case .mosaic: hasMosaic = true
      }
    }
    common = hasMosaic ? nil : ColorTransform(all)
  }

  /// Whether both change every tile in the same way. Ignores `isNight` and `shownCell`, which
  /// concern only painters that draw.
  public static func == (a: TileColors, b: TileColors) -> Bool {
    // The name matters only to a mosaic.
    a.steps == b.steps && (a.common != nil || a.source == b.source)
  }

  /// The changes without the theme's, for a painter that has colours for the night. Red stays: then
  /// nothing may be of another colour.
  var withoutTheme: TileColors {
    let red = steps.dropFirst(ownCount).filter { $0 == .colors([.red]) }
    return TileColors(Array(steps.prefix(ownCount)) + red, source: source)
  }

  /// Whether the theme leaves nothing but red.
  public var isRed: Bool { steps.dropFirst(ownCount).contains(.colors([.red])) }

  /// The change for the pixels of `tile`.
  public func transform(for tile: TileID) -> ColorTransform {
    if let common { return common }
    var all: [ColorFilter] = []
    for step in steps {
      switch step {
      case .colors(let filters): all += filters
      case .mosaic(let strength):
        let alpha = UInt32((min(max(strength, 0), 1) * 255).rounded())
        all.append(.tint(alpha << 24 | TileColors.mosaic(tile, of: source)))
      }
    }
    return ColorTransform(all)
  }

  /// The mosaic's colour for a tile, 0x00RRGGBB: a bright colour whose hue is a hash of the tile's
  /// address and the source's name.
  public static func mosaic(_ tile: TileID, of source: String) -> UInt32 {
    // FNV-1a over the name, then the finaliser of SplitMix64.
    var hash = FNV1a(source.utf8).value
    hash = (hash ^ tile.packed) &+ 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 31
    // The hue has 6 * 256 steps; the strongest channel is 255, the weakest 32.
    let hue = hash % 1536
    let part = UInt32(hue % 256) * 223 / 255
    let (high, low, up, down) = (UInt32(255), UInt32(32), 32 + part, 255 - part)
    let (r, g, b): (UInt32, UInt32, UInt32)
    switch hue / 256 {
    case 0: (r, g, b) = (high, up, low)
    case 1: (r, g, b) = (down, high, low)
    case 2: (r, g, b) = (low, high, up)
    case 3: (r, g, b) = (low, down, high)
    case 4: (r, g, b) = (up, low, high)
    default: (r, g, b) = (high, low, down)
    }
    return r << 16 | g << 8 | b
  }
}
