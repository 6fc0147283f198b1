import Drawing
import MapStyle

#if canImport(Glibc)
  import Glibc
#endif

/// How a fill rule draws a feature.
struct FillLook: Sendable {
  /// `0xAARRGGBB`, not premultiplied.
  var color: UInt32
  /// The colour of the line around it; 0: none.
  var outline: UInt32
  /// Whether its edges are soft.
  var antialias: Bool
  var pattern: FillPattern?
  /// The opacity of the pattern, 0 ... 1.
  var opacity: Double
  /// In pixels.
  var translate: StyleOffset
  var sortKey: Double
}

/// How a line rule draws a feature.
struct LineLook: Sendable {
  /// `0xAARRGGBB`, not premultiplied.
  var color: UInt32
  /// Lengths in pixels.
  var stroke: StrokeStyle
  /// The picture that is drawn along it instead of the colour.
  var pattern: FillPattern?
  /// The length of one picture in pixels.
  var period = 0.0
  /// The opacity of the pattern, 0 ... 1.
  var opacity = 1.0
  /// In pixels.
  var translate: StyleOffset
  var sortKey: Double
  /// How far the line may reach from its points, in pixels.
  var reach: Double
}

/// How a circle rule draws a feature. All lengths are pixels.
struct CircleLook: Sendable {
  var radius: Double
  /// `0xAARRGGBB`, not premultiplied.
  var color: UInt32
  var blur: Double
  var strokeWidth: Double
  /// `0xAARRGGBB`, not premultiplied.
  var strokeColor: UInt32
  var translate: StyleOffset
  var sortKey: Double
}

/// The looks that a rule's features have at one zoom.
enum RuleLooks: Sendable {
  case fills([FillLook])
  case lines([LineLook])
  case circles([CircleLook])
  /// Looked at when labels are collected.
  case symbols

  /// How many there are.
  var count: Int {
    switch self {
    case .fills(let looks): looks.count
    case .lines(let looks): looks.count
    case .circles(let looks): looks.count
    case .symbols: 0
    }
  }

  /// Bytes of memory that they take; patterns are the sprite sheet's.
  var bytes: Int {
    switch self {
    case .fills(let looks): looks.count * MemoryLayout<FillLook>.stride
    case .lines(let looks):
      looks.reduce(0) { $0 + MemoryLayout<LineLook>.stride + $1.stroke.dashes.count * 8 }
    case .circles(let looks): looks.count * MemoryLayout<CircleLook>.stride
    case .symbols: 0
    }
  }
}

/// Finds looks at one zoom and scale.
struct LookMaker {
  let zoom: Double
  let pixelsPerPoint: Double
  let images: any VectorImages
  /// The canvas pixels per pixel at the whole zoom below; dashes grow by this factor.
  private let growth: Double

  init(zoom: Double, pixelsPerPoint: Double, images: any VectorImages) {
    self.zoom = zoom
    self.pixelsPerPoint = pixelsPerPoint
    self.images = images
    growth = exp2(zoom - zoom.rounded(.down))
  }

  /// The look of a fill; nil if there is nothing to see.
  func fill(_ style: FillStyle, _ context: StyleContext) -> FillLook? {
    let opacity = clampedOpacity(style.opacity.value(context))
    var look = FillLook(
      color: style.color.value(context).word(opacity: opacity), outline: 0,
      antialias: style.antialias.value(context), pattern: nil, opacity: opacity,
      translate: pixels(style.translate.value(context)),
      sortKey: style.sortKey.value(context) ?? 0)
    if let name = style.pattern.value(context) {
      // A pattern that the sprite sheet does not have hides the fill.
      look.pattern = images.pattern(name, pixelsPerPoint: pixelsPerPoint)
      return look.pattern == nil || opacity <= 0 ? nil : look
    }
    if look.antialias, let outline = style.outlineColor.value(context) {
      look.outline = outline.word(opacity: opacity)
    }
    return look.color >> 24 == 0 && look.outline >> 24 == 0 ? nil : look
  }

  /// The look of a line; nil if there is nothing to see.
  func line(_ style: LineStyle, _ context: StyleContext) -> LineLook? {
    let opacity = clampedOpacity(style.opacity.value(context))
    let color = style.color.value(context).word(opacity: opacity)
    let width = style.width.value(context) * pixelsPerPoint
    let picture = style.pattern.value(context)
    guard width > 0, picture == nil ? color >> 24 != 0 : opacity > 0 else { return nil }
    var stroke = StrokeStyle(
      width: width, cap: Self.cap(style.cap.value(context)),
      join: Self.join(style.join.value(context)), miterLimit: style.miterLimit.value(context),
      roundLimit: style.roundLimit.value(context),
      gapWidth: style.gapWidth.value(context) * pixelsPerPoint,
      offset: style.offset.value(context) * pixelsPerPoint,
      blur: style.blur.value(context) * pixelsPerPoint)
    var (pattern, period) = (FillPattern?.none, 0.0)
    if picture != nil || style.dashes.isSet {
      var whole = context
      whole.zoom = context.zoom.rounded(.down)
      let unit = style.width.value(whole) * pixelsPerPoint * growth
      if let picture {
        // A pattern that the sprite sheet does not have hides the line.
        guard let found = images.pattern(picture, pixelsPerPoint: pixelsPerPoint) else {
          return nil
        }
        pattern = found
        // The picture is as high as the line was wide at the whole zoom below.
        period = Double(found.width) / Double(found.height) * (unit > 0 ? unit : width)
      } else {
        stroke.dashes = style.dashes.value(whole).map { $0 * unit }
      }
    }
    let half = width / 2 * max(1, stroke.miterLimit, 1.5)
    return LineLook(
      color: color, stroke: stroke, pattern: pattern, period: period, opacity: opacity,
      translate: pixels(style.translate.value(context)), sortKey: style.sortKey.value(context) ?? 0,
      reach: half + max(stroke.gapWidth, 0) / 2 + width / 2 + abs(stroke.offset) + 2)
  }

  /// The look of a circle; nil if there is nothing to see.
  func circle(_ style: CircleStyle, _ context: StyleContext) -> CircleLook? {
    let opacity = clampedOpacity(style.opacity.value(context))
    let strokeOpacity = clampedOpacity(style.strokeOpacity.value(context))
    // A larger one covers any tile that it is near.
    let radius = min(max(0, style.radius.value(context)) * pixelsPerPoint, 65_536)
    let look = CircleLook(
      radius: radius, color: style.color.value(context).word(opacity: opacity),
      blur: max(style.blur.value(context), 0) * radius,
      strokeWidth: min(max(0, style.strokeWidth.value(context)) * pixelsPerPoint, 65_536),
      strokeColor: style.strokeColor.value(context).word(opacity: strokeOpacity),
      translate: pixels(style.translate.value(context)),
      sortKey: style.sortKey.value(context) ?? 0)
    let isSeen =
      look.color >> 24 != 0 && look.radius > 0
      || look.strokeColor >> 24 != 0 && look.strokeWidth > 0
    return isSeen ? look : nil
  }

  private func pixels(_ offset: StyleOffset) -> StyleOffset {
    StyleOffset(x: offset.x * pixelsPerPoint, y: offset.y * pixelsPerPoint)
  }

  private func clampedOpacity(_ value: Double) -> Double { min(max(value, 0), 1) }

  private static func cap(_ cap: StyleLineCap) -> StrokeStyle.Cap {
    switch cap {
    case .butt: .butt
    case .round: .round
    case .square: .square
    }
  }

  private static func join(_ join: StyleLineJoin) -> StrokeStyle.Join {
    switch join {
    case .bevel: .bevel
    case .round: .round
    case .miter: .miter
    }
  }
}
